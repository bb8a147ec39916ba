/// The texts for people in Swift sources: those that pages say by `say("…")` or declare as phrases, and the sentences of refusals and
/// faults, which pages say when they come.
struct SwiftPhrases {
    /// A text, with `{1}` where a value is put in, and its second form where a number decides.
    struct Found: Hashable {
        let identifier: String
        var several: String?
    }

    private struct Literal {
        let range: Range<Int>
        let text: String
    }

    private let source: [UInt8]
    private var literals: [Literal] = []

    init(_ source: String) {
        self.source = Array(source.utf8)
        var index = 0
        while index < self.source.count {
            if starts("//", at: index) {
                while index < self.source.count, self.source[index] != UInt8(ascii: "\n") { index += 1 }
            } else if self.source[index] == UInt8(ascii: "\"") {
                index = read(at: index)
            } else {
                index += 1
            }
        }
        literals.sort { $0.range.lowerBound < $1.range.lowerBound }
    }

    private func starts(_ text: String, at index: Int) -> Bool {
        source[index...].starts(with: text.utf8)
    }

    /// Reads the literal at an index, and those in its values; the index behind it.
    private mutating func read(at start: Int) -> Int {
        if starts("\"\"\"", at: start) {
            var index = start + 3
            while index < source.count, !starts("\"\"\"", at: index) { index += 1 }
            return index + 3
        }
        var index = start + 1
        var bytes: [UInt8] = []
        var values = 0
        while index < source.count, source[index] != UInt8(ascii: "\""), source[index] != UInt8(ascii: "\n") {
            guard source[index] == UInt8(ascii: "\\") else {
                bytes.append(source[index])
                index += 1
                continue
            }
            switch source[index + 1] {
            case UInt8(ascii: "("):
                values += 1
                bytes += "{\(values)}".utf8
                var depth = 1
                index += 2
                while index < source.count, depth > 0 {
                    switch source[index] {
                    case UInt8(ascii: "("): depth += 1
                    case UInt8(ascii: ")"): depth -= 1
                    case UInt8(ascii: "\""):
                        index = read(at: index)
                        continue
                    default: break
                    }
                    index += 1
                }
            case UInt8(ascii: "u"):
                let hex = source[(index + 3)...].prefix { $0 != UInt8(ascii: "}") }
                let number = UInt32(String(decoding: hex, as: UTF8.self), radix: 16) ?? 32
                bytes += String(Character(Unicode.Scalar(number) ?? " ")).utf8
                index += 4 + hex.count
            case UInt8(ascii: "n"):
                bytes.append(UInt8(ascii: "\n"))
                index += 2
            default:
                bytes.append(source[index + 1])
                index += 2
            }
        }
        literals.append(Literal(range: start..<(index + 1), text: String(decoding: bytes, as: UTF8.self)))
        return index + 1
    }

    /// Literals with those that follow by `+`: where each began, and its text.
    private var joined: [(start: Int, text: String)] {
        var joined: [(start: Int, text: String)] = []
        var end = -1
        for literal in literals {
            let between = end >= 0 && end <= literal.range.lowerBound ? text(end..<literal.range.lowerBound) : "-"
            if !joined.isEmpty, between.trimmed == "+" {
                let last = joined[joined.count - 1].text
                joined[joined.count - 1].text = last + Self.shifted(literal.text, by: Self.values(in: last))
            } else {
                joined.append((literal.range.lowerBound, literal.text))
            }
            end = literal.range.upperBound
        }
        return joined
    }

    private static func values(in text: String) -> Int { text.matches(of: /\{\d+\}/).count }

    private static func shifted(_ text: String, by shift: Int) -> String {
        text.replacing(/\{(\d+)\}/) { "{\((Int($0.output.1) ?? 0) + shift)}" }
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: source[range], as: UTF8.self) }

    /// What stands before an index, without white space.
    private func before(_ index: Int, _ count: Int = 60) -> String {
        text(max(0, index - count)..<index).trimmed
    }

    /// What pages say, and declare as phrases.
    var spoken: [Found] {
        let declared = phraseDeclarations
        let marked = joined.filter { start, text in
            // Forms of dates and amounts have no letter of their own.
            if before(start).hasSuffix("text(of:") { return true }
            return text.contains(where: \.isLetter)
                && (before(start).contains(/(?:say|why|price|Kind)\($/)
                    || before(start).hasSuffix("label:") || before(start).hasSuffix("hint:")
                    || before(start).hasSuffix("Phrase =")
                    || before(start).contains(/(?:button|warning|done|one|parent):$/)
                    || declared.contains { $0.contains(start) } && !isCode(text, at: start))
        }
        let counted = String(decoding: source, as: UTF8.self)
            .matches(of: /count\([^"\n]*"([^"\n]+)",\s*"([^"\n]+)"/)
            .map { Found(identifier: "{1} \($0.output.1)", several: "{1} \($0.output.2)") }
        return marked.map { Found(identifier: $0.text) } + counted
    }

    /// Whether a literal of a declaration is the code that goes with a phrase.
    private func isCode(_ text: String, at start: Int) -> Bool {
        text.contains("://") || before(start).hasSuffix("(") || before(start).hasSuffix("value:")
            || before(start).contains(/\(\s*name:$/)
    }

    /// Declarations whose values are phrases.
    private var phraseDeclarations: [Range<Int>] {
        String(decoding: source, as: UTF8.self).matches(of: /let \w+: \[[^=\n]*Phrase[^=\n]*\] = \[/).compactMap {
            match in
            let text = String(decoding: source, as: UTF8.self)
            let start = text.utf8.distance(from: text.startIndex, to: match.range.upperBound)
            var (depth, index) = (1, start)
            while index < source.count, depth > 0 {
                if let literal = literals.first(where: { $0.range.lowerBound == index }) {
                    index = literal.range.upperBound
                    continue
                }
                if source[index] == UInt8(ascii: "[") { depth += 1 }
                if source[index] == UInt8(ascii: "]") { depth -= 1 }
                index += 1
            }
            return start..<index
        }
    }

    /// A template of a notice as the text that it makes: what it fills in are values.
    private static func filled(_ text: String) -> String {
        var count = values(in: text)
        return text.replacing(/\{\{[a-z_.]+\}\}/) { _ in
            count += 1
            return "{\(count)}"
        }
    }

    /// Whole sentences, and the subjects of notices; of a sentence that begins with a field's name also the form that pages show beside the field.
    var sentences: [Found] {
        joined.map { Self.filled($0.text) }.filter {
            $0.contains(/^(?:[A-Z]|'|\{1\} )/) && $0.contains(" ")
                && ($0.contains(/[a-z}'")][.?]$/) || $0.contains(/^[A-Z][a-z ]+: \{1\}$/)
                    || $0.contains(/^Dear \{1\}, [^\\]+\}$/))
        }
        .flatMap { text -> [Found] in
            let field = text.firstMatch(of: /^'[^']+'/)
            let rest = field.map { String(text[$0.range.upperBound...]) }
            let isNamed = field?.output.contains("{") == true
            let alone = rest.map { "This" + Self.shifted($0, by: isNamed ? -1 : 0) }
            return [text, alone].compactMap(\.self).map { Found(identifier: $0) }
        }
    }
}

extension String {
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
