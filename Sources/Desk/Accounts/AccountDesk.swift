package import Circulation
package import Secrets
import Storage

/// Accounts as those see them who sign up and log in. Hashes are made outside of any transaction.
package struct AccountDesk: Sendable {
    private let desk: Desk
    private let cost: PasswordCost
    private let terms: AccountTerms
    /// What a password is held against where there is none to hold it against, so that this takes as long.
    private let decoy: PasswordHash

    /// - Throws: ``SecretError``.
    package init(_ desk: Desk, terms: AccountTerms = AccountTerms(), cost: PasswordCost = .standard) throws(SecretError)
    {
        self.desk = desk
        self.terms = terms
        self.cost = cost
        decoy = try PasswordHash(of: SecretToken(kind: "decoy").text, cost: cost)
    }

    /// The least number of characters of a new password.
    package var shortestPassword: Int { terms.shortestPassword }

    private init(_ other: AccountDesk, _ desk: Desk) {
        self.desk = desk
        cost = other.cost
        terms = other.terms
        decoy = other.decoy
    }

    /// The same for another actor: what they ask for is done as theirs.
    package func acting(as actor: Actor) -> AccountDesk { AccountDesk(self, desk.acting(as: actor)) }

    /// Somebody who was let in.
    package struct Entry: Sendable {
        package let patron: Patron
        /// To be handed to them, once.
        package let token: SecretToken
        package let expiresAt: Instant
    }

    /// Makes an account.
    ///
    /// Refused with `exists` where the username is taken, `weak_password`, and as `PatronService.add`.
    package func signUp(_ patron: Patron, password: String) throws -> Outcome<Patron> {
        if let refusal = terms.refusal(of: password, username: patron.username) { return .refused(refusal) }
        let hash = try PasswordHash(of: password, cost: cost)
        return try desk.write { session in
            let added = try session.patrons.add(patron)
            guard case .done(let made) = added else { return added }
            return try session.accounts.setHash(hash.encoded, of: .id(made.id))
        }
    }

    /// Whether a password is somebody's. Takes as long, and says the same, for a username that nobody has.
    ///
    /// - Returns: the patron; nil for an unknown username as for a wrong password.
    package func verify(_ username: String, password: String) throws -> Patron? {
        let known = try desk.read { try $0.accounts.hash(ofUsername: username) }
        let kept = PasswordHash(encoded: known?.hash ?? decoy.encoded)
        guard try kept.matches(password), let patron = known?.patron else { return nil }
        if !kept.isMade(at: cost) {
            let renewed = try PasswordHash(of: password, cost: cost)
            try desk.write { try $0.accounts.renewHash(renewed.encoded, of: patron, insteadOf: kept.encoded) }
        }
        return try desk.read { try $0.patrons.get(.id(patron)) }
    }

    /// The same within a transaction, which others wait for meanwhile.
    package func verify(_ username: String, password: String, in session: DeskSession) throws -> Patron? {
        let known = try session.accounts.hash(ofUsername: username)
        let kept = PasswordHash(encoded: known?.hash ?? decoy.encoded)
        guard try kept.matches(password), let patron = known?.patron else { return nil }
        return try session.patrons.get(.id(patron))
    }

    /// - Returns: nil for an unknown username as for a wrong password.
    package func logIn(_ username: String, password: String) throws -> Entry? {
        guard let patron = try verify(username, password: password) else { return nil }
        return try enter(patron)
    }

    private func enter(_ patron: Patron) throws -> Entry? {
        let token = SecretToken(kind: "mss")
        return try desk.write { session in
            let ends = try session.now.adding(hours: terms.hoursOfSession)
            let issued = try session.accounts.issue(
                .session, to: .id(patron.id), digest: token.digest, expiresAt: ends)
            guard case .done = issued else { return nil }
            return Entry(patron: patron, token: token, expiresAt: ends)
        }
    }

    /// Who is let in by a session's token or a key.
    package func holder(of shown: String) throws -> (patron: Patron, token: AccessToken)? {
        guard let token = SecretToken(shown: shown) else { return nil }
        return try desk.read { try $0.accounts.holder(of: token.digest, [.session, .key]) }
    }

    /// Whose session a token was that has run out; nil for one that is good still, was ended, or is forgotten by now.
    package func formerHolder(of shown: String) throws -> Patron? {
        guard let token = SecretToken(shown: shown) else { return nil }
        return try desk.read { try $0.accounts.formerHolder(of: token.digest) }
    }

    /// A key for a program of somebody's.
    ///
    /// Refused with `unknown_patron`, `too_many_keys`.
    package func issueKey(to key: PatronKey, label: String, expiresAt: Instant? = nil) throws -> Outcome<SecretToken> {
        try desk.write { try issueKey(to: key, label: label, expiresAt: expiresAt, in: $0) }
    }

    /// The same within a transaction.
    package func issueKey(
        to key: PatronKey, label: String, expiresAt: Instant? = nil, in session: DeskSession
    ) throws -> Outcome<SecretToken> {
        let token = SecretToken(kind: "msk")
        let issued = try session.accounts.issue(
            .key, to: key, digest: token.digest, label: label, expiresAt: expiresAt)
        switch issued {
        case .done: return .done(token)
        case .refused(let refusal): return .refused(refusal)
        }
    }

    /// Changes a password; sessions end but for the one whose token is named.
    ///
    /// Refused with `unknown_patron`, `weak_password`.
    package func setPassword(_ password: String, of key: PatronKey, keeping token: Int64? = nil) throws -> Outcome<
        Patron
    > {
        let username = try desk.read { try $0.patrons.get(key)?.username } ?? ""
        if let refusal = terms.refusal(of: password, username: username) { return .refused(refusal) }
        let hash = try PasswordHash(of: password, cost: cost)
        return try desk.write { try $0.accounts.setHash(hash.encoded, of: key, keeping: token) }
    }

    /// The same within a transaction, which others wait for meanwhile.
    package func setPassword(
        _ password: String, of key: PatronKey, in session: DeskSession
    ) throws -> Outcome<Patron> {
        let username = try session.patrons.get(key)?.username ?? ""
        if let refusal = terms.refusal(of: password, username: username) { return .refused(refusal) }
        return try session.accounts.setHash(PasswordHash(of: password, cost: cost).encoded, of: key)
    }

    // MARK: - Forgotten passwords

    /// A token by which somebody may set a new password; those before it are good no more.
    ///
    /// - Returns: nil where nobody has the address or username. Whoever asks is told the same in either case.
    package func forgot(_ username: String) throws -> Entry? {
        let token = SecretToken(kind: "msr")
        return try desk.write { session in
            guard let patron = try session.patrons.get(.username(username)), patron.email?.isEmpty == false else {
                return nil
            }
            let ends = try session.now.adding(minutes: terms.minutesOfReset)
            let issued = try session.accounts.issue(.reset, to: .id(patron.id), digest: token.digest, expiresAt: ends)
            guard case .done = issued else { return nil }
            return Entry(patron: patron, token: token, expiresAt: ends)
        }
    }

    /// Sets a new password by such a token.
    ///
    /// Refused with `weak_password`, which leaves the token good, and `invalid_token`.
    package func reset(_ shown: String, password: String) throws -> Outcome<Patron> {
        let invalid = Refusal(code: "invalid_token", message: "This link is good no more; ask for another one.")
        guard let token = SecretToken(shown: shown),
            let holder = try desk.read({ try $0.accounts.holder(of: token.digest, [.reset]) })
        else { return .refused(invalid) }
        if let refusal = terms.refusal(of: password, username: holder.patron.username) { return .refused(refusal) }
        let hash = try PasswordHash(of: password, cost: cost)
        let patron = try desk.write { try $0.accounts.redeem(token.digest, setting: hash.encoded) }
        return patron.map { .done($0) } ?? .refused(invalid)
    }
}
