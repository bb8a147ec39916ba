/// The files of one version of a policy, as they were activated.
package struct PolicyBundle: Hashable, Sendable {
    package struct File: Hashable, Sendable {
        /// The name as `require` or the command line gave it, `/` as separator, relative to the policy's folder.
        package var name: String
        package var source: String

        package init(name: String, source: String) {
            self.name = name
            self.source = source
        }
    }
    /// SHA-256 over names and bytes, 64 hexadecimal digits: the version's name.
    package var sha256: String
    /// The policy file first, then what it requires, by name.
    package var files: [File]

    package init(sha256: String, files: [File]) {
        self.sha256 = sha256
        self.files = files
    }
}

/// When which version came into force, by whom and why.
package struct PolicyActivation: Hashable, Sendable {
    package var id: Int64
    package var policy: String
    /// The policy's own `name`.
    package var name: String
    package var effectiveFrom: Instant
    package var activatedAt: Instant
    package var actor: String
    package var note: String
    /// Loans that were made before are decided by it as well, where a loan's own version is asked.
    package var isRetroactive: Bool
    /// When it was taken back before its day; then it never comes into force.
    package var withdrawnAt: Instant?

    package init(
        id: Int64 = 0, policy: String, name: String, effectiveFrom: Instant, activatedAt: Instant, actor: String,
        note: String, isRetroactive: Bool = false, withdrawnAt: Instant? = nil
    ) {
        self.id = id
        self.policy = policy
        self.name = name
        self.effectiveFrom = effectiveFrom
        self.activatedAt = activatedAt
        self.actor = actor
        self.note = note
        self.isRetroactive = isRetroactive
        self.withdrawnAt = withdrawnAt
    }
}
