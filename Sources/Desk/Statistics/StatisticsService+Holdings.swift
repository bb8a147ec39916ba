package import Circulation
import Storage

extension StatisticsService {
    /// Loans that were made here, and the returns of such, by weekday and hour of the library's clock, in the order of the
    /// week; hours without any are left out.
    ///
    /// - Parameters: see ``loans(by:measure:from:to:branch:rollsUp:_:)``.
    package func byHour(from: Instant? = nil, to: Instant? = nil, branch: String? = nil) throws -> [HourOfWeek] {
        let span = try days(from, to)
        return try session.transaction.statistics.byHour(
            from: span.first, to: span.last, zone: span.zone, branch: branch)
    }

    /// Patrons who joined by month of the library's clock and the category that they have now.
    ///
    /// - Parameters: see ``loans(by:measure:from:to:branch:rollsUp:_:)``.
    package func newPatrons(
        from: Instant? = nil, to: Instant? = nil, _ part: ListPart = .all
    ) throws -> [MonthOfPatrons] {
        let span = try days(from, to)
        return part.of(
            try session.transaction.statistics.newPatrons(from: span.first, to: span.last, zone: span.zone))
    }

    /// Titles on the shelves that were hardly lent, the least lent first, of those the oldest.
    package func rarelyLent(_ query: RarelyLentQuery, _ part: ListPart = ListPart(limit: 100)) throws -> [RarelyLent] {
        try session.transaction.statistics.rarelyLent(query, part)
    }

    /// How many titles ``rarelyLent(_:_:)`` lists in all.
    package func rarelyLentTotals(_ query: RarelyLentQuery) throws -> TitleTotals {
        try session.transaction.statistics.rarelyLentTotals(query)
    }

    /// What stands on the shelves by the year in which it came out, the oldest first, what has no year last.
    package func collection(genre: String? = nil, _ part: ListPart = .all) throws -> [YearOfCollection] {
        try session.transaction.statistics.collection(genre: genre, part)
    }

    /// What the library holds by subject, genre or college with how often that was lent, by whole civil days of the
    /// library's zone, the highest turnover first. A title of several counts in each.
    ///
    /// - Parameters:
    ///   - from: see ``loans(by:measure:from:to:branch:rollsUp:_:)``, as for `to`.
    ///   - leastCopies: groups with fewer are left out; 1 at least.
    package func holdings(
        by group: HoldingGroup, from: Instant? = nil, to: Instant? = nil, leastCopies: Int64 = 1,
        _ part: ListPart = .all
    ) throws -> [Holding] {
        let span = try days(from, to)
        return try session.transaction.statistics.holdings(
            by: group, from: span.first, to: span.last, zone: span.zone, leastCopies: leastCopies, part)
    }
}
