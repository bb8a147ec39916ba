extension DisplayWidth {
    /// A text in lines of at most so many columns, broken at blanks where there are any; none for an empty text.
    package static func wrapped(_ text: String, to columns: Int) -> [String] {
        guard of(text) > columns else { return text.isEmpty ? [] : [text] }
        var lines: [String] = []
        var rest = Substring(text)
        while of(rest) > columns {
            let end = lineEnd(of: rest, columns)
            lines.append(String(rest[..<end]))
            rest = rest[end...].drop { $0 == " " }
        }
        if !rest.isEmpty { lines.append(String(rest)) }
        return lines
    }

    /// Where a line of a text that is too long for it ends: at its last blank, else where it is full.
    private static func lineEnd(of text: Substring, _ columns: Int) -> Substring.Index {
        var used = 0
        var end = text.startIndex
        var blank: Substring.Index?
        while end < text.endIndex {
            used += of(text[end])
            if used > columns { break }
            if text[end] == " " && end > text.startIndex { blank = end }
            end = text.index(after: end)
        }
        if end < text.endIndex && text[end] == " " { return end }
        // A character that is wider than the line stands in it alone.
        return blank ?? (end == text.startIndex ? text.index(after: end) : end)
    }
}

extension DisplayWidth {
    /// Lines of text, each broken at blanks where it is longer than the columns given; what is carried over stands four
    /// columns further in than its line began.
    package static func reflowed(_ text: String, to columns: Int) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
            let indent = line.prefix { $0 == " " }.count
            guard of(line) > columns, columns > 2 * (indent + 4) else { return [String(line)] }
            let parts = wrapped(String(line.dropFirst(indent)), to: columns - indent - 4)
            let first = String(repeating: " ", count: indent)
            return parts.enumerated().map { first + ($0.offset == 0 ? "" : "    ") + $0.element }
        }.joined(separator: "\n")
    }
}
