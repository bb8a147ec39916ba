/// Lua's own recursive descent (`lparser.c` of 5.4.4), function by function, so that it agrees with Lua in what it
/// accepts, in the order in which it finds faults and in how it words them.
struct Parser {
    static let localLimit = 200
    static let upvalueLimit = 255
    static let breakLabel = "break"

    private var lexer: Lexer
    private(set) var token: Token
    private var lookahead: Token?
    /// The end of the token before `token`.
    private(set) var previousEnd: SourcePosition
    private var depth = 0

    var functions: [FunctionScope] = []
    var functionCount = 0
    var declarations: [LocalDeclaration] = []
    /// Variables whose value is known at compile time, by ``LocalDeclaration/id``.
    var constantDeclarations: Set<Int> = []
    var labels: [Jump] = []
    var pendingGotos: [Jump] = []

    init(_ bytes: [UInt8], from start: Int) throws(LuaSyntaxError) {
        lexer = Lexer(bytes, from: start)
        previousEnd = lexer.position
        token = try lexer.next()
    }

    mutating func parseChunk() throws(LuaSyntaxError) -> Block {
        openFunction(line: 0)
        updateFunction { scope in
            scope.isVararg = true
            scope.upvalues = [FunctionScope.Upvalue(name: "_ENV", declaration: nil, isReadOnly: false)]
        }
        let block = try parseStatements()
        try check(.endOfSource)
        try closeFunction()
        return block
    }

    // MARK: - Tokens

    /// The line Lua would name for a fault found now.
    var line: Int { lexer.line }

    mutating func advance() throws(LuaSyntaxError) {
        previousEnd = token.end
        if let next = lookahead {
            token = next
            lookahead = nil
        } else {
            token = try lexer.next()
        }
    }

    mutating func peek() throws(LuaSyntaxError) -> TokenKind {
        if let lookahead { return lookahead.kind }
        let next = try lexer.next()
        lookahead = next
        return next.kind
    }

    mutating func skip(_ kind: TokenKind) throws(LuaSyntaxError) -> Bool {
        guard token.kind == kind else { return false }
        try advance()
        return true
    }

    func check(_ kind: TokenKind) throws(LuaSyntaxError) {
        guard token.kind == kind else { throw failure("\(kind.quoted) expected") }
    }

    mutating func expect(_ kind: TokenKind) throws(LuaSyntaxError) {
        try check(kind)
        try advance()
    }

    /// Skips the token that closes what `opening` began on `openingLine`.
    mutating func expect(
        _ kind: TokenKind, closing opening: TokenKind, from openingLine: Int
    ) throws(LuaSyntaxError) {
        guard token.kind != kind else { return try advance() }
        guard openingLine != line else { throw failure("\(kind.quoted) expected") }
        throw failure("\(kind.quoted) expected (to close \(opening.quoted) at line \(openingLine))")
    }

    mutating func expectName() throws(LuaSyntaxError) -> Identifier {
        try check(.name)
        let identifier = Identifier(name: token.text, range: token.range)
        try advance()
        return identifier
    }

    func range(from start: SourcePosition) -> SourceRange {
        SourceRange(start: start, end: previousEnd)
    }

    // MARK: - Faults

    /// A fault at the present token.
    func failure(_ message: String) -> LuaSyntaxError {
        LuaSyntaxError(
            message: token.near.map { "\(message) near \($0)" } ?? message,
            position: token.start.line == line ? token.start : token.end,
            isIncomplete: token.kind == .endOfSource)
    }

    /// A fault that Lua words without the token it was found at.
    func failure(_ message: String, at position: SourcePosition) -> LuaSyntaxError {
        LuaSyntaxError(message: message, position: position)
    }

    // MARK: - Nesting

    mutating func enterLevel() throws(LuaSyntaxError) {
        depth += 1
        if depth > LuaParser.maximumDepth { throw failure("C stack overflow", at: token.start) }
    }

    mutating func leaveLevel() {
        depth -= 1
    }
}
