package import Circulation

/// What a copy that came back, or was scanned, led to.
package struct Checkin: Hashable, Sendable {
    /// The loan, returned; nil for a copy that was not on loan.
    package var loan: Loan?
    /// The copy as it is now; nil for a loan that has none.
    package var copy: Copy?
    /// The hold for which the copy is set aside: on the shelf, or in transit to its pickup branch.
    package var hold: Hold?
    /// What was added to the patron's account by this return.
    package var posted: [LedgerEntry] = []
    /// The suspension that this return brought.
    package var suspension: PatronBlock?
    /// Why the policy gave no answer; the copy was taken all the same.
    package var failures: [PolicyFailure] = []
}
