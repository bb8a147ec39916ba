/// What it costs to try a password: Argon2id (RFC 9106).
package struct PasswordCost: Hashable, Sendable {
    /// KiB of memory, passes over it, and lanes.
    package var memory: UInt32
    package var passes: UInt32
    package var lanes: UInt32

    package init(memory: UInt32, passes: UInt32, lanes: UInt32 = 1) {
        self.memory = memory
        self.passes = passes
        self.lanes = lanes
    }

    /// 19 MiB and two passes: the least that the OWASP Password Storage Cheat Sheet recommends for Argon2id, so that many
    /// people can log in at once on a small server.
    package static let standard = PasswordCost(memory: 19_456, passes: 2)
    /// The least that Argon2 takes, for tests of what does not depend on it.
    package static let least = PasswordCost(memory: 8, passes: 1)
}
