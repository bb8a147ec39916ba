extension Finding {
    /// The finding for a person at a terminal: place, message and code, then the line of source with a marker, then the
    /// suggestion.
    ///
    /// ```
    /// policies/main.lua:12:21: error: 'case.patron' has no field 'catgory' (unknown_field)
    ///    12 |     if case.patron.catgory == "staff" then
    ///       |                    ^~~~~~~ did you mean 'category'?
    /// ```
    ///
    /// Control characters of the file come out as U+FFFD. The last line has no line end.
    ///
    /// - Parameter source: the file's text; without it, or where it has no such line, the excerpt is left out.
    package func rendered(with source: SourceText?) -> String {
        let head = "\(file):\(position): \(severity.rawValue): \(message) (\(code))"
        let hint = suggestion.map { "did you mean '\($0)'?" }
        guard let source, let excerpt = excerpt(from: source) else {
            return Finding.safe(hint.map { "\(head); \($0)" } ?? head)
        }
        let number = String(position.line)
        let indent = String(repeating: " ", count: max(5 - number.count, 0))
        let gutter = String(repeating: " ", count: indent.count + number.count)
        let marker = hint.map { "\(excerpt.marker) \(Finding.safe($0))" } ?? excerpt.marker
        return "\(Finding.safe(head))\n\(indent)\(number) | \(excerpt.line)\n\(gutter) | \(marker)"
    }

    /// The line of source the finding is about.
    package func excerpt(from source: SourceText) -> SourceExcerpt? {
        SourceExcerpt(of: source, line: position.line, column: position.column, endColumn: endColumn)
    }

    private static func safe(_ text: String) -> String {
        DisplayText(text).text
    }
}
