package import Circulation
import Storage

extension LoanService {
    /// Whether a loan was imported under this key.
    package func isImported(_ key: String) throws -> Bool {
        try transaction.loans.find(importKey: key) != nil
    }

    /// Takes in a loan of the past under its ``Loan/importKey``, as ``ImportService/loan(_:)`` does; a key that was seen
    /// before gives the loan that is there. Refused with `before_lent` or `exists`.
    package func importHistory(_ loan: Loan) throws -> Outcome<Loan> {
        switch try session.imports.loan(loan) {
        case .added(let loan), .updated(let loan), .unchanged(let loan): .done(loan)
        case .rejected(let refusal): .refused(refusal)
        }
    }
}
