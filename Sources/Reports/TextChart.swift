import Circulation

/// Renders a chart as rows of blocks, one row a label and series.
struct TextChart {
    private static let standardWidth = 80
    private static let longestBar = 40

    private let chart: ReportChart
    private let style: TextStyle
    private let width: Int

    init(_ chart: ReportChart, style: TextStyle, width: Int?) {
        self.chart = chart
        self.style = style
        self.width = width ?? TextChart.standardWidth
    }

    func render() -> String {
        var lines: [String] = []
        if let title = chart.title, !title.isEmpty { lines.append(style.bold(SafeText.line(title))) }
        for series in chart.series {
            if chart.series.count > 1 || !series.name.isEmpty { lines.append(style.dim(SafeText.line(series.name))) }
            lines += rows(of: series)
        }
        return lines.joined(separator: "\n")
    }

    private func rows(of series: ReportChart.Series) -> [String] {
        let labels = chart.labels.map { SafeText.line($0) }
        let figures = series.values.map { $0.map { ReportValue.number($0).text } ?? "" }
        let labelWidth = labels.map { DisplayWidth.of($0) }.max() ?? 0
        let figureWidth = figures.map(\.count).max() ?? 0
        let room = min(TextChart.longestBar, max(8, width - labelWidth - figureWidth - 4))
        let largest = series.values.compactMap { $0 }.filter(\.isFinite).map(abs).max() ?? 0
        return labels.indices.map { index in
            let label = labels[index] + blanks(labelWidth - DisplayWidth.of(labels[index]))
            let figure = index < figures.count ? figures[index] : ""
            let value = index < series.values.count ? series.values[index] : nil
            let row =
                "\(label)  \(blanks(figureWidth - figure.count))\(figure)  \(bar(value, largest: largest, room: room))"
            return String(row.reversed().drop { $0 == " " }.reversed())
        }
    }

    private func bar(_ value: Double?, largest: Double, room: Int) -> String {
        guard let value, value.isFinite, largest > 0 else { return "" }
        // The quotient lies between 0 and 1, so that the length fits an Int.
        let length = Int((abs(value) / largest * Double(room)).rounded())
        return String(repeating: value < 0 ? "░" : "█", count: max(value == 0 ? 0 : 1, length))
    }

    private func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}
