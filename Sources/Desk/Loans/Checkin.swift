package import Circulation

/// What a returned copy led to.
package struct Checkin: Hashable, Sendable {
    /// The loan, returned.
    package var loan: Loan
    /// What was added to the patron's account by this return.
    package var posted: [LedgerEntry]
    /// The suspension that this return brought.
    package var suspension: PatronBlock?
    /// Why the policy gave no answer; the copy was taken all the same.
    package var failures: [PolicyFailure]

    package init(
        loan: Loan, posted: [LedgerEntry] = [], suspension: PatronBlock? = nil, failures: [PolicyFailure] = []
    ) {
        self.loan = loan
        self.posted = posted
        self.suspension = suspension
        self.failures = failures
    }
}
