import Circulation
import TextFormats

/// Renders a chart for fixed-width type: bars and shares as rows of blocks, lines and areas as a small plot.
struct TextChart {
    private static let standardWidth = 80
    private static let longestBar = 40
    /// What bars of the first, second, ... series are made of.
    static let fillings: [Character] = ["█", "▒", "▓", "░", "#", "="]

    private let data: ChartData
    private let title: String?
    private let style: TextStyle
    private let width: Int

    init(_ chart: ReportChart, style: TextStyle, width: Int?) {
        data = ChartData(chart)
        title = chart.title
        self.style = style
        self.width = width ?? TextChart.standardWidth
    }

    func render() -> String {
        var lines: [String] = []
        let names = [title.map(SafeText.line) ?? "", data.unit.map { "(\($0))" } ?? ""].filter { !$0.isEmpty }
        if !names.isEmpty { lines.append(style.bold(names.joined(separator: " "))) }
        switch data.kind {
        case .line where data.labels.count > 2, .area where data.labels.count > 2:
            lines += TextPlot(data, style: style, width: width).lines
        case .pie: lines += shares
        case .bar where data.isStacked && data.values.count > 1: lines += [legend] + stacks
        case .bar, .line, .area: lines += bars
        }
        return lines.joined(separator: "\n")
    }

    // MARK: - Bars

    private struct Row {
        var label: String
        var figure: String
        var pieces: [(value: Double, filling: Character)]
        /// Behind the bar.
        var more = ""
    }

    private var bars: [String] {
        let isNamed = data.values.count > 1 || data.names.first?.isEmpty == false
        let rows = data.labels.indices.flatMap { label in
            data.values.indices.map { series in
                let value = data.values[series][label]
                return Row(
                    label: series == 0 ? data.labels[label] : "", figure: figures[series][label],
                    pieces: value.map { [($0, filling(series, $0))] } ?? [])
            }
        }
        return (isNamed ? [legend] : []) + lines(rows)
    }

    /// The figures of each series, with as many decimals each.
    private var figures: [[String]] {
        data.values.map { series in
            let values = series.map { $0.map(ReportValue.number) ?? .none }
            let format = ValueFormat(.number, values: values, zone: nil, style: .plain)
            return values.map(format.text)
        }
    }

    private func filling(_ series: Int, _ value: Double) -> Character {
        data.values.count == 1 && value < 0 ? "░" : TextChart.fillings[series % TextChart.fillings.count]
    }

    private var stacks: [String] {
        let sums = data.labels.indices.map { label in data.values.reduce(0) { $0 + ($1[label] ?? 0) } }
        let format = ValueFormat(.number, values: sums.map { .number($0) }, zone: nil, style: .plain)
        return lines(
            data.labels.indices.map { label in
                Row(
                    label: data.labels[label], figure: format.text(.number(sums[label])),
                    pieces: data.values.indices.compactMap { series in
                        data.values[series][label].map { ($0, TextChart.fillings[series % TextChart.fillings.count]) }
                    })
            })
    }

    private var shares: [String] {
        let slices = PieSlices(data)
        let rows = slices.all.map { slice in
            Row(
                label: slice.name, figure: data.plainWords(slice.value), pieces: [(slice.value, "█")],
                more: slices.percent(slice))
        }
        return lines(rows) + (slices.remark.map { [style.dim($0)] } ?? [])
    }

    private var legend: String {
        let entries = data.names.enumerated().map { series, name in
            data.values.count == 1 ? name : "\(TextChart.fillings[series % TextChart.fillings.count]) \(name)"
        }
        return style.dim(entries.joined(separator: "   "))
    }

    private func lines(_ rows: [Row]) -> [String] {
        let longest = max(8, width / 2)
        let labels = rows.map { DisplayWidth.clipped($0.label, to: longest) }
        let labelWidth = labels.map { DisplayWidth.of($0) }.max() ?? 0
        let figureWidth = rows.map { DisplayWidth.of($0.figure) }.max() ?? 0
        let moreWidth = rows.map { $0.more.isEmpty ? 0 : $0.more.count + 2 }.max() ?? 0
        let room = min(TextChart.longestBar, max(8, width - labelWidth - figureWidth - moreWidth - 4))
        let largest = rows.map { $0.pieces.reduce(0) { $0 + abs($1.value) } }.max() ?? 0
        return zip(labels, rows).map { label, row in
            let figure = blanks(figureWidth - DisplayWidth.of(row.figure)) + row.figure
            let more = row.more.isEmpty ? "" : "  " + blanks(moreWidth - 2 - row.more.count) + row.more
            let text =
                "\(label)\(blanks(labelWidth - DisplayWidth.of(label)))  \(figure)\(more)  \(bar(row, largest, room))"
            return String(text.reversed().drop { $0 == " " }.reversed())
        }
    }

    private func bar(_ row: Row, _ largest: Double, _ room: Int) -> String {
        guard largest > 0 else { return "" }
        var bar = ""
        var sum = 0.0
        for piece in row.pieces where piece.value != 0 {
            sum += abs(piece.value)
            // The quotient lies between 0 and 1, so that the length fits an Int.
            let end = Int((sum / largest * Double(room)).rounded())
            bar += String(repeating: piece.filling, count: max(row.pieces.count == 1 ? 1 : 0, end - bar.count))
        }
        return bar
    }

    private func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}
