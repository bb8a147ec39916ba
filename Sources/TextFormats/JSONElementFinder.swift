/// Finds where a JSON value ends without parsing it, in portions: what was looked at once is not looked at again.
///
/// Takes malformed text too; it is the parser's business to refuse what was found.
struct JSONElementFinder {
    private var position = 0
    private var depth = 0
    private var isInString = false
    private var isEscaped = false

    /// The offset behind the value at the front of `bytes`, or nil if it goes on behind them.
    ///
    /// - Parameter bytes: what was given before, and more.
    mutating func end(in bytes: UnsafeBufferPointer<UInt8>, isWhole: Bool) -> Int? {
        while position < bytes.count {
            let byte = bytes[position]
            if isInString {
                position += 1
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8.backslash {
                    isEscaped = true
                } else if byte == UInt8.quote {
                    isInString = false
                    if depth == 0 { return position }
                }
                continue
            }
            if let end = outsideString(byte) { return end }
        }
        return isWhole ? bytes.count : nil
    }

    private mutating func outsideString(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8.quote: isInString = true
        case UInt8.openBrace, UInt8.openBracket: depth += 1
        case UInt8.closeBrace, UInt8.closeBracket:
            if depth == 0 { return position }
            depth -= 1
            if depth == 0 { return position + 1 }
        case UInt8.comma, UInt8.space, UInt8.lineFeed, UInt8.carriageReturn, UInt8.tab:
            if depth == 0 { return position }
        default: break
        }
        position += 1
        return nil
    }
}
