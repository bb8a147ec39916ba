/// Finds refused identifiers and uses of `require` that cannot be resolved before running.
struct NameRestriction: LuaVisitor {
    private(set) var findings: [Finding] = []
    private(set) var requiredModules: [Identifier] = []

    private let file: String
    private let scopes: ScopeAnalysis
    /// Where `require` stands in a call that is in order.
    private var literalRequires: Set<SourceRange> = []

    init(chunk: Chunk, file: String, scopes: ScopeAnalysis) {
        self.file = file
        self.scopes = scopes
        for declaration in chunk.declarations where declaration.name == "_ENV" {
            refuse("_ENV", at: declaration.range)
        }
    }

    mutating func enter(_ expression: Expression) {
        switch expression.kind {
        case .variable(let variable): check(variable)
        case .suffixed(let suffixed):
            checkRequire(suffixed)
            checkMembers(expression)
        default: break
        }
    }

    private mutating func check(_ variable: Variable) {
        if variable.name == "_ENV" { return refuse(variable.name, at: variable.range) }
        guard variable.binding == .global else { return }
        if PolicyRestrictions.refusedGlobals.contains(variable.name) { refuse(variable.name, at: variable.range) }
        if variable.name == "require", !literalRequires.contains(variable.range) {
            findings.append(
                Finding(
                    code: "require", file: file, range: variable.range,
                    message: "'require' takes the name of a module as a literal, so that it can be read before running")
            )
        }
    }

    private mutating func checkRequire(_ expression: SuffixedExpression) {
        guard case .variable(let callee) = expression.base.kind, callee.binding == .global, callee.name == "require",
            case .call(let arguments) = expression.suffixes.first?.kind, arguments.count == 1,
            let argument = arguments.first, let module = argument.stringLiteral
        else { return }
        literalRequires.insert(callee.range)
        requiredModules.append(Identifier(name: module, range: argument.range))
    }

    private mutating func checkMembers(_ expression: Expression) {
        guard let leading = expression.leadingPath else { return }
        let path = scopes.resolved(leading.path)
        guard case .global(let root) = path.root, case .field(let member) = path.steps.first,
            leading.path.steps.contains(.field(member))
        else { return }
        let name = "\(root.name).\(member.name)"
        if PolicyRestrictions.refusedMembers.contains(name) { refuse(name, at: member.range) }
    }

    private mutating func refuse(_ name: String, at range: SourceRange) {
        findings.append(
            Finding(
                code: "refused_identifier", file: file, range: range,
                message: "'\(name)' is not available to policies"))
    }
}
