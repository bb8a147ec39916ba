import LuaSyntax

/// Finds values that may be missing where they are compared or reckoned with: those of a local function that reaches
/// its end without an answer on some path, and that no condition has checked. The warning `may_be_nil`.
struct AbsentValues: LuaVisitor {
    private let scopes: ScopeAnalysis
    private let file: String
    /// Variables that a condition checks for nil.
    private let guarded: Set<Int>
    private(set) var findings: [Finding] = []

    static func findings(in chunk: Chunk, scopes: ScopeAnalysis) -> [Finding] {
        var guards = GuardSearch()
        chunk.walk(&guards)
        var visitor = AbsentValues(scopes: scopes, file: chunk.name, guarded: guards.guarded)
        chunk.walk(&visitor)
        return visitor.findings
    }

    mutating func enter(_ expression: Expression) {
        guard case .binary(let binary) = expression.kind else { return }
        for (place, link) in binary.links.enumerated() where needsValues(link.operation) {
            if place == 0 { look(at: binary.first) }
            look(at: link.operand)
        }
    }

    private func needsValues(_ operation: BinaryOperator) -> Bool {
        switch operation {
        case .less, .greater, .lessOrEqual, .greaterOrEqual, .add, .subtract, .multiply, .divide, .concatenate: true
        default: false
        }
    }

    private mutating func look(at operand: Expression) {
        let operand = operand.withoutParentheses
        guard case .variable(let variable) = operand.kind, let id = variable.declaration, !guarded.contains(id),
            case .value(let value) = scopes.definition(of: id), let (callee, _) = value.call,
            case .variable(let function) = callee.kind, let body = scopes.function(callee), canEndSilently(body)
        else { return }
        findings.append(
            Finding(
                code: "may_be_nil", severity: .warning, file: file, range: operand.range,
                message: "'\(variable.name)' may be nil here: '\(function.name)' does not answer on every path",
                suggestion: "\(variable.name) and ..."))
    }

    /// Whether the function gives a value on one path and reaches its end on another.
    private func canEndSilently(_ body: FunctionBody) -> Bool {
        switch body.block.statements.last?.kind {
        case .genericFor?, .numericFor?, .local?, .assignment?, .conditional(_, otherwise: nil)?: true
        case .return(let values)?: values.isEmpty || values.first?.kind == .nil
        default: false
        }
    }

    private struct GuardSearch: LuaVisitor {
        private(set) var guarded: Set<Int> = []

        mutating func enter(_ statement: Statement) {
            switch statement.kind {
            case .conditional(let branches, _): for branch in branches { note(branch.condition) }
            case .whileLoop(let condition, _): note(condition)
            default: break
            }
        }

        mutating func enter(_ expression: Expression) {
            switch expression.kind {
            case .unary(.not, let operand): note(operand)
            case .binary(let binary):
                for (place, link) in binary.links.enumerated() {
                    switch link.operation {
                    case .and, .or, .equal, .notEqual:
                        if place == 0 { note(binary.first) }
                        note(link.operand)
                    default: break
                    }
                }
            default: break
            }
        }

        private mutating func note(_ expression: Expression) {
            if case .variable(let variable) = expression.withoutParentheses.kind, let id = variable.declaration {
                guarded.insert(id)
            }
        }
    }
}
