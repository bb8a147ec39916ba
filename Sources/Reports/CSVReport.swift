import Circulation
import TextFormats

/// Renders the tables of a report as CSV, one after another with an empty line between.
///
/// Of a table the rows alone are written: what reads them makes totals of its own. A report without tables gives its metrics as a table of name, value and unit. Text that a spreadsheet would take
/// for a formula has a `'` in front; figures stand as they are.
struct CSVReport {
    private let document: ReportDocument

    init(_ document: ReportDocument) {
        self.document = document
    }

    func render() -> String {
        document.tables.isEmpty && !document.metrics.isEmpty
            ? text(of: metrics) : document.tables.map(text).joined(separator: "\r\n")
    }

    private var metrics: ReportTable {
        ReportTable(
            columns: ["metric", "value", "unit"].map { ReportColumn(name: $0) },
            rows: document.metrics.map { [.text($0.name), $0.value, $0.unit.map { .text($0) } ?? .none] })
    }

    private func text(of table: ReportTable) -> String {
        var writer = CSVWriter()
        writer.record(table.columns.map { field(.text($0.name)) })
        for row in table.rows { writer.record(row.map(field)) }
        return writer.text
    }

    private func field(_ value: ReportValue) -> String {
        let text: String
        switch value {
        case .text(let own): text = own
        case .link(let link): text = link.text
        default: return value.text
        }
        let safe = SafeText.lines(text)
        // Guarded by the text as it was: a tab or CR at its beginning, gone by now, was there to hide what follows.
        guard CSVReport.beginsFormula(text) || CSVReport.beginsFormula(safe) else { return safe }
        return "'" + safe
    }

    private static func beginsFormula(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first else { return false }
        return "=+-@\t\r".unicodeScalars.contains(first)
    }
}
