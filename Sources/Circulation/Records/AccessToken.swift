/// A credential that replaces a password. Only the token's digest is stored.
package struct AccessToken: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Handed out at log-in.
        case session
        /// For programs; its owner names it.
        case key
        /// In the mailed link for a forgotten password: valid once.
        case reset
    }

    package var id: Int64
    package var kind: Kind
    package var patron: Int64
    /// The SHA-256 of the token in hexadecimal digits.
    package var digest: String
    /// The owner's label for it; may be empty.
    package var label: String
    package var createdAt: Instant
    /// The end of its validity; nil: until it is revoked.
    package var expiresAt: Instant?
    /// What a key lets its holder do; a session lets do everything.
    package var scope: AccessScope
    /// The highest role in which its holder may act.
    package var mostRole: Patron.Role

    package init(
        id: Int64 = 0, kind: Kind, patron: Int64, digest: String, label: String = "", createdAt: Instant,
        expiresAt: Instant?, scope: AccessScope = .all, mostRole: Patron.Role = .admin
    ) {
        self.id = id
        self.kind = kind
        self.patron = patron
        self.digest = digest
        self.label = label
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.scope = scope
        self.mostRole = mostRole
    }

    package func isGood(at moment: Instant) -> Bool { expiresAt.map { moment < $0 } ?? true }
}
