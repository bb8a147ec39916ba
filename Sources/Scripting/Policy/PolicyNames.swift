import LuaSyntax

/// The names that occur in the sources of a policy: which fields of a record can be read at all.
///
/// A record is filled with what can be read and no more. A source that reads fields by computed names, or goes through
/// records with `pairs` or `next`, may read all.
struct PolicyNames: Sendable {
    private(set) var names: Set<String> = []
    private(set) var mayReadAll = false

    init(_ chunks: [Chunk]) {
        var visitor = Visitor()
        for chunk in chunks { chunk.walk(&visitor) }
        names = visitor.names
        mayReadAll = visitor.isComputed || !names.isDisjoint(with: ["pairs", "next"])
    }

    func canRead(_ field: String) -> Bool { mayReadAll || names.contains(field) }

    private struct Visitor: LuaVisitor {
        var names: Set<String> = []
        var isComputed = false

        mutating func enter(_ expression: Expression) {
            switch expression.kind {
            case .variable(let variable): names.insert(variable.name)
            case .suffixed(let suffixed): for suffix in suffixed.suffixes { add(suffix) }
            default: break
            }
        }

        private mutating func add(_ suffix: Suffix) {
            switch suffix.kind {
            case .field(let name): names.insert(name.name)
            case .method(let name, _): names.insert(name.name)
            case .index(let key):
                if let literal = key.stringLiteral {
                    names.insert(literal)
                } else if case .integer = key.kind {
                    return
                } else {
                    isComputed = true
                }
            default: break
            }
        }
    }
}
