import TextFormats

/// HMAC with SHA-256 (RFC 2104): proves to a holder of the secret that a message is ours and unchanged.
package enum MessageAuthentication {
    /// The code, as 64 hexadecimal digits.
    package static func code(of message: some Sequence<UInt8>, secret: [UInt8]) -> String {
        var key = secret.count > 64 ? bytes(ofHexadecimal: SHA256.hexadecimal(of: secret)) : secret
        key += [UInt8](repeating: 0, count: 64 - key.count)
        var inner = SHA256()
        inner.update(key.map { $0 ^ 0x36 })
        inner.update(message)
        let digest = bytes(ofHexadecimal: inner.finish())
        return SHA256.hexadecimal(of: key.map { $0 ^ 0x5C } + digest)
    }

    private static func bytes(ofHexadecimal text: String) -> [UInt8] {
        let digits = text.utf8.map { $0 <= UInt8(ascii: "9") ? $0 - UInt8(ascii: "0") : $0 - UInt8(ascii: "a") + 10 }
        return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
