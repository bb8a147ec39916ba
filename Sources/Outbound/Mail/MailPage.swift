import TextFormats

/// A text as a page for programs that show mail in HTML: paragraphs, lines, and links to http and https alone.
package enum MailPage {
    /// - Parameters:
    ///   - language: as in BCP 47; anything else than letters, digits and hyphens is left out.
    ///   - isRightToLeft: whether its lines run from the right.
    package static func html(_ text: String, title: String, language: String? = nil, isRightToLeft: Bool = false)
        -> String
    {
        page(paragraphs(text), title: title, language: language, isRightToLeft: isRightToLeft)
    }

    /// A page around markup.
    static func page(_ markup: String, title: String, language: String?, isRightToLeft: Bool) -> String {
        let code = language?.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") } ?? ""
        let attribute = (code.isEmpty ? "" : " lang=\"\(code)\"") + (isRightToLeft ? " dir=\"rtl\"" : "")
        return """
            <!doctype html>
            <html\(attribute)>
            <head><meta charset="utf-8"><title>\(MarkupText.escaped(EncodedWords.oneLine(title)))</title></head>
            <body>
            \(markup)
            </body>
            </html>

            """
    }

    /// The paragraphs of a text as markup.
    static func paragraphs(_ text: String) -> String {
        paragraphs(of: text).map { "<p>\($0.map(line).joined(separator: "<br>\n"))</p>" }.joined(separator: "\n")
    }

    private static func paragraphs(of text: String) -> [[Substring]] {
        var paragraphs: [[Substring]] = []
        var current: [Substring] = []
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            if line.allSatisfy(\.isWhitespace) {
                if !current.isEmpty { paragraphs.append(current) }
                current = []
            } else {
                current.append(line)
            }
        }
        return current.isEmpty ? paragraphs : paragraphs + [current]
    }

    private static func line(_ text: Substring) -> String {
        text.split(separator: " ", omittingEmptySubsequences: false).map(word).joined(separator: " ")
    }

    private static func word(_ text: Substring) -> String {
        // A full stop, a bracket or a comma behind an address is not part of it.
        var link = text
        while let last = link.last, ".,;:!?)>]}'\"".contains(last) { link = link.dropLast() }
        guard link.hasPrefix("https://") || link.hasPrefix("http://"), link.utf8.count > 10,
            link.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return MarkupText.escaped(text) }
        let address = MarkupText.escaped(link)
        return "<a href=\"\(address)\">\(address)</a>\(MarkupText.escaped(text[link.endIndex...]))"
    }
}
