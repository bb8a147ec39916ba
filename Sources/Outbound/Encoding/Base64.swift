import Foundation
import TextFormats

/// Base64 (RFC 4648, section 4), with padding.
enum Base64 {
    static func encode(_ bytes: some Collection<UInt8>) -> String {
        Base64Text.of(bytes)
    }

    /// In lines of 76 columns, ended by CR LF, as mail wants it.
    static func encodeInLines(_ bytes: [UInt8]) -> [UInt8] {
        guard !bytes.isEmpty else { return [] }
        let lines = Data(bytes).base64EncodedData(
            options: [.lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed])
        return Array(lines) + [0x0D, 0x0A]
    }
}
