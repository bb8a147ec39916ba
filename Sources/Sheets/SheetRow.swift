/// A row of a table, with the cells that hold something.
package struct SheetRow: Hashable, Sendable {
    /// What stands in one column.
    package struct Cell: Hashable, Sendable {
        /// From 0.
        package let column: Int
        /// What stands there: dates as `2018-10-24`, moments as `2018-10-24 18:00:00`, numbers with a decimal point.
        package let text: String
        /// Whether it is an error of a formula, `#REF!`.
        package let isError: Bool
        /// How many columns it spans, where the row says so.
        package let span: Int

        package init(column: Int, text: String, isError: Bool = false, span: Int = 1) {
            self.column = column
            self.text = text
            self.isError = isError
            self.span = span
        }
    }

    /// As the spreadsheet counts it, from 1.
    package let number: Int
    /// In the order of their columns.
    package let cells: [Cell]

    /// What a sheet has at most, as the formats say.
    package static let maximumColumns = 16_384
    package static let maximumRows = 1_048_576
    /// The longest text of a cell, in bytes.
    static let maximumText = 1 << 20

    package init(number: Int, cells: [Cell]) {
        self.number = number
        self.cells = cells
    }
}

extension SheetRow {
    /// Of two cells at one place the first counts.
    static func ordered(_ cells: [Cell]) -> [Cell] {
        if zip(cells, cells.dropFirst()).allSatisfy({ $0.column < $1.column }) { return cells }
        var seen: Set<Int> = []
        return cells.filter { seen.insert($0.column).inserted }.sorted { $0.column < $1.column }
    }
}

/// Reads a table row by row; memory depends on the longest row only.
package protocol SheetRowSource {
    /// The next row that holds something, nil at the end.
    mutating func next() throws(SheetFault) -> SheetRow?
}
