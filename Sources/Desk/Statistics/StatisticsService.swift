package import Circulation
import Storage

/// Counts over all loans, imported history included.
package struct StatisticsService {
    let session: DeskSession

    /// Counts circulation by whole civil days of the library's zone.
    ///
    /// Days, weeks, months and years come in their order, all else by its count, the largest first.
    ///
    /// - Parameters:
    ///   - from: counts from the day of this instant on; nil: from the beginning.
    ///   - to: counts up to this instant, which is not counted itself, and to the end of its day; nil: to the end.
    ///   - branch: only what was lent there.
    ///   - rollsUp: by branch, category or item type what is counted for one is counted for its ancestors too.
    /// - Throws: ``DeskError`` where another group is to roll up.
    package func loans(
        by group: LoanGroup, measure: LoanMeasure = .loans, from: Instant? = nil, to: Instant? = nil,
        branch: String? = nil, rollsUp: Bool = false, _ part: ListPart = .all
    ) throws -> [LoanCount] {
        let days = try days(from, to)
        let query = StatisticsQuery(
            group: group, measure: measure, from: days.first, to: days.last, zone: days.zone,
            branch: branch)
        let statistics = session.transaction.statistics
        guard rollsUp else { return try statistics.counts(query, part) }
        return part.of(try rolledUp(try statistics.counts(query), group))
    }

    /// Counts what stands below a code for it as well.
    private func rolledUp(_ counts: [LoanCount], _ group: LoanGroup) throws -> [LoanCount] {
        let settings = try session.settingsSnapshot()
        let chain: (String) -> [String]
        switch group {
        case .branch: chain = settings.branches(from:)
        case .category: chain = settings.categories(from:)
        case .itemType: chain = settings.itemTypes(from:)
        case .day, .week, .month, .year, .genre, .title:
            throw DeskError.input("rollup", "Only branches, categories and item types roll up.")
        }
        var sums: [String: Int64] = [:]
        for count in counts {
            for code in chain(count.key) { sums[code, default: 0] += count.count }
        }
        return sums.map { LoanCount(key: $0.key, count: $0.value) }
            .sorted { ($1.count, $0.key) < ($0.count, $1.key) }
    }

    /// Loans for each copy, by title, the busiest first.
    package func turnover(
        from: Instant? = nil, to: Instant? = nil, _ part: ListPart = ListPart(limit: 100)
    ) throws -> [(title: Title, loans: Int64, copies: Int64)] {
        try turnover(by: .title, from: from, to: to, part).compactMap { row in
            try Int64(row.key).flatMap { try session.transaction.titles.get($0) }.map { title in
                (title: title, loans: row.loans, copies: row.copies)
            }
        }
    }

    /// Loans for each copy by title, genre, branch or item type, the busiest first.
    ///
    /// - Throws: ``DeskError`` for another group.
    package func turnover(
        by group: LoanGroup, from: Instant? = nil, to: Instant? = nil, _ part: ListPart = ListPart(limit: 100)
    ) throws -> [Turnover] {
        guard [.title, .genre, .branch, .itemType].contains(group) else {
            throw DeskError.input("group", "Turnover is counted by title, genre, branch or item_type.")
        }
        let days = try days(from, to)
        return try session.transaction.statistics.turnover(
            by: group, from: days.first, to: days.last, zone: days.zone, part)
    }

    /// Titles on the shelves that were never lent, or not since an instant, by title.
    package func neverLent(since: Instant? = nil, _ part: ListPart = ListPart(limit: 100)) throws -> [Title] {
        try session.transaction.statistics.neverLent(since: since, part)
    }

    func days(_ from: Instant?, _ to: Instant?) throws -> (first: CivilDate?, last: CivilDate?, zone: Zone) {
        let zone = try session.settingsSnapshot().library.zone
        let last = try to.map { zone.date(of: try $0.adding(microseconds: -1)) }
        return (from.map(zone.date(of:)), last, zone)
    }
}
