/// A piece of a Mustache template of HTML.
enum TemplateToken: Hashable {
    /// Words between tags, as written.
    case text(Substring)
    /// `{{name}}` and what fills in words alike; its name and how it is written.
    case value(name: String, written: Substring)
    /// `{{#name}}`, `{{/name}}`, `{{>part}}` and whatever else divides a text.
    case division(Substring)
    /// `<a href="{{link}}">`
    case opening(name: String, written: Substring)
    case closing(name: String, written: Substring)
    /// A comment, a declaration, an element without content.
    case single(name: String, written: Substring)

    /// Parts of templates that are words themselves.
    private static let wordParts: Set<String> = ["time"]

    /// - Parameter template: a template that Mustache accepts.
    static func tokens(of template: String) -> [TemplateToken] {
        var tokens: [TemplateToken] = []
        var rest = Substring(template)
        while !rest.isEmpty {
            if rest.hasPrefix("{{") {
                let written = mustache(at: rest)
                tokens.append(Self.token(ofMustache: written))
                rest = rest[written.endIndex...]
            } else if rest.hasPrefix("<"), let second = rest.dropFirst().first, second.isLetter || "/!".contains(second)
            {
                let written = element(at: rest)
                let token = Self.token(ofElement: written)
                tokens.append(token)
                rest = rest[written.endIndex...]
                // The content of these is no HTML.
                if case .opening(let name, _) = token, ["script", "style"].contains(name),
                    let end = rest.firstRange(of: "</\(name)")
                {
                    tokens.append(.division(rest[..<end.lowerBound]))
                    rest = rest[end.lowerBound...]
                }
            } else {
                let from = rest.index(after: rest.startIndex)
                let end =
                    rest[from...].indices.first { rest[$0] == "<" || rest[$0...].hasPrefix("{{") } ?? rest.endIndex
                tokens.append(.text(rest[..<end]))
                rest = rest[end...]
            }
        }
        return tokens
    }

    private static func mustache(at text: Substring) -> Substring {
        guard let end = text.firstRange(of: text.hasPrefix("{{{") ? "}}}" : "}}") else { return text }
        return text[..<end.upperBound]
    }

    private static func token(ofMustache written: Substring) -> TemplateToken {
        let inner = written.drop { $0 == "{" }.prefix { $0 != "}" }
        switch inner.first {
        case "#", "/", "^", "<", "$", "!", "=": return .division(written)
        case ">":
            let name = inner.dropFirst().filter { !$0.isWhitespace }
            return wordParts.contains(name) ? .value(name: name, written: written) : .division(written)
        default:
            let name = inner.drop { $0 == "&" }.filter { !$0.isWhitespace }
            return .value(name: name == "." ? "it" : name, written: written)
        }
    }

    /// A tag with its attributes, in which values stand.
    private static func element(at text: Substring) -> Substring {
        if text.hasPrefix("<!--") {
            return text.firstRange(of: "-->").map { text[..<$0.upperBound] } ?? text
        }
        var quote: Character?
        var index = text.startIndex
        while index < text.endIndex {
            let character = text[index]
            if text[index...].hasPrefix("{{") {
                index = mustache(at: text[index...]).endIndex
                continue
            }
            if quote == nil, character == ">" { return text[...index] }
            if character == quote {
                quote = nil
            } else if quote == nil, character == "\"" || character == "'" {
                quote = character
            }
            index = text.index(after: index)
        }
        return text
    }

    private static let withoutContent: Set<String> = [
        "area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr",
    ]

    private static func token(ofElement written: Substring) -> TemplateToken {
        let isClosing = written.hasPrefix("</")
        let name = written.dropFirst(isClosing ? 2 : 1).prefix { $0.isLetter || $0.isNumber }.lowercased()
        if isClosing { return .closing(name: name, written: written) }
        let isSingle = written.hasSuffix("/>") || written.hasPrefix("<!") || withoutContent.contains(name)
        return isSingle ? .single(name: name, written: written) : .opening(name: name, written: written)
    }
}
