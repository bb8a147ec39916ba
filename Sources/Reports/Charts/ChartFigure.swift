package import Circulation
import Languages

/// A chart as a figure of a page: an SVG drawing, a description in words, and a table of its figures.
package struct ChartFigure {
    private let chart: ReportChart
    private let data: ChartData
    private let number: Int

    /// - Parameter number: of the chart on its page, which makes the ids of its parts unique.
    package init(_ chart: ReportChart, number: Int) {
        self.chart = chart
        self.number = number
        data = ChartData(chart)
    }

    package var html: String {
        let title = chart.title.flatMap { $0.isEmpty ? nil : $0 }
        let words = title ?? data.axisTitle ?? say("Chart \(number)")
        let name = HTMLPage.escaped(words)
        let caption = title.map { "<figcaption>\(HTMLPage.escaped($0))</figcaption>\n" } ?? ""
        let (height, drawing) = self.drawing
        return """
            <figure>
            \(caption)<div class="wide" role="group" aria-label="\(name)" tabindex="0"><svg class="chart" \
            viewBox="0 0 \(Int(ChartFrame.width)) \(Int(height.rounded(.up)))" role="img" \
            aria-labelledby="c\(number)t c\(number)d" font-family="system-ui, sans-serif" \
            font-size="\(Int(TextMeasure.size))" fill="#57606a">
            <title id="c\(number)t">\(name)</title>
            <desc id="c\(number)d">\(HTMLPage.escaped(data.description))</desc>
            \(drawing)
            </svg></div>
            \(legend)<details><summary>\(HTMLPage.escaped(say("The figures")))</summary>\(HTMLTable(figures, under: words, zone: nil).html)</details>
            </figure>
            """
    }

    private var drawing: (height: Double, text: String) {
        guard !data.labels.isEmpty, !data.figures.isEmpty else {
            return (40, SVG.text(say("no figures"), ChartFrame.width / 2, 24, .middle))
        }
        switch data.kind {
        case .bar where RowDrawing.suits(data):
            let rows = RowDrawing(data)
            return (rows.height, rows.drawing)
        case .bar:
            let bars = BarDrawing(data)
            return (bars.height, bars.drawing)
        case .line, .area:
            let lines = LineDrawing(data)
            return (lines.height, lines.drawing)
        case .pie:
            let pie = PieDrawing(data)
            return (pie.height, pie.drawing)
        }
    }

    private var legend: String {
        guard data.values.count > 1, data.kind != .pie else { return "" }
        let entries = data.names.enumerated().map { series, name in
            let sample =
                data.kind == .line
                ? "<svg width=\"24\" height=\"10\" aria-hidden=\"true\"><line \(ChartPalette.stroke(series)) x1=\"0\" y1=\"5\" x2=\"24\" y2=\"5\"/></svg>"
                : "<svg width=\"11\" height=\"11\" aria-hidden=\"true\"><rect \(ChartPalette.fill(series)) width=\"11\" height=\"11\"/></svg>"
            return "<span>\(sample)\(HTMLPage.escaped(name))</span>"
        }
        return "<div class=\"legend\">\(entries.joined())</div>\n"
    }

    /// Without its title, which the figure has already.
    private var figures: ReportTable {
        var table = chart.table
        table.title = nil
        return table
    }
}
