import Glibc

/// Texts as PostgreSQL can hold them: it has no NUL, and a text with one would end there without a word.
///
/// A NUL is held as a scalar that is no character, followed by `0`; that scalar itself is followed by `1`.
enum PostgresText {
    private static let escape: Unicode.Scalar = "\u{10FFFE}"
    /// The byte that the escape begins with in UTF-8, and next to nothing else.
    private static let firstByte: UInt8 = 0xF4

    static func stored(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0 || $0 == firstByte }) else { return text }
        var stored = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\0": stored.append(contentsOf: [escape, "0"])
            case escape: stored.append(contentsOf: [escape, "1"])
            default: stored.append(scalar)
            }
        }
        return String(stored)
    }

    static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let start = bytes.baseAddress, memchr(start, Int32(firstByte), bytes.count) != nil else { return text }
        var read = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if isEscaped {
                read.append(scalar == "0" ? "\0" : escape)
                isEscaped = false
            } else if scalar == escape {
                isEscaped = true
            } else {
                read.append(scalar)
            }
        }
        return String(read)
    }
}
