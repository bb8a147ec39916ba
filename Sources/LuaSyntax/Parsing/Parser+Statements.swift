extension Parser {
    func blockEnds(atUntil: Bool) -> Bool {
        token.kind.endsBlock || (atUntil && token.kind == .until)
    }

    /// Statements up to the token that ends their block, in the present scope.
    mutating func parseStatements() throws(LuaSyntaxError) -> Block {
        let start = token.start
        var statements: [Statement] = []
        while !blockEnds(atUntil: true) {
            let isLast = token.kind == .return
            try parseStatement(into: &statements)
            if isLast { break }
        }
        return Block(statements: statements, range: SourceRange(start: start, end: token.start))
    }

    /// A block in a scope of its own.
    mutating func parseBlock() throws(LuaSyntaxError) -> Block {
        enterBlock(isLoop: false)
        let block = try parseStatements()
        try leaveBlock()
        return block
    }

    /// Parses a statement; a label brings along the labels and semicolons behind it.
    mutating func parseStatement(into statements: inout [Statement]) throws(LuaSyntaxError) {
        let start = token.start
        let line = line
        try enterLevel()
        if token.kind == .doubleColon {
            try parseLabel(into: &statements)
        } else {
            let kind = try parseStatementKind(line: line)
            statements.append(Statement(kind: kind, range: range(from: start)))
        }
        leaveLevel()
    }

    private mutating func parseStatementKind(line: Int) throws(LuaSyntaxError) -> Statement.Kind {
        switch token.kind {
        case .semicolon:
            try advance()
            return .empty
        case .if: return try parseConditional(line: line)
        case .while: return try parseWhile(line: line)
        case .do: return try parseDo(line: line)
        case .for: return try parseFor(line: line)
        case .repeat: return try parseRepeat(line: line)
        case .function: return try parseFunctionStatement(line: line)
        case .local: return try parseLocal()
        case .return: return try parseReturn()
        case .break: return try parseBreak()
        case .goto: return try parseGoto()
        default: return try parseExpressionStatement()
        }
    }

    // MARK: - Jumps

    private mutating func parseLabel(into statements: inout [Statement]) throws(LuaSyntaxError) {
        let start = token.start
        try advance()
        let label = try expectName()
        try expect(.doubleColon)
        statements.append(Statement(kind: .label(label), range: range(from: start)))
        while token.kind == .semicolon || token.kind == .doubleColon { try parseStatement(into: &statements) }
        try checkRepeated(label, at: start)
        try createLabel(label.name, at: start, isLast: blockEnds(atUntil: false))
    }

    private mutating func parseGoto() throws(LuaSyntaxError) -> Statement.Kind {
        try advance()
        let position = token.start
        let label = try expectName()
        addGoto(label.name, at: position)
        return .goto(label)
    }

    private mutating func parseBreak() throws(LuaSyntaxError) -> Statement.Kind {
        let position = token.start
        try advance()
        addGoto(Parser.breakLabel, at: position)
        return .break
    }

    private mutating func parseReturn() throws(LuaSyntaxError) -> Statement.Kind {
        try advance()
        var values: [Expression] = []
        if !blockEnds(atUntil: true), token.kind != .semicolon {
            values = try parseExpressionList()
        }
        _ = try skip(.semicolon)
        return .return(values)
    }

    // MARK: - Conditions and loops

    private mutating func parseConditional(line: Int) throws(LuaSyntaxError) -> Statement.Kind {
        var branches: [Statement.Branch] = []
        repeat { branches.append(try parseBranch()) } while token.kind == .elseif
        let otherwise = try skip(.else) ? try parseBlock() : nil
        try expect(.end, closing: .if, from: line)
        return .conditional(branches, otherwise: otherwise)
    }

    private mutating func parseBranch() throws(LuaSyntaxError) -> Statement.Branch {
        try advance()
        let condition = try parseExpression()
        try expect(.then)
        return Statement.Branch(condition: condition, block: try parseBlock())
    }

    private mutating func parseWhile(line: Int) throws(LuaSyntaxError) -> Statement.Kind {
        try advance()
        let condition = try parseExpression()
        enterBlock(isLoop: true)
        try expect(.do)
        let block = try parseBlock()
        try expect(.end, closing: .while, from: line)
        try leaveBlock()
        return .whileLoop(condition: condition, block)
    }

    private mutating func parseDo(line: Int) throws(LuaSyntaxError) -> Statement.Kind {
        try advance()
        let block = try parseBlock()
        try expect(.end, closing: .do, from: line)
        return .block(block)
    }

    private mutating func parseRepeat(line: Int) throws(LuaSyntaxError) -> Statement.Kind {
        enterBlock(isLoop: true)
        enterBlock(isLoop: false)
        try advance()
        let block = try parseStatements()
        try expect(.until, closing: .repeat, from: line)
        let condition = try parseExpression()
        try leaveBlock()
        try leaveBlock()
        return .repeatLoop(block, condition: condition)
    }

    private mutating func parseFor(line: Int) throws(LuaSyntaxError) -> Statement.Kind {
        enterBlock(isLoop: true)
        try advance()
        let name = try expectName()
        let kind: Statement.Kind
        switch token.kind {
        case .assign: kind = try parseNumericFor(name)
        case .comma, .in: kind = try parseGenericFor(name)
        default: throw failure("'=' or 'in' expected")
        }
        try expect(.end, closing: .for, from: line)
        try leaveBlock()
        return kind
    }

    private mutating func parseNumericFor(_ name: Identifier) throws(LuaSyntaxError) -> Statement.Kind {
        for _ in 0..<3 { try declareLoopState() }
        let variable = try declare(name, .loop)
        try expect(.assign)
        let start = try parseExpression()
        try expect(.comma)
        let limit = try parseExpression()
        let step = try skip(.comma) ? try parseExpression() : nil
        activateVariables(3)
        let block = try parseForBody(variables: 1)
        return .numericFor(variable, from: start, to: limit, step: step, block)
    }

    private mutating func parseGenericFor(_ name: Identifier) throws(LuaSyntaxError) -> Statement.Kind {
        for _ in 0..<4 { try declareLoopState() }
        var variables = [try declare(name, .loop)]
        while try skip(.comma) { variables.append(try declare(try expectName(), .loop)) }
        try expect(.in)
        let values = try parseExpressionList()
        activateVariables(4)
        let block = try parseForBody(variables: variables.count)
        return .genericFor(variables, values: values, block)
    }

    private mutating func parseForBody(variables: Int) throws(LuaSyntaxError) -> Block {
        try expect(.do)
        enterBlock(isLoop: false)
        activateVariables(variables)
        let block = try parseBlock()
        try leaveBlock()
        return block
    }

    // MARK: - Declarations and assignments

    private mutating func parseLocal() throws(LuaSyntaxError) -> Statement.Kind {
        try advance()
        let start = token.start
        guard try skip(.function) else { return try parseLocalVariables() }
        let declaration = try declare(try expectName(), .localFunction)
        activateVariables(1)
        return .localFunction(declaration, try parseFunctionBody(isMethod: false, line: line, start: start))
    }

    private mutating func parseLocalVariables() throws(LuaSyntaxError) -> Statement.Kind {
        var variables: [LocalDeclaration] = []
        repeat {
            let variable = try parseAttributedName()
            if variable.attribute == .close, variables.contains(where: { $0.attribute == .close }) {
                throw failure("multiple to-be-closed variables in local list", at: variable.range.start)
            }
            variables.append(variable)
        } while try skip(.comma)
        let values = try skip(.assign) ? try parseExpressionList() : []
        if variables.last?.attribute == .const, variables.count == values.count, let last = values.last,
            isConstant(last)
        {
            updateFunction { $0.variables[$0.variables.count - 1].isConstant = true }
            constantDeclarations.formUnion(variables.suffix(1).map(\.id))
        }
        activateVariables(variables.count)
        return .local(variables, values: values)
    }

    private mutating func parseAttributedName() throws(LuaSyntaxError) -> LocalDeclaration {
        let variable = try declare(try expectName(), .local)
        guard try skip(.less) else { return variable }
        let name = try expectName()
        try expect(.greater)
        guard let attribute = LocalDeclaration.Attribute(rawValue: name.name) else {
            throw failure("unknown attribute '\(name.name)'", at: name.range.start)
        }
        return setAttribute(attribute, of: variable)
    }

    private mutating func parseFunctionStatement(line: Int) throws(LuaSyntaxError) -> Statement.Kind {
        let start = token.start
        try advance()
        let targetStart = token.start
        let base = try parseVariable()
        var suffixes: [Suffix] = []
        var isMethod = false
        while !isMethod, token.kind == .dot || token.kind == .colon {
            isMethod = token.kind == .colon
            suffixes.append(try parseField())
        }
        let target =
            suffixes.isEmpty
            ? base
            : Expression(
                kind: .suffixed(SuffixedExpression(base: base, suffixes: suffixes)), range: range(from: targetStart))
        let body = try parseFunctionBody(isMethod: isMethod, line: line, start: start)
        try checkAssignable(target)
        return .function(target: target, body)
    }

    private mutating func parseExpressionStatement() throws(LuaSyntaxError) -> Statement.Kind {
        let first = try parseSuffixedExpression()
        guard token.kind == .assign || token.kind == .comma else {
            guard first.isCall else { throw failure("syntax error") }
            return .call(first)
        }
        var targets: [Expression] = []
        let values = try parseRestOfAssignment(first, &targets)
        return .assignment(targets: targets, values: values)
    }

    /// Recursive as in Lua, for each target counts as a level.
    private mutating func parseRestOfAssignment(
        _ target: Expression, _ targets: inout [Expression]
    ) throws(LuaSyntaxError) -> [Expression] {
        guard target.isAssignable else { throw failure("syntax error") }
        try checkAssignable(target)
        targets.append(target)
        if try skip(.comma) {
            let next = try parseSuffixedExpression()
            try enterLevel()
            let values = try parseRestOfAssignment(next, &targets)
            leaveLevel()
            return values
        }
        try expect(.assign)
        return try parseExpressionList()
    }

    private mutating func checkAssignable(_ target: Expression) throws(LuaSyntaxError) {
        guard case .variable(let variable) = target.kind, try resolve(variable.name).isReadOnly else { return }
        throw failure("attempt to assign to const variable '\(variable.name)'", at: variable.range.start)
    }
}

extension Expression {
    /// Whether it is a variable or a field.
    fileprivate var isAssignable: Bool {
        switch kind {
        case .variable: true
        case .suffixed: !isCall
        default: false
        }
    }
}
