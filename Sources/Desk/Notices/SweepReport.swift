package import Circulation

/// What a sweep did.
package struct SweepReport: Hashable, Sendable {
    /// A loan that was skipped because the policy failed.
    package struct Failure: Hashable, Sendable {
        package var loan: Int64
        package var point: DecisionPoint
        package var failure: PolicyFailure

        package init(loan: Int64, point: DecisionPoint, failure: PolicyFailure) {
            self.loan = loan
            self.point = point
            self.failure = failure
        }
    }
    /// Loans looked at.
    package var loans: Int64 = 0
    /// Notices queued, or delivered at once to the inbox.
    package var notices: Int64 = 0
    /// Notices whose words another message of the run carries: `digest`.
    package var merged: Int64 = 0
    /// Stages recorded as passed over.
    package var superseded: Int64 = 0
    /// Lines added to accounts, and their sum in minor units.
    package var charges: Int64 = 0
    package var charged: Int64 = 0
    /// Holds that ended: no longer wanted, or not fetched from the shelf in time.
    package var holdsExpired: Int64 = 0
    /// Loans that renewed by themselves.
    package var renewed: Int64 = 0
    /// Copies that count as lost from now on.
    package var lost: Int64 = 0
    package var failed: Int64 = 0
    /// The first hundred failures; all of them are events.
    package var failures: [Failure] = []
    /// No policy is in force, so that nothing was looked at.
    package var hasNoPolicy = false

    package init() {}
}
