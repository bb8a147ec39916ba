package import Circulation

/// What a run of the outbox did.
package struct DeliveryReport: Hashable, Sendable {
    /// A notice that did not go out.
    package struct Problem: Hashable, Sendable {
        package var notice: Int64
        package var channel: String
        package var fault: DeliveryFault
        /// Whether it was given up; else it is tried again later.
        package var isGivenUp: Bool
    }

    /// Notices that went out.
    package var sent: Int64 = 0
    /// Of those, the ones that shared a message with others.
    package var sentTogether: Int64 = 0
    /// The messages that had several of them.
    package var messagesOfSeveral: Int64 = 0
    /// Notices that did not, and will be tried again.
    package var putOff: Int64 = 0
    /// Notices that were given up.
    package var givenUp: Int64 = 0
    /// Notices that still wait: held by another worker, pausing after a try, beyond a limit, or until quiet hours are over.
    package var waiting: Int64 = 0
    /// Of those, the ones whose channel is not set up here, by channel.
    package var notSetUp: [String: Int64] = [:]
    /// Channels that were left alone because they were out of order, with what they said.
    package var outOfOrder: [String: String] = [:]
    /// Channels whose quiet hours hold, with when they are over.
    package var quiet: [String: Instant] = [:]
    /// The first of those that did not go out.
    package var problems: [Problem] = []
    package var isStopped = false

    package init() {}

    static let mostProblems = 100

    mutating func add(_ problem: Problem) {
        if problem.isGivenUp { givenUp += 1 } else { putOff += 1 }
        if problems.count < Self.mostProblems { problems.append(problem) }
    }
}
