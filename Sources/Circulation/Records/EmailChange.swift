/// A patron's new e-mail address that is not confirmed yet.
package struct EmailChange: Hashable, Sendable {
    package var patron: Int64
    /// The SHA-256 of the token in the link, in hexadecimal digits.
    package var digest: String
    package var email: String
    package var createdAt: Instant
    package var expiresAt: Instant

    package init(patron: Int64, digest: String, email: String, createdAt: Instant, expiresAt: Instant) {
        self.patron = patron
        self.digest = digest
        self.email = email
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}
