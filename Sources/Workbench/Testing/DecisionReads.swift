import Circulation
import LuaSyntax
import Scripting

/// Finds where the source of tests reads a field that no decision has: `given {}.anwser`, of a variable that `given` made
/// too, or of what a function of the file answers that does nothing but `given`.
struct DecisionReads: LuaVisitor {
    struct Misreading {
        let line: Int
        let message: String
        /// Where the functions around it begin; none: it stands in none.
        let functions: [Int]
    }

    private(set) var found: [Misreading] = []
    private let names: [String]
    /// Declarations of variables that hold a decision, and of functions that answer one.
    private var decisions: Set<Int> = []
    private var makers: Set<Int> = []
    /// Variables that are given something else as well, and names that are written somewhere.
    private let changed: Set<Int>
    private let written: Set<String>
    private var functions: [Int] = []

    /// - Parameter names: the fields of decisions.
    static func misreadings(in source: String, file: String, names: [String]) -> [Misreading] {
        guard
            let chunk = try? LuaParser.parse(source, chunk: file, maximumSize: PolicyBundle.maximumFileSize)
        else { return [] }
        var writes = WriteCollector()
        chunk.walk(&writes)
        var reads = DecisionReads(names: names, changed: writes.variables, written: writes.fields)
        chunk.walk(&reads)
        return reads.found
    }

    mutating func enter(_ function: FunctionBody) { functions.append(function.start.line) }
    mutating func leave(_ function: FunctionBody) { functions.removeLast() }

    mutating func enter(_ statement: Statement) {
        switch statement.kind {
        case .local(let declarations, let values):
            for (declaration, value) in zip(declarations, values)
            where isDecision(value) && !changed.contains(declaration.id) {
                decisions.insert(declaration.id)
            }
        case .localFunction(let declaration, let body):
            // A function of one statement, which answers what `given` does.
            guard body.block.statements.count == 1, case .return(let values)? = body.block.statements.first?.kind,
                values.count == 1, isDecision(values[0]), !changed.contains(declaration.id)
            else { return }
            makers.insert(declaration.id)
        default: break
        }
    }

    mutating func enter(_ expression: Expression) {
        guard case .suffixed(let suffixed) = expression.kind else { return }
        let reads = suffixed.suffixes.dropFirst(isCallOfDecision(suffixed) ? 1 : 0)
        guard isCallOfDecision(suffixed) || isVariable(suffixed.base, of: decisions),
            case .field(let name)? = reads.first?.kind, !names.contains(name.name), !written.contains(name.name)
        else { return }
        found.append(
            Misreading(
                line: name.range.start.line, message: DecisionShape.unknown(name.name, among: names),
                functions: functions))
    }

    /// Whether an expression is a call of `given`, or of a function that answers what it does.
    private func isDecision(_ expression: Expression) -> Bool {
        guard case .suffixed(let suffixed) = expression.withoutParentheses.kind, suffixed.suffixes.count == 1
        else { return false }
        return isCallOfDecision(suffixed)
    }

    private func isCallOfDecision(_ suffixed: SuffixedExpression) -> Bool {
        guard case .call? = suffixed.suffixes.first?.kind else { return false }
        if case .variable(let variable) = suffixed.base.kind, variable.binding == .global {
            return variable.name == "given"
        }
        return isVariable(suffixed.base, of: makers)
    }

    private func isVariable(_ expression: Expression, of declarations: Set<Int>) -> Bool {
        guard case .variable(let variable) = expression.withoutParentheses.kind, let id = variable.declaration
        else { return false }
        return declarations.contains(id)
    }
}

/// Collects the variables and the names of fields that are assigned to.
private struct WriteCollector: LuaVisitor {
    private(set) var variables: Set<Int> = []
    private(set) var fields: Set<String> = []

    mutating func enter(_ statement: Statement) {
        guard case .assignment(let targets, _) = statement.kind else { return }
        for target in targets {
            switch target.kind {
            case .variable(let variable): if let id = variable.declaration { variables.insert(id) }
            case .suffixed(let suffixed):
                if case .field(let name)? = suffixed.suffixes.last?.kind { fields.insert(name.name) }
            default: break
            }
        }
    }
}
