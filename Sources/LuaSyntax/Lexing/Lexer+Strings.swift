extension Lexer {
    /// Reads `[==[` or `]==]` up to its last bracket.
    ///
    /// - Returns: the number of equal signs plus two; one for a lone bracket; zero for `[==` without a second.
    mutating func readLongBracket() -> Int {
        let bracket = current
        var count = 0
        saveAndAdvance()
        while current == 0x3D {
            saveAndAdvance()
            count += 1
        }
        if current == bracket { return count + 2 }
        return count == 0 ? 1 : 0
    }

    mutating func readLongText(bracketWidth: Int, what: String) throws(LuaSyntaxError) {
        let firstLine = line
        saveAndAdvance()
        if isAtLineEnd { skipLineEnd() }
        while let byte {
            if byte == UInt8(ascii: "]") {
                if readLongBracket() == bracketWidth {
                    saveAndAdvance()
                    return
                }
            } else if byte.isLineEnd {
                buffer.append(0x0A)
                skipLineEnd()
            } else {
                saveAndAdvance()
            }
        }
        throw failure(
            "unfinished long \(what) (starting at line \(firstLine))", near: "<eof>", at: position, incomplete: true)
    }

    mutating func readString(delimiter: UInt8) throws(LuaSyntaxError) -> Token {
        let start = position
        saveAndAdvance()
        while current != Int(delimiter) {
            switch current {
            case Lexer.endOfSource: throw failure("unfinished string", near: "<eof>", at: start, incomplete: true)
            case 0x0A, 0x0D: throw failure("unfinished string", near: Token.quote(buffer), at: start)
            case 0x5C: try readEscape()
            default: saveAndAdvance()
            }
        }
        saveAndAdvance()
        var result = token(.string, from: start)
        result.spelling = buffer
        result.delimiterWidth = 1
        return result
    }

    /// Reads an escape, and leaves in the buffer what it stands for.
    ///
    /// As in Lua, what has been read of it stays in the buffer until it is known to be right, so that messages show it.
    private mutating func readEscape() throws(LuaSyntaxError) {
        let start = position
        let mark = buffer.count
        saveAndAdvance()
        guard let byte else { return }
        if let plain = Lexer.plainEscapes[byte] {
            advance()
            replace(from: mark, with: [plain])
            return
        }
        switch byte {
        case UInt8(ascii: "x"): replace(from: mark, with: [try readHexadecimalEscape(from: start)])
        case UInt8(ascii: "u"): replace(from: mark, with: try readUnicodeEscape(from: start))
        case UInt8(ascii: "z"):
            replace(from: mark, with: [])
            advance()
            skipSpaces()
        case 0x0A, 0x0D:
            skipLineEnd()
            replace(from: mark, with: [0x0A])
        default: replace(from: mark, with: [try readDecimalEscape(from: start)])
        }
    }

    private static let plainEscapes: [UInt8: UInt8] = [
        0x61: 0x07, 0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09, 0x76: 0x0B, 0x5C: 0x5C, 0x22: 0x22,
        0x27: 0x27,
    ]

    private mutating func replace(from mark: Int, with bytes: [UInt8]) {
        buffer.removeSubrange(mark...)
        buffer.append(contentsOf: bytes)
    }

    private mutating func skipSpaces() {
        while let byte, byte.isSpace {
            if byte.isLineEnd { skipLineEnd() } else { advance() }
        }
    }

    private mutating func require(
        _ condition: Bool, _ message: String, from start: SourcePosition
    ) throws(LuaSyntaxError) {
        guard !condition else { return }
        if current != Lexer.endOfSource { saveAndAdvance() }
        throw LuaSyntaxError(message: "\(message) near \(Token.quote(buffer))", position: start)
    }

    private mutating func readHexadecimalDigit(from start: SourcePosition) throws(LuaSyntaxError) -> Int {
        saveAndAdvance()
        let value = byte?.hexadecimalValue
        try require(value != nil, "hexadecimal digit expected", from: start)
        return value ?? 0
    }

    private mutating func readHexadecimalEscape(from start: SourcePosition) throws(LuaSyntaxError) -> UInt8 {
        let high = try readHexadecimalDigit(from: start)
        let low = try readHexadecimalDigit(from: start)
        advance()
        return UInt8(truncatingIfNeeded: high << 4 | low)
    }

    private mutating func readUnicodeEscape(from start: SourcePosition) throws(LuaSyntaxError) -> [UInt8] {
        saveAndAdvance()
        try require(current == 0x7B, "missing '{'", from: start)
        var value = UInt32(truncatingIfNeeded: try readHexadecimalDigit(from: start))
        saveAndAdvance()
        while let digit = byte?.hexadecimalValue {
            try require(value <= 0x7FF_FFFF, "UTF-8 value too large", from: start)
            value = value << 4 | UInt32(truncatingIfNeeded: digit)
            saveAndAdvance()
        }
        try require(current == 0x7D, "missing '}'", from: start)
        advance()
        return Lexer.encode(value)
    }

    /// UTF-8 as it was first defined: up to six bytes for values below 2^31.
    static func encode(_ value: UInt32) -> [UInt8] {
        guard value >= 0x80 else { return [UInt8(truncatingIfNeeded: value)] }
        var rest = value
        var largestInFirstByte: UInt32 = 0x3F
        var tail: [UInt8] = []
        repeat {
            tail.append(UInt8(truncatingIfNeeded: 0x80 | (rest & 0x3F)))
            rest >>= 6
            largestInFirstByte >>= 1
        } while rest > largestInFirstByte
        let first = UInt8(truncatingIfNeeded: (~largestInFirstByte << 1) | rest)
        return [first] + tail.reversed()
    }

    private mutating func readDecimalEscape(from start: SourcePosition) throws(LuaSyntaxError) -> UInt8 {
        try require(byte?.isDigit == true, "invalid escape sequence", from: start)
        var value = 0
        var digits = 0
        while digits < 3, let byte, byte.isDigit {
            value = value * 10 + Int(byte) - 0x30
            saveAndAdvance()
            digits += 1
        }
        try require(value <= 255, "decimal escape too large", from: start)
        return UInt8(truncatingIfNeeded: value)
    }
}
