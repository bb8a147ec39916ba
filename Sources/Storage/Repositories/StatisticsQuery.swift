package import Circulation

/// What circulation is counted by.
package enum StatisticsGroup: String, Hashable, Sendable, CaseIterable {
    case day, week, month, year, branch, category
    case itemType = "item_type"
    case genre, title
}

/// What is counted.
package enum StatisticsMeasure: String, Hashable, Sendable, CaseIterable {
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

/// A question about circulation.
package struct StatisticsQuery: Hashable, Sendable {
    package var group: StatisticsGroup
    package var measure: StatisticsMeasure
    /// The first day; nil: from the beginning.
    package var from: CivilDate?
    /// The last day; nil: to the end.
    package var to: CivilDate?
    /// In whose days to count.
    package var zone: Zone
    /// Only what was lent there.
    package var branch: String?

    package init(
        group: StatisticsGroup, measure: StatisticsMeasure = .loans, from: CivilDate? = nil, to: CivilDate? = nil,
        zone: Zone, branch: String? = nil
    ) {
        self.group = group
        self.measure = measure
        self.from = from
        self.to = to
        self.zone = zone
        self.branch = branch
    }
}

/// One line of an answer.
package struct StatisticsRow: Hashable, Sendable {
    /// `2026-11-21`, `2026-W47`, `2026-11`, `2026`, a code, a genre, or a title's id; nil: unknown.
    package var key: String?
    /// A title's title.
    package var label: String?
    package var count: Int64

    package init(key: String?, label: String? = nil, count: Int64) {
        self.key = key
        self.label = label
        self.count = count
    }
}

/// How often what stands on the shelf was lent.
package struct TurnoverRow: Hashable, Sendable {
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

    /// Loans per copy; nil without copies.
    package var ratio: Double? { copies > 0 ? Double(loans) / Double(copies) : nil }
}
