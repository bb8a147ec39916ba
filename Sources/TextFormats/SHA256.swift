internal import Crypto

/// The SHA-256 digest (FIPS 180-4, section 6.2) as text, which names versions of policies and rows of imported files.
///
/// Nothing secret is hashed with it: passwords and tokens want more than a digest.
package struct SHA256 {
    private var hash = Crypto.SHA256()

    package init() {}

    /// The digest of the bytes, as 64 hexadecimal digits.
    package static func hexadecimal(of bytes: some Sequence<UInt8>) -> String {
        var digest = SHA256()
        digest.update(bytes)
        return digest.finish()
    }

    /// The digest of the bytes, as 32 bytes.
    package static func bytes(of bytes: some Sequence<UInt8>) -> [UInt8] {
        var digest = SHA256()
        digest.update(bytes)
        return Array(digest.hash.finalize())
    }

    /// Takes in more bytes.
    package mutating func update(_ bytes: some Sequence<UInt8>) {
        let isContiguous: Void? = bytes.withContiguousStorageIfAvailable {
            hash.update(bufferPointer: UnsafeRawBufferPointer($0))
        }
        if isContiguous == nil { hash.update(data: Array(bytes)) }
    }

    /// Takes in the UTF-8 of a text.
    package mutating func update(_ text: String) { update(text.utf8) }

    /// The digest of all that was taken in. The value cannot be used any further.
    package consuming func finish() -> String { HexadecimalText.of(hash.finalize()) }
}

/// Bytes as two hexadecimal digits each, in small letters.
package enum HexadecimalText {
    package static func of(_ bytes: some Sequence<UInt8>) -> String {
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * bytes.underestimatedCount)
        for byte in bytes {
            digits.append(digit(byte >> 4))
            digits.append(digit(byte & 15))
        }
        return String(decoding: digits, as: UTF8.self)
    }

    private static func digit(_ half: UInt8) -> UInt8 {
        half < 10 ? UInt8(ascii: "0") + half : UInt8(ascii: "a") + half - 10
    }
}
