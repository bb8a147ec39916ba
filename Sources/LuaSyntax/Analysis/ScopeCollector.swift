/// Collects the results of ``ScopeAnalysis``.
struct ScopeCollector: LuaVisitor {
    private(set) var uses: [ScopeAnalysis.Use] = []
    private(set) var definitions: [Int: ScopeAnalysis.Definition] = [:]
    private(set) var parents: [Int: Int] = [:]

    private var functions = [0]
    /// Where the variables stand that the present statements assign, so that they are not taken for reads.
    private var targets: Set<SourceRange> = []

    mutating func enter(_ function: FunctionBody) {
        parents[function.id] = functions.last
        functions.append(function.id)
    }

    mutating func leave(_ function: FunctionBody) {
        functions.removeLast()
    }

    mutating func enter(_ statement: Statement) {
        switch statement.kind {
        case .assignment(let assigned, _): targets.formUnion(assigned.filter(\.isVariable).map(\.range))
        case .function(let target, _) where target.isVariable: targets.insert(target.range)
        case .localFunction(let declaration, let body): definitions[declaration.id] = .function(body)
        case .local(let declarations, let values): define(declarations, values)
        case .genericFor(let declarations, let values, _): defineLoop(declarations, values)
        default: break
        }
    }

    mutating func enter(_ expression: Expression) {
        guard case .variable(let variable) = expression.kind else { return }
        let isWrite = targets.remove(expression.range) != nil
        uses.append(ScopeAnalysis.Use(variable: variable, isWrite: isWrite, function: functions.last ?? 0))
    }

    private mutating func define(_ declarations: [LocalDeclaration], _ values: [Expression]) {
        for (declaration, value) in zip(declarations, values) { definitions[declaration.id] = .value(value) }
    }

    private mutating func defineLoop(_ declarations: [LocalDeclaration], _ values: [Expression]) {
        guard declarations.count >= 2, values.count == 1, let iterator = values.first?.call,
            case .variable(let function) = iterator.callee.kind, function.binding == .global,
            function.name == "ipairs" || function.name == "pairs", let list = iterator.arguments.first
        else { return }
        definitions[declarations[1].id] = .element(of: list)
    }
}

extension Expression {
    /// A number, a text, `true`, `false`, or one of these with a word in front: `money "1.00"`, `days(3)`.
    var isPlainLiteral: Bool {
        switch kind {
        case .integer, .number, .string, .boolean: return true
        case .unary(.minus, let operand): return operand.isPlainLiteral
        case .suffixed:
            guard let (callee, arguments) = call, case .variable(let word) = callee.kind, word.binding == .global else {
                return false
            }
            return arguments.count == 1 && arguments[0].isPlainLiteral
        default: return false
        }
    }

    var isVariable: Bool {
        if case .variable = kind { return true }
        return false
    }

    /// The call an expression ends in: what is called, and with which arguments. Not for methods.
    package var call: (callee: Expression, arguments: [Expression])? {
        guard case .suffixed(let expression) = kind, let last = expression.suffixes.last,
            case .call(let arguments) = last.kind
        else { return nil }
        let rest = Array(expression.suffixes.dropLast())
        guard let end = rest.last?.range.end else { return (expression.base, arguments) }
        let callee = Expression(
            kind: .suffixed(SuffixedExpression(base: expression.base, suffixes: rest)),
            range: SourceRange(start: range.start, end: end))
        return (callee, arguments)
    }
}
