/// Finds writes that would outlive a decision, or that would change what it is about.
struct WriteRestriction: LuaVisitor {
    private(set) var findings: [Finding] = []

    private let chunk: Chunk
    private let file: String
    private let scopes: ScopeAnalysis
    /// The functions that are only ever called to decide: their tables do not outlive the decision.
    private let decisionFunctions: Set<Int>
    /// What decision functions are given, by ``LocalDeclaration/id``.
    private let givenParameters: Set<Int>
    /// These, and the parameters of local functions that are called with them or a part of them.
    private let handedParameters: Set<Int>
    private var functions: [Int] = []

    init(chunk: Chunk, file: String, scopes: ScopeAnalysis, outline: PolicyOutline?) {
        self.chunk = chunk
        self.file = file
        self.scopes = scopes
        let deciding = (outline?.functions.map(\.body) ?? []) + (outline?.conditions.map(\.body) ?? [])
        decisionFunctions = Set(deciding.map(\.id))
        givenParameters = Set(deciding.flatMap { $0.parameters.prefix(2).map(\.id) })
        handedParameters = RecordFlow.parameters(reachedFrom: givenParameters, in: chunk, scopes: scopes)
    }

    mutating func enter(_ function: FunctionBody) {
        functions.append(function.id)
    }

    mutating func leave(_ function: FunctionBody) {
        functions.removeLast()
    }

    mutating func enter(_ statement: Statement) {
        guard !functions.isEmpty else { return }
        switch statement.kind {
        case .assignment(let targets, _): for target in targets { checkTarget(target) }
        case .function(let target, _): checkTarget(target)
        default: break
        }
    }

    mutating func enter(_ expression: Expression) {
        guard !functions.isEmpty, let call = expression.leadingCall, let change = changedTable(call) else { return }
        checkChange(of: change.table, by: "'table.\(change.function)'", at: change.table.range)
    }

    // MARK: - Assignments

    private mutating func checkTarget(_ target: Expression) {
        if case .variable(let variable) = target.kind { return checkVariable(variable) }
        guard let container = target.container else { return }
        checkChange(of: container, by: "an assignment", at: target.range)
    }

    private mutating func checkVariable(_ variable: Variable) {
        switch variable.binding {
        case .local(let id):
            guard givenParameters.contains(id) else { return }
            report("writes_case", "assigns to '\(variable.name)', which the function was given to read", variable.range)
        case .upvalue:
            report(
                "stateful",
                "assigns to '\(variable.name)', which is declared outside of the function; a policy keeps nothing "
                    + "between decisions", variable.range)
        case .global:
            report(
                "stateful",
                "assigns to the global '\(variable.name)'; a policy keeps nothing between decisions", variable.range)
        }
    }

    // MARK: - Tables

    private mutating func checkChange(of table: Expression, by means: String, at range: SourceRange) {
        guard let written = table.accessPath else { return }
        let path = scopes.resolved(written)
        let name = path.names(root: name(of: path.root))
        if case .local(let id) = path.root, handedParameters.contains(id), !scopes.isReassigned(id) {
            return report("writes_case", "\(means) changes '\(name)', which the function was given to read", range)
        }
        guard isOutside(path.root) else { return }
        report(
            "stateful",
            "\(means) changes '\(name)', which is made outside of the function; a policy keeps nothing "
                + "between decisions",
            range)
    }

    private func name(of root: AccessPath.Root) -> String {
        switch root {
        case .global(let identifier): identifier.name
        case .local(let id): chunk.declarations[id].name
        }
    }

    /// Whether a variable is declared outside of the present function, other than by the decision it takes part in.
    private func isOutside(_ root: AccessPath.Root) -> Bool {
        guard case .local(let id) = root else { return true }
        let owner = chunk.declarations[id].function
        if owner == functions.last { return false }
        return decisionFunctions.isDisjoint(with: scopes.functionsAround(owner))
    }

    /// The table that a call of the table library changes.
    private func changedTable(
        _ call: (callee: AccessPath, arguments: [Expression])
    ) -> (table: Expression, function: String)? {
        guard let first = call.arguments.first else { return nil }
        let path = scopes.resolved(call.callee)
        guard case .global(let module) = path.root, module.name == "table", path.steps.count == 1,
            case .field(let function) = path.steps[0]
        else { return nil }
        switch function.name {
        case "insert", "remove", "sort": return (first, function.name)
        case "move": return (call.arguments.count > 4 ? call.arguments[4] : first, function.name)
        default: return nil
        }
    }

    private mutating func report(_ code: String, _ message: String, _ range: SourceRange) {
        findings.append(Finding(code: code, file: file, range: range, message: message))
    }
}

extension Expression {
    /// What a field or an index is taken of; nil where the expression ends otherwise.
    fileprivate var container: Expression? {
        guard case .suffixed(let expression) = kind, !isCall else { return nil }
        let rest = Array(expression.suffixes.dropLast())
        guard let end = rest.last?.range.end else { return expression.base }
        return Expression(
            kind: .suffixed(SuffixedExpression(base: expression.base, suffixes: rest)),
            range: SourceRange(start: range.start, end: end))
    }
}
