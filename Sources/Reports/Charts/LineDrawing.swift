import Circulation

/// Lines, or areas below them. Where a figure is missing the line is interrupted.
struct LineDrawing {
    private static let mostMarks = 40

    private let data: ChartData
    private let frame: ChartFrame

    init(_ data: ChartData) {
        self.data = data
        frame = ChartFrame(data)
    }

    var height: Double { frame.height }

    var drawing: String {
        let places = data.values.indices.map(points)
        var parts = [frame.grid]
        if data.kind == .area { parts += data.values.indices.flatMap { areas($0, places[$0]) } }
        parts.append(frame.labels)
        for series in data.values.indices { parts += lines(series, places[series]) }
        return parts.joined(separator: "\n")
    }

    private struct Point {
        var label: Int
        var value: Double
        var base: Double
        var to: Double
    }

    private func points(_ series: Int) -> [[Point]] {
        var runs: [[Point]] = [[]]
        for label in data.labels.indices {
            guard let value = data.values[series][label] else {
                if runs.last?.isEmpty == false { runs.append([]) }
                continue
            }
            let piece = data.isStacked ? data.stacked(at: label)[series] ?? (0, value) : (0, value)
            runs[runs.count - 1].append(Point(label: label, value: value, base: piece.0, to: piece.1))
        }
        return runs.filter { !$0.isEmpty }
    }

    private func place(_ label: Int, _ value: Double) -> String {
        "\(SVG.length(frame.x(label))),\(SVG.length(frame.y(value)))"
    }

    private func areas(_ series: Int, _ runs: [[Point]]) -> [String] {
        runs.filter { $0.count > 1 }.map { run in
            let upper = run.map { place($0.label, $0.to) }
            let lower = run.reversed().map { place($0.label, $0.base) }
            return "<polygon \(ChartPalette.fill(series)) fill-opacity=\"\(data.isStacked ? "0.6" : "0.25")\" "
                + "points=\"\((upper + lower).joined(separator: " "))\"/>"
        }
    }

    private func lines(_ series: Int, _ runs: [[Point]]) -> [String] {
        runs.flatMap { run -> [String] in
            let path = run.map { place($0.label, $0.to) }.joined(separator: " ")
            let line = run.count > 1 ? ["<polyline \(ChartPalette.stroke(series)) points=\"\(path)\"/>"] : []
            return line + run.compactMap { mark(series, $0, isAlone: run.count == 1) }
        }
    }

    /// A dot that shows its figure as a tooltip; of many dots, those that can be seen separately.
    private func mark(_ series: Int, _ point: Point, isAlone: Bool) -> String? {
        guard isAlone || data.labels.count <= LineDrawing.mostMarks else { return nil }
        let words = HTMLPage.escaped(data.words(series: series, label: point.label, point.value))
        return "<circle \(ChartPalette.fill(series)) cx=\"\(SVG.length(frame.x(point.label)))\" "
            + "cy=\"\(SVG.length(frame.y(point.to)))\" r=\"3\"><title>\(words)</title></circle>"
    }
}
