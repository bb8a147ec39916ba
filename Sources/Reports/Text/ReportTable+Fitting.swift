import Circulation

extension ReportTable {
    /// The table without the columns in which no row has a value, and their labels.
    func withoutEmptyColumns() -> (ReportTable, empty: [String]) {
        let rows = allRows
        let filled = columns.indices.filter { column in rows.contains { !$0[column].text.isEmpty } }
        return (choosing(filled), columns.indices.filter { !filled.contains($0) }.map { columns[$0].label })
    }

    /// The table without the columns in which all rows have one short value, and what that is; of a single row, whole.
    func withoutConstantColumns() -> (ReportTable, same: [(label: String, value: String)]) {
        guard let first = rows.first, rows.count > 1 else { return (self, []) }
        let constant = Set(
            columns.indices.filter { column in
                first[column].text.count <= ReportTable.longestConstant
                    && (total == nil || total?[column] == ReportValue.none)
                    && rows.allSatisfy { $0[column] == first[column] }
            })
        let varied = columns.indices.filter { !constant.contains($0) }
        guard !varied.isEmpty else { return (self, []) }
        return (choosing(varied), constant.sorted().map { (columns[$0].label, first[$0].text) })
    }

    /// A longer one has no place in a line below the table.
    private static let longestConstant = 20
}
