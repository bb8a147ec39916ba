/// By what loans are counted.
package enum LoanGroup: String, Hashable, Sendable, CaseIterable {
    case day, week, month, year, branch, category, genre, title
    case itemType = "item_type"
}

/// What is counted.
package enum LoanMeasure: String, Hashable, Sendable, CaseIterable {
    /// By the instant of lending.
    case loans
    /// By the instant of each renewal; of imported loans, whose renewals have none, by that of the last one or else
    /// of lending.
    case renewals
    /// By the instant of return.
    case returns
    /// Uses of copies in the house, by their instant.
    case inHouse = "in_house"
}

/// One line of a count.
package struct LoanCount: Hashable, Sendable {
    /// `2026-12-24`, `2026-W52`, `2026-12`, `2026`, a code, a genre or a title's id; empty: unknown.
    package var key: String
    /// A title's title.
    package var label: String?
    package var count: Int64

    package init(key: String, label: String? = nil, count: Int64) {
        self.key = key
        self.label = label
        self.count = count
    }
}

/// How often what stands on the shelves was lent.
package struct Turnover: Hashable, Sendable {
    package var key: String
    package var label: String?
    package var loans: Int64
    /// Copies there are now, without lost and withdrawn ones.
    package var copies: Int64

    package init(key: String, label: String? = nil, loans: Int64, copies: Int64) {
        self.key = key
        self.label = label
        self.loans = loans
        self.copies = copies
    }

    /// Loans for each copy; nil without copies.
    package var ratio: Double? { copies > 0 ? Double(loans) / Double(copies) : nil }
}
