import Circulation
import Languages
import TextFormats

/// Renders one table as aligned text: labels, a line, the rows; figures at the right.
struct TextTable {
    private static let gap = "  "
    /// No column is made narrower than this to fit a terminal.
    private static let narrowest = 8

    private let table: ReportTable
    private let style: TextStyle
    private let cells: [[String]]
    private let total: [String]?
    private var widths: [Int]

    /// - Parameter width: the columns of the terminal; nil: lines are as long as they are.
    init(_ table: ReportTable, style: TextStyle, width: Int?) {
        self.init(table, style: style)
        if let width { widths = fitted(to: width) }
    }

    private init(_ table: ReportTable, style: TextStyle) {
        self.table = table
        self.style = style
        let labels = table.columns.map { SafeText.line($0.label) }
        cells = table.rows.map { row in row.map { SafeText.line($0.text) } }
        total = table.total?.map { SafeText.line($0.text) }
        widths = labels.map { DisplayWidth.of($0) }
        for row in cells + (total.map { [$0] } ?? []) {
            for (column, cell) in row.enumerated() { widths[column] = max(widths[column], DisplayWidth.of(cell)) }
        }
    }

    /// The table as it fits a terminal best: as it is, with its texts shortened; without the columns that are empty in
    /// all rows; without those that say the same in all rows; or each record as lines of field and value.
    static func fitting(_ table: ReportTable, style: TextStyle, width: Int?) -> String {
        guard let width, !table.rows.isEmpty else { return TextTable(table, style: style, width: width).render() }
        let whole = TextTable(table, style: style, width: width)
        if whole.width <= width { return whole.render() }
        let (filled, empty) = table.withoutEmptyColumns()
        var notes = empty.isEmpty ? [] : ["(empty: \(empty.map { SafeText.line($0) }.joined(separator: ", ")))"]
        var text = TextRecords(filled, style: style, width: width).render()
        let (varied, same) = filled.withoutConstantColumns()
        if let narrowed = [filled, varied].lazy.map({ TextTable($0, style: style, width: width) })
            .first(where: { $0.width <= width })
        {
            text = narrowed.render()
            if narrowed.table.columns.count < filled.columns.count {
                let said = same.map { "\(SafeText.line($0.label)) \(SafeText.line($0.value))" }
                notes.append("(in all: \(said.joined(separator: ", ")))")
            }
        }
        let broken = notes.flatMap { DisplayWidth.wrapped($0, to: width) }.map(style.dim)
        return ([text] + broken).joined(separator: "\n")
    }

    /// The columns of a terminal that the longest line takes.
    private var width: Int { widths.reduce(0, +) + TextTable.gap.count * max(0, widths.count - 1) }

    private func render() -> String {
        var lines: [String] = []
        if let title = table.title, !title.isEmpty { lines.append(style.bold(SafeText.line(title))) }
        guard !table.columns.isEmpty else { return lines.joined(separator: "\n") }
        lines.append(style.bold(line(of: table.columns.map { SafeText.line($0.label) })))
        let ruler = style.dim(widths.map { String(repeating: "-", count: $0) }.joined(separator: TextTable.gap))
        lines.append(ruler)
        for row in cells { lines.append(line(of: row)) }
        if cells.isEmpty { lines.append(style.dim(say("(no rows)"))) }
        if let total { lines += [ruler, style.bold(line(of: total))] }
        return lines.joined(separator: "\n")
    }

    private func line(of row: [String]) -> String {
        var line = ""
        for (column, cell) in row.enumerated() {
            if column > 0 { line += TextTable.gap }
            let type = table.columns[column].type
            let isFigure = type.isFigure
            let text = type == .text ? DisplayWidth.clipped(cell, to: widths[column]) : cell
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

    /// Narrows the widest columns of text until a line fits; figures and dates are never cut, nor labels.
    private func fitted(to width: Int) -> [Int] {
        let columns = table.columns
        var widths = self.widths
        let least = columns.indices.map { column in
            isOfSingleWords(column)
                ? self.widths[column] : max(TextTable.narrowest, DisplayWidth.of(SafeText.line(columns[column].label)))
        }
        let gap = TextTable.gap
        var excess = widths.reduce(0, +) + gap.count * max(0, widths.count - 1) - width
        while excess > 0 {
            let candidates = widths.indices.filter { columns[$0].type == .text && widths[$0] > least[$0] }
            guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { break }
            let others = candidates.filter { $0 != widest }.map { widths[$0] }
            let target = max(least[widest], min(widths[widest] - 1, (others.max() ?? 0)), widths[widest] - excess)
            excess -= widths[widest] - target
            widths[widest] = target
        }
        return widths
    }

    /// Whether a column holds what loses its worth when it is cut: numbers of books, names of accounts, codes.
    private func isOfSingleWords(_ column: Int) -> Bool {
        widths[column] <= TextTable.longestWord && cells.allSatisfy { !$0[column].contains(" ") }
    }

    private static let longestWord = 20
}
