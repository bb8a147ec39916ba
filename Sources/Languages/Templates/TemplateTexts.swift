import TextFormats

/// The texts of a template: every run of words between elements that divide a page, and the attributes that are read out. In
/// them `{name}` stands for `{{name}}` and `<1>…</1>` for an element within the sentence, so that a translation may put both
/// elsewhere, and leaves the template's structure as it is.
package struct TemplateTexts {
    private let tokens: [TemplateToken]

    /// Elements within a sentence; all others divide it.
    private static let inline: Set<String> = [
        "a", "abbr", "b", "bdi", "cite", "code", "em", "i", "kbd", "q", "small", "span", "strong", "time",
    ]

    /// Elements without words for people.
    private static let silent: Set<String> = ["svg", "pre"]

    /// Attributes that are read or shown.
    private static let spoken = ["alt", "aria-label", "placeholder", "title"]

    /// - Parameter template: a Mustache template of HTML.
    package init(_ template: String) { tokens = TemplateToken.tokens(of: template) }

    /// The texts, in the order of the template.
    package var identifiers: [String] {
        var found: [String] = []
        _ = rewritten { text in
            found.append(text.identifier)
            return nil
        }
        return found
    }

    /// The template with its texts in a language.
    package func translated(to language: Language) -> String {
        rewritten { text in language.template(text.identifier).map { text.written($0, in: language) } }
    }

    private func rewritten(_ translate: (TemplateText) -> String?) -> String {
        var result = ""
        var run: [TemplateToken] = []
        var silence: String?
        for token in tokens {
            if let name = silence {
                if case .closing(name, _) = token { silence = nil }
                result += token.written
                continue
            }
            if isWithinSentence(token) {
                run.append(token)
                continue
            }
            result += Self.rewritten(run[...], translate)
            run = []
            if case .opening(let name, _) = token, Self.silent.contains(name) { silence = name }
            result += Self.withAttributes(token, translate)
        }
        return result + Self.rewritten(run[...], translate)
    }

    private func isWithinSentence(_ token: TemplateToken) -> Bool {
        switch token {
        case .text, .value: true
        case .division, .single: false
        case .opening(let name, _), .closing(let name, _): Self.inline.contains(name)
        }
    }

    // MARK: - A run of words

    private static func rewritten(_ run: ArraySlice<TemplateToken>, _ translate: (TemplateText) -> String?) -> String {
        // Elements that do not close within the run divide it as others do.
        if let lone = unclosed(in: run) {
            return rewritten(run[..<lone], translate) + withAttributes(run[lone], translate)
                + rewritten(run[(lone + 1)...], translate)
        }
        var depth = 0
        let hasWords = run.contains { token in
            switch token {
            case .opening: depth += 1
            case .closing: depth -= 1
            case .text(let text): return depth == 0 && text.contains(where: \.isLetter)
            default: break
            }
            return false
        }
        if hasWords { return whole(run, translate) }
        // Words stand in elements alone: each is a text of its own.
        var result = ""
        var index = run.startIndex
        while index < run.endIndex {
            if case .opening = run[index], let end = closing(of: index, in: run) {
                result += withAttributes(run[index], translate) + rewritten(run[(index + 1)..<end], translate)
                result += run[end].written
                index = end + 1
            } else {
                result += run[index].written
                index += 1
            }
        }
        return result
    }

    private static func whole(_ run: ArraySlice<TemplateToken>, _ translate: (TemplateText) -> String?) -> String {
        let text = TemplateText(
            run.map { token in
                // Attributes of elements within the sentence are texts of their own.
                guard case .opening(let name, _) = token else { return token }
                return .opening(name: name, written: Substring(withAttributes(token, translate)))
            })
        guard let translated = translate(text) else { return run.map(\.written).joined() }
        return text.spaceBefore + translated + text.spaceAfter
    }

    private static func unclosed(in run: ArraySlice<TemplateToken>) -> Int? {
        var open: [(name: String, index: Int)] = []
        for (index, token) in zip(run.indices, run) {
            switch token {
            case .opening(let name, _): open.append((name, index))
            case .closing(let name, _):
                guard open.last?.name == name else { return index }
                open.removeLast()
            default: break
            }
        }
        return open.first?.index
    }

    private static func closing(of index: Int, in run: ArraySlice<TemplateToken>) -> Int? {
        var depth = 0
        for position in index..<run.endIndex {
            switch run[position] {
            case .opening: depth += 1
            case .closing: depth -= 1
            default: break
            }
            if depth == 0 { return position }
        }
        return nil
    }

    // MARK: - Attributes

    private static func withAttributes(_ token: TemplateToken, _ translate: (TemplateText) -> String?) -> String {
        let written: Substring
        switch token {
        case .opening(_, let tag), .single(_, let tag): written = tag
        default: return token.written
        }
        var result = ""
        var rest = written
        while let (before, value, after) = attribute(in: rest) {
            result += before
            // Sections divide the text of an attribute.
            var run: [TemplateToken] = []
            func finish() {
                if !run.isEmpty {
                    let hasWords = run.contains {
                        if case .text(let text) = $0 { text.contains(where: \.isLetter) } else { false }
                    }
                    result += hasWords ? whole(run[...], translate) : run.map(\.written).joined()
                }
                run = []
            }
            for token in TemplateToken.tokens(of: String(value)) {
                if case .division = token {
                    finish()
                    result += token.written
                } else {
                    run.append(token)
                }
            }
            finish()
            rest = after
        }
        return result + rest
    }

    /// The next attribute with words: what stands before its value, the value, and the rest from the quotation mark on.
    private static func attribute(in tag: Substring) -> (Substring, Substring, Substring)? {
        let starts = spoken.compactMap { tag.firstRange(of: " \($0)=\"") }
        guard let start = starts.min(by: { $0.lowerBound < $1.lowerBound }) else { return nil }
        let from = tag[start.upperBound...]
        guard let end = from.firstIndex(of: "\"") else { return nil }
        return (tag[..<start.upperBound], from[..<end], tag[end...])
    }
}

/// One text of a template.
struct TemplateText {
    let identifier: String
    /// White space around the words, which is no part of the text.
    let spaceBefore: String
    let spaceAfter: String
    private var values: [String: Substring] = [:]
    private var openings: [Substring] = []
    private var closings: [Substring] = []

    init(_ run: [TemplateToken]) {
        var identifier = ""
        var open: [Int] = []
        for token in run {
            switch token {
            case .text(let text): identifier += Self.decoded(text)
            case .value(let name, let written):
                values[name] = written
                identifier += "{\(name)}"
            case .opening(_, let written):
                openings.append(written)
                closings.append("")
                open.append(openings.count)
                identifier += "<\(openings.count)>"
            case .closing(_, let written):
                let number = open.popLast() ?? 0
                closings[number - 1] = written
                identifier += "</\(number)>"
            case .single, .division: break
            }
        }
        let space = identifier.prefix(while: Self.isSpace)
        let words = identifier.dropFirst(space.count)
        let after = String(words.reversed().prefix(while: Self.isSpace).reversed())
        spaceBefore = String(space)
        spaceAfter = after
        self.identifier = words.dropLast(after.count).split(whereSeparator: Self.isSpace).joined(separator: " ")
    }

    private static func isSpace(_ character: Character) -> Bool { character == " " || character.isNewline }

    /// A translation as HTML with the template's values and elements.
    func written(_ translation: MessageText, in language: Language) -> String {
        translation.pieces.map { piece in
            switch piece {
            case .words(let words): Self.encoded(words)
            case .value(let name): values[name].map { language.isolated(String($0)) } ?? ""
            case .opening(let number): openings.indices.contains(number - 1) ? String(openings[number - 1]) : ""
            case .closing(let number): closings.indices.contains(number - 1) ? String(closings[number - 1]) : ""
            }
        }.joined()
    }

    private static let entities = [
        ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", "\u{A0}"), ("&amp;", "&"),
    ]

    private static func decoded(_ text: Substring) -> String {
        entities.reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
    }

    /// A translation is words: neither markup, nor does it fill anything in by itself.
    private static func encoded(_ text: String) -> String {
        MarkupText.escaped(text).replacing("{", with: "&#123;").replacing("}", with: "&#125;")
    }
}

extension TemplateToken {
    /// The token as the template has it.
    var written: String {
        switch self {
        case .text(let text): String(text)
        case .division(let text): String(text)
        case .value(_, let written), .opening(_, let written), .closing(_, let written), .single(_, let written):
            String(written)
        }
    }
}
