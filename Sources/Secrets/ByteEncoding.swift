import TextFormats

/// How bytes of digests and secrets are written as text.
package enum ByteEncoding: String, CaseIterable, Sendable {
    /// Two digits each; small letters when written, either when read.
    case hexadecimal = "hex"
    /// With padding (RFC 4648, section 4).
    case base64

    /// The bytes so written.
    package func text(of bytes: [UInt8]) -> String {
        switch self {
        case .hexadecimal: HexadecimalText.of(bytes)
        case .base64: Base64Text.of(bytes)
        }
    }

    /// The bytes; nil: the text is not so written.
    package func bytes(of text: String) -> [UInt8]? {
        switch self {
        case .base64: return Base64Text.bytes(of: text)
        case .hexadecimal:
            let digits = Array(text.utf8)
            guard digits.count.isMultiple(of: 2) else { return nil }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(digits.count / 2)
            for start in stride(from: 0, to: digits.count, by: 2) {
                guard let high = Self.half(digits[start]), let low = Self.half(digits[start + 1]) else { return nil }
                bytes.append(high << 4 | low)
            }
            return bytes
        }
    }

    private static func half(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
