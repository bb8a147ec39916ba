import Circulation

/// Renders one table as aligned text: labels, a line, the rows; figures at the right.
struct TextTable {
    private static let gap = "  "
    /// No column is made narrower than this to fit a terminal.
    private static let narrowest = 8

    private let table: ReportTable
    private let style: TextStyle
    private let cells: [[String]]
    private let widths: [Int]

    init(_ table: ReportTable, style: TextStyle, width: Int?) {
        self.table = table
        self.style = style
        let labels = table.columns.map { SafeText.line($0.label) }
        cells = table.rows.map { row in row.map { SafeText.line($0.text) } }
        var widths = labels.map { DisplayWidth.of($0) }
        for row in cells {
            for (column, cell) in row.enumerated() { widths[column] = max(widths[column], DisplayWidth.of(cell)) }
        }
        self.widths = width.map { TextTable.fitted(widths, columns: table.columns, to: $0) } ?? widths
    }

    func render() -> String {
        var lines: [String] = []
        if let title = table.title, !title.isEmpty { lines.append(style.bold(SafeText.line(title))) }
        guard !table.columns.isEmpty else { return lines.joined(separator: "\n") }
        lines.append(style.bold(line(of: table.columns.map { SafeText.line($0.label) })))
        lines.append(style.dim(widths.map { String(repeating: "-", count: $0) }.joined(separator: TextTable.gap)))
        for row in cells { lines.append(line(of: row)) }
        if cells.isEmpty { lines.append(style.dim("(no rows)")) }
        return lines.joined(separator: "\n")
    }

    private func line(of row: [String]) -> String {
        var line = ""
        for (column, cell) in row.enumerated() {
            if column > 0 { line += TextTable.gap }
            let isFigure = table.columns[column].type.isFigure
            let text = isFigure ? cell : DisplayWidth.clipped(cell, to: widths[column])
            let padding = String(repeating: " ", count: max(0, widths[column] - DisplayWidth.of(text)))
            if isFigure {
                line += padding + text
            } else {
                // Nothing stands to the right of the last column: no blanks at the line's end.
                line += column == row.count - 1 ? text : text + padding
            }
        }
        return line
    }

    /// Narrows the widest columns of text until a line fits; figures are never cut.
    private static func fitted(_ widths: [Int], columns: [ReportColumn], to width: Int) -> [Int] {
        var widths = widths
        var excess = widths.reduce(0, +) + gap.count * max(0, widths.count - 1) - width
        while excess > 0 {
            let candidates = widths.indices.filter { !columns[$0].type.isFigure && widths[$0] > narrowest }
            guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { break }
            let others = candidates.filter { $0 != widest }.map { widths[$0] }
            let target = max(narrowest, min(widths[widest] - 1, (others.max() ?? 0)), widths[widest] - excess)
            excess -= widths[widest] - target
            widths[widest] = target
        }
        return widths
    }
}
