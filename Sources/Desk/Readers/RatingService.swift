package import Circulation
import Storage

/// What patrons think of titles. Each rates a title once, changes it and takes it back; the words go through no hands
/// before others see them, but staff hide them, and members ask staff to.
package struct RatingService {
    let session: DeskSession

    private var ratings: RatingRepository { session.transaction.ratings }

    /// How many titles a patron may have rated.
    package static let most: Int64 = 10_000

    // MARK: - Reading

    /// Whether the library has ratings at all.
    package func areOn() throws -> Bool { try session.settings.library().hasRatings }

    /// How a title was rated.
    package func total(of title: Int64) throws -> RatingTotal {
        try session.transaction.ratingTotals.get(title) ?? RatingTotal(id: title)
    }

    /// How titles were rated, by their ids; nothing of one without ratings, and of none while the library has no ratings.
    package func totals(of titles: [Int64]) throws -> [Int64: RatingTotal] {
        guard try !titles.isEmpty && areOn() else { return [:] }
        let totals = try session.transaction.ratingTotals.get(Set(titles).sorted())
        return Dictionary(totals.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// What a patron thinks of a title; nil: they have not said.
    package func rating(of title: Int64, by key: PatronKey) throws -> Rating? {
        guard let patron = try session.patrons.get(key) else { return nil }
        return try ratings.find(patron: patron.id, title: title)
    }

    /// A patron's ratings, the latest first; none for an unknown patron.
    package func list(of key: PatronKey, _ part: ListPart = ListPart(limit: 50)) throws -> [Rating] {
        guard let patron = try session.patrons.get(key) else { return [] }
        return try ratings.of(patron: patron.id, part)
    }

    /// The ratings of a title whose words others see, the latest first; none while the library has no ratings.
    package func reviews(of title: Int64, _ part: ListPart = ListPart(limit: 50)) throws -> [Rating] {
        try areOn() ? ratings.reviews(of: title, part) : []
    }

    /// The ratings at whose words members asked staff to look, the oldest first.
    package func reported(_ part: ListPart = ListPart(limit: 50)) throws -> [Rating] { try ratings.reported(part) }

    /// A rating, whether its words are shown or not.
    package func get(_ id: Int64) throws -> Rating? { try ratings.get(id) }

    // MARK: - Rating

    /// Rates a title in a patron's name, or changes what they said. New words of a review that staff let stand may be
    /// reported anew; those of a hidden or reported one stay so.
    ///
    /// Refused with `ratings_off`, `unknown_patron`, `not_owner`, `unknown_title`, `full`.
    ///
    /// - Parameters:
    ///   - stars: from 1 to 5.
    ///   - review: plain text of at most ``Rating/longestReview`` letters; empty: none.
    package func rate(_ title: TitleKey, stars: Int64, review: String, by key: PatronKey) throws -> Outcome<Rating> {
        let review = try Self.checked(stars, review)
        let trail = RequestTrail("ratings.rate")
        return try session.request(trail) {
            let patron = try session.patrons.known(key, trail)
            try session.checkOwner(trail)
            try checkOn()
            let title = try session.catalogue.known(title).id
            if var rating = try ratings.find(patron: patron.id, title: title) {
                guard rating.stars != stars || rating.review != review else { return rating }
                // What was reported is looked at, whatever it says by then.
                if rating.review != review, rating.state == .kept || review.isEmpty && rating.state == .reported {
                    rating.state = .shown
                }
                (rating.stars, rating.review, rating.changedAt) = (stars, review, session.now)
                try session.record(.ratingChanged, rating)
                return rating
            }
            guard try ratings.count(patron: patron.id, upTo: Self.most) < Self.most else {
                throw Refused("full", "The limit of \(Self.most) ratings has been reached. Remove one first.")
            }
            return try add(
                Rating(title: title, patron: patron.id, stars: stars, review: review, ratedAt: session.now),
                at: session.now)
        }
    }

    /// Adds a rating within a request.
    func add(_ rating: Rating, at moment: Instant) throws -> Rating {
        guard let added = try session.record(.ratingAdded, rating, at: moment)?.content else {
            throw DeskError.input(nil, "The rating could not be saved.")
        }
        return added
    }

    /// Takes a rating back.
    ///
    /// Refused with `unknown_patron`, `not_owner`, `unknown_title`, `unknown_rating`.
    package func remove(_ title: TitleKey, by key: PatronKey) throws -> Outcome<Rating> {
        let trail = RequestTrail("ratings.remove")
        return try session.request(trail) {
            let patron = try session.patrons.known(key, trail)
            try session.checkOwner(trail)
            let title = try session.catalogue.known(title).id
            guard let rating = try ratings.find(patron: patron.id, title: title) else {
                throw Refused("unknown_rating", "The patron has not rated that title.")
            }
            try session.record(.ratingRemoved, RatingRemoval(id: rating.id, patron: patron.id, title: title))
            return rating
        }
    }

    /// - Returns: the words without blanks at their ends.
    static func checked(_ stars: Int64, _ review: String) throws -> String {
        guard Rating.stars.contains(stars) else { throw DeskError.input("stars", "A rating must have 1 to 5 stars.") }
        let review = review.replacing("\r\n", with: "\n").withoutOuterBlanks
        guard review.count <= Rating.longestReview, review.utf8.count <= 4 * Rating.longestReview else {
            throw DeskError.input(
                "review", "A review can have at most \(Rating.longestReview) characters.")
        }
        guard !review.unicodeScalars.contains(where: { $0.properties.generalCategory == .control && $0 != "\n" })
        else { throw DeskError.input("review", "A review must be plain text.") }
        return review
    }

    /// - Returns: the words without blanks at their ends.
    static func checked(reason: String, field: String) throws -> String {
        let reason = reason.withoutOuterBlanks
        guard 1...Rating.longestReason ~= reason.count, reason.utf8.count <= 4 * Rating.longestReason,
            !reason.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw DeskError.input(
                field, "A reason must be a single line of 1 to \(Rating.longestReason) characters.")
        }
        return reason
    }

    private func checkOn() throws {
        guard try areOn() else { throw Refused("ratings_off", "Ratings are switched off at this library.") }
    }

    // MARK: - Looking at reviews

    /// Asks staff to look at the words of a rating. What was reported already, and what staff let stand, stays as it is.
    ///
    /// Refused with `unknown_patron`, `not_owner`, `unknown_review` (one that is not shown too), `own_review`.
    package func report(_ id: Int64, by key: PatronKey) throws -> Outcome<Rating> {
        let trail = RequestTrail("ratings.report")
        return try session.request(trail) {
            let patron = try session.patrons.known(key, trail)
            try session.checkOwner(trail)
            guard var rating = try ratings.get(id), rating.showsReview, try areOn() else { throw Self.unknown(id) }
            guard rating.patron != patron.id else {
                throw Refused(
                    "own_review",
                    "You cannot do that with your own offer or review.")
            }
            guard rating.state == .shown else { return rating }
            rating.state = .reported
            try session.record(.reviewReported, rating)
            return rating
        }
    }

    /// Hides the words of a rating from others than their writer; the stars count as before. Refused with
    /// `unknown_review`.
    ///
    /// - Parameter reason: why, for the writer and the log; without the writer's name there.
    package func hide(_ id: Int64, reason: String) throws -> Outcome<Rating> {
        let reason = try Self.checked(reason: reason, field: "reason")
        return try judge(id, "ratings.hide", .reviewHidden, as: .hidden, reason)
    }

    /// Lets the words of a rating stand, whether they were hidden, reported or neither. Refused with `unknown_review`.
    package func show(_ id: Int64) throws -> Outcome<Rating> { try judge(id, "ratings.show", .reviewShown, as: .kept) }

    private func judge(
        _ id: Int64, _ name: String, _ kind: EventKind<Rating>, as state: Rating.ReviewState, _ reason: String? = nil
    ) throws -> Outcome<Rating> {
        let trail = RequestTrail(name)
        return try session.request(trail) {
            guard var rating = try ratings.get(id), !rating.review.isEmpty else { throw Self.unknown(id) }
            trail.patron = rating.patron
            guard rating.state != state else { return rating }
            rating.state = state
            rating.decision = try reason.map { try session.patrons.impersonal($0, about: rating.patron) }
            try session.record(kind, rating)
            return rating
        }
    }

    private static func unknown(_ id: Int64) -> Refused { Refused("unknown_review", "There is no review \(id).") }
}

extension String {
    /// Without the blanks and breaks at its ends.
    var withoutOuterBlanks: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}

extension DeskSession {
    package var ratings: RatingService { RatingService(session: self) }
    package var lists: TitleListService { TitleListService(session: self) }
}
