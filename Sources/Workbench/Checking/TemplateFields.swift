import Desk
import LuaSyntax

/// Finds fields of templates that nothing fills: in `subject` and `body` of notices, and in `messages`.
struct TemplateFields: LuaVisitor {
    private let file: String
    private var findings: [Finding] = []

    private init(file: String) {
        self.file = file
    }

    static func findings(in chunk: Chunk) -> [Finding] {
        var visitor = TemplateFields(file: chunk.name)
        chunk.walk(&visitor)
        if let messages = PolicyOutline(chunk)?["messages"] { visitor.checkMessages(messages.value) }
        return visitor.findings
    }

    mutating func enter(_ expression: Expression) {
        guard case .table(let table) = expression.kind else { return }
        for entry in table.entries where ["subject", "body"].contains(entry.name?.name) { check(entry.value, .notice) }
    }

    private mutating func checkMessages(_ value: Expression) {
        guard case .table(let table) = value.kind else { return }
        for entry in table.entries {
            check(entry.value, .message)
            if case .table = entry.value.kind { checkMessages(entry.value) }
        }
    }

    private mutating func check(_ value: Expression, _ use: TemplateContext.Use) {
        guard let text = value.stringLiteral else { return }
        let known = TemplateContext.Field.all(for: use).map(\.rawValue)
        for field in TextTemplate(text).unknownFields(in: use) {
            findings.append(
                Finding(
                    code: "template_field", file: file, range: value.range,
                    message: "a template has no field '\(field)'",
                    suggestion: NameSuggestion.nearest(to: field, among: known)))
        }
    }
}
