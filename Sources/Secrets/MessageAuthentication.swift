internal import Crypto
import TextFormats

/// HMAC with SHA-256 (RFC 2104): proves to a holder of the secret that a message is ours and unchanged.
package enum MessageAuthentication {
    /// The code, as 64 hexadecimal digits.
    package static func code(of message: some Sequence<UInt8>, secret: [UInt8]) -> String {
        HexadecimalText.of(bytes(of: message, secret: secret))
    }

    /// The code, as 32 bytes.
    package static func bytes(of message: some Sequence<UInt8>, secret: [UInt8]) -> [UInt8] {
        Array(HMAC<Crypto.SHA256>.authenticationCode(for: Array(message), using: SymmetricKey(data: secret)))
    }

    /// Whether two texts are the same. How long that takes says nothing about where they differ.
    package static func areSame(_ one: some Sequence<UInt8>, _ other: some Sequence<UInt8>) -> Bool {
        let key = SymmetricKey(size: .bits256)
        return HMAC<Crypto.SHA256>.authenticationCode(for: Array(one), using: key)
            == HMAC<Crypto.SHA256>.authenticationCode(for: Array(other), using: key)
    }
}
