import Glibc
import TextFormats

/// Finds texts in which words may stand, in any case, so that all others need not be taken apart: a person who is removed is
/// named in few of them.
package struct WordFinder {
    /// Of each word the longest part of letters and digits in ASCII, in small letters: where the word stands, it does too.
    private let parts: [[UInt8]]
    /// Whether there are words without such a part.
    private let hasOthers: Bool
    /// The one character beyond ASCII that is a letter of it in another form: the sign of the kelvin.
    private static let kelvin = Array("\u{212A}".utf8)
    /// What has fewer letters stands in half of all texts.
    private static let least = 3

    package init(_ words: [String]) {
        let parts = words.map { word in
            // By characters: an e that carries an accent may be written as one sign or as two.
            word.lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.map { Array($0.utf8) }
                .max { $0.count < $1.count } ?? []
        }
        self.parts = Array(Set(parts.filter { $0.count >= Self.least }))
        hasOthers = parts.contains { $0.count < Self.least }
    }

    /// Whether one of the words may stand in a text, as it is or within JSON; false only if none does.
    package func mayStand(in text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            let small = [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
                for (index, byte) in bytes.enumerated() {
                    buffer[index] = byte &- 65 < 26 ? byte | 0x20 : byte
                }
                count = bytes.count
            }
            // JSON of others may hide letters: `\u0041`.
            if Self.stands(Array("\\u".utf8), in: small) || Self.stands(Self.kelvin, in: small) { return true }
            if hasOthers, bytes.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "%") }) { return true }
            return parts.contains { Self.stands($0, in: small) }
        }
    }

    private static func stands(_ part: [UInt8], in text: [UInt8]) -> Bool {
        text.withUnsafeBytes { text in
            guard let start = text.baseAddress, let first = part.first else { return false }
            var rest = text.count - part.count + 1
            while rest > 0 {
                guard let found = memchr(start + (text.count - part.count + 1 - rest), Int32(first), rest) else {
                    return false
                }
                if memcmp(found, part, part.count) == 0 { return true }
                rest = text.count - part.count - (UnsafeRawPointer(found) - start)
            }
            return false
        }
    }
}
