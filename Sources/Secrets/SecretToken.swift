import Foundation
import TextFormats

/// A credential that replaces a password: a session's token, an API key, the token of a link in a mail.
///
/// 256 random bits: a digest of it is kept, which cannot be reversed, and no salt is needed.
package struct SecretToken: Hashable, Sendable {
    /// As it is handed out, once: the kind, and 43 characters of base64url (RFC 4648, section 5).
    package let text: String

    /// - Parameter kind: what it begins with, so that people and scanners of secrets know it: `msk` for `msk_...`.
    package init(kind: String) {
        let body = Data(RandomBytes.make(32)).base64EncodedString()
        let safe = body.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        text = "\(kind)_\(safe)"
    }

    /// A token that was presented; nil if the text cannot be one.
    package init?(shown text: String) {
        let isWritten = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard isWritten, (44...64).contains(text.utf8.count) else { return nil }
        self.text = text
    }

    /// The SHA-256 of the text in hexadecimal digits: what is kept, and looked up.
    package var digest: String { SHA256.hexadecimal(of: text.utf8) }
}
