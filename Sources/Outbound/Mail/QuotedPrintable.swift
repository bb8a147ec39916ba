/// The encoding of texts that are mostly ASCII (RFC 2045, section 6.7).
enum QuotedPrintable {
    /// Lines of at most 76 columns, ended by CR LF wherever the text has a line break of any kind.
    static func encode(lines: [[UInt8]]) -> [UInt8] {
        var encoded: [UInt8] = []
        for (index, line) in lines.enumerated() {
            if index > 0 { encoded += [0x0D, 0x0A] }
            append(line, to: &encoded)
        }
        return encoded
    }

    static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count == 1 ? "0" + digits : digits
    }

    private static func append(_ line: [UInt8], to encoded: inout [UInt8]) {
        var column = 0
        for (index, byte) in line.enumerated() {
            let piece =
                isPlain(byte, isLast: index == line.count - 1, at: column)
                ? [byte] : Array("=\(hexadecimal(byte))".utf8)
            // The last column is for the mark of a line that goes on.
            if column + piece.count > 75 {
                encoded += [UInt8(ascii: "="), 0x0D, 0x0A]
                column = 0
            }
            encoded += piece
            column += piece.count
        }
    }

    /// A dot, or `From` at the beginning of a line means something on the way.
    private static func isPlain(_ byte: UInt8, isLast: Bool, at column: Int) -> Bool {
        switch byte {
        case UInt8(ascii: "="): false
        case UInt8(ascii: "."), UInt8(ascii: "F"): column != 0
        case 0x20, 0x09: !isLast
        case 0x21...0x7E: true
        default: false
        }
    }
}
