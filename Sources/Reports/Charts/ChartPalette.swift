/// The colours of series, dark enough on white paper and light enough on a dark screen to stand out (3 to 1 at
/// least, WCAG 2.1, 1.4.11) and from one another by most eyes.
enum ChartPalette {
    static let light = ["#1f6fb4", "#c2570c", "#2f7d4f", "#8a4fc7", "#a07400", "#0e7c86", "#b8326f", "#68717c"]
    private static let dark = ["#62a8ea", "#f0924c", "#63bd85", "#b794f0", "#d9b040", "#4fbcc6", "#ec7fb0", "#a3adb8"]
    /// Lines differ by their dashes too, for print without colours.
    static let dashes = ["", "7 3", "2 3", "9 3 2 3", "4 2", "1 2", "12 4", "6 2 1 2 1 2"]

    static let lightVariables = variables(light)
    static let darkVariables = variables(dark)

    /// The rules that let the page's colours take the place of those that stand in the drawing.
    static let rules = light.indices.map { index in
        ".chart .s\(index), .legend .s\(index) { fill: var(--s\(index)); } .chart .l\(index), .legend .l\(index) { stroke: var(--s\(index)); }"
    }.joined(separator: "\n")

    private static func variables(_ colours: [String]) -> String {
        colours.enumerated().map { "--s\($0.offset): \($0.element);" }.joined(separator: " ")
    }

    /// Attributes of what is filled in the colour of a series.
    ///
    /// - Parameter more: a further class.
    static func fill(_ series: Int, _ more: String = "") -> String {
        let place = series % light.count
        return "class=\"s\(place)\(more.isEmpty ? "" : " " + more)\" fill=\"\(light[place])\""
    }

    /// Attributes of what is drawn with the line of a series.
    static func stroke(_ series: Int) -> String {
        let place = series % light.count
        let dash = dashes[place].isEmpty ? "" : " stroke-dasharray=\"\(dashes[place])\""
        return
            "class=\"l\(place)\" stroke=\"\(light[place])\" fill=\"none\" stroke-width=\"2\" stroke-linejoin=\"round\"\(dash)"
    }
}
