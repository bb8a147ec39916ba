import Desk
import LuaSyntax
import TextFormats

/// Finds fields of templates that nothing fills: in `subject` and `body` of notices, and in `messages`.
struct TemplateFields: LuaVisitor {
    private let file: String
    private var findings: [Finding] = []
    /// The tables of `many`, met before what is in them.
    private var digests: Set<SourceRange> = []

    private let scopes: ScopeAnalysis

    private init(_ chunk: Chunk) {
        file = chunk.name
        scopes = ScopeAnalysis(chunk)
    }

    static func findings(in chunk: Chunk) -> [Finding] {
        var visitor = TemplateFields(chunk)
        chunk.walk(&visitor)
        if let messages = PolicyOutline(chunk)?["messages"] { visitor.checkMessages(messages.value) }
        return visitor.findings
    }

    mutating func enter(_ expression: Expression) {
        guard case .table(let table) = expression.kind else { return }
        for entry in table.entries {
            switch entry.name?.name {
            case "subject", "body": checkAll(entry.value, isDigest(table) ? .digest : .notice)
            case "line": if isDigest(table) { checkAll(entry.value, .notice) }
            case "many": if case .table(let many) = entry.value.kind { digests.insert(many.range) }
            default: break
            }
        }
    }

    private func isDigest(_ table: TableConstructor) -> Bool { digests.contains(table.range) }

    /// A text, or texts by language.
    private mutating func checkAll(_ value: Expression, _ use: TemplateContext.Use) {
        check(value, use)
        guard case .table(let texts) = value.kind else { return }
        for entry in texts.entries { check(entry.value, use) }
    }

    private mutating func checkMessages(_ value: Expression) {
        guard case .table(let table) = value.kind else { return }
        for entry in table.entries {
            check(entry.value, .message)
            if case .table = entry.value.kind { checkMessages(entry.value) }
        }
    }

    private mutating func check(_ value: Expression, _ use: TemplateContext.Use) {
        let value = scopes.resolved(value)
        // Texts are often put together of several lines.
        if case .binary(let binary) = value.kind {
            for part in [binary.first] + binary.links.map(\.operand) { check(part, use) }
            return
        }
        guard let text = value.stringLiteral else { return }
        let known = TemplateContext.Field.all(for: use).map(\.rawValue)
        lookForSingleBraces(text, value, known)
        for field in TextTemplate(text).unknownFields(in: use) {
            findings.append(
                Finding(
                    code: "template_field", file: file, range: value.range,
                    message: "a template has no field '\(field)'",
                    suggestion: NameSuggestion.nearest(to: field, among: known)))
        }
    }

    /// `{title.title}`, or `{{title.title}` with a brace too few: it stays in the text as it is.
    private mutating func lookForSingleBraces(_ text: String, _ value: Expression, _ known: [String]) {
        let bare = text.replacing(/\{\{[^{}]*\}\}/, with: "")
        for match in bare.matches(of: /\{\s*([a-z_]+(?:\.[a-z_]+)?)\s*\}/) {
            let name = String(match.output.1)
            guard known.contains(name) else { continue }
            findings.append(
                Finding(
                    code: "template_field", file: file, range: value.range,
                    message: "'\(name)' has not two braces on both sides, and stays in the text as it is",
                    suggestion: "{{\(name)}}"))
        }
    }
}
