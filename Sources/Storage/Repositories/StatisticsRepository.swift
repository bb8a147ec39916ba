package import Circulation

/// Counts of circulation, imported history included.
package struct StatisticsRepository {
    let transaction: Transaction

    /// Counts loans, renewals or returns by period or by property.
    ///
    /// Periods are civil ones in the query's zone, in order; those without any are left out. Properties are ordered by
    /// their count, the largest first, then by their name; a loan whose property is unknown counts under no key.
    /// A loan of a title with several genres counts under each.
    ///
    /// In the library's own zone the counters answer, and of titles and genres, where a year is not asked for whole, the
    /// loans of that part of it; in another zone the loans are counted one by one.
    package func counts(
        _ query: StatisticsQuery, _ part: ListPart = .all
    ) throws(StoreError) -> [LoanCount] {
        guard try isOfLibrary(query.zone) else { return try recounted(query, part) }
        switch query.group {
        case .day, .week, .month, .year: return part.of(try periodsCounted(query))
        case .branch, .category, .itemType: return try propertiesCounted(query, part)
        case .genre: return try genres(of: try TitleCounts(query), part)
        case .title: return try titles(of: try TitleCounts(query), part)
        }
    }

    /// The same from the loans themselves, in any zone.
    package func recounted(
        _ query: StatisticsQuery, _ part: ListPart = .all
    ) throws(StoreError) -> [LoanCount] {
        let range = try InstantRange(from: query.from, to: query.to, zone: query.zone)
        switch query.group {
        case .day, .week, .month, .year: return part.of(try byPeriod(query, range))
        case .branch, .category, .itemType: return try byProperty(query, range, part)
        case .genre: return try genres(of: TitleCounts(counting: query, range), part)
        case .title: return try titles(of: TitleCounts(counting: query, range), part)
        }
    }

    private func isOfLibrary(_ zone: Zone) throws(StoreError) -> Bool {
        try transaction.settings.snapshot().library.zone == zone
    }

    /// All of a measure in one number.
    package func total(_ query: StatisticsQuery) throws(StoreError) -> Int64 {
        guard try isOfLibrary(query.zone) else {
            let source = StatisticsSource(query, try InstantRange(from: query.from, to: query.to, zone: query.zone))
            return try transaction.number(
                Query(once: "SELECT CAST(SUM(counted.times) AS {integer}) FROM \(source.text)"), source.values)
        }
        return try totalCounted(query)
    }
}

// Without counters. By period the rows come in the order of an index, so that a period's bounds are worked out once a
// period, in Swift, which knows the zone's rules; no database is asked about zones.
extension StatisticsRepository {
    private func byPeriod(_ query: StatisticsQuery, _ range: InstantRange) throws(StoreError) -> [LoanCount] {
        let source = StatisticsSource(query, range)
        var counts: [String: Int64] = [:]
        var period: StatisticsPeriod?
        var count: Int64 = 0
        func flush() {
            if let period { counts[period.key, default: 0] += count }
            count = 0
        }
        try transaction.each(Query(once: source.ordered, isLong: true), source.values) { row throws(StoreError) in
            let at = row.instant()
            if period?.contains(at) != true {
                flush()
                period = StatisticsPeriod(of: query.group, around: at, in: query.zone)
            }
            count += row.integer()
            return true
        }
        flush()
        return counts.sorted { $0.key < $1.key }.map { LoanCount(key: $0.key, count: $0.value) }
    }

    private func byProperty(
        _ query: StatisticsQuery, _ range: InstantRange, _ part: ListPart
    ) throws(StoreError) -> [LoanCount] {
        let source = StatisticsSource(query, range)
        let text = """
            SELECT loans.\(query.group.rawValue) AS word, CAST(SUM(counted.times) AS {integer}) AS total
            FROM \(source.text) JOIN \(source.table) AS loans ON loans.id = counted.id
            GROUP BY loans.\(query.group.rawValue)
            ORDER BY total DESC, loans.\(query.group.rawValue) IS NULL, word LIMIT ? OFFSET ?
            """
        return try transaction.all(Query(once: text), source.values + part.values) { row in
            LoanCount(key: row.optionalText() ?? "", count: row.integer())
        }
    }
}

/// The instants between the beginning of one civil day and the end of another.
struct InstantRange {
    var from = Int64.min
    /// Not in the range any more.
    var to = Int64.max

    /// The values of `at >= ? AND at < ?`.
    var values: [StoredValue] { [.integer(from), .integer(to)] }

    init(from: CivilDate?, to: CivilDate?, zone: Zone) throws(StoreError) {
        if let from { self.from = zone.startOfDay(from).microseconds }
        // Without a day after it, the last day of the calendar ends with time itself.
        if let to, let next = try? to.adding(days: 1) { self.to = zone.startOfDay(next).microseconds }
    }
}

/// What is counted: rows of a loan's id, an instant and how often it counts.
struct StatisticsSource {
    /// A table expression named `counted`, with `id`, `at` and `times`.
    let text: String
    /// The table that the ids are of; it has the columns by which circulation is counted.
    let table: String
    let values: [StoredValue]
    /// The condition on rows of the table, here called `loans`, each of which counts once; nil where other rows count.
    private let bounds: String?

    init(_ query: StatisticsQuery, _ range: InstantRange) {
        let instants: [StoredValue] = [.integer(range.from), .integer(range.to)]
        var condition = ""
        var branch: [StoredValue] = []
        if let code = query.branch {
            condition = " AND loans.branch = ?"
            branch = [.text(code)]
        }
        table = query.measure == .inHouse ? "in_house_uses" : "loans"
        switch query.measure {
        case .inHouse: (text, bounds) = Self.simple("used_at", condition, of: "in_house_uses AS loans")
        case .loans: (text, bounds) = Self.simple("lent_at", condition)
        case .returns: (text, bounds) = Self.simple("returned_at", condition)
        case .renewals: (text, bounds) = (Self.renewals(condition), nil)
        }
        values = query.measure == .renewals ? instants + branch + instants + branch : instants + branch
    }

    /// One row a title, of the columns `title` and `total`.
    var byTitle: String {
        let title = "COALESCE(loans.title, 0)"
        guard let bounds else {
            return """
                SELECT \(title) AS title, CAST(SUM(counted.times) AS {integer}) AS total
                FROM \(text) JOIN \(table) AS loans ON loans.id = counted.id GROUP BY loans.title
                """
        }
        // Of loans, by an index alone.
        return "SELECT \(title) AS title, COUNT(*) AS total FROM \(table) AS loans WHERE \(bounds) GROUP BY loans.title"
    }

    /// Ordered by the instant, which an index gives for free.
    var ordered: String { "SELECT counted.at, counted.times FROM \(text) ORDER BY counted.at" }

    private static func simple(
        _ column: String, _ condition: String, of table: String = "loans"
    ) -> (text: String, bounds: String) {
        let bounds = "loans.\(column) >= ? AND loans.\(column) < ?\(condition)"
        return (
            "(SELECT loans.id AS id, loans.\(column) AS at, 1 AS times FROM \(table) WHERE \(bounds)) AS counted",
            bounds
        )
    }

    /// A renewal counts when it was made. Of an imported loan that counts more renewals than events tell of, the others
    /// count at its last renewal, or on the day of the loan where that is known of another one.
    private static func renewals(_ condition: String) -> String {
        """
        (SELECT loans.id AS id, events.at AS at, 1 AS times
            FROM events JOIN loans ON loans.id = events.loan
            WHERE \(EventRepository.isRenewal) AND events.at >= ? AND events.at < ?\(condition)
        UNION ALL
        SELECT loans.id AS id, loans.at AS at, loans.times AS times
            FROM (\(undated)) AS loans
            WHERE loans.times > 0 AND loans.at >= ? AND loans.at < ?\(condition)) AS counted
        """
    }

    private static let undated = """
        SELECT imported.id AS id, imported.branch AS branch, imported.renewals - imported.dated AS times,
            CASE WHEN imported.dated > 0 OR imported.renewed_at IS NULL THEN imported.lent_at
                ELSE imported.renewed_at END AS at
        FROM (SELECT loans.id, loans.branch, loans.renewals, loans.renewed_at, loans.lent_at,
                (SELECT COUNT(*) FROM events WHERE events.loan = loans.id AND \(EventRepository.isRenewal)) AS dated
            FROM loans WHERE loans.import_key IS NOT NULL AND loans.renewals > 0) AS imported
        """
}
