package import Circulation

/// Which figures are wanted.
package struct FigureQuery: Hashable, Sendable {
    package var measure: FigureMeasure
    package var rows: FigureDimension
    /// nil: one figure for each row.
    package var columns: FigureDimension?
    /// The first day; nil: from the beginning.
    package var from: CivilDate?
    /// The last day; nil: to the end.
    package var to: CivilDate?
    /// The codes to which branch, category and item type are limited: one of them.
    package var filters: [FigureDimension: [String]]

    /// - Parameter filters: codes by branch, category and item type, of which one has to be met.
    package init(
        measure: FigureMeasure, rows: FigureDimension, columns: FigureDimension? = nil, from: CivilDate? = nil,
        to: CivilDate? = nil, filters: [FigureDimension: [String]] = [:]
    ) {
        self.measure = measure
        self.rows = rows
        self.columns = columns
        self.from = from
        self.to = to
        self.filters = filters
    }

    /// The only branch that counts; nil: all do, or several.
    var branch: String? {
        guard let codes = filters[.branch], codes.count == 1 else { return nil }
        return codes[0]
    }

    var dimensions: [FigureDimension] { [rows] + (columns.map { [$0] } ?? []) }
}

/// Figures added up: whole numbers, or minor units of the library's currency. What is not known has the key ``unknown``.
package struct FigureSums: Hashable, Sendable {
    package static let unknown = "-"
    /// No more cells are kept: who asks for more is better asked to choose.
    package static let mostCells = 100_000

    package private(set) var total: Int64 = 0
    package private(set) var rows: [String: Int64] = [:]
    package private(set) var columns: [String: Int64] = [:]
    package private(set) var cells: [String: [String: Int64]] = [:]
    private var count = 0

    /// Nothing yet.
    package init() {}

    /// - Parameters:
    ///   - rows: the keys of all rows that a figure stands in; of several it counts in each.
    ///   - columns: the same of columns; empty: there are none.
    /// - Returns: whether there was room.
    mutating func add(_ value: Int64, rows: [String], columns: [String]) -> Bool {
        total += value
        for column in columns { self.columns[column, default: 0] += value }
        for row in rows {
            self.rows[row, default: 0] += value
            for column in columns {
                if cells[row]?[column] == nil { count += 1 }
                cells[row, default: [:]][column, default: 0] += value
            }
        }
        return count + self.rows.count <= Self.mostCells
    }
}
