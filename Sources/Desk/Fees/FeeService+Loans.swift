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
        let late = try session.transaction.ledger.of(loan: loan.id).filter { line in
            guard line.at > moment, line.patron == id, line.amount.isPositive else { return false }
            if let present, line.key.hasPrefix(present) { return false }
            return prefixes.contains { line.key.hasPrefix($0) }
        }
        guard !late.isEmpty else { return [] }
        let account = FeeAccount(
            patron: patron, balance: try balance(of: id), lines: try session.transaction.ledger.of(patron: id))
        let open = late.filter { !account.isSettled($0, by: .waiver) && !account.isSettled($0, by: .refund) }
        return try post(
            try open.map { line in
                LedgerEntry(
                    key: "back:" + line.key, patron: id, loan: loan.id, kind: .adjustment,
                    amount: try line.amount.negated(), label: line.label + ", returned earlier", at: session.now)
            })
    }
}
