import TextFormats

/// The mail server to which messages are handed over.
package struct MailServer: Hashable, Sendable {
    /// Whether the connection is encrypted before anything is said. `smtps://` always is.
    package enum Encryption: String, Hashable, Sendable, CaseIterable {
        /// No message goes out without it.
        case required
        /// Where the server offers it; its certificate must hold then as well.
        case optional
        case none
    }

    package let host: String
    package let port: Int
    /// Encrypted from the first byte on: `smtps://`.
    package let isWrapped: Bool
    package var encryption: Encryption
    package var user: String?
    package var password: String?
    /// A file of certificates to trust instead of the system's.
    package var authorities: String?
    package var limits: OutboundLimits

    /// - Parameter url: `smtp://HOST[:PORT]` (587) or `smtps://HOST[:PORT]` (465); without name, password or path.
    /// - Throws: ``OutboundFailure/Code/badAddress`` in words that finish "url ...".
    package init(
        url: String, encryption: Encryption = .required, user: String? = nil, password: String? = nil,
        authorities: String? = nil, limits: OutboundLimits = OutboundLimits()
    ) throws(OutboundFailure) {
        let parts = try WebAddress(sendingTo: url, schemes: ["smtp": 587, "smtps": 465])
        guard parts.path.isEmpty || parts.path == "/" else {
            throw OutboundFailure(.badAddress, "must be smtp://HOST[:PORT] or smtps://HOST[:PORT], without a path")
        }
        guard user == nil || parts.scheme == "smtps" || encryption == .required || parts.isLoopback else {
            throw OutboundFailure(.badAddress, "must be smtps://, or tls \"required\", since a password is sent")
        }
        for text in [user, password].compactMap({ $0 }) where text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            throw OutboundFailure(.badAddress, "needs a user and a password of one line")
        }
        host = parts.host
        port = parts.port
        isWrapped = parts.scheme == "smtps"
        self.encryption = encryption
        self.user = user
        self.password = password
        self.authorities = authorities
        self.limits = limits
    }

    var url: String { "\(isWrapped ? "smtps" : "smtp")://\(place)" }
    /// Host and port, for messages.
    package var place: String { "\(host):\(port)" }
}
