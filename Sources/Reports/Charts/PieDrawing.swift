import Foundation

/// The first series as slices of a circle, the largest first, with their names, figures and shares beside it; the smallest
/// of many are one slice. Figures below nought have no slice, and it is said so.
struct PieDrawing {
    private static let radius = 110.0
    private static let lineHeight = 22.0

    private let data: ChartData
    private let slices: PieSlices

    init(_ data: ChartData) {
        self.data = data
        slices = PieSlices(data)
    }

    var height: Double { max(2 * PieDrawing.radius + 16, PieDrawing.lineHeight * Double(lineCount) + 8) }

    private var lineCount: Int { slices.all.count + (data.axisTitle == nil ? 0 : 1) + (slices.remark == nil ? 0 : 1) }

    var drawing: String {
        var start = 0.0
        var parts: [String] = []
        for (place, slice) in slices.all.enumerated() {
            let share = slice.value / slices.total
            parts.append(shape(place, slice, from: start, to: start + share))
            start += share
        }
        return (parts + legend).joined(separator: "\n")
    }

    // MARK: - Slices

    private func shape(_ place: Int, _ slice: PieSlices.Slice, from: Double, to: Double) -> String {
        let title = "<title>\(HTMLPage.escaped("\(slice.name): \(words(slice))"))</title>"
        let colour = "\(ChartPalette.fill(place, "edge")) stroke=\"#fff\" stroke-width=\"1.5\""
        let centre = SVG.length(PieDrawing.radius + 8)
        let radius = SVG.length(PieDrawing.radius)
        guard to - from < 0.999_999 else {
            return "<circle \(colour) cx=\"\(centre)\" cy=\"\(centre)\" r=\"\(radius)\">\(title)</circle>"
        }
        let arc = "A\(radius) \(radius) 0 \(to - from > 0.5 ? 1 : 0) 1 \(edge(to))"
        return "<path \(colour) d=\"M\(centre) \(centre) L\(edge(from)) \(arc) Z\">\(title)</path>"
    }

    /// A place on the circle, by turns clockwise from the top.
    private func edge(_ turn: Double) -> String {
        let angle = 2 * Double.pi * turn
        let middle = PieDrawing.radius + 8
        return
            "\(SVG.length(middle + PieDrawing.radius * sin(angle))) \(SVG.length(middle - PieDrawing.radius * cos(angle)))"
    }

    private func words(_ slice: PieSlices.Slice) -> String { "\(data.words(slice.value)) (\(slices.percent(slice)))" }

    // MARK: - Legend

    private var legend: [String] {
        let x = 2 * PieDrawing.radius + 50
        let room = ChartFrame.width - x
        var y = (height - PieDrawing.lineHeight * Double(lineCount)) / 2 + 15
        var parts: [String] = []
        func next(_ text: String) {
            parts.append(text)
            y += PieDrawing.lineHeight
        }
        if let title = data.axisTitle {
            next(SVG.text(TextMeasure.clipped(title, to: room), x, y, .start, full: title))
        }
        for (place, slice) in slices.all.enumerated() { next(entry(place, slice, x: x, y: y, room: room)) }
        if let remark = slices.remark { next(SVG.text(remark, x, y, .start)) }
        return parts
    }

    private func entry(_ place: Int, _ slice: PieSlices.Slice, x: Double, y: Double, room: Double) -> String {
        let words = words(slice)
        let name = TextMeasure.clipped(slice.name, to: max(60, room - TextMeasure.width(of: words) - 40))
        return
            "<rect \(ChartPalette.fill(place)) x=\"\(SVG.length(x))\" y=\"\(SVG.length(y - 10))\" width=\"12\" height=\"12\"/>"
            + SVG.text(name, x + 20, y, .start, full: slice.name, isValue: true)
            + SVG.text(words, x + 30 + TextMeasure.width(of: name), y, .start)
    }
}
