/// Which titles on the shelves are hardly lent.
package struct RarelyLentQuery: Hashable, Sendable {
    /// Lent so often at most.
    package var most: Int64
    /// From this instant on; nil: ever.
    package var since: Instant?
    /// Only titles that came out before this year; titles without a year are left out then.
    package var publishedBefore: Int64?
    /// Only titles that are neither on loan nor on hold, and that the library does not recommend.
    package var isIdle: Bool

    package init(most: Int64 = 0, since: Instant? = nil, publishedBefore: Int64? = nil, isIdle: Bool = false) {
        self.most = most
        self.since = since
        self.publishedBefore = publishedBefore
        self.isIdle = isIdle
    }
}

/// A title on the shelves with how often it was lent.
package struct RarelyLent: Hashable, Sendable {
    package var title: Title
    /// Within the time that was asked about.
    package var recent: Int64
    package var ever: Int64

    package init(title: Title, recent: Int64, ever: Int64) {
        self.title = title
        self.recent = recent
        self.ever = ever
    }
}

/// How many titles, and copies of them that are neither lost nor withdrawn.
package struct TitleTotals: Hashable, Sendable {
    package var titles: Int64
    package var copies: Int64

    package init(titles: Int64, copies: Int64) {
        self.titles = titles
        self.copies = copies
    }
}

/// What the library holds of one year.
package struct YearOfCollection: Hashable, Sendable {
    /// When it came out; nil: not known.
    package var year: Int64?
    package var titles: Int64
    /// Those that are neither lost nor withdrawn.
    package var copies: Int64
    package var onLoan: Int64

    package init(year: Int64?, titles: Int64, copies: Int64, onLoan: Int64) {
        self.year = year
        self.titles = titles
        self.copies = copies
        self.onLoan = onLoan
    }
}

/// By what titles are put together.
package enum HoldingGroup: String, Hashable, Sendable, CaseIterable {
    case subject, genre, college
}

/// What the library holds of one subject, genre or college, and how often it was lent.
package struct Holding: Hashable, Sendable {
    /// Empty: titles without one.
    package var key: String
    package var titles: Int64
    /// Those that are neither lost nor withdrawn.
    package var copies: Int64
    package var loans: Int64

    package init(key: String, titles: Int64 = 0, copies: Int64 = 0, loans: Int64 = 0) {
        self.key = key
        self.titles = titles
        self.copies = copies
        self.loans = loans
    }

    /// Loans for each copy; nil without copies.
    package var turnover: Double? { copies > 0 ? Double(loans) / Double(copies) : nil }
}
