import Circulation
import Languages
import TextFormats

/// The figures of a chart, fit for drawing: each series has one for each label, finite and not beyond all measure.
struct ChartData {
    let kind: ReportChart.Kind
    let labels: [String]
    let names: [String]
    /// By series, by label.
    let values: [[Double?]]
    let labelTitle: String?
    let valueTitle: String?
    let unit: String?
    let isStacked: Bool
    /// All figures have as many decimals.
    private let pageFormat: ValueFormat
    private let plainFormat: ValueFormat

    init(_ chart: ReportChart) {
        kind = chart.kind
        labels = chart.labels.map { SafeText.line($0) }
        names = chart.series.enumerated().map { index, series in
            series.name.isEmpty
                ? chart.valueTitle ?? (chart.series.count > 1 ? "\(index + 1)" : "") : SafeText.line(series.name)
        }
        values = chart.series.map { series in
            chart.labels.indices.map { place in
                guard series.values.indices.contains(place), let value = series.values[place], value.isFinite else {
                    return nil
                }
                return min(max(value, -ChartScale.largest), ChartScale.largest)
            }
        }
        labelTitle = chart.labelTitle.map { SafeText.line($0) }
        valueTitle = chart.valueTitle.map { SafeText.line($0) }
        unit = chart.unit.map { SafeText.line($0) }
        isStacked = chart.isStacked && chart.kind != .line
        let figures = values.joined().compactMap { $0.map(ReportValue.number) }
        pageFormat = ValueFormat(.number, values: figures, zone: nil, style: .page)
        plainFormat = ValueFormat(.number, values: figures, zone: nil, style: .plain)
    }

    var figures: [Double] { values.joined().compactMap { $0 } }

    /// What the figures are, above their axis: `loans`, `fees (EUR)`.
    var axisTitle: String? {
        switch (valueTitle, unit) {
        case (let title?, let unit?) where title != unit: "\(title) (\(unit))"
        case (let title, let unit): title ?? unit
        }
    }

    /// The sums at which the pieces of stacked bars or areas end, those below nought apart.
    func stacked(at label: Int) -> [(from: Double, to: Double)?] {
        var above = 0.0
        var below = 0.0
        return values.map { series in
            guard let value = series[label] else { return nil }
            if value < 0 {
                below += value
                return (below - value, below)
            }
            above += value
            return (above - value, above)
        }
    }

    /// The figures that the axis has to hold.
    var extent: [Double] {
        guard isStacked else { return figures }
        return labels.indices.flatMap { stacked(at: $0).compactMap { $0?.to } }
    }

    /// A figure with its unit, for a reader.
    func words(_ value: Double) -> String {
        bareWords(value) + (unit.map { $0 == "%" ? $0 : " " + $0 } ?? "")
    }

    /// A figure without its unit.
    func bareWords(_ value: Double) -> String {
        pageFormat.text(.number(value))
    }

    /// A figure as it stands in fixed-width type.
    func plainWords(_ value: Double) -> String {
        plainFormat.text(.number(value))
    }

    /// What a mark of the chart says when it is pointed at.
    func words(series: Int, label: Int, _ value: Double) -> String {
        let name = names[series].isEmpty ? "" : " \(names[series])"
        return "\(labels[label]): \(words(value))\(name)"
    }

    /// The chart in words, for who does not see it.
    var description: String {
        let drawing = say(Self.drawings[kind] ?? "Chart")
        guard let first = labels.first, let last = labels.last else { return say("\(drawing) without figures.") }
        let span =
            labels.count == 1
            ? first : "\(labels.count) \(labelTitle ?? say("values")) \(say("from \(first) to \(last)"))"
        let series = values.indices.prefix(8).map { summary(of: $0) }
        let more = values.count > 8 ? [say("and \(values.count - 8) more.")] : []
        let sentences = ["\(drawing): \(span)."] + series + more + [say("The figures follow as a table.")]
        return sentences.joined(separator: " ")
    }

    private static let drawings: [ReportChart.Kind: Phrase] = [
        .bar: "Bar chart", .line: "Line chart", .area: "Area chart", .pie: "Pie chart",
    ]

    private func summary(of series: Int) -> String {
        let name = names[series].isEmpty ? "" : "\(names[series]): "
        let known = values[series].enumerated().compactMap { place, value in value.map { (place, $0) } }
        guard let low = known.min(by: { $0.1 < $1.1 }), let high = known.max(by: { $0.1 < $1.1 }) else {
            return "\(name)\(say("no figures"))."
        }
        if known.count == 1 { return "\(name)\(words(high.1))." }
        let (least, most) = ("\(words(low.1)) (\(labels[low.0]))", "\(words(high.1)) (\(labels[high.0]))")
        return name + say("lowest \(least), highest \(most).")
    }
}
