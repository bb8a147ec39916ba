/// Pieces of drawings. Colours stand in them as attributes, which the style of a page may overrule, so that a drawing is whole
/// where styles do not reach it.
enum SVG {
    /// A length with a decimal at most.
    static func length(_ value: Double) -> String {
        let tenths = (value * 10).rounded() / 10
        return Int(exactly: tenths).map { String($0) } ?? String(tenths)
    }

    static func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, isAxis: Bool = false) -> String {
        "<line class=\"\(isAxis ? "axis" : "grid")\" stroke=\"\(isAxis ? "#57606a" : "#d5dae0")\" "
            + "x1=\"\(length(x1))\" y1=\"\(length(y1))\" x2=\"\(length(x2))\" y2=\"\(length(y2))\"/>"
    }

    enum Anchor: String { case start, middle, end }

    /// - Parameters:
    ///   - full: what the text was before it was clipped.
    ///   - isValue: a figure rather than a label.
    static func text(
        _ text: String, _ x: Double, _ y: Double, _ anchor: Anchor, full: String? = nil, isValue: Bool = false
    ) -> String {
        let place = anchor == .start ? "" : " text-anchor=\"\(anchor.rawValue)\""
        let mark = isValue ? " class=\"value\" fill=\"#1b1f23\"" : ""
        let title = full.map { $0 == text ? "" : "<title>\(HTMLPage.escaped($0))</title>" } ?? ""
        return "<text x=\"\(length(x))\" y=\"\(length(y))\"\(place)\(mark)>\(title)\(HTMLPage.escaped(text))</text>"
    }

    static func rectangle(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ attributes: String, title: String
    ) -> String {
        "<rect \(attributes) x=\"\(length(x))\" y=\"\(length(y))\" width=\"\(length(width))\" height=\"\(length(height))\">"
            + "<title>\(HTMLPage.escaped(title))</title></rect>"
    }
}
