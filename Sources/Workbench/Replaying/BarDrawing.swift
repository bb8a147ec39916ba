import Circulation

/// A bar chart as SVG, its series stacked, positive values upwards and negative ones downwards.
struct BarDrawing {
    private let chart: ReportChart
    private let width = 760.0
    private let height = 240.0
    private let left = 48.0
    private let right = 8.0
    private let top = 8.0
    private let bottom = 40.0

    init(_ chart: ReportChart) {
        self.chart = chart
    }

    var figure: String {
        let caption = HTMLPage.escaped(chart.title ?? "")
        return """
            <figure><figcaption>\(caption)</figcaption>
            <svg viewBox="0 0 \(Int(width)) \(Int(height))" role="img" aria-label="\(caption)">
            \(grid)
            \(bars)
            \(labels)
            </svg>
            \(legend)</figure>
            """
    }

    private var highest: Double {
        chart.labels.indices.map { place in
            chart.series.reduce(0) { $0 + max(0, $1.value(at: place)) }
        }.max() ?? 0
    }

    /// The top of the axis and the step of its lines: 1, 2 or 5 times a power of ten.
    private var scale: (top: Double, step: Double) {
        let highest = max(1, highest)
        var step = 1.0
        while highest / step > 5 {
            for factor in [2, 2.5, 2] where highest / step > 5 { step *= factor }
        }
        return ((highest / step).rounded(.up) * step, step)
    }

    private func y(_ value: Double) -> Double {
        top + (height - top - bottom) * (1 - value / scale.top)
    }

    private var grid: String {
        stride(from: 0, through: scale.top, by: scale.step).map { value in
            let place = Self.figure(y(value))
            return
                "<line class=\"grid\" x1=\"\(Int(left))\" x2=\"\(Int(width - right))\" y1=\"\(place)\" y2=\"\(place)\"/>"
                + "<text x=\"\(Int(left) - 6)\" y=\"\(Self.figure(y(value) + 4))\" text-anchor=\"end\">\(Int(value))</text>"
        }.joined(separator: "\n")
    }

    private var step: Double { (width - left - right) / Double(max(1, chart.labels.count)) }

    private var bars: String {
        var bars: [String] = []
        for (place, label) in chart.labels.enumerated() {
            var base = 0.0
            for (number, series) in chart.series.enumerated() {
                let value = max(0, series.value(at: place))
                guard value > 0 else { continue }
                let bar = step * 0.76
                let x = left + step * Double(place) + (step - bar) / 2
                let title = HTMLPage.escaped("\(label): \(Int(value)) \(series.name)")
                bars.append(
                    "<rect class=\"s\(number % 4)\" x=\"\(Self.figure(x))\" y=\"\(Self.figure(y(base + value)))\" "
                        + "width=\"\(Self.figure(bar))\" height=\"\(Self.figure(y(base) - y(base + value)))\">"
                        + "<title>\(title)</title></rect>")
                base += value
            }
        }
        return bars.joined(separator: "\n")
    }

    /// As many labels as there is room for, and what they stand for.
    private var labels: String {
        let every = max(1, Int((Double(chart.labels.count) / 12).rounded(.up)))
        var labels = chart.labels.enumerated().filter { $0.offset % every == 0 }.map { place, label in
            let x = Self.figure(left + step * (Double(place) + 0.5))
            return
                "<text x=\"\(x)\" y=\"\(Int(height - bottom) + 16)\" text-anchor=\"middle\">\(HTMLPage.escaped(label))</text>"
        }
        if let title = chart.labelTitle {
            labels.append(
                "<text x=\"\(Int((left + width) / 2))\" y=\"\(Int(height) - 6)\" text-anchor=\"middle\">"
                    + "\(HTMLPage.escaped(title))</text>")
        }
        return labels.joined(separator: "\n")
    }

    private var legend: String {
        guard chart.series.count > 1 else { return "" }
        let entries = chart.series.enumerated().map { number, series in
            "<span><svg viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect class=\"s\(number % 4)\" width=\"10\" height=\"10\"/></svg>"
                + "\(HTMLPage.escaped(series.name))</span>"
        }
        return "<div class=\"legend\">\(entries.joined())</div>"
    }

    private static func figure(_ value: Double) -> String { String((value * 10).rounded() / 10) }
}

extension ReportChart.Series {
    fileprivate func value(at place: Int) -> Double {
        guard values.indices.contains(place), let value = values[place], value.isFinite else { return 0 }
        return min(max(value, -1e15), 1e15)
    }
}
