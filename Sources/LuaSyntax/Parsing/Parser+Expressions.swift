extension Parser {
    mutating func parseExpressionList() throws(LuaSyntaxError) -> [Expression] {
        var expressions = [try parseExpression()]
        while try skip(.comma) { expressions.append(try parseExpression()) }
        return expressions
    }

    mutating func parseExpression() throws(LuaSyntaxError) -> Expression {
        try parseOperators(above: 0)
    }

    /// An operand and the operators behind it that bind more strongly than `limit`.
    private mutating func parseOperators(above limit: Int) throws(LuaSyntaxError) -> Expression {
        try enterLevel()
        let start = token.start
        let first = try parseOperand()
        var links: [BinaryExpression.Link] = []
        while let operation = token.kind.binaryOperator, operation.precedence.left > limit {
            let operationRange = token.range
            try advance()
            let operand = try parseOperators(above: operation.precedence.right)
            links.append(
                BinaryExpression.Link(operation: operation, operationRange: operationRange, operand: operand))
        }
        leaveLevel()
        guard !links.isEmpty else { return first }
        return Expression(kind: .binary(BinaryExpression(first: first, links: links)), range: range(from: start))
    }

    private mutating func parseOperand() throws(LuaSyntaxError) -> Expression {
        switch token.kind {
        case .not, .minus, .tilde, .hash: try parseUnaryOperation()
        case .leftBrace: try parseTable()
        case .function: try parseFunction()
        case .number, .integer, .string, .nil, .true, .false, .dots: try parseLiteral()
        default: try parseSuffixedExpression()
        }
    }

    private mutating func parseUnaryOperation() throws(LuaSyntaxError) -> Expression {
        let start = token.start
        let operation = token.kind.unaryOperator ?? .not
        try advance()
        let operand = try parseOperators(above: BinaryOperator.unaryPrecedence)
        return Expression(kind: .unary(operation, operand), range: range(from: start))
    }

    private mutating func parseFunction() throws(LuaSyntaxError) -> Expression {
        let start = token.start
        try advance()
        let body = try parseFunctionBody(isMethod: false, line: line, start: start)
        return Expression(kind: .function(body), range: range(from: start))
    }

    private mutating func parseLiteral() throws(LuaSyntaxError) -> Expression {
        let range = token.range
        let kind: Expression.Kind
        switch token.kind {
        case .number: kind = .number(token.number)
        case .integer: kind = .integer(token.integer)
        case .string: kind = .string(token.stringBytes)
        case .true: kind = .boolean(true)
        case .false: kind = .boolean(false)
        case .dots:
            guard function.isVararg else { throw failure("cannot use '...' outside a vararg function") }
            kind = .vararg
        default: kind = .nil
        }
        try advance()
        return Expression(kind: kind, range: range)
    }

    // MARK: - Variables, fields and calls

    mutating func parseVariable() throws(LuaSyntaxError) -> Expression {
        let identifier = try expectName()
        let variable = Variable(identifier: identifier, binding: try resolve(identifier.name).binding)
        return Expression(kind: .variable(variable), range: identifier.range)
    }

    private mutating func parsePrimaryExpression() throws(LuaSyntaxError) -> Expression {
        let start = token.start
        switch token.kind {
        case .name: return try parseVariable()
        case .leftParenthesis:
            let line = line
            try advance()
            let inner = try parseExpression()
            try expect(.rightParenthesis, closing: .leftParenthesis, from: line)
            return Expression(kind: .parenthesized(inner), range: range(from: start))
        default: throw failure("unexpected symbol")
        }
    }

    mutating func parseSuffixedExpression() throws(LuaSyntaxError) -> Expression {
        let start = token.start
        let line = line
        let base = try parsePrimaryExpression()
        var suffixes: [Suffix] = []
        while token.kind.startsSuffix { suffixes.append(try parseSuffix(line: line)) }
        guard !suffixes.isEmpty else { return base }
        return Expression(
            kind: .suffixed(SuffixedExpression(base: base, suffixes: suffixes)), range: range(from: start))
    }

    private mutating func parseSuffix(line: Int) throws(LuaSyntaxError) -> Suffix {
        let start = token.start
        let kind: Suffix.Kind
        switch token.kind {
        case .dot: return try parseField()
        case .leftBracket: kind = .index(try parseIndex())
        case .colon:
            try advance()
            let name = try expectName()
            kind = .method(name, arguments: try parseArguments(line: line))
        default: kind = .call(try parseArguments(line: line))
        }
        return Suffix(kind: kind, range: range(from: start))
    }

    /// A name behind a dot or, in a function's name, a colon.
    mutating func parseField() throws(LuaSyntaxError) -> Suffix {
        let start = token.start
        try advance()
        let name = try expectName()
        return Suffix(kind: .field(name), range: range(from: start))
    }

    private mutating func parseIndex() throws(LuaSyntaxError) -> Expression {
        try advance()
        let index = try parseExpression()
        try expect(.rightBracket)
        return index
    }

    private mutating func parseArguments(line: Int) throws(LuaSyntaxError) -> [Expression] {
        var arguments: [Expression] = []
        switch token.kind {
        case .leftParenthesis:
            try advance()
            if token.kind != .rightParenthesis {
                arguments = try parseArgumentList(closedFrom: line)
            } else {
                try advance()
            }
        case .leftBrace: arguments = [try parseTable()]
        case .string:
            arguments = [Expression(kind: .string(token.stringBytes), range: token.range)]
            try advance()
        default: throw failure("function arguments expected")
        }
        return arguments
    }

    private mutating func parseArgumentList(closedFrom line: Int) throws(LuaSyntaxError) -> [Expression] {
        let arguments = try parseExpressionList()
        try expect(.rightParenthesis, closing: .leftParenthesis, from: line)
        return arguments
    }

    // MARK: - Tables

    private mutating func parseTable() throws(LuaSyntaxError) -> Expression {
        let start = token.start
        let line = line
        try expect(.leftBrace)
        var entries: [TableConstructor.Entry] = []
        var count = 0
        repeat {
            if token.kind == .rightBrace { break }
            entries.append(try parseEntry(&count))
        } while try skipSeparator()
        try expect(.rightBrace, closing: .leftBrace, from: line)
        let table = TableConstructor(entries: entries, range: range(from: start))
        return Expression(kind: .table(table), range: table.range)
    }

    private mutating func skipSeparator() throws(LuaSyntaxError) -> Bool {
        if try skip(.comma) { return true }
        return try skip(.semicolon)
    }

    private mutating func parseEntry(_ count: inout Int) throws(LuaSyntaxError) -> TableConstructor.Entry {
        let start = token.start
        guard let key = try parseKey() else {
            count += 1
            let value = try parseExpression()
            return TableConstructor.Entry(key: .position(count), value: value, range: range(from: start))
        }
        try expect(.assign)
        let value = try parseExpression()
        return TableConstructor.Entry(key: key, value: value, range: range(from: start))
    }

    private mutating func parseKey() throws(LuaSyntaxError) -> TableConstructor.Key? {
        if token.kind == .leftBracket { return .expression(try parseIndex()) }
        guard token.kind == .name, try peek() == .assign else { return nil }
        return .name(try expectName())
    }

    // MARK: - Functions

    /// The parameters and block of a function.
    ///
    /// - Parameters:
    ///   - line: the line Lua names for it.
    ///   - start: where the word `function` stands.
    mutating func parseFunctionBody(
        isMethod: Bool, line: Int, start: SourcePosition
    ) throws(LuaSyntaxError) -> FunctionBody {
        let bodyStart = token.start
        openFunction(line: line)
        let id = function.id
        try expect(.leftParenthesis)
        var parameters: [LocalDeclaration] = []
        if isMethod {
            let unseen = Identifier(name: "self", range: SourceRange(start: bodyStart, end: bodyStart))
            parameters.append(try declare(unseen, .implicitSelf))
            activateVariables(1)
        }
        try parseParameters(into: &parameters)
        let isVararg = function.isVararg
        try expect(.rightParenthesis)
        let block = try parseStatements()
        try expect(.end, closing: .function, from: line)
        try closeFunction()
        return FunctionBody(
            id: id, parameters: parameters, isVararg: isVararg, block: block, range: range(from: bodyStart),
            start: start)
    }

    private mutating func parseParameters(into parameters: inout [LocalDeclaration]) throws(LuaSyntaxError) {
        guard token.kind != .rightParenthesis else { return }
        let unseen = parameters.count
        repeat {
            switch token.kind {
            case .name: parameters.append(try declare(try expectName(), .parameter))
            case .dots:
                try advance()
                updateFunction { $0.isVararg = true }
            default: throw failure("<name> or '...' expected")
            }
            if function.isVararg { break }
        } while try skip(.comma)
        activateVariables(parameters.count - unseen)
    }
}

extension TokenKind {
    fileprivate var startsSuffix: Bool {
        switch self {
        case .dot, .leftBracket, .colon, .leftParenthesis, .string, .leftBrace: true
        default: false
        }
    }
}
