import LuaSyntax

/// Finds what a policy reckons and then throws away: `unused_answer`, an answer that stands as a statement of its own, and
/// `unused_local`, a local variable of a function that nothing reads.
///
/// The first is a mistake in any policy: its functions change nothing, so that what they do not return is lost. The second is
/// a warning: more often than not another variable was meant.
struct UnusedValues: LuaVisitor {
    /// What is only made to be returned.
    private static let answers: Set<String> = [
        "deny", "confirm", "allow", "review", "notice", "charge", "suspend", "declare_lost", "exact", "standard",
    ]

    private let chunk: Chunk
    private let scopes: ScopeAnalysis
    private let read: Set<Int>
    private(set) var findings: [Finding] = []

    static func findings(in chunk: Chunk, scopes: ScopeAnalysis) -> [Finding] {
        var visitor = UnusedValues(chunk, scopes)
        chunk.walk(&visitor)
        return visitor.findings
    }

    private init(_ chunk: Chunk, _ scopes: ScopeAnalysis) {
        self.chunk = chunk
        self.scopes = scopes
        read = Set(scopes.uses.filter { !$0.isWrite }.compactMap(\.variable.declaration))
    }

    mutating func enter(_ statement: Statement) {
        switch statement.kind {
        case .call(let expression): look(at: expression)
        case .localFunction(let declaration, _): report([declaration])
        case .local(let declarations, let values):
            if values.count == declarations.count, values.last?.isCall != true || values.count == 1 {
                report(declarations)
            } else if !declarations.contains(where: { read.contains($0.id) }) {
                report(Array(declarations.prefix(1)))
            }
        default: break
        }
    }

    private mutating func look(at expression: Expression) {
        guard let (callee, _) = expression.call, case .variable(let variable) = callee.kind else { return }
        let isAnswer =
            variable.binding == .global
            ? Self.answers.contains(variable.name) : scopes.function(callee).map(onlyAnswers) ?? false
        guard isAnswer else { return }
        let isShort = expression.range.start.line == expression.range.end.line
        findings.append(
            Finding(
                code: "unused_answer", file: chunk.name, range: expression.range,
                message: "what '\(variable.name)' answers is thrown away: 'return' is missing",
                suggestion: isShort ? "return \(chunk.source[expression.range])" : nil))
    }

    /// Whether a function does nothing but answer: it assigns no fields and no variables of others, and calls nothing for
    /// its effect.
    private func onlyAnswers(_ body: FunctionBody) -> Bool {
        var search = EffectSearch(function: body.id)
        body.block.walk(&search)
        return search.answers && !search.hasEffects
    }

    private mutating func report(_ declarations: [LocalDeclaration]) {
        for declaration in declarations where declaration.function != 0 && !read.contains(declaration.id) {
            if declaration.name.hasPrefix("_") { continue }
            findings.append(
                Finding(
                    code: "unused_local", severity: .warning, file: chunk.name, range: declaration.range,
                    message: "nothing reads the local variable '\(declaration.name)'"))
        }
    }

    private struct EffectSearch: LuaVisitor {
        let function: Int
        private(set) var answers = false
        private(set) var hasEffects = false

        mutating func enter(_ statement: Statement) {
            switch statement.kind {
            case .return(let values):
                if let first = values.first, first.kind != .nil { answers = true }
            case .assignment(let targets, _):
                for target in targets {
                    guard case .variable(let variable) = target.kind, case .local = variable.binding else {
                        hasEffects = true
                        continue
                    }
                }
            case .call, .function: hasEffects = true
            default: break
            }
        }
    }
}
