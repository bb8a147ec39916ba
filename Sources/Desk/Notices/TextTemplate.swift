import Circulation
import TextFormats

/// A text with fields in double braces: `Dear {{patron.name}}, ...`.
///
/// Fields are all there is: no sections, no partials, no escaping. Text that is filled in is never read as a template
/// again, and loses control characters and characters that turn the direction of writing.
package struct TextTemplate: Hashable, Sendable {
    private enum Part: Hashable, Sendable {
        case text(String)
        case field(String)
    }

    private let parts: [Part]

    /// Reads a template. Braces that do not close are text.
    package init(_ source: String) {
        var parts: [Part] = []
        var rest = source[...]
        while let open = rest.range(of: "{{"), let close = rest[open.upperBound...].range(of: "}}") {
            if open.lowerBound > rest.startIndex { parts.append(.text(String(rest[..<open.lowerBound]))) }
            parts.append(.field(Self.trimmed(rest[open.upperBound..<close.lowerBound])))
            rest = rest[close.upperBound...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        self.parts = parts
    }

    /// The fields, in the order in which they stand.
    package var fields: [String] {
        parts.compactMap { if case .field(let name) = $0 { name } else { nil } }
    }

    /// The fields that no template of that use can be filled with, in the order in which they stand.
    package func unknownFields(in use: TemplateContext.Use) -> [String] {
        fields.filter { TemplateContext.Field(rawValue: $0)?.uses.contains(use) != true }
    }

    /// The text with its fields filled. A field that no context has stays as it was written; one that this context
    /// lacks is left out.
    package func filled(with context: TemplateContext) -> String {
        var text = ""
        for part in parts {
            switch part {
            case .text(let words): text += words
            case .field(let name):
                if let field = TemplateContext.Field(rawValue: name) {
                    // A list is made of lines that were made safe one by one; what people write has lines of its own.
                    switch field {
                    case .list: text += context[field] ?? ""
                    case .saleMessage:
                        text += (context[field] ?? "").split(separator: "\n", omittingEmptySubsequences: false)
                            .map { SafeText.line(String($0)) }.joined(separator: "\n")
                    default: text += SafeText.line(context[field] ?? "")
                    }
                } else {
                    text += "{{\(name)}}"
                }
            }
        }
        return text
    }

    private static func trimmed(_ name: Substring) -> String {
        var name = name
        while name.first?.isWhitespace == true { name.removeFirst() }
        while name.last?.isWhitespace == true { name.removeLast() }
        return String(name)
    }
}

/// Templates that were read, by their source: a policy has few of them for many notices.
final class TextTemplates {
    private var read: [String: TextTemplate] = [:]

    subscript(source: String) -> TextTemplate {
        if let template = read[source] { return template }
        let template = TextTemplate(source)
        read[source] = template
        return template
    }
}

extension Substring {
    fileprivate func range(of mark: StaticString) -> Range<Index>? {
        mark.withUTF8Buffer { mark in
            var start = startIndex
            while let found = utf8[start...].firstIndex(of: mark[0]) {
                let second = utf8.index(after: found)
                if second < endIndex, utf8[second] == mark[1] { return found..<utf8.index(after: second) }
                start = second
            }
            return nil
        }
    }
}
