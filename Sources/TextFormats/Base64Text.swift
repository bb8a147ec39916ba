import Foundation

/// Bytes as text in base64 (RFC 4648, section 4), with padding.
package enum Base64Text {
    /// The bytes so written.
    package static func of(_ bytes: some Collection<UInt8>) -> String { Data(bytes).base64EncodedString() }

    /// The bytes; nil: the text is not so written.
    package static func bytes(of text: String) -> [UInt8]? { Data(base64Encoded: text).map(Array.init) }
}
