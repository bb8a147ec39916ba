extension Lexer {
    /// Reads greedily all that looks like part of a numeral, as Lua does, and only then asks whether it is one.
    mutating func readNumeral(from start: SourcePosition) throws(LuaSyntaxError) -> Token {
        let first = current
        saveAndAdvance()
        var exponentMarks: (UInt8, UInt8) = (UInt8(ascii: "E"), UInt8(ascii: "e"))
        if first == 0x30, current == 0x78 || current == 0x58 {
            saveAndAdvance()
            exponentMarks = (UInt8(ascii: "P"), UInt8(ascii: "p"))
        }
        while let byte {
            if byte == exponentMarks.0 || byte == exponentMarks.1 {
                saveAndAdvance()
                if current == 0x2B || current == 0x2D { saveAndAdvance() }
            } else if byte.isHexadecimalDigit || byte == UInt8(ascii: ".") {
                saveAndAdvance()
            } else {
                break
            }
        }
        if let byte, byte.isNameStart { saveAndAdvance() }
        guard let value = Numeral(buffer) else {
            throw failure("malformed number", near: Token.quote(buffer), at: start)
        }
        return token(value, from: start)
    }

    private func token(_ value: Numeral, from start: SourcePosition) -> Token {
        var result = token(.integer, from: start)
        result.spelling = buffer
        switch value {
        case .integer(let integer): result.integer = integer
        case .number(let number):
            result.kind = .number
            result.number = number
        }
        return result
    }
}
