import Circulation

/// The axes of a chart whose figures stand upwards, and the places of labels along its bottom.
struct ChartFrame {
    static let width = 760.0

    let scale: ChartScale
    let left: Double
    let top: Double
    let plotHeight = 230.0
    private let data: ChartData

    init(_ data: ChartData) {
        self.data = data
        let scale = ChartScale(of: data.extent, beginsAtZero: data.kind != .line)
        self.scale = scale
        left = (scale.ticks.map { TextMeasure.width(of: scale.label($0)) }.max() ?? 0) + 8
        top = data.axisTitle == nil ? 18 : 36
    }

    var right: Double { ChartFrame.width - 8 }
    var bottom: Double { top + plotHeight }
    /// Room below bars that hang down, for their figures.
    private var drop: Double { scale.bottom < 0 && data.kind == .bar ? 14 : 0 }
    var height: Double { bottom + drop + 22 + (data.labelTitle == nil ? 0 : 20) }
    var slot: Double { (right - left) / Double(max(1, data.labels.count)) }

    func x(_ label: Int) -> Double { left + slot * (Double(label) + 0.5) }
    func y(_ value: Double) -> Double { bottom - plotHeight * scale.share(value) }

    /// Lines across, the figures at them, and what they are.
    var grid: String {
        var parts = scale.ticks.flatMap { tick in
            [
                SVG.line(left, y(tick), right, y(tick)),
                SVG.text(scale.label(tick), left - 6, y(tick) + 4, .end),
            ]
        }
        if let title = data.axisTitle {
            parts.append(SVG.text(TextMeasure.clipped(title, to: ChartFrame.width), 0, 12, .start))
        }
        return parts.joined(separator: "\n")
    }

    /// The line of nought and the labels; every second, third, ... where space for all is lacking.
    var labels: String {
        var parts = [SVG.line(left, y(max(0, scale.bottom)), right, y(max(0, scale.bottom)), isAxis: true)]
        let every = ChartFrame.every(data.labels, slot: slot)
        var free = 0.0
        for place in stride(from: 0, to: data.labels.count, by: every) {
            let label = TextMeasure.clipped(data.labels[place], to: max(ChartFrame.longestLabel, slot - 8))
            let half = TextMeasure.width(of: label) / 2
            let middle = min(max(x(place), half), ChartFrame.width - half)
            if middle - half < free { continue }
            free = middle + half + 6
            parts.append(SVG.text(label, middle, bottom + drop + 17, .middle, full: data.labels[place]))
        }
        if let title = data.labelTitle {
            let text = TextMeasure.clipped(title, to: right - left)
            parts.append(SVG.text(text, (left + right) / 2, bottom + drop + 37, .middle, full: title))
        }
        return parts.joined(separator: "\n")
    }

    private static let longestLabel = 110.0

    /// One label of how many there is room for.
    static func every(_ labels: [String], slot: Double) -> Int {
        let widest = labels.map { min(longestLabel, TextMeasure.width(of: $0)) }.max() ?? 0
        return max(1, Int(((widest + 8) / max(slot, 0.1)).rounded(.up)))
    }
}
