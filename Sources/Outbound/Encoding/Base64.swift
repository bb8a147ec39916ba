/// Base64 (RFC 4648, section 4), with padding.
enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func encode(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: encoded(bytes), as: UTF8.self)
    }

    /// In lines of 76 columns, ended by CR LF, as mail wants it.
    static func encodeInLines(_ bytes: [UInt8]) -> [UInt8] {
        var lines: [UInt8] = []
        lines.reserveCapacity(bytes.count / 57 * 78 + 80)
        for start in stride(from: 0, to: bytes.count, by: 57) {
            lines += encoded(bytes[start..<min(start + 57, bytes.count)])
            lines += [0x0D, 0x0A]
        }
        return lines
    }

    private static func encoded(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var encoded: [UInt8] = []
        encoded.reserveCapacity((bytes.count + 2) / 3 * 4)
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(3))
            rest = rest.dropFirst(3)
            let word = piece.enumerated().reduce(UInt32(0)) { $0 | UInt32($1.element) << UInt32(16 - 8 * $1.offset) }
            for place in 0..<4 {
                let digit = Int(word >> UInt32(18 - 6 * place)) & 63
                encoded.append(place <= piece.count ? digits[digit] : UInt8(ascii: "="))
            }
        }
        return encoded
    }
}
