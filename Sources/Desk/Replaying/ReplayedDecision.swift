package import Circulation

/// A recorded request that was put to a policy once more.
package struct ReplayedDecision: Hashable, Sendable {
    /// The event that carried out the first answer, or records the refusal.
    package var event: Int64
    package var at: Instant
    package var kind: String
    package var point: DecisionPoint
    package var patron: Int64?
    package var loan: Int64?
    package var title: Int64?
    package var category: String
    package var itemType: String?
    package var branch: String
    package var before: ReplayedAnswer
    package var after: ReplayedAnswer

    package var isDifferent: Bool { !before.isSame(as: after) }
}

/// What was, or would be, answered.
package struct ReplayedAnswer: Hashable, Sendable {
    /// `allow`, `confirm`, `deny`, `failed` or `review`; `void` for what is about a loan that the candidate never made.
    package var answer: String
    /// The refusal's, nil for what is allowed.
    package var code: String?
    package var message: String?
    package var due: Instant?
    /// The place that an allowed hold takes among others.
    package var priority: Int64?
    /// To when a return suspends the patron.
    package var suspendedUntil: CivilDate?
    /// What it costs at once, in minor units.
    package var cost: Int64 = 0
    /// The row or line that refused, or the row that set the loan period.
    package var origin: RuleOrigin?
    /// Staff went on in spite of it.
    package var isOverridden: Bool = false
    /// What is stored of it is at odds with itself: such an answer is like none that a policy gives.
    package var isBroken = false

    /// What was refused and done nevertheless counts as done.
    package var isGranted: Bool { answer == Decision.Answer.allow.rawValue || isOverridden }

    package static let void = ReplayedAnswer(answer: "void")

    /// Its place in a policy and its wording are not differences.
    func isSame(as other: ReplayedAnswer) -> Bool {
        !isBroken && answer == other.answer && code == other.code && due == other.due && priority == other.priority
            && suspendedUntil == other.suspendedUntil && cost == other.cost
    }
}
