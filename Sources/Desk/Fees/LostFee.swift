import Circulation

/// The fee for a lost copy, and what is left of it when the copy comes back.
struct LostFee {
    /// The line of the fee.
    let line: LedgerEntry
    /// What the patron was let off it since, in minor units.
    let forgiven: Int128
    /// What is still owed of it, in minor units.
    let unpaid: Int128

    static func key(_ loan: Int64) -> String { "lost:\(loan)" }

    /// - Returns: nil if the account has no such fee.
    init?(of loan: Int64, in account: FeeAccount) {
        let key = Self.key(loan)
        guard let line = account.lines.first(where: { $0.key == key }) else { return nil }
        self.line = line
        let fee = Int128(line.amount.minorUnits)
        var forgiven: Int128 = 0
        if account.isSettled(line, by: .waiver) || account.isSettled(line, by: .refund) {
            forgiven = fee
        } else {
            // Relief in an amount names no charge. What came after the fee is taken to be for it, lest the library give
            // back what it never got.
            for entry in account.lines where entry.id > line.id && entry.loan == nil {
                if entry.kind == .waiver || entry.kind == .adjustment { forgiven -= Int128(entry.amount.minorUnits) }
            }
        }
        self.forgiven = min(fee, max(0, forgiven))
        unpaid = min(fee - self.forgiven, max(0, Int128(account.balance.minorUnits)))
    }

    /// The lines that take the fee back: what is owed of it is waived, what was paid becomes the patron's credit unless
    /// only what is unpaid is taken back.
    func reversal(of refunded: LostTerms.Refunded, at moment: Instant) -> [LedgerEntry] {
        let paid = refunded == .all ? Int128(line.amount.minorUnits) - forgiven - unpaid : 0
        return [
            entry(.waiver, "waived", unpaid, "Lost copy came back", moment),
            entry(.adjustment, "credit", paid, "Lost copy came back, paid fee as credit", moment),
        ].compactMap { $0 }
    }

    private func entry(
        _ kind: LedgerEntry.Kind, _ suffix: String, _ amount: Int128, _ label: String, _ moment: Instant
    ) -> LedgerEntry? {
        guard amount > 0 else { return nil }
        return LedgerEntry(
            key: "\(line.key):\(suffix)", patron: line.patron, loan: line.loan, kind: kind,
            amount: Money(minorUnits: -Int64(clamping: amount), currency: line.amount.currency), label: label,
            at: moment)
    }
}
