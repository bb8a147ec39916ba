/// A line of source with a marker beneath: `^~~~` under the characters concerned.
///
/// The marker stands under them in a terminal also where tabs or wide characters come before. Of a long line the part
/// around the marker is shown.
package struct SourceExcerpt: Hashable, Sendable {
    /// The line as a terminal may show it, without its line end.
    package let line: String
    /// Spaces and tabs, then `^` and as many `~` as columns follow.
    package let marker: String

    /// - Parameters:
    ///   - column: one-based, in Unicode scalars; may be one behind the end of the line.
    ///   - endColumn: behind the last character marked; nil marks one.
    ///   - maximumLength: how many characters of the line to show.
    /// - Returns: nil if the line does not exist.
    package init?(
        of source: SourceText, line number: Int, column: Int, endColumn: Int? = nil, maximumLength: Int = 120
    ) {
        guard let text = source.line(number) else { return nil }
        let scalars = DisplayText(text).scalars
        let start = min(max(column - 1, 0), scalars.count)
        let end = min(max((endColumn ?? column + 1) - 1, start), scalars.count)
        let shown = SourceExcerpt.window(of: scalars.count, around: start, maximumLength: max(maximumLength, 16))
        let before = shown.lowerBound > 0 ? "…" : ""
        let after = shown.upperBound < scalars.count ? "…" : ""
        line = before + String(String.UnicodeScalarView(scalars[shown])) + after
        let padding = scalars[shown.lowerBound..<start].map(SourceExcerpt.padding)
        let width = scalars[start..<min(end, shown.upperBound)].reduce(0) { $0 + DisplayText.width(of: $1) }
        marker =
            (before.isEmpty ? "" : " ") + padding.joined() + "^" + String(repeating: "~", count: max(width - 1, 0))
    }

    private static func window(of count: Int, around index: Int, maximumLength: Int) -> Range<Int> {
        guard count > maximumLength else { return 0..<count }
        let start = min(max(index - maximumLength / 2, 0), count - maximumLength)
        return start..<(start + maximumLength)
    }

    private static func padding(for scalar: Unicode.Scalar) -> String {
        scalar == "\t" ? "\t" : String(repeating: " ", count: DisplayText.width(of: scalar))
    }
}
