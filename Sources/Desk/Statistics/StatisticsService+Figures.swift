package import Circulation
package import Storage
import TextFormats

/// Figures in rows and columns, as a report shows them.
package struct FigureTable: Hashable, Sendable {
    /// A row or a column.
    package struct Line: Hashable, Sendable {
        package let key: String
        /// What the library calls a branch, a category or an item type; nil: nothing else than the key.
        package let name: String?
        package let value: Int64
        /// Of a row, a figure for each column.
        package var cells: [Int64] = []
    }

    package let query: FigureQuery
    /// All there is, each once.
    package let total: Int64
    package let rows: [Line]
    package let columns: [Line]
    /// How many rows there are besides.
    package let leftOut: Int
    /// The currency of amounts.
    package let currency: Currency
}

extension StatisticsService {
    /// More columns than these are refused: no page is wide enough.
    package static let mostColumns = 60

    /// What a report counts, split by one or two dimensions.
    ///
    /// Days, weeks and the like come in their order, all else by its figure, the largest first, what is not known last.
    ///
    /// - Parameters:
    ///   - query: without days, which `from` and `to` are, as in ``loans(by:measure:from:to:branch:rollsUp:_:)``.
    ///   - now: the moment as which what is counted now is seen.
    ///   - limit: how many rows at most: the largest, of days and the like the latest.
    /// - Throws: ``DeskError`` for a dimension that the measure does not have, an unknown code and too many columns.
    package func figures(
        _ query: FigureQuery, from: Instant? = nil, to: Instant? = nil, now: Instant, limit: Int = .max
    ) throws -> FigureTable {
        try check(query, hasSpan: from != nil || to != nil)
        let days = try days(from, to)
        var query = query
        (query.from, query.to) = (days.first, days.last)
        for (dimension, codes) in query.filters {
            query.filters[dimension] = try codes.flatMap { try self.codes(from: $0, dimension) }
        }
        guard let sums = try session.transaction.statistics.figures(query, zone: days.zone, now: now) else {
            throw DeskError.input(
                "rows", "There are more than \(FigureSums.mostCells) figures; choose a shorter time or other columns.")
        }
        let columns = try query.columns.map { try lines(sums.columns, $0) } ?? []
        guard columns.count <= Self.mostColumns else {
            throw DeskError.input(
                "columns",
                "There are \(columns.count) columns, and \(Self.mostColumns) at most; choose a shorter time or other columns."
            )
        }
        var rows = try lines(sums.rows, query.rows)
        let leftOut = max(0, rows.count - limit)
        rows = query.rows.isOfTime ? Array(rows.suffix(limit)) : Array(rows.prefix(limit))
        for place in rows.indices {
            let cells = sums.cells[rows[place].key] ?? [:]
            rows[place].cells = columns.map { cells[$0.key] ?? 0 }
        }
        return FigureTable(
            query: query, total: sums.total, rows: rows, columns: columns, leftOut: leftOut,
            currency: try session.settingsSnapshot().library.currency)
    }

    private func check(_ query: FigureQuery, hasSpan: Bool) throws {
        let measure = query.measure
        let known = measure.dimensions
        func refuse(_ field: String, _ dimension: FigureDimension) -> DeskError {
            let names = known.filter { field == "rows" || $0.isForColumns }.map(\.rawValue)
            return DeskError.input(
                field,
                "\(measure.words) cannot be split by \(dimension.words) there: there are \(names.joined(separator: ", "))."
            )
        }
        guard known.contains(query.rows) else { throw refuse("rows", query.rows) }
        if let columns = query.columns {
            guard known.contains(columns), columns.isForColumns else { throw refuse("columns", columns) }
            guard columns != query.rows else {
                throw DeskError.input("columns", "Rows and columns are both \(columns.words).")
            }
        }
        if hasSpan, !measure.isOfTime {
            throw DeskError.input("from", "\(measure.words) are counted as they stand now, in no span of time.")
        }
        for (dimension, codes) in query.filters {
            guard measure.filters.contains(dimension) else {
                throw DeskError.input(dimension.rawValue, "\(measure.words) have no \(dimension.words).")
            }
            for code in codes where try name(of: code, dimension) == nil {
                throw DeskError.input(
                    dimension.rawValue, "There is no \(dimension.words) '\(SafeText.line(code))'.")
            }
        }
    }

    private func lines(_ values: [String: Int64], _ dimension: FigureDimension) throws -> [FigureTable.Line] {
        try values.sorted { one, other in
            if !dimension.isOfTime {
                let (first, second) = (one.key == FigureSums.unknown, other.key == FigureSums.unknown)
                if first != second { return second }
                if one.value != other.value { return one.value > other.value }
            }
            return one.key.utf8.lexicographicallyPrecedes(other.key.utf8)
        }.map { FigureTable.Line(key: $0.key, name: try name(of: $0.key, dimension), value: $0.value) }
    }

    /// A code and those that are below it.
    private func codes(from code: String, _ dimension: FigureDimension) throws -> [String] {
        let settings = try session.settingsSnapshot()
        return switch dimension {
        case .branch: settings.branches.map(\.code).filter { settings.branches(from: $0).contains(code) }
        case .category: settings.categories.map(\.code).filter { settings.categories(from: $0).contains(code) }
        default: settings.itemTypes.map(\.code).filter { settings.itemTypes(from: $0).contains(code) }
        }
    }

    /// What the library calls a code.
    private func name(of code: String, _ dimension: FigureDimension) throws -> String? {
        let settings = try session.settingsSnapshot()
        return switch dimension {
        case .branch: settings.branch(code)?.name
        case .category: settings.categories.first { $0.code == code }?.name
        case .itemType: settings.itemTypes.first { $0.code == code }?.name
        default: nil
        }
    }
}
