import Circulation

// What the counters of days answer.
extension StatisticsRepository {
    func periodsCounted(_ query: StatisticsQuery) throws(StoreError) -> [LoanCount] {
        let days = DayCounts(query)
        let text = """
            SELECT day, CAST(SUM(\(days.column)) AS {integer}) FROM circulation_days\(days.condition)
            GROUP BY day HAVING SUM(\(days.column)) > 0
            """
        var counts: [String: Int64] = [:]
        try transaction.each(Query(once: text, isLong: true), days.values) { row throws(StoreError) in
            let date = try row.date()
            if let key = StatisticsPeriod.key(of: query.group, on: date) { counts[key, default: 0] += row.integer() }
            return true
        }
        return counts.sorted { $0.key < $1.key }.map { LoanCount(key: $0.key, count: $0.value) }
    }

    func propertiesCounted(
        _ query: StatisticsQuery, _ part: ListPart
    ) throws(StoreError) -> [LoanCount] {
        let text = """
            SELECT word, CAST(SUM(total) AS {integer}) AS total FROM (\(DayCounts(query).byProperty)) AS counted
            GROUP BY word HAVING SUM(total) > 0
            ORDER BY total DESC, CASE WHEN word = '' THEN 1 ELSE 0 END, word LIMIT ? OFFSET ?
            """
        return try transaction.all(Query(once: text), DayCounts(query).values + part.values) { row in
            LoanCount(key: row.text(), count: row.integer())
        }
    }

    func totalCounted(_ query: StatisticsQuery) throws(StoreError) -> Int64 {
        let days = DayCounts(query)
        return try transaction.number(
            Query(once: "SELECT CAST(SUM(\(days.column)) AS {integer}) FROM circulation_days\(days.condition)"),
            days.values)
    }
}

// What is lent by title.
extension StatisticsRepository {
    func genres(of counts: TitleCounts, _ part: ListPart) throws(StoreError) -> [LoanCount] {
        let text = """
            SELECT title_genres.genre AS word, CAST(SUM(ranking.total) AS {integer}) AS total
            FROM (\(counts.text)) AS ranking LEFT JOIN title_genres ON title_genres.title = ranking.title
            GROUP BY title_genres.genre
            ORDER BY total DESC, title_genres.genre IS NULL, word LIMIT ? OFFSET ?
            """
        return try transaction.all(Query(once: text), counts.values + part.values) { row in
            LoanCount(key: row.optionalText() ?? "", count: row.integer())
        }
    }

    /// Only titles lent as often as the last of the part are looked up, for their order.
    func titles(of counts: TitleCounts, _ part: ListPart) throws(StoreError) -> [LoanCount] {
        let text = """
            WITH ranking AS (\(counts.text))
            SELECT ranking.title, titles.title, ranking.total
            FROM ranking LEFT JOIN titles ON titles.id = ranking.title
            WHERE ranking.total >= (SELECT MIN(total) FROM (SELECT total FROM ranking ORDER BY total DESC LIMIT ?) AS first)
            ORDER BY ranking.total DESC, titles.title_key IS NULL, titles.title_key, ranking.title LIMIT ? OFFSET ?
            """
        return try transaction.all(
            Query(once: text), counts.values + [.integer(part.reach)] + part.values
        ) { row in
            let title = row.integer()
            return LoanCount(key: title == 0 ? "" : String(title), label: row.optionalText(), count: row.integer())
        }
    }
}

/// Rows of `circulation_days`, chosen as a query says.
struct DayCounts {
    let column: String
    /// Begins with ` WHERE`, or is empty.
    let condition: String
    let values: [StoredValue]
    private let group: LoanGroup

    init(_ query: StatisticsQuery) {
        var conditions = Conditions()
        conditions.add("day >= ?", query.from.map { .date($0) })
        conditions.add("day <= ?", query.to.map { .date($0) })
        conditions.add("branch = ?", query.branch.map { .text($0) })
        column = query.measure.rawValue
        group = query.group
        condition = conditions.clause
        values = conditions.values
    }

    /// What was lent by branch or item type where that is known, of the columns `word` and `total`, with its values.
    var lent: (text: String, values: [StoredValue]) {
        let text = "SELECT word, SUM(total) AS total FROM (\(byProperty)) AS counted WHERE word <> '' GROUP BY word"
        return (text, values)
    }

    /// Of the columns `word` and `total`: by what the key begins with, sums come in its order and are few to sort.
    var byProperty: String {
        let places = CounterRepository.dayKey
        let key = places.prefix { $0 != group.rawValue } + [group.rawValue]
        guard key.count < places.count else {
            return "SELECT \(group.rawValue) AS word, \(column) AS total FROM circulation_days\(condition)"
        }
        return """
            SELECT \(group.rawValue) AS word, SUM(\(column)) AS total FROM circulation_days\(condition)
            GROUP BY \(key.joined(separator: ", "))
            """
    }
}
