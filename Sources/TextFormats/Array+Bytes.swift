extension [UInt8] {
    /// Appends the decimal digits of `value`.
    package mutating func appendDecimal(_ value: Int64) {
        if value < 0 { append(UInt8.minus) }
        let magnitude = value.magnitude
        if magnitude < 10 {
            append(UInt8.zero + UInt8(magnitude))
            return
        }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var rest = magnitude
            var index = 20
            while rest > 0 {
                index -= 1
                digits[index] = UInt8.zero + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
            append(contentsOf: UnsafeBufferPointer(rebasing: digits[index..<20]))
        }
    }

    /// Appends UTF-8 text as a JSON string with its quotes. Escapes what RFC 8259 section 7 demands and no more.
    mutating func appendJSONString(_ text: UnsafeBufferPointer<UInt8>) {
        append(UInt8.quote)
        var start = 0
        for index in 0..<text.count {
            let byte = text[index]
            if byte >= UInt8.space && byte != UInt8.quote && byte != UInt8.backslash { continue }
            append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
            appendJSONEscape(of: byte)
            start = index + 1
        }
        append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<text.count]))
        append(UInt8.quote)
    }

    private mutating func appendJSONEscape(of byte: UInt8) {
        append(UInt8.backslash)
        switch byte {
        case UInt8.quote, UInt8.backslash: append(byte)
        case 0x08: append(UInt8(ascii: "b"))
        case UInt8.tab: append(UInt8(ascii: "t"))
        case UInt8.lineFeed: append(UInt8(ascii: "n"))
        case 0x0C: append(UInt8(ascii: "f"))
        case UInt8.carriageReturn: append(UInt8(ascii: "r"))
        default:
            let digits: StaticString = "0123456789abcdef"
            append(UInt8(ascii: "u"))
            append(UInt8.zero)
            append(UInt8.zero)
            append(digits.utf8Start[Int(byte >> 4)])
            append(digits.utf8Start[Int(byte & 0xF)])
        }
    }
}
