import Circulation

extension ReportTable {
    /// The table without the columns in which no row has a value, and their labels.
    func withoutEmptyColumns() -> (ReportTable, empty: [String]) {
        let filled = columns.indices.filter { column in rows.contains { !$0[column].text.isEmpty } }
        let table = ReportTable(
            title: title, columns: filled.map { columns[$0] }, rows: rows.map { row in filled.map { row[$0] } })
        return (table, columns.indices.filter { !filled.contains($0) }.map { columns[$0].label })
    }
}
