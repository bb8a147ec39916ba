import Circulation

/// The statement that gives figures: a moment where the query splits by time, a column for each other dimension, the sum.
struct FigureStatement {
    /// What the first column says of time.
    enum Time { case day, quarter }

    let text: String
    let values: [StoredValue]
    let time: Time?

    /// Microseconds of a quarter of an hour, of which the offsets of all zones are multiples.
    static let quarter: Int64 = 900_000_000

    private static let counted: Set<FigureDimension> = [
        .branch, .category, .itemType, .day, .week, .month, .year, .weekday,
    ]

    /// - Parameters:
    ///   - zone: the library's, in whose days to count.
    ///   - now: the moment as which what is counted now is seen.
    init(_ query: FigureQuery, zone: Zone, now: Instant) throws(StoreError) {
        let dimensions = query.dimensions
        guard let measure = query.measure.source.counted else {
            self = try Self.read(query, zone, now)
            return
        }
        let filters = Set(query.filters.keys)
        if dimensions.allSatisfy(Self.counted.contains) {
            self = Self.counters(query, measure)
        } else if dimensions.allSatisfy(\.isOfTitle), filters.isEmpty || filters == [.branch] && query.branch != nil {
            self = try Self.titles(query, measure, zone)
        } else {
            self = try Self.loans(query, measure, zone)
        }
    }

    private init(
        _ query: FigureQuery, time: String?, _ kind: Time, _ columns: [FigureDimension: String], value: String,
        from: String, _ values: [StoredValue]
    ) {
        let isByTime = query.dimensions.contains(where: \.isOfTime)
        let parts = (isByTime ? time.map { [$0] } ?? [] : []) + Self.expressions(query, columns)
        self.time = isByTime ? kind : nil
        text = """
            SELECT \((parts + ["CAST(\(value) AS {integer}) AS figure"]).joined(separator: ", ")) FROM \(from)\
            \(parts.isEmpty ? "" : " GROUP BY \(parts.joined(separator: ", "))")
            """
        self.values = values
    }

    /// A column for each dimension that is none of time, in their order.
    private static func expressions(_ query: FigureQuery, _ columns: [FigureDimension: String]) -> [String] {
        query.dimensions.filter { !$0.isOfTime }.compactMap { columns[$0] }
    }

    private static func add(_ query: FigureQuery, _ columns: [FigureDimension: String], to conditions: inout Conditions)
    {
        for (dimension, codes) in query.filters.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            if let column = columns[dimension] { conditions.add(column, in: codes.map { .text($0) }) }
        }
    }

    /// From the counters of days.
    private static func counters(_ query: FigureQuery, _ measure: LoanMeasure) -> FigureStatement {
        let columns: [FigureDimension: String] = [.branch: "branch", .category: "category", .itemType: "item_type"]
        var conditions = Conditions()
        conditions.add("day >= ?", query.from.map { .date($0) })
        conditions.add("day <= ?", query.to.map { .date($0) })
        add(query, columns, to: &conditions)
        return FigureStatement(
            query, time: "day", .day, columns, value: "SUM(\(measure.rawValue))",
            from: "circulation_days\(conditions.clause)", conditions.values)
    }

    /// From the counters of titles, and the loans of parts of a year.
    private static func titles(
        _ query: FigureQuery, _ measure: LoanMeasure, _ zone: Zone
    ) throws(StoreError) -> FigureStatement {
        let counts = try TitleCounts(
            StatisticsQuery(
                group: .title, measure: measure, from: query.from, to: query.to, zone: zone,
                branch: query.branch))
        return FigureStatement(
            query, time: nil, .day, FigureSource.titleColumns, value: "SUM(ranking.total)",
            from: "(\(counts.text)) AS ranking LEFT JOIN titles ON titles.id = ranking.title", counts.values)
    }

    /// From the loans of the days in question.
    private static func loans(
        _ query: FigureQuery, _ measure: LoanMeasure, _ zone: Zone
    ) throws(StoreError) -> FigureStatement {
        let source = query.measure.source
        let counted = StatisticsSource(
            StatisticsQuery(
                group: .day, measure: measure, from: query.from, to: query.to, zone: zone,
                branch: query.branch),
            try InstantRange(from: query.from, to: query.to, zone: zone))
        var conditions = Conditions()
        var rest = query
        if query.branch != nil { rest.filters[.branch] = nil }
        add(rest, source.columns, to: &conditions)
        if query.dimensions.contains(.hour), let clock = source.clockCondition { conditions.add(clock) }
        let from = """
            \(counted.text) JOIN \(counted.table) AS loans ON loans.id = counted.id\
            \(source.joins(for: expressions(query, source.columns)))\(conditions.clause)
            """
        return FigureStatement(
            query, time: "counted.at / \(quarter)", .quarter, source.columns, value: source.value, from: from,
            counted.values + conditions.values)
    }

    /// From the rows themselves.
    private static func read(_ query: FigureQuery, _ zone: Zone, _ now: Instant) throws(StoreError) -> FigureStatement {
        let source = query.measure.source
        var conditions = Conditions()
        if let condition = source.condition {
            if condition.contains("?") { conditions.add(condition, .instant(now)) } else { conditions.add(condition) }
        }
        if let moment = source.moment {
            let range = try InstantRange(from: query.from, to: query.to, zone: zone)
            conditions.add("\(moment) >= ?", .integer(range.from))
            conditions.add("\(moment) < ?", .integer(range.to))
        }
        if query.dimensions.contains(.hour), let clock = source.clockCondition { conditions.add(clock) }
        add(query, source.columns, to: &conditions)
        let needed = expressions(query, source.columns) + query.filters.keys.compactMap { source.columns[$0] }
        return FigureStatement(
            query, time: source.moment.map { "\($0) / \(quarter)" }, .quarter, source.columns, value: source.value,
            from: source.table + source.joins(for: needed) + conditions.clause, conditions.values)
    }
}
