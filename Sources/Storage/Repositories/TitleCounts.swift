import Circulation

/// How often titles were lent, renewed and so on, as a statement of the columns `title`, 0 where it is unknown, and `total`,
/// one row a title.
struct TitleCounts {
    let text: String
    let values: [StoredValue]

    /// Of whole years by the counters, of parts of a year by the loans of these days.
    init(_ query: StatisticsQuery) throws(StoreError) {
        guard let years = WholeYears(from: query.from, to: query.to) else {
            self.init(counting: query, try InstantRange(from: query.from, to: query.to, zone: query.zone))
            return
        }
        var parts = [Self.counted(query, years)]
        for edge in years.edges {
            let range = try InstantRange(from: edge.from, to: edge.to, zone: query.zone)
            parts.append(TitleCounts(counting: query, range))
        }
        guard parts.count > 1 else {
            self = parts[0]
            return
        }
        let union = parts.map { "SELECT title, total FROM (\($0.text)) AS part" }.joined(separator: " UNION ALL ")
        let text = """
            SELECT title, CAST(SUM(total) AS {integer}) AS total FROM (\(union)) AS parts GROUP BY title
            """
        self.init(text, parts.flatMap(\.values))
    }

    /// By the loans themselves.
    init(counting query: StatisticsQuery, _ range: InstantRange) {
        let source = StatisticsSource(query, range)
        text = source.byTitle
        values = source.values
    }

    private init(_ text: String, _ values: [StoredValue]) {
        self.text = text
        self.values = values
    }

    private static func counted(_ query: StatisticsQuery, _ years: WholeYears) -> TitleCounts {
        var conditions = Conditions()
        conditions.add("year >= ?", years.first.map { .integer(Int64($0)) })
        conditions.add("year <= ?", years.last.map { .integer(Int64($0)) })
        conditions.add("branch = ?", query.branch.map { .text($0) })
        let column = query.measure.rawValue
        let text = """
            SELECT title, CAST(SUM(\(column)) AS {integer}) AS total FROM title_lendings\(conditions.clause) GROUP BY title
            HAVING SUM(\(column)) > 0
            """
        return TitleCounts(text, conditions.values)
    }
}

/// The years that lie whole in a span of days, and what of the span lies before and behind them.
struct WholeYears: Hashable {
    /// nil: from the beginning, to the end.
    let first: Int?
    let last: Int?
    let edges: [Edge]

    struct Edge: Hashable {
        var from: CivilDate
        var to: CivilDate
    }

    /// - Returns: nil if no year does.
    init?(from: CivilDate?, to: CivilDate?) {
        var edges: [Edge] = []
        var (first, last): (Int?, Int?) = (nil, nil)
        if let from, from > .earliest {
            first = from.dayOfYear == 1 ? from.year : from.year + 1
        }
        if let to, to < .latest {
            last = (try? to.adding(days: 1))?.dayOfYear == 1 ? to.year : to.year - 1
        }
        if let first, let last, first > last { return nil }
        if let from, let first, from.year < first {
            guard let end = try? CivilDate(year: from.year, month: 12, day: 31) else { return nil }
            edges.append(Edge(from: from, to: end))
        }
        if let to, let last, to.year > last {
            guard let begin = try? CivilDate(year: to.year, month: 1, day: 1) else { return nil }
            edges.append(Edge(from: begin, to: to))
        }
        (self.first, self.last, self.edges) = (first, last, edges)
    }
}
