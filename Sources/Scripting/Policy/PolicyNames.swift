import Circulation
import LuaSyntax

/// The names that occur in the sources of a policy: which fields of a record can be read at all.
///
/// A record is filled with what can be read and no more. A source that reads fields by computed names, or goes through
/// records with `pairs` or `next`, may read all.
struct PolicyNames: Sendable {
    private(set) var names: Set<String> = []
    private(set) var mayReadAll = false

    /// - Parameter chunks: the policy's file first, then what it requires.
    init(_ chunks: [Chunk]) {
        self.init(chunks, without: [])
    }

    /// The names that what is asked at a point can read by: without those in the functions that stand at other points,
    /// which only the desk calls.
    init(_ chunks: [Chunk], at point: DecisionPoint) {
        var functions: Set<FunctionBody> = []
        var others: Set<String> = []
        for field in chunks.first.flatMap({ PolicyOutline($0) })?.fields ?? [] {
            guard let other = DecisionPoint(rawValue: field.name), other != point,
                case .function(let function) = field.value.withoutParentheses.kind
            else { continue }
            functions.insert(function)
            others.insert(field.name)
        }
        self.init(chunks, without: functions)
        // The policy's table may have a name of its own, through which one function can call another.
        if mayReadAll || !names.isDisjoint(with: others) { self.init(chunks) }
    }

    private init(_ chunks: [Chunk], without functions: Set<FunctionBody>) {
        var visitor = Visitor(skipped: functions)
        for chunk in chunks { chunk.walk(&visitor) }
        names = visitor.names
        mayReadAll = visitor.isComputed || !names.isDisjoint(with: ["pairs", "next"])
    }

    func canRead(_ field: String) -> Bool { mayReadAll || names.contains(field) }

    private struct Visitor: LuaVisitor {
        let skipped: Set<FunctionBody>
        var names: Set<String> = []
        var isComputed = false
        /// How many of the functions around are skipped.
        private var depth = 0

        init(skipped: Set<FunctionBody>) {
            self.skipped = skipped
        }

        mutating func enter(_ function: FunctionBody) {
            if skipped.contains(function) { depth += 1 }
        }

        mutating func leave(_ function: FunctionBody) {
            if skipped.contains(function) { depth -= 1 }
        }

        mutating func enter(_ expression: Expression) {
            guard depth == 0 else { return }
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
