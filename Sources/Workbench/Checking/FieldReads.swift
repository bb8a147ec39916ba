import LuaSyntax

/// The names of the fields that the functions of a chunk read, of whatever; those of Lua's libraries, as in `math.max`, are none.
struct FieldReads: LuaVisitor {
    private var names: Set<String> = []

    static func names(in chunk: Chunk) -> Set<String> {
        var visitor = FieldReads()
        chunk.walk(&visitor)
        return visitor.names
    }

    mutating func enter(_ expression: Expression) {
        guard case .suffixed(let suffixed) = expression.kind else { return }
        if case .variable(let variable) = suffixed.base.withoutParentheses.kind, variable.binding == .global { return }
        for suffix in suffixed.suffixes {
            switch suffix.kind {
            case .field(let name): names.insert(name.name)
            case .index(let key): if let name = key.stringLiteral { names.insert(name) }
            default: break
            }
        }
    }
}
