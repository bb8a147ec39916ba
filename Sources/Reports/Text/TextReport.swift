import Circulation
import TextFormats

/// Renders a report as aligned text.
struct TextReport {
    private let document: ReportDocument
    private let options: RenderOptions
    private let style: TextStyle

    init(_ document: ReportDocument, options: RenderOptions) {
        self.document = document
        self.options = options
        self.style = TextStyle(isOn: options.usesColour)
    }

    func render() -> String {
        var parts: [String] = []
        if let heading { parts.append(heading) }
        var printed: [String] = []
        for block in document.blocks {
            // Lines that were printed one after another stand together.
            if case .printed(let line) = block {
                printed.append(SafeText.lines(line))
                continue
            }
            if !printed.isEmpty { parts.append(printed.joined(separator: "\n")) }
            printed.removeAll()
            parts.append(text(of: block))
        }
        if !printed.isEmpty { parts.append(printed.joined(separator: "\n")) }
        return parts.isEmpty ? "" : parts.joined(separator: "\n\n") + "\n"
    }

    private var heading: String? {
        var lines: [String] = []
        if !document.title.isEmpty { lines.append(style.bold(SafeText.line(document.title))) }
        let parameters = document.parameters.filter { $0.value != .none }
        if !parameters.isEmpty {
            let listed = parameters.map {
                "\(SafeText.line($0.name)): \(SafeText.line($0.words ?? single($0.value)))"
            }
            lines.append(style.dim(listed.joined(separator: ", ")))
        }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    private func text(of block: ReportBlock) -> String {
        switch block {
        case .section(let title): style.bold(SafeText.line(title))
        case .text(let text), .printed(let text): SafeText.lines(text)
        case .metric(let metric): text(of: metric)
        case .table(let table):
            TextTable.fitting(
                table.inWords(zone: document.zone), style: style, width: options.width)
        case .chart(let chart): TextChart(chart, style: style, width: options.width).render()
        }
    }

    private func single(_ value: ReportValue) -> String {
        ValueFormat.single(value, zone: document.zone, style: .plain)
    }

    private func text(of metric: ReportMetric) -> String {
        var text = "\(SafeText.line(metric.name)): \(style.bold(SafeText.line(single(metric.value))))"
        if let unit = metric.unit { text += " " + SafeText.line(unit) }
        if let note = metric.note { text += style.dim(" (\(SafeText.line(note)))") }
        return text
    }
}

/// Bold and dim letters where they are wanted (ECMA-48, SGR).
struct TextStyle {
    let isOn: Bool

    func bold(_ text: String) -> String { isOn ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
    func dim(_ text: String) -> String { isOn ? "\u{1B}[2m\(text)\u{1B}[0m" : text }
}
