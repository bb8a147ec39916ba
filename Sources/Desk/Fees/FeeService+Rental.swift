import Circulation
import Storage

extension FeeService {
    /// Posts what a loan or its renewal costs, as the decision has it: one line each, under the loan's own key.
    func postRental(of loan: Loan, _ asked: AskedDecision) throws {
        guard let patron = loan.patron else { return }
        var entries: [LedgerEntry] = []
        for case .rental(let amount, let label, _) in asked.decision.effects where !amount.isZero {
            entries.append(
                LedgerEntry(
                    key: Self.rentalKey(loan, line: entries.count + 1), patron: patron, loan: loan.id,
                    kind: amount.isPositive ? .charge : .adjustment, amount: amount, label: label, at: session.now))
        }
        guard !entries.isEmpty else { return }
        // A sum beyond 64 bits must never come about, since no balance could be read any more.
        _ = try Money.sum([try balance(of: patron)] + entries.map(\.amount), currency: try currency())
        _ = try post(entries)
    }

    /// `rental:17:0:1`: the loan, how often it was renewed before, the line.
    private static func rentalKey(_ loan: Loan, line: Int) -> String {
        "rental:\(loan.id):\(loan.renewals):\(line)"
    }
}
