/// Text within HTML and XML.
package enum MarkupText {
    /// The text as an element or a quoted attribute shows it.
    ///
    /// By scalars: a sign with an accent on it is one character of Swift's, and none of the signs below, but to a browser the sign
    /// ends the attribute.
    package static func escaped(_ text: some StringProtocol) -> String {
        guard text.utf8.contains(where: { [0x22, 0x26, 0x27, 0x3C, 0x3E].contains($0) }) else { return String(text) }
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
            case "'": escaped.append(contentsOf: "&#39;".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
