import Circulation
import Storage

extension FeeService {
    /// Takes off what the desk charged by itself for a loan after the moment at which the copy turns out to have come
    /// back: for notices, by the policy, for renewals, and fines of due times before the last renewal. What staff charged
    /// stays, and so does what was settled as a whole already.
    ///
    /// The fine of the present due time is brought to the moment by ``FineDifference`` instead, the fee for a loss by
    /// ``LostFee``.
    func takeOff(chargesOf loan: Loan, after moment: Instant) throws -> [LedgerEntry] {
        guard moment < session.now, let id = loan.patron, let patron = try session.transaction.patrons.get(id) else {
            return []
        }
        let prefixes = ["notice:\(loan.id):", "charge:loan:\(loan.id):", "rental:\(loan.id):", "fine:\(loan.id):"]
        let present = loan.due.map { FineDifference.prefix(loan.id, $0.instant) }
        let all = try session.transaction.ledger.of(loan: loan.id)
        let late = all.filter { line in
            guard line.at > moment, line.patron == id, line.amount.isPositive else { return false }
            if let present, line.key.hasPrefix(present) { return false }
            return prefixes.contains { line.key.hasPrefix($0) }
        }
        guard !late.isEmpty else { return [] }
        let account = FeeAccount(
            patron: patron, balance: try balance(of: id), lines: try session.transaction.ledger.of(patron: id))
        let open = late.filter { !account.isSettled($0, by: .waiver) && !account.isSettled($0, by: .refund) }
        var left = Self.finesLeft(of: loan, all)
        return try post(
            open.compactMap { line in
                var amount = line.amount.minorUnits
                if let due = FineDifference.dueAt(in: line.key, of: loan.id) {
                    amount = min(amount, max(0, left[due] ?? 0))
                    left[due, default: 0] -= amount
                }
                guard amount > 0 else { return nil }
                return LedgerEntry(
                    key: "back:" + line.key, patron: id, loan: loan.id, kind: .adjustment,
                    amount: Money(minorUnits: -amount, currency: line.amount.currency),
                    label: line.label + ", returned earlier", at: session.now)
            })
    }

    /// What is charged for each due time and was not taken off since, as by a closure: no more of it can be taken off.
    private static func finesLeft(of loan: Loan, _ lines: [LedgerEntry]) -> [Instant: Int64] {
        var left: [Instant: Int64] = [:]
        for line in lines {
            guard let due = FineDifference.dueAt(in: line.key, of: loan.id) else { continue }
            left[due, default: 0] &+= line.amount.minorUnits
        }
        return left
    }
}
