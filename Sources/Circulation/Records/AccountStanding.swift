/// How a patron's account stands.
package struct AccountStanding: Hashable, Sendable {
    /// Whether a password was ever set.
    package var hasPassword: Bool
    /// Since when nobody gets in; nil: it is open.
    package var closedAt: Instant?
    /// The latest log-in over a network; nil: none is known.
    package var lastLogInAt: Instant?

    package init(hasPassword: Bool = false, closedAt: Instant? = nil, lastLogInAt: Instant? = nil) {
        self.hasPassword = hasPassword
        self.closedAt = closedAt
        self.lastLogInAt = lastLogInAt
    }
}
