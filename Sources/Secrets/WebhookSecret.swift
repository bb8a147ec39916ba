import Foundation

/// What signs requests that go out, as Standard Webhooks has it: who holds the same secret knows that a request is ours, and
/// unchanged.
///
/// <https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md>
package struct WebhookSecret: Hashable, Sendable {
    /// As it is handed out and kept: `whsec_` and 24 to 64 bytes in Base64; or any other text, whose own bytes sign.
    package let text: String

    private static let prefix = "whsec_"

    /// A new one, of 32 random bytes.
    package init() {
        text = Self.prefix + Data(RandomBytes.make(32)).base64EncodedString()
    }

    package init(_ text: String) {
        self.text = text
    }

    private var key: [UInt8] {
        guard text.hasPrefix(Self.prefix), let data = Data(base64Encoded: String(text.dropFirst(Self.prefix.count)))
        else { return Array(text.utf8) }
        return Array(data)
    }

    /// The value of `webhook-signature`.
    ///
    /// - Parameters:
    ///   - id: what `webhook-id` says; it holds no full stop.
    ///   - seconds: what `webhook-timestamp` says: when the request is tried, in seconds since 1970.
    package func signature(of body: [UInt8], id: String, at seconds: Int64) -> String {
        let code = MessageAuthentication.bytes(of: Array("\(id).\(seconds).".utf8) + body, secret: key)
        return "v1," + Data(code).base64EncodedString()
    }
}
