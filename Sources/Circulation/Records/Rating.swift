/// What a patron thinks of a title: stars, and a few words if they like.
package struct Rating: Hashable, Sendable {
    /// Whether others see the words.
    package enum ReviewState: String, Hashable, Sendable, CaseIterable {
        case shown
        /// A member has asked staff to look at it; it is shown until they do.
        case reported
        /// Staff have looked at it and let it stand; it is not reported again.
        case kept
        case hidden
    }

    package static let stars: ClosedRange<Int64> = 1...5
    /// The longest review, in letters, digits and signs.
    package static let longestReview = 2_000
    /// The longest reason for which one is hidden.
    package static let longestReason = 500

    package var id: Int64
    package var title: Int64
    package var patron: Int64
    package var stars: Int64
    /// The patron's own words; empty: none.
    package var review: String
    package var state: ReviewState
    package var ratedAt: Instant
    /// When stars or words were last changed.
    package var changedAt: Instant
    /// Why staff hid the words; nil unless they are hidden.
    package var decision: String?

    package init(
        id: Int64 = 0, title: Int64, patron: Int64, stars: Int64, review: String = "", state: ReviewState = .shown,
        ratedAt: Instant, changedAt: Instant? = nil, decision: String? = nil
    ) {
        self.id = id
        self.title = title
        self.patron = patron
        self.stars = stars
        self.review = review
        self.state = state
        self.ratedAt = ratedAt
        self.changedAt = changedAt ?? ratedAt
        self.decision = decision
    }

    /// Whether there are words, and others see them.
    package var showsReview: Bool { !review.isEmpty && state != .hidden }
}

/// How a title was rated: how often, and with how many stars in all. Its id is the title's.
package struct RatingTotal: Hashable, Sendable {
    package var id: Int64
    package var ratings: Int64
    package var stars: Int64

    package init(id: Int64, ratings: Int64 = 0, stars: Int64 = 0) {
        self.id = id
        self.ratings = ratings
        self.stars = stars
    }

    /// The average in tenths of a star, rounded; nil without any.
    package var tenths: Int64? { ratings > 0 ? (stars * 20 + ratings) / (ratings * 2) : nil }
}
