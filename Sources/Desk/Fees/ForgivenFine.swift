import Circulation
import Storage

/// The fine of a loan that its rule forgives when the copy is declared lost (`lost_fine`), and that comes back when the
/// copy is found (`lost_found_fine`).
struct ForgivenFine {
    let loan: Loan
    let account: FeeAccount

    private var key: String { "forgiven:\(loan.id)" }

    /// The line that forgives what is owed of the fine; nil if nothing is.
    ///
    /// Payments belong to no charge, so that what the patron owes beside the fee for the loss is taken to be owed for the
    /// fine first.
    func forgiving(at moment: Instant) -> LedgerEntry? {
        let fee = account.lines.first { $0.key == LostFee.key(loan.id) }?.amount.minorUnits ?? 0
        let owed = Int128(account.balance.minorUnits) - Int128(fee)
        return line(key, .waiver, -min(left, owed), "Fine forgiven, copy lost", moment)
    }

    /// The line that makes the patron owe what was forgiven; nil if nothing was, or it is owed again already.
    func restoring(at moment: Instant) -> LedgerEntry? {
        guard let forgiven = account.lines.first(where: { $0.key == key }) else { return nil }
        return line(
            key + ":back", .adjustment, -Int128(forgiven.amount.minorUnits), "Forgiven fine restored, copy came back",
            moment)
    }

    /// What the loan was fined, what was taken off or waived since left out, in minor units.
    private var left: Int128 {
        account.lines.reduce(0) { sum, line in
            guard FineDifference.dueAt(in: line.key, of: loan.id) != nil else { return sum }
            if account.isSettled(line, by: .waiver) || account.isSettled(line, by: .refund) { return sum }
            return sum + Int128(line.amount.minorUnits)
        }
    }

    private func line(
        _ key: String, _ kind: LedgerEntry.Kind, _ amount: Int128, _ label: String, _ moment: Instant
    ) -> LedgerEntry? {
        guard kind == .waiver ? amount < 0 : amount > 0 else { return nil }
        return LedgerEntry(
            key: key, patron: account.patron.id, loan: loan.id, kind: kind,
            amount: Money(minorUnits: Int64(clamping: amount), currency: account.balance.currency), label: label,
            at: moment)
    }
}

extension FeeService {
    /// The account of a loan's patron; nil for a loan without one.
    func account(of loan: Loan) throws -> FeeAccount? {
        guard let id = loan.patron, let patron = try session.transaction.patrons.get(id) else { return nil }
        return FeeAccount(
            patron: patron, balance: try balance(of: id), lines: try session.transaction.ledger.of(patron: id))
    }
}
