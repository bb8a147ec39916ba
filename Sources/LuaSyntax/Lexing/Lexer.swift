/// Cuts a source text into tokens as Lua 5.4's `llex.c` does, byte by byte.
struct Lexer {
    static let endOfSource = -1

    let bytes: [UInt8]
    private(set) var offset = 0

    /// The byte at `offset`, or `endOfSource`.
    private(set) var current: Int

    /// The line of `current`.
    private(set) var line = 1
    private var lineStart = 0
    private var continuationBytes = 0

    /// What has been read of the present token, as Lua would show it.
    var buffer: [UInt8] = []

    init(_ bytes: [UInt8], from offset: Int = 0) {
        self.bytes = bytes
        self.offset = offset
        lineStart = offset
        current = offset < bytes.count ? Int(bytes[offset]) : Lexer.endOfSource
    }

    var position: SourcePosition {
        SourcePosition(line: line, column: offset - lineStart - continuationBytes + 1, offset: offset)
    }

    var byte: UInt8? { current < 0 ? nil : UInt8(truncatingIfNeeded: current) }

    var isAtLineEnd: Bool { current == 0x0A || current == 0x0D }

    mutating func advance() {
        if current & 0xC0 == 0x80, current >= 0 { continuationBytes += 1 }
        offset += 1
        current = offset < bytes.count ? Int(bytes[offset]) : Lexer.endOfSource
    }

    mutating func saveAndAdvance() {
        if let byte { buffer.append(byte) }
        advance()
    }

    mutating func skipLineEnd() {
        let first = current
        advance()
        if isAtLineEnd, current != first { advance() }
        line += 1
        lineStart = offset
        continuationBytes = 0
    }

    mutating func skip(if character: Unicode.Scalar) -> Bool {
        guard current == Int(character.value) else { return false }
        advance()
        return true
    }

    func failure(_ message: String, near: String, at start: SourcePosition, incomplete: Bool = false) -> LuaSyntaxError
    {
        LuaSyntaxError(
            message: "\(message) near \(near)", position: start.line == line ? start : position,
            isIncomplete: incomplete)
    }

    /// Reads the next token; at the end of the text, again and again the token for it.
    mutating func next() throws(LuaSyntaxError) -> Token {
        buffer.removeAll(keepingCapacity: true)
        while let byte {
            switch byte {
            case 0x0A, 0x0D: skipLineEnd()
            case 0x20, 0x09, 0x0B, 0x0C: advance()
            case UInt8(ascii: "-"):
                let start = position
                advance()
                guard current == 0x2D else { return token(.minus, from: start) }
                try skipComment()
            default: return try token(startingWith: byte)
            }
        }
        return token(.endOfSource, from: position)
    }

    func token(_ kind: TokenKind, from start: SourcePosition) -> Token {
        Token(kind: kind, start: start, end: position)
    }

    private mutating func skipComment() throws(LuaSyntaxError) {
        advance()
        if current == 0x5B {
            let width = readLongBracket()
            buffer.removeAll(keepingCapacity: true)
            if width >= 2 {
                try readLongText(bracketWidth: width, what: "comment")
                buffer.removeAll(keepingCapacity: true)
                return
            }
        }
        while current != Lexer.endOfSource, !isAtLineEnd { advance() }
    }

    private mutating func token(startingWith byte: UInt8) throws(LuaSyntaxError) -> Token {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return try readString(delimiter: byte)
        case UInt8(ascii: "["): return try readLeftBracket()
        case UInt8(ascii: "."): return try readDots()
        case _ where byte.isDigit: return try readNumeral(from: position)
        case _ where byte.isNameStart: return readName()
        default: return readSymbol(byte)
        }
    }

    private mutating func readName() -> Token {
        let start = position
        while let byte, byte.isNamePart { saveAndAdvance() }
        let word = TokenKind.reservedWords[String(decoding: buffer, as: UTF8.self)]
        var result = token(word ?? .name, from: start)
        if word == nil { result.spelling = buffer }
        return result
    }

    private mutating func readLeftBracket() throws(LuaSyntaxError) -> Token {
        let start = position
        let width = readLongBracket()
        guard width != 1 else { return token(.leftBracket, from: start) }
        guard width >= 2 else {
            throw failure("invalid long string delimiter", near: Token.quote(buffer), at: start)
        }
        try readLongText(bracketWidth: width, what: "string")
        var result = token(.string, from: start)
        result.spelling = buffer
        result.delimiterWidth = width
        return result
    }

    private mutating func readDots() throws(LuaSyntaxError) -> Token {
        let start = position
        saveAndAdvance()
        if skip(if: ".") { return token(skip(if: ".") ? .dots : .concatenate, from: start) }
        if let byte, byte.isDigit { return try readNumeral(from: start) }
        return token(.dot, from: start)
    }

    private mutating func readSymbol(_ byte: UInt8) -> Token {
        let start = position
        advance()
        if let pair = longerSymbol(after: byte) { return token(pair, from: start) }
        if let kind = Lexer.symbols[byte] { return token(kind, from: start) }
        var result = token(.stray, from: start)
        result.spelling = [byte]
        return result
    }

    private mutating func longerSymbol(after byte: UInt8) -> TokenKind? {
        switch byte {
        case UInt8(ascii: "="): skip(if: "=") ? .equal : nil
        case UInt8(ascii: "~"): skip(if: "=") ? .notEqual : nil
        case UInt8(ascii: "/"): skip(if: "/") ? .doubleSlash : nil
        case UInt8(ascii: ":"): skip(if: ":") ? .doubleColon : nil
        case UInt8(ascii: "<"): skip(if: "=") ? .lessOrEqual : skip(if: "<") ? .shiftLeft : nil
        case UInt8(ascii: ">"): skip(if: "=") ? .greaterOrEqual : skip(if: ">") ? .shiftRight : nil
        default: nil
        }
    }

    private static let symbols: [UInt8: TokenKind] = {
        let kinds: [TokenKind] = [
            .plus, .star, .slash, .percent, .caret, .hash, .ampersand, .tilde, .bar, .less, .greater, .assign,
            .leftParenthesis, .rightParenthesis, .leftBrace, .rightBrace, .rightBracket, .semicolon, .colon, .comma,
        ]
        return Dictionary(
            uniqueKeysWithValues: kinds.compactMap { kind in kind.rawValue.utf8.first.map { ($0, kind) } })
    }()
}
