import Circulation
import Languages
import TextFormats

/// A small plot of lines or areas in fixed-width type, its axes in figures and labels.
struct TextPlot {
    private static let rows = 8
    private static let marks: [Character] = ["•", "+", "x", "o", "*", "#"]
    private static let blocks: [Character] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    private let data: ChartData
    private let style: TextStyle
    private let scale: ChartScale
    private let axisWidth: Int
    /// Columns of type, and how many labels share one or how many columns a label has.
    private let columns: Int
    private let columnsPerLabel: Int

    init(_ data: ChartData, style: TextStyle, width: Int) {
        self.data = data
        self.style = style
        let scale = ChartScale(of: data.extent, beginsAtZero: data.kind != .line)
        self.scale = scale
        axisWidth = scale.ticks.map { scale.label($0).count }.max() ?? 0
        let room = max(10, width - axisWidth - 2)
        columnsPerLabel = max(1, min(6, room / max(1, data.labels.count)))
        columns = min(room, data.labels.count * columnsPerLabel)
    }

    var lines: [String] {
        guard !data.figures.isEmpty else { return [say("no figures")] }
        var grid = [[Character]](repeating: [Character](repeating: " ", count: columns), count: TextPlot.rows)
        for series in data.values.indices.reversed() {
            if data.kind == .area && data.values.count == 1 { fill(&grid, series) } else { dot(&grid, series) }
        }
        var lines = data.values.count > 1 || data.names.first?.isEmpty == false ? [style.dim(legend)] : []
        let labels = axisLabels
        for row in 0..<TextPlot.rows {
            let label = labels[row] ?? ""
            let line = String(repeating: " ", count: axisWidth - label.count) + label + " │" + String(grid[row])
            lines.append(String(line.reversed().drop { $0 == " " }.reversed()))
        }
        lines.append(String(repeating: " ", count: axisWidth) + " └" + String(repeating: "─", count: columns))
        lines.append(String(repeating: " ", count: axisWidth + 2) + ends)
        return lines
    }

    private var legend: String {
        data.names.enumerated().map { series, name in
            data.values.count == 1 ? name : "\(TextPlot.marks[series % TextPlot.marks.count]) \(name)"
        }.joined(separator: "   ")
    }

    /// The figure of the axis at each row that has one; of two that meet, the upper one.
    private var axisLabels: [Int: String] {
        var labels: [Int: String] = [:]
        for tick in scale.ticks { labels[row(tick)] = scale.label(tick) }
        return labels
    }

    private func row(_ value: Double) -> Int {
        let share = min(1, max(0, scale.share(value)))
        return TextPlot.rows - 1 - Int((share * Double(TextPlot.rows - 1)).rounded())
    }

    /// The mean of the figures that fall into a column; nil where there are none.
    private func value(_ series: Int, _ column: Int) -> Double? {
        let count = data.labels.count
        if columnsPerLabel > 1 || columns == count {
            let (label, rest) = column.quotientAndRemainder(dividingBy: columnsPerLabel)
            return rest == columnsPerLabel / 2 || data.kind == .area ? upper(series, label) : nil
        }
        let first = column * count / columns
        let known = (first..<max(first + 1, (column + 1) * count / columns)).compactMap { upper(series, $0) }
        return known.isEmpty ? nil : known.reduce(0) { $0 + $1 / Double(known.count) }
    }

    private func upper(_ series: Int, _ label: Int) -> Double? {
        guard data.isStacked else { return data.values[series][label] }
        return data.stacked(at: label)[series]?.to
    }

    private func dot(_ grid: inout [[Character]], _ series: Int) {
        for column in 0..<columns {
            guard let value = value(series, column) else { continue }
            grid[row(value)][column] = TextPlot.marks[series % TextPlot.marks.count]
        }
    }

    private func fill(_ grid: inout [[Character]], _ series: Int) {
        for column in 0..<columns {
            guard let value = value(series, column) else { continue }
            let eighths = Int((min(1, max(0, scale.share(value))) * Double(TextPlot.rows * 8)).rounded())
            for row in 0..<TextPlot.rows {
                let left = eighths - (TextPlot.rows - 1 - row) * 8
                grid[row][column] = TextPlot.blocks[min(8, max(0, left))]
            }
        }
    }

    /// The first label below the axis and, where there is room, the last.
    private var ends: String {
        let first = DisplayWidth.clipped(data.labels.first ?? "", to: max(10, columns))
        let last = DisplayWidth.clipped(data.labels.last ?? "", to: max(10, columns))
        let gap = columns - DisplayWidth.of(first) - DisplayWidth.of(last)
        guard gap > 1 else { return "\(first) … \(last)" }
        return first + String(repeating: " ", count: gap) + last
    }
}
