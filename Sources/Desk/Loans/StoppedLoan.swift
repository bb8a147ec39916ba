package import Circulation

/// A loan for which time no longer goes on, since its copy is lost or was claimed to be returned, with what that led to.
package struct StoppedLoan: Hashable, Sendable {
    package var loan: Loan
    package var copy: Copy
    /// What was added to the patron's account by it, what was taken off included.
    package var posted: [LedgerEntry] = []
    /// Why the policy gave no answer; the copy is lost all the same.
    package var failures: [PolicyFailure] = []
}
