/// A page of the manual in mdoc, the language of `mdoc(7)`.
struct ManualText {
    private(set) var lines: [String] = []

    /// A macro with its arguments, each quoted as it needs to be.
    mutating func macro(_ name: String, _ arguments: String...) {
        lines.append(([".\(name)"] + arguments.map(ManualText.argument)).joined(separator: " "))
    }

    /// A line of macros whose arguments are macros themselves, such as `Op Fl`.
    mutating func line(_ words: [String]) {
        lines.append("." + words.joined(separator: " "))
    }

    /// Running text, a sentence a line, as typesetters want it.
    mutating func text(_ text: String) {
        var sentence: [Substring] = []
        for word in text.split(whereSeparator: \.isWhitespace) {
            let isLong = sentence.reduce(0) { $0 + $1.count + 1 } + word.count > 76
            if isLong { flush(&sentence) }
            sentence.append(word)
            if word.last == "." || word.last == "?" || word.hasSuffix(".)") { flush(&sentence) }
        }
        flush(&sentence)
    }

    /// Lines that stay as they are.
    mutating func example(_ lines: [String]) {
        macro("Bd", "-literal", "-offset", "indent")
        self.lines += lines.map { ManualText.escaped($0, atStart: true) }
        macro("Ed")
    }

    /// A line that stands as it is, such as a remark.
    mutating func remark(_ text: String) {
        lines.append(".\\\" \(text)")
    }

    var whole: String { lines.joined(separator: "\n") + "\n" }

    private mutating func flush(_ sentence: inout [Substring]) {
        if !sentence.isEmpty { lines.append(ManualText.escaped(sentence.joined(separator: " "), atStart: true)) }
        sentence = []
    }

    static func argument(_ text: String) -> String {
        let escaped = escaped(text, atStart: false)
        return text.contains(where: \.isWhitespace) || text.isEmpty
            ? "\"\(escaped.replacing("\"", with: "\"\""))\"" : escaped
    }

    /// Text in which nothing is taken for an instruction to the typesetter, and hyphens of options can be copied.
    private static func escaped(_ text: String, atStart: Bool) -> String {
        let plain = text.replacing("\\", with: "\\e").replacing("--", with: "\\-\\-")
        return atStart && (plain.hasPrefix(".") || plain.hasPrefix("'")) ? "\\&" + plain : plain
    }
}
