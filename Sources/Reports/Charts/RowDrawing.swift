import Circulation

/// Bars that lie, for labels that are too long to stand side by side.
struct RowDrawing {
    private static let most = 40
    private static let longestLabel = 300.0

    private let data: ChartData
    private let scale: ChartScale
    private let left: Double
    private let right: Double
    private let top = 24.0

    /// Whether a chart is better drawn so: its labels have no room side by side, and leaving some out would not do.
    static func suits(_ data: ChartData) -> Bool {
        guard data.kind == .bar, (2...most).contains(data.labels.count) else { return false }
        return !data.labels.allSatisfy(isStep) && ChartFrame.every(data.labels, slot: ChartFrame(data).slot) > 1
            || data.labels.contains { TextMeasure.width(of: $0) > 110 }
    }

    /// A label that its neighbours explain: a month, a year, an hour, a date.
    private static func isStep(_ label: String) -> Bool {
        label.first?.isNumber == true && label.utf8.count <= 12
            && label.allSatisfy { $0.isNumber || "-:./W+".contains($0) }
    }

    init(_ data: ChartData) {
        self.data = data
        scale = ChartScale(of: data.extent, beginsAtZero: true)
        let widest = data.labels.map { TextMeasure.width(of: $0) }.max() ?? 0
        left = min(RowDrawing.longestLabel, widest) + 10
        let figures =
            data.values.count == 1 ? data.figures.map { TextMeasure.width(of: data.bareWords($0)) }.max() ?? 0 : 0
        right = ChartFrame.width - 12 - figures
    }

    private var thickness: Double { data.isStacked || data.values.count == 1 ? 18 : 13 }
    private var row: Double { thickness * Double(data.isStacked ? 1 : max(1, data.values.count)) + 8 }
    private var bottom: Double { top + row * Double(data.labels.count) }

    var height: Double { bottom + 8 }

    /// Figures below nought leave room for what stands at their end.
    private func x(_ value: Double) -> Double {
        let start = left + (scale.bottom < 0 && data.values.count == 1 ? ChartFrame.width - 12 - right : 0)
        return start + (right - start) * scale.share(value)
    }

    var drawing: String {
        ([grid] + data.labels.indices.flatMap(rows) + [
            SVG.line(x(max(0, scale.bottom)), top, x(max(0, scale.bottom)), bottom, isAxis: true)
        ])
        .joined(separator: "\n")
    }

    private var grid: String {
        var parts: [String] = []
        var free = 0.0
        if let title = data.axisTitle {
            let text = TextMeasure.clipped(title, to: left - 14)
            parts.append(SVG.text(text, 0, 14, .start, full: title))
            free = TextMeasure.width(of: text) + 8
        }
        for tick in scale.ticks {
            parts.append(SVG.line(x(tick), top, x(tick), bottom))
            let half = TextMeasure.width(of: scale.label(tick)) / 2
            let middle = min(max(x(tick), half), ChartFrame.width - half)
            if middle - half < free { continue }
            free = middle + half + 6
            parts.append(SVG.text(scale.label(tick), middle, 14, .middle))
        }
        return parts.joined(separator: "\n")
    }

    private func rows(_ label: Int) -> [String] {
        let upper = top + row * Double(label) + 4
        let text = TextMeasure.clipped(data.labels[label], to: left - 10)
        var parts = [SVG.text(text, left - 8, upper + (row - 8) / 2 + 4, .end, full: data.labels[label])]
        if data.isStacked {
            for (series, piece) in data.stacked(at: label).enumerated() {
                guard let piece, piece.from != piece.to else { continue }
                parts.append(bar(series, label, piece.to - piece.from, y: upper, from: piece.from, to: piece.to))
            }
            return parts
        }
        for series in data.values.indices {
            guard let value = data.values[series][label] else { continue }
            let y = upper + thickness * Double(series)
            if value != 0 { parts.append(bar(series, label, value, y: y, from: 0, to: value)) }
            guard data.values.count == 1 else { continue }
            let place = value < 0 ? x(value) - 4 : x(value) + 4
            parts.append(SVG.text(data.bareWords(value), place, y + 13, value < 0 ? .end : .start, isValue: true))
        }
        return parts
    }

    private func bar(_ series: Int, _ label: Int, _ value: Double, y: Double, from: Double, to: Double) -> String {
        let start = x(min(from, to))
        return SVG.rectangle(
            start, y, max(0.5, x(max(from, to)) - start), thickness - (data.isStacked ? 0 : 1),
            ChartPalette.fill(series),
            title: data.words(series: series, label: label, value))
    }
}
