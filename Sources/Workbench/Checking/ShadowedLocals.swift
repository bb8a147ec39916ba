import LuaSyntax

/// Finds local variables that hide another of their name, so that a reader may confuse the two: the warning
/// `shadowed_local`. One that is made of what it hides, as in `local day = day or today`, is meant so.
struct ShadowedLocals {
    private let file: String
    /// The variables in sight, by block.
    private var blocks: [[String: LocalDeclaration]] = []
    private var findings: [Finding] = []

    static func findings(in chunk: Chunk) -> [Finding] {
        var search = ShadowedLocals(file: chunk.name)
        search.look(chunk.block)
        return search.findings
    }

    // MARK: - Statements

    private mutating func look(_ block: Block, declaring declarations: [LocalDeclaration] = []) {
        blocks.append([:])
        for declaration in declarations { declare(declaration) }
        for statement in block.statements { look(statement) }
        blocks.removeLast()
    }

    private mutating func look(_ statement: Statement) {
        switch statement.kind {
        case .local(let declarations, let values):
            values.forEach { functions(in: $0) }
            for (index, declaration) in declarations.enumerated() {
                check(declaration, madeOf: values.count == declarations.count ? [values[index]] : values)
            }
            declarations.forEach { declare($0) }
        case .localFunction(let declaration, let body):
            check(declaration, madeOf: [])
            declare(declaration)
            look(body.block, declaring: body.parameters)
        case .function(_, let body): look(body.block, declaring: body.parameters)
        case .assignment(_, let values), .return(let values): values.forEach { functions(in: $0) }
        case .call(let call): functions(in: call)
        case .block(let block): look(block)
        default: lookAtControl(statement)
        }
    }

    private mutating func lookAtControl(_ statement: Statement) {
        switch statement.kind {
        case .whileLoop(let condition, let block), .repeatLoop(let block, let condition):
            functions(in: condition)
            look(block)
        case .numericFor(let declaration, _, _, _, let block):
            check(declaration, madeOf: [])
            look(block, declaring: [declaration])
        case .genericFor(let declarations, let values, let block):
            values.forEach { functions(in: $0) }
            for declaration in declarations { check(declaration, madeOf: []) }
            look(block, declaring: declarations)
        case .conditional(let branches, let otherwise):
            for branch in branches {
                functions(in: branch.condition)
                look(branch.block)
            }
            if let otherwise { look(otherwise) }
        default: break
        }
    }

    /// The functions that are written in an expression.
    private mutating func functions(in expression: Expression) {
        var visitor = OutermostFunctions()
        expression.walk(&visitor)
        for body in visitor.bodies { look(body.block, declaring: body.parameters) }
    }

    // MARK: - Variables

    private mutating func declare(_ declaration: LocalDeclaration) {
        blocks[blocks.count - 1][declaration.name] = declaration
    }

    private mutating func check(_ declaration: LocalDeclaration, madeOf values: [Expression]) {
        guard !declaration.name.hasPrefix("_"),
            let hidden = blocks.reversed().lazy.compactMap({ $0[declaration.name] }).first
        else { return }
        var reads = VariableReads(declaration: hidden.id)
        for value in values { value.walk(&reads) }
        guard !reads.isFound else { return }
        findings.append(
            Finding(
                code: "shadowed_local", severity: .warning, file: file, range: declaration.range,
                message:
                    "the variable '\(declaration.name)' hides the one of line \(hidden.range.start.line) from here on"))
    }
}

private struct OutermostFunctions: LuaVisitor {
    private(set) var bodies: [FunctionBody] = []
    private var depth = 0

    mutating func enter(_ function: FunctionBody) {
        if depth == 0 { bodies.append(function) }
        depth += 1
    }

    mutating func leave(_ function: FunctionBody) { depth -= 1 }
}

private struct VariableReads: LuaVisitor {
    let declaration: Int
    private(set) var isFound = false

    mutating func enter(_ expression: Expression) {
        if case .variable(let variable) = expression.kind, variable.declaration == declaration { isFound = true }
    }
}
