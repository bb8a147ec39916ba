package import Circulation
package import Secrets
import Storage

/// Accounts as those see them who sign up and log in: the one way on which passwords are looked at. Hashes are made outside of any
/// transaction.
///
/// Whatever is tried is counted first (``AttemptBudget``), by where it comes from; every function that could be used to guess
/// throws ``AttemptBudget/Exhausted`` where that was too often.
package struct AccountManager: Sendable {
    let desk: Desk
    let terms: AccountTerms
    let cost: PasswordCost
    /// What a password is held against where there is none to hold it against, so that this takes as long.
    private let decoy: PasswordHash

    var budget: AttemptBudget { desk.outside.budget }

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

    private init(_ other: AccountManager, _ desk: Desk) {
        self.desk = desk
        cost = other.cost
        terms = other.terms
        decoy = other.decoy
    }

    /// The same for another actor: what they ask for is done as theirs.
    package func acting(as actor: Actor) -> AccountManager { AccountManager(self, desk.acting(as: actor)) }

    /// A person who has logged in.
    package struct Entry: Sendable {
        package let patron: Patron
        /// To be handed to them, once.
        package let token: SecretToken
        package let expiresAt: Instant
    }

    /// Makes an account.
    ///
    /// Refused with `exists` where the username is taken, `weak_password`, and as `PatronService.add`.
    package func signUp(_ patron: Patron, password: String, from origin: AttemptOrigin) throws -> Outcome<Patron> {
        if let refusal = terms.refusal(of: password, username: patron.username) { return .refused(refusal) }
        if let refusal = PatronService.refusal(ofEmail: patron.email) { return .refused(refusal) }
        // The library's own numbers are for the library to give.
        if Username.isNumber(patron.username) { return .refused(PatronService.reserved.refusal) }
        try budget.signUp(from: origin)
        let hash = try PasswordHash(of: password, cost: cost)
        return try desk.write { session in
            let added = try session.patrons.add(patron)
            guard case .done(let made) = added else { return added }
            return try session.accounts.setHash(hash.encoded, of: .id(made.id))
        }
    }

    /// Whether a password is the account's. Takes as long, and says the same, for a username that does not exist.
    ///
    /// - Returns: the patron; nil for an unknown username as for a wrong password.
    package func verify(_ username: String, password: String, from origin: AttemptOrigin) throws -> Patron? {
        guard let (patron, guess) = try match(username, password: password, from: origin) else { return nil }
        if let guess { try desk.write { try $0.accounts.giveBack(guess.shared) } }
        return try desk.read { try $0.patrons.get(.id(patron)) }
    }

    /// Whose username and password these are, and what looking at them took of the store's budget, to be given back; nil where
    /// they fit no account.
    private func match(
        _ username: String, password: String, from origin: AttemptOrigin
    ) throws -> (patron: Int64, guess: AttemptBudget.Guess?)? {
        try budget.take(from: origin)
        let (known, place) = try desk.read { session in
            (
                try session.accounts.hash(ofUsername: username),
                try session.accounts.knownPlace(origin, of: username)
            )
        }
        let guess = try budget.guess(at: username, from: origin, known: place)
        if let guess, let seconds = try desk.write({ try $0.accounts.take(guess.shared) }) {
            throw AttemptBudget.Exhausted(seconds: seconds)
        }
        let kept = PasswordHash(encoded: known?.hash ?? decoy.encoded)
        guard try kept.matches(password), let patron = known?.patron else {
            if origin != .console, budget.isFailureWritten() {
                // Of a patron who was removed meanwhile nothing is written.
                try desk.write { try $0.accounts.write(.logInFailed, of: known?.patron) }
            }
            return nil
        }
        budget.giveBack(guess, from: origin)
        if !kept.isMade(at: cost) {
            let renewed = try PasswordHash(of: password, cost: cost)
            try desk.write { try $0.accounts.renewHash(renewed.encoded, of: patron, insteadOf: kept.encoded) }
        }
        return (patron, guess)
    }

    /// The same within a transaction, which others wait for meanwhile.
    package func verify(
        _ username: String, password: String, from origin: AttemptOrigin, in session: DeskSession
    ) throws -> Patron? {
        try budget.take(from: origin)
        let known = try session.accounts.hash(ofUsername: username)
        let guess = try budget.guess(
            at: username, from: origin, known: try session.accounts.knownPlace(origin, of: username))
        if let guess, let seconds = try session.accounts.take(guess.shared) {
            throw AttemptBudget.Exhausted(seconds: seconds)
        }
        let kept = PasswordHash(encoded: known?.hash ?? decoy.encoded)
        guard try kept.matches(password), let patron = known?.patron else { return nil }
        budget.giveBack(guess, from: origin)
        if let guess { try session.accounts.giveBack(guess.shared) }
        return try session.patrons.get(.id(patron))
    }

    /// - Returns: nil for an unknown username as for a wrong password.
    package func logIn(_ username: String, password: String, from origin: AttemptOrigin) throws -> Entry? {
        guard let (id, guess) = try match(username, password: password, from: origin) else { return nil }
        let token = SecretToken(kind: "mss")
        return try desk.write { session in
            if let guess { try session.accounts.giveBack(guess.shared) }
            guard let patron = try session.patrons.get(.id(id)) else { return nil }
            let ends = try session.now.adding(hours: terms.hoursOfSession)
            let issued = try session.accounts.issue(
                .session, to: .id(patron.id), digest: token.digest, expiresAt: ends)
            guard case .done = issued else { return nil }
            try session.accounts.note(origin, of: patron.id)
            if budget.isLogInWritten(of: patron.id) { try session.accounts.write(.loggedIn, of: patron.id) }
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

    /// What a key for a program is to be.
    package struct KeyRequest: Sendable {
        package var label: String
        /// nil: after ``AccountService/daysOfKey``.
        package var expiresAt: Instant?
        package var scope: AccessScope
        package var mostRole: Patron.Role

        package init(
            label: String, expiresAt: Instant? = nil, scope: AccessScope = .all, mostRole: Patron.Role = .admin
        ) {
            self.label = label
            self.expiresAt = expiresAt
            self.scope = scope
            self.mostRole = mostRole
        }
    }

    /// A key for a program of a person's.
    ///
    /// Refused with `unknown_patron`, `too_many_keys`, `too_long`.
    package func issueKey(to key: PatronKey, _ order: KeyRequest) throws -> Outcome<
        (secret: SecretToken, token: AccessToken)
    > {
        try desk.write { try issueKey(to: key, order, in: $0) }
    }

    /// The same within a transaction.
    package func issueKey(
        to key: PatronKey, _ order: KeyRequest, in session: DeskSession
    ) throws -> Outcome<(secret: SecretToken, token: AccessToken)> {
        let token = SecretToken(kind: "msk")
        let issued = try session.accounts.issue(
            .key, to: key, digest: token.digest, label: order.label, expiresAt: order.expiresAt, scope: order.scope,
            mostRole: order.mostRole)
        switch issued {
        case .done(let kept): return .done((secret: token, token: kept))
        case .refused(let refusal): return .refused(refusal)
        }
    }

    /// Changes a password; sessions and links end. Where no token is named keys end as well; else the session of that token
    /// stays, as do keys: its holder can look at them.
    ///
    /// Refused with `unknown_patron`, `weak_password`.
    package func setPassword(
        _ password: String, of key: PatronKey, keeping token: Int64? = nil
    ) throws -> Outcome<Patron> {
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
}
