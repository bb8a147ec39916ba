import Circulation
import LuaSyntax

/// Where a policy names categories, item types, branches and words that the desk fixes: in the conditions of rows, in
/// comparisons, in `has`, and as keys of tables in which such a value is looked up.
///
/// A value is found where it is written, be that in a list that has a name of its own or in the call of a function.
struct WordUses: LuaVisitor {
    /// A value with its place.
    struct Use: Hashable {
        /// `text:category`
        var kind: String
        var value: String
        var range: SourceRange
        var isInRow: Bool
        /// Whether a value is compared with it by `==` or `~=`.
        var isCompared = false
    }

    private let kinds: KindInference
    private let bindings: CallBindings
    private var seen: Set<Use> = []
    private(set) var uses: [Use] = []

    static func uses(in chunk: Chunk, _ outline: PolicyOutline?, _ kinds: KindInference, _ bindings: CallBindings)
        -> [Use]
    {
        var visitor = WordUses(kinds: kinds, bindings: bindings)
        for row in outline?.rows ?? [] { visitor.look(at: row) }
        chunk.walk(&visitor)
        return visitor.uses
    }

    private static let dimensions: [(field: String, kind: String)] = [
        ("category", "text:category"), ("item_type", "text:item_type"), ("branch", "text:branch"),
        ("copy_branch", "text:branch"), ("home_branch", "text:branch"),
    ]

    private mutating func look(at row: PolicyOutline.Row) {
        for dimension in Self.dimensions {
            guard let value = row[dimension.field]?.value else { continue }
            add(bindings.elements(of: value), dimension.kind, isInRow: true)
        }
    }

    mutating func enter(_ expression: Expression) {
        switch expression.kind {
        case .binary(let binary): look(at: binary)
        case .suffixed(let suffixed):
            if let (callee, arguments) = expression.call, arguments.count >= 2,
                case .variable(let word) = callee.kind, word.binding == .global, word.name == "has"
            {
                meet(arguments[0], arguments[1]) { kind, other, bindings in
                    kind.hasPrefix("list:") ? ("text:" + kind.dropFirst(5), bindings.elements(of: other)) : nil
                }
            }
            if suffixed.suffixes.count == 1, case .index(let key)? = suffixed.suffixes.first?.kind {
                meet(key, suffixed.base) { ($0, $2.keys(of: $1)) }
            }
        default: break
        }
    }

    private mutating func look(at binary: BinaryExpression) {
        var left: Expression? = binary.first
        for link in binary.links {
            if link.operation == .equal || link.operation == .notEqual, let left {
                meet(left, link.operand, isCompared: true) { ($0, $2.texts($1)) }
                meet(link.operand, left, isCompared: true) { ($0, $2.texts($1)) }
            }
            // What is compared behind `and` and `or` stands in the operand itself.
            left = nil
        }
    }

    private typealias Words = (kind: String, words: [(text: String, range: SourceRange)])

    /// A value of a known kind meets another, directly or in place of parameters.
    private mutating func meet(
        _ subject: Expression, _ other: Expression, isCompared: Bool = false,
        words: (String, Expression, CallBindings) -> Words?
    ) {
        for pair in [(left: subject, right: other)] + bindings.bound(subject, other) {
            guard let kind = kinds.kind(pair.left), kind.contains(":"), let found = words(kind, pair.right, bindings),
                found.kind.hasPrefix("text:")
            else { continue }
            add(found.words, found.kind, isInRow: false, isCompared: isCompared)
        }
    }

    private mutating func add(
        _ words: [(text: String, range: SourceRange)], _ kind: String, isInRow: Bool, isCompared: Bool = false
    ) {
        for word in words {
            let use = Use(
                kind: kind, value: word.text, range: word.range, isInRow: isInRow, isCompared: isCompared)
            // A row and a function may share a list: it is looked at once.
            var other = use
            other.isInRow.toggle()
            if !seen.contains(other), seen.insert(use).inserted { uses.append(use) }
        }
    }
}
