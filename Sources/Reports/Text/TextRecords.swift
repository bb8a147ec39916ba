import Circulation
import TextFormats

/// Renders a table that is too wide for its terminal sideways: each record as lines of field and value.
struct TextRecords {
    /// The longest line above a record.
    private static let ruler = 40

    private let table: ReportTable
    private let style: TextStyle
    private let width: Int

    init(_ table: ReportTable, style: TextStyle, width: Int) {
        self.table = table
        self.style = style
        self.width = width
    }

    func render() -> String {
        let labels = table.columns.map(\.label)
        let fields = TextFields(labels: labels, options: RenderOptions(usesColour: style.isOn, width: width))
        var lines: [String] = []
        if let title = table.title, !title.isEmpty { lines.append(style.bold(SafeText.line(title))) }
        for (index, row) in table.rows.enumerated() {
            lines.append(style.dim(heading("\(index + 1) of \(table.rows.count)")))
            for (label, value) in zip(labels, row) { lines += fields.lines(label, value.text) }
        }
        if let total = table.total {
            lines.append(style.dim(heading("in all")))
            for (label, value) in zip(labels, total) where value != .none { lines += fields.lines(label, value.text) }
        }
        return lines.joined(separator: "\n")
    }

    private func heading(_ words: String) -> String {
        let text = "-- \(words) "
        return text + String(repeating: "-", count: max(0, min(width, TextRecords.ruler) - text.count))
    }
}
