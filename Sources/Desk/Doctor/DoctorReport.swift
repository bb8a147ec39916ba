package import Circulation
package import Storage

/// What a check of the store found.
package struct DoctorReport: Hashable, Sendable {
    /// Something that must hold and does not.
    package struct Broken: Hashable, Sendable {
        /// The invariant's name: `fold`, `copy_status`, `ledger_sum` and the like.
        package var invariant: String
        package var table: String
        /// The row's key as text.
        package var id: String
        package var message: String
    }
    /// A failure of a policy that the events tell of; it breaks nothing in the store.
    package struct Failure: Hashable, Sendable {
        package var event: Int64
        package var at: Instant
        package var point: String
        package var policy: String
        package var message: String

        package init(event: Int64, at: Instant, point: String, policy: String, message: String) {
            self.event = event
            self.at = at
            self.point = point
            self.policy = policy
            self.message = message
        }
    }
    package var broken: [Broken] = []
    /// The end of the chain of events: kept elsewhere, it can be checked against the store later.
    package var head = EventChain.Link.start
    package var failures: [Failure] = []
    package var isSound: Bool { broken.isEmpty }

    package init() {}
}
