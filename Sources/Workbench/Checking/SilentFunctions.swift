import Circulation
import LuaSyntax

/// Finds functions of which an answer is expected and that never give one: decision functions without a `return` of
/// anything, and local functions whose value is used. Code `missing_answer`.
enum SilentFunctions {
    /// - Parameter known: a function in which something was found already is not reported for its silence.
    static func findings(
        in chunk: Chunk, outline: PolicyOutline, _ scopes: ScopeAnalysis, unless known: [Finding]
    ) -> [Finding] {
        var visitor = UsedFunctions(scopes: scopes)
        chunk.walk(&visitor)
        let decided = outline.functions.filter { DecisionPoint(rawValue: $0.name) != nil }
        let used = decided.map { ($0.name, $0.body) } + visitor.used.map { ($0.name, $0.body) }
        var seen: Set<Int> = []
        return used.compactMap { name, body in
            guard seen.insert(body.id).inserted, isSilent(body), !known.contains(where: { isWithin(body, $0) }) else {
                return nil
            }
            return Finding(
                code: "missing_answer", severity: .warning, file: chunk.name, range: body.fullRange,
                message: "the function '\(name)' never answers anything: 'return' is missing")
        }
    }

    private static func isSilent(_ body: FunctionBody) -> Bool {
        var search = AnswerSearch()
        body.block.walk(&search)
        return !search.answers
    }

    private static func isWithin(_ body: FunctionBody, _ finding: Finding) -> Bool {
        (body.fullRange.start.line...body.fullRange.end.line).contains(finding.position.line)
    }

    /// Local functions whose result is used.
    private struct UsedFunctions: LuaVisitor {
        let scopes: ScopeAnalysis
        private(set) var used: [(name: String, body: FunctionBody)] = []
        private var statements: Set<SourceRange> = []

        init(scopes: ScopeAnalysis) {
            self.scopes = scopes
        }

        mutating func enter(_ statement: Statement) {
            if case .call(let call) = statement.kind { statements.insert(call.range) }
        }

        mutating func enter(_ expression: Expression) {
            guard !statements.contains(expression.range), let (callee, _) = expression.call,
                case .variable(let variable) = callee.kind, let body = scopes.function(callee)
            else { return }
            used.append((variable.name, body))
        }
    }

    /// Whether a function answers: with a value, be it a `nil` that is written down, or by raising an error. Functions
    /// within it answer for themselves.
    private struct AnswerSearch: LuaVisitor {
        private(set) var answers = false
        private var depth = 0

        mutating func enter(_ function: FunctionBody) { depth += 1 }
        mutating func leave(_ function: FunctionBody) { depth -= 1 }

        mutating func enter(_ statement: Statement) {
            guard depth == 0 else { return }
            switch statement.kind {
            case .return(let values):
                if !values.isEmpty { answers = true }
            case .call(let call):
                if case .variable(let variable)? = call.call?.callee.kind, variable.binding == .global,
                    variable.name == "error"
                {
                    answers = true
                }
            default: break
            }
        }
    }
}
