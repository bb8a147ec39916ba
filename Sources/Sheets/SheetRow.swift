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

        package init(column: Int, text: String, isError: Bool = false) {
            self.column = column
            self.text = text
            self.isError = isError
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

/// Reads a table row by row; memory depends on the longest row only.
package protocol SheetRowSource {
    /// The next row that holds something, nil at the end.
    mutating func next() throws(SheetFault) -> SheetRow?
}
