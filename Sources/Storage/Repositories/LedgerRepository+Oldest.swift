package import Circulation

extension LedgerRepository {
    private static let latestLines = Query(
        "SELECT id, entry_key, loan, kind, amount, at FROM ledger WHERE patron = ? ORDER BY id DESC LIMIT ?")

    /// So many lines of an account are looked at for its oldest debt.
    package static let mostLines: Int64 = 1_000

    /// When the oldest charge was posted that is not fully paid; nil where nothing is owed.
    ///
    /// What lets a patron off a whole charge is taken off that charge, a line about a loan that lessens a debt off what that
    /// loan was charged, and all that is paid off the oldest charges first. So what is owed are the latest charges, as many
    /// as come to the balance. Of an account with more than ``mostLines`` lines behind them the oldest of these counts.
    ///
    /// - Parameter owed: the balance.
    package func oldestDebt(patron: Int64, owed: Int64) throws(StoreError) -> Instant? {
        guard owed > 0 else { return nil }
        var left = owed
        var found: Instant?
        // What was taken off charges that come later in this order.
        var offLoan: [Int64: Int64] = [:]
        var offLine: [Int64: Int64] = [:]
        try transaction.each(Self.latestLines, [.integer(patron), .integer(Self.mostLines)]) { row throws(StoreError) in
            let (id, key, loan) = (row.integer(), row.text(), row.optionalInteger())
            let kind: LedgerEntry.Kind = try row.choice()
            let (amount, at) = (row.integer(), row.instant())
            if kind == .refund || kind == .payment { return true }
            guard amount > 0 else {
                if let line = Self.line(settledBy: key) {
                    offLine[line, default: 0] &-= amount
                } else if let loan {
                    offLoan[loan, default: 0] &-= amount
                }
                return true
            }
            var open = amount
            open -= Self.take(open, from: &offLine, id)
            if let loan { open -= Self.take(open, from: &offLoan, loan) }
            guard open > 0 else { return true }
            found = at
            left -= min(left, open)
            return left > 0
        }
        return found
    }

    private static func take(_ amount: Int64, from offs: inout [Int64: Int64], _ key: Int64) -> Int64 {
        guard let off = offs[key], off > 0 else { return 0 }
        let taken = min(off, amount)
        offs[key] = off - taken
        return taken
    }

    /// The line that a waiver or a taking back of a whole charge names in its key: `waiver:7#12`.
    private static func line(settledBy key: String) -> Int64? {
        for prefix in ["waiver:", "adjustment:refund:"] where key.hasPrefix(prefix) {
            let parts = key.dropFirst(prefix.count).split(separator: "#", omittingEmptySubsequences: false)
            if parts.count == 2, Int64(parts[0]) != nil { return Int64(parts[1]) }
        }
        return nil
    }
}
