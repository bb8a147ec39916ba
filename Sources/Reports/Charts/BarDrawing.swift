/// Upright bars, beside one another or stacked; negative ones downwards.
struct BarDrawing {
    private let data: ChartData
    private let frame: ChartFrame

    init(_ data: ChartData) {
        self.data = data
        frame = ChartFrame(data)
    }

    var height: Double { frame.height }

    var drawing: String {
        let bars = data.labels.indices.flatMap { data.isStacked ? stack($0) : group($0) }
        return ([frame.grid] + bars + [frame.labels, values]).joined(separator: "\n")
    }

    /// All bars of a label together: with few labels, bars stay narrow.
    private var breadth: Double {
        min(frame.slot * 0.78, BarDrawing.broadest * Double(data.isStacked ? 1 : data.values.count))
    }
    private static let broadest = 96.0

    private func group(_ label: Int) -> [String] {
        let width = breadth / Double(max(1, data.values.count))
        let start = frame.x(label) - breadth / 2
        return data.values.indices.compactMap { series in
            guard let value = data.values[series][label], value != 0 else { return nil }
            return bar(series, label, value, x: start + width * Double(series), width: width, from: 0, to: value)
        }
    }

    private func stack(_ label: Int) -> [String] {
        let width = breadth
        return data.stacked(at: label).enumerated().compactMap { series, piece in
            guard let piece, piece.from != piece.to else { return nil }
            return bar(
                series, label, piece.to - piece.from, x: frame.x(label) - width / 2, width: width, from: piece.from,
                to: piece.to)
        }
    }

    private func bar(
        _ series: Int, _ label: Int, _ value: Double, x: Double, width: Double, from: Double, to: Double
    ) -> String {
        let upper = frame.y(max(from, to))
        return SVG.rectangle(
            x, upper, max(0.5, width - (width > 4 ? 1 : 0)), max(0.5, frame.y(min(from, to)) - upper),
            ChartPalette.fill(series),
            title: data.words(series: series, label: label, value))
    }

    /// The figures at their bars, where there is room for all of them.
    private var values: String {
        guard data.values.count == 1, let series = data.values.first else { return "" }
        let texts = series.map { $0.map(data.bareWords) }
        guard texts.allSatisfy({ TextMeasure.width(of: $0 ?? "") + 4 <= frame.slot }) else { return "" }
        return texts.indices.compactMap { place in
            guard let text = texts[place], let value = series[place] else { return nil }
            return SVG.text(text, frame.x(place), frame.y(value) + (value < 0 ? 13 : -4), .middle, isValue: true)
        }.joined(separator: "\n")
    }
}
