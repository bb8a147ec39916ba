import LuaSyntax

/// Writes expressions with every operation in parentheses, to compare trees as text.
enum TreePrinter {
    static func text(_ expression: Expression) -> String {
        switch expression.kind {
        case .nil: "nil"
        case .boolean(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        case .string(let bytes): String(decoding: bytes, as: UTF8.self).debugDescription
        case .vararg: "..."
        case .variable(let variable): variable.name
        case .function(let body): "function/\(body.parameters.count)"
        case .table(let table): "{\(table.entries.map(text).joined(separator: ", "))}"
        case .parenthesized(let inner): "<\(text(inner))>"
        case .unary(let operation, let operand): "(\(operation.rawValue) \(text(operand)))"
        case .binary(let binary):
            binary.links.reduce(text(binary.first)) { left, link in
                "(\(left) \(link.operation.rawValue) \(text(link.operand)))"
            }
        case .suffixed(let suffixed): suffixed.suffixes.reduce(text(suffixed.base)) { $0 + text($1) }
        }
    }

    private static func text(_ suffix: Suffix) -> String {
        switch suffix.kind {
        case .field(let name): ".\(name.name)"
        case .index(let index): "[\(text(index))]"
        case .call(let arguments): "(\(arguments.map(text).joined(separator: ", ")))"
        case .method(let name, let arguments): ":\(name.name)(\(arguments.map(text).joined(separator: ", ")))"
        }
    }

    private static func text(_ entry: TableConstructor.Entry) -> String {
        switch entry.key {
        case .position(let index): "\(index): \(text(entry.value))"
        case .name(let name): "\(name.name): \(text(entry.value))"
        case .expression(let key): "[\(text(key))]: \(text(entry.value))"
        }
    }
}

/// The expressions of `return ...`, parsed.
func returned(_ source: String) throws -> [Expression] {
    let chunk = try LuaParser.parse("return " + source, chunk: "test")
    return chunk.returned ?? []
}
