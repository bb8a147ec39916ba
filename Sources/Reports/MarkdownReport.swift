import Circulation
import TextFormats

/// Renders a report as Markdown (CommonMark with the tables of GFM). Data never turns into markup.
struct MarkdownReport {
    private let document: ReportDocument

    init(_ document: ReportDocument) {
        self.document = document
    }

    func render() -> String {
        var parts: [String] = []
        if !document.title.isEmpty { parts.append("# " + escaped(document.title)) }
        let parameters = document.parameters.filter { $0.value != .none }
        if !parameters.isEmpty {
            parts.append(
                parameters.map { "- \(escaped($0.name)): \(escaped($0.words ?? single($0.value)))" }
                    .joined(separator: "\n"))
        }
        parts += document.blocks.map(text)
        return parts.isEmpty ? "" : parts.joined(separator: "\n\n") + "\n"
    }

    private func text(of block: ReportBlock) -> String {
        switch block {
        case .section(let title): "## " + escaped(title)
        case .text(let text):
            SafeText.lines(text).split(separator: "\n", omittingEmptySubsequences: false)
                .map { escaped(String($0)) }.joined(separator: "\n")
        case .printed(let line): code(line)
        case .metric(let metric): text(of: metric)
        case .table(let table): text(of: table)
        case .chart(let chart): text(of: chart.table)
        }
    }

    private func text(of metric: ReportMetric) -> String {
        var text = "**\(escaped(metric.name)):** \(escaped(single(metric.value)))"
        if let unit = metric.unit { text += " " + escaped(unit) }
        if let note = metric.note { text += " (\(escaped(note)))" }
        return text
    }

    private func text(of table: ReportTable) -> String {
        var lines: [String] = []
        if let title = table.title, !title.isEmpty { lines += ["### " + escaped(title), ""] }
        lines.append(row(table.columns.map { escaped($0.label) }))
        lines.append(row(table.columns.map { $0.type.isFigure ? "---:" : "---" }))
        let formats = table.formats(zone: document.zone, style: .plain)
        for values in table.rows { lines.append(row(zip(formats, values).map { escaped($0.text($1)) })) }
        if let total = table.total {
            lines.append(row(zip(formats, total).map { $1 == .none ? "" : "**\(escaped($0.text($1)))**" }))
        }
        return lines.joined(separator: "\n")
    }

    private func single(_ value: ReportValue) -> String {
        ValueFormat.single(value, zone: document.zone, style: .plain)
    }

    private func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }

    /// Indented code: nothing in it is markup.
    private func code(_ line: String) -> String {
        SafeText.lines(line).split(separator: "\n", omittingEmptySubsequences: false)
            .map { "    " + $0 }.joined(separator: "\n")
    }

    private static let markup: Set<Character> = [
        "\\", "`", "*", "_", "{", "}", "[", "]", "<", ">", "#", "|", "~", "&", "$",
    ]

    private func escaped(_ text: String) -> String {
        var result = ""
        for character in SafeText.line(text) {
            if MarkdownReport.markup.contains(character) { result.append("\\") }
            result.append(character)
        }
        // A list, a rule or a numbered item begins at the line's start only.
        if let first = result.first, "+-=".contains(first) { result = "\\" + result }
        return result
    }
}
