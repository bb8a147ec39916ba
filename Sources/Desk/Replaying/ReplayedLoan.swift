package import Circulation

/// What a loan led to beside its due times, and what it would lead to.
package struct ReplayedLoan: Hashable, Sendable {
    package var loan: Int64
    package var patron: Int64?
    package var category: String
    package var notices: [ReplayedNotice] = []
    package var fees: [ReplayedFee] = []
}

/// A notice that was recorded, would be, or both.
package struct ReplayedNotice: Hashable, Sendable {
    package enum Change: String, Hashable, Sendable { case same, added, dropped, changed }

    package var stage: String
    package var repetition: Int64
    package var change: Change
}

/// What a loan cost under one heading, in minor units.
package struct ReplayedFee: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable { case fine, notice, charge, rental, lost }

    package var kind: Kind
    package var before: Int64
    package var after: Int64
}

/// How a replay went, in numbers.
package struct ReplaySummary: Hashable, Sendable {
    /// Events that were folded.
    package var events: Int64 = 0
    /// Requests that were asked again.
    package var requests: Int64 = 0
    /// Requests that no policy was asked about, such as those for an unknown title: they stay as they are.
    package var unasked: Int64 = 0
    /// Requests whose case is no longer in the decision log.
    package var unanswerable: Int64 = 0
    /// From when on the decision log has every case; nil: from the beginning.
    package var answerableFrom: Instant?
    /// Returns and renewals of loans that the candidate never made.
    package var void: Int64 = 0
    package var arrivals = ReplayedArrivals()
    /// The first and the last moment of what was asked.
    package var first: Instant?
    package var last: Instant?
    package var effort = ReplayEffort()

    package init() {}
}
