import Circulation

/// Statements that count anew, from loans, events of renewals and uses in the house, what the counters must hold.
///
/// Databases know nothing of a zone's rules: the days and years of a stretch of time are put into the statement. Its rows
/// are grouped by the database, which lays what does not fit into its memory into files.
struct CirculationRecount {
    /// Years whose days one statement knows. Nearly every library's records lie within them.
    private static let yearsAtATime = 40
    /// Outside of all instants that there are.
    private static let beginning = Instant.earliest.microseconds - 1
    private static let end = Instant.latest.microseconds + 1

    /// What happened at `from..<to`, in microseconds.
    private let from: Int64
    private let to: Int64
    private let offsets: [(from: Int64, value: Int64)]
    private let years: [(from: Int64, value: Int64)]
    /// The days, and the years, under which that counts; nil: without a bound.
    private let firstDay: Int64?
    private let firstYear: Int64?
    private var nextDay: Int64?
    private var nextYear: Int64?

    private init(year: Int, isFirst: Bool, zone: Zone) {
        from = isFirst ? Self.beginning : Self.start(of: year, zone)
        to = year + Self.yearsAtATime > 9_999 ? Self.end : Self.start(of: year + Self.yearsAtATime, zone)
        let last = min(year + Self.yearsAtATime - 1, 9_999)
        years = (year...last).map { (Self.start(of: $0, zone), Int64($0)) }
        offsets = Self.offsets(from: max(from, Instant.earliest.microseconds), to: to, zone)
        firstDay = isFirst ? nil : Self.day(of: year)
        firstYear = isFirst ? nil : Int64(year)
    }

    /// All of the past, in as many statements as it takes: one, but for records from centuries apart.
    static func all(in transaction: Transaction, zone: Zone) throws(StoreError) -> [CirculationRecount] {
        var parts: [CirculationRecount] = []
        var from = beginning
        while let first = try first(from: from, in: transaction) {
            let year = zone.date(of: Instant(microseconds: first)).year
            let part = CirculationRecount(year: year, isFirst: parts.isEmpty, zone: zone)
            if let last = parts.indices.last {
                parts[last].nextDay = part.firstDay
                parts[last].nextYear = part.firstYear
            }
            parts.append(part)
            from = part.to
            if part.to == end { break }
        }
        // Where nothing has happened the counters must hold nothing.
        return parts.isEmpty ? [CirculationRecount(year: 1970, isFirst: true, zone: zone)] : parts
    }

    private static func first(from: Int64, in transaction: Transaction) throws(StoreError) -> Int64? {
        let text = """
            SELECT MIN(at) FROM (
                SELECT MIN(lent_at) AS at FROM loans WHERE lent_at >= \(from)
                UNION ALL SELECT MIN(returned_at) AS at FROM loans WHERE returned_at >= \(from)
                UNION ALL SELECT MIN(renewed_at) AS at FROM loans
                    WHERE import_key IS NOT NULL AND renewals > 0 AND renewed_at >= \(from)
                UNION ALL SELECT MIN(at) AS at FROM events WHERE \(EventRepository.isRenewal) AND at >= \(from)
                UNION ALL SELECT MIN(used_at) AS at FROM in_house_uses WHERE used_at >= \(from)) AS firsts
            """
        return try transaction.first(Query(once: text)) { row in row.optionalInteger() } ?? nil
    }

    private static func start(of year: Int, _ zone: Zone) -> Int64 {
        guard let first = try? CivilDate(year: year, month: 1, day: 1) else { return beginning }
        return zone.startOfDay(first).microseconds
    }

    private static func day(of year: Int) -> Int64? {
        (try? CivilDate(year: year, month: 1, day: 1)).map { Int64($0.dayNumber) }
    }

    private static func offsets(from: Int64, to: Int64, _ zone: Zone) -> [(from: Int64, value: Int64)] {
        var offsets: [(from: Int64, value: Int64)] = []
        var at = Instant(microseconds: from)
        while true {
            let span = zone.span(at: at)
            offsets.append((at.microseconds, Int64(span.offset) * 1_000_000))
            guard let end = span.end, end.microseconds < to, end > at else { return offsets }
            at = end
        }
    }
}

// The statements.
extension CirculationRecount {
    /// By day, branch, category and item type.
    var fillingDays: String { filling("circulation_days", CounterRepository.dayKey, days) }
    /// By title, year and branch.
    var fillingTitles: String { filling("title_lendings", CounterRepository.titleKey, titles) }

    /// Rows of `circulation_days` that do not hold what they must: their key and by how much each measure is too low. The one
    /// parameter is how many at most.
    var wrongDays: String {
        wrong("circulation_days", CounterRepository.dayKey, days, Self.bounds("day", firstDay, nextDay))
    }

    /// The same of `title_lendings`.
    var wrongTitles: String {
        wrong("title_lendings", CounterRepository.titleKey, titles, Self.bounds("year", firstYear, nextYear))
    }

    private static let measures = CounterRepository.measures.joined(separator: ", ")

    private func filling(_ table: String, _ key: [String], _ moved: String) -> String {
        let sums = CounterRepository.measures.map { "CAST(SUM(\($0)) AS {integer})" }.joined(separator: ", ")
        let keys = key.joined(separator: ", ")
        return """
            \(CounterRepository.insertion(table, key))
            SELECT \(keys), \(sums) FROM (\(moved)) AS moved GROUP BY \(keys)
            """
    }

    private func wrong(_ table: String, _ key: [String], _ moved: String, _ bounds: String) -> String {
        let sums = CounterRepository.measures.map { "CAST(SUM(\($0)) AS {integer})" }.joined(separator: ", ")
        let differences = CounterRepository.measures.map { "SUM(\($0)) <> 0" }.joined(separator: " OR ")
        let counted = CounterRepository.measures.map { "-\($0) AS \($0)" }.joined(separator: ", ")
        let keys = key.joined(separator: ", ")
        return """
            SELECT \(keys), \(sums)
            FROM (\(moved) UNION ALL SELECT \(keys), \(counted) FROM \(table)\(bounds)) AS moved
            GROUP BY \(keys) HAVING \(differences) ORDER BY \(keys) LIMIT ?
            """
    }

    private static func bounds(_ column: String, _ first: Int64?, _ next: Int64?) -> String {
        let conditions = [first.map { "\(column) >= \($0)" }, next.map { "\(column) < \($0)" }].compactMap(\.self)
        return conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
    }

    // Counted from the beginning of the year 0 on, where nothing lies below zero that would be rounded the other way.
    private var days: String {
        """
        SELECT (at + \(Self.choice("at", offsets[...])) + 62162035200000000) / 86400000000 - 719468 AS day,
            COALESCE(branch, '') AS branch, COALESCE(category, '') AS category, COALESCE(item_type, '') AS item_type,
            \(Self.measures)
        FROM (\(source)) AS movements
        """
    }

    private var titles: String {
        """
        SELECT COALESCE(title, 0) AS title, \(Self.choice("at", years[...])) AS year, COALESCE(branch, '') AS branch,
            \(Self.measures)
        FROM (\(source)) AS movements
        """
    }

    /// The value of the last step that begins at or before a column's value, found by halving.
    private static func choice(_ column: String, _ steps: ArraySlice<(from: Int64, value: Int64)>) -> String {
        guard steps.count > 1, let first = steps.indices.first else { return "\(steps.first?.value ?? 0)" }
        let middle = first + steps.count / 2
        return """
            CASE WHEN \(column) < \(steps[middle].from) THEN \(choice(column, steps[..<middle])) \
            ELSE \(choice(column, steps[middle...])) END
            """
    }

    /// Every movement, by the instant at which it counts. All of a table is read, and in its own order: by the order of an
    /// index each row would be looked up by itself, which the sign before a column prevents.
    private var source: String {
        func range(_ column: String) -> String { "\(column) >= \(from) AND \(column) < \(to)" }
        let facts = "loans.branch, loans.category, loans.item_type, loans.title"
        return """
            SELECT loans.lent_at AS at, \(facts), 1 AS loans, 0 AS renewals, 0 AS returns, 0 AS in_house
                FROM loans WHERE \(range("+loans.lent_at"))
            UNION ALL SELECT loans.returned_at, \(facts), 0, 0, 1, 0
                FROM loans WHERE \(range("+loans.returned_at"))
            UNION ALL SELECT events.at, \(facts), 0, 1, 0, 0
                FROM events JOIN loans ON loans.id = events.loan
                WHERE \(EventRepository.isRenewal) AND \(range("events.at"))
            UNION ALL SELECT loans.at, \(facts), 0, loans.times, 0, 0
                FROM (\(Self.undated)) AS loans WHERE \(range("loans.at"))
            UNION ALL SELECT used_at, branch, CAST(NULL AS TEXT), item_type, title, 0, 0, 0, 1
                FROM in_house_uses WHERE \(range("used_at"))
            """
    }

    /// See ``Circulation/Loan/undatedRenewals(dated:)``.
    private static let undated = """
        SELECT loans.branch, loans.category, loans.item_type, loans.title, loans.renewals - COALESCE(told.dated, 0) AS times,
            CASE WHEN told.dated > 0 OR loans.renewed_at IS NULL THEN loans.lent_at ELSE loans.renewed_at END AS at
        FROM loans LEFT JOIN (
            SELECT events.loan AS loan, COUNT(*) AS dated FROM events
            WHERE \(EventRepository.isRenewal) AND events.loan IS NOT NULL GROUP BY events.loan
        ) AS told ON told.loan = loans.id
        WHERE loans.import_key IS NOT NULL AND loans.renewals > COALESCE(told.dated, 0)
        """
}
