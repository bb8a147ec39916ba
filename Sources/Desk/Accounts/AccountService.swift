package import Circulation
import Storage
import TextFormats

/// How people prove who they are: what is kept of passwords, and tokens.
///
/// It knows hashes and digests alone. ``AccountManager`` makes them, which takes too long for a transaction.
package struct AccountService {
    let session: DeskSession

    var credentials: CredentialRepository { session.transaction.credentials }

    /// How many keys an account may have.
    package static let mostKeys = 20
    package static let longestLabel = 100
    /// How long a key is good where nothing else is said, and at most.
    package static let daysOfKey: Int64 = 90
    package static let mostDaysOfKey: Int64 = 366
    /// How many addresses of log-ins are kept: the latest ones.
    package static let mostKnownPlaces = 4

    // MARK: - Passwords

    /// Whose a username is, and the hash of their password; nil where there is no such patron, none was ever set, or the account
    /// is closed.
    func hash(ofUsername username: String) throws -> (patron: Int64, hash: String)? {
        try credentials.hash(ofUsername: username)
    }

    /// From where the holder of a username logged in before; nil where they never did from there.
    func knownPlace(_ origin: AttemptOrigin, of username: String) throws -> (patron: Int64, place: Int64)? {
        let places = try credentials.places(ofUsername: username)
        return places.first { Self.place(origin, of: $0.patron) == $0.place }
    }

    /// Records the address of a log-in.
    func note(_ origin: AttemptOrigin, of patron: Int64) throws {
        guard let place = Self.place(origin, of: patron) else { return }
        try credentials.note(place: place, of: patron, at: session.now, keeping: Self.mostKnownPlaces)
    }

    /// An address in 24 bits, with the patron: many addresses have the same, so that none can be identified; and hardly
    /// ever is one taken for another.
    private static func place(_ origin: AttemptOrigin, of patron: Int64) -> Int64? {
        guard case .address(let address) = origin else { return nil }
        return Int64(SHA256.hexadecimal(of: Array("place \(patron) \(address.key)".utf8)).prefix(6), radix: 16)
    }

    /// Records an event about an account's credentials.
    func write(_ change: AccountChange.Change, of patron: Int64?) throws {
        try session.record(.accountChanged, AccountChange(patron: patron, change: change))
    }

    /// Sets a password; sessions made with the former one end, except for the holder of one token.
    ///
    /// Refused with `unknown_patron`.
    func setHash(_ hash: String, of key: PatronKey, keeping token: Int64? = nil) throws -> Outcome<Patron> {
        let trail = RequestTrail("accounts.set_password")
        return try session.request(trail) {
            let patron = try session.patrons.known(key, trail)
            try change(hash, of: patron.id, keeping: token)
            return patron
        }
    }

    /// Keeps the same password by another hash, unless the password was changed meanwhile.
    func renewHash(_ hash: String, of patron: Int64, insteadOf former: String) throws {
        try credentials.renewHash(hash, of: patron, insteadOf: former)
    }

    private func change(_ hash: String, of patron: Int64, keeping kept: Int64?) throws {
        try credentials.setHash(hash, of: patron, at: session.now)
        // An intruder with the former password may have made keys.
        let ended: [AccessToken.Kind] = kept == nil ? [.session, .reset, .key] : [.session, .reset]
        for kind in ended {
            for token in try credentials.tokens(of: patron, kind) where token.id != kept {
                _ = try credentials.remove(token: token.id)
                if kind == .key { try write(.keyRevoked, of: patron) }
            }
        }
        try credentials.removeEmailChange(of: patron)
        try write(.passwordSet, of: patron)
    }

    /// Ends the links that were mailed to a patron: after a change of address they would admit a reader of the old one.
    func endLinks(of patron: Int64) throws {
        try credentials.removeTokens(of: patron, .reset)
        try credentials.removeEmailChange(of: patron)
    }

    // MARK: - Tokens

    /// Writes a token down. Of reset tokens one counts: the last.
    ///
    /// Refused with `unknown_patron`, `account_closed`, `too_many_keys`, `too_long`.
    func issue(
        _ kind: AccessToken.Kind, to key: PatronKey, digest: String, label: String = "", expiresAt: Instant?,
        scope: AccessScope = .all, mostRole: Patron.Role = .admin
    ) throws -> Outcome<AccessToken> {
        let trail = RequestTrail(kind == .key ? "accounts.issue_key" : "accounts.log_in")
        return try session.request(trail) {
            let patron = try session.patrons.known(key, trail)
            guard try standing(of: patron.id).closedAt == nil else { throw Self.isClosed }
            var expiresAt = expiresAt
            switch kind {
            case .reset:
                try credentials.removeTokens(of: patron.id, .reset)
                try write(.resetSent, of: patron.id)
            case .key:
                guard label.utf8.count <= Self.longestLabel else {
                    throw DeskError.input("label", "A label can be at most \(Self.longestLabel) bytes long.")
                }
                try removeEndedKeys(of: patron.id)
                guard try credentials.tokens(of: patron.id, .key).count < Self.mostKeys else {
                    throw Refused(
                        "too_many_keys",
                        "An account can have at most \(Self.mostKeys) keys. Revoke one first.")
                }
                expiresAt = try end(ofKey: expiresAt)
                try write(.keyIssued, of: patron.id)
            case .session: try removeExpired()
            }
            return try credentials.insert(
                AccessToken(
                    kind: kind, patron: patron.id, digest: digest, label: label, createdAt: session.now,
                    expiresAt: expiresAt, scope: scope, mostRole: mostRole))
        }
    }

    /// When a key ends.
    private func end(ofKey wanted: Instant?) throws -> Instant {
        guard let wanted else { return try session.now.adding(hours: 24 * Self.daysOfKey) }
        guard wanted <= (try session.now.adding(hours: 24 * Self.mostDaysOfKey)) else {
            throw Refused("too_long", "A key can be valid for at most \(Self.mostDaysOfKey) days.")
        }
        guard wanted > session.now else { throw DeskError.input("expires_at", "A key must expire in the future.") }
        return wanted
    }

    /// Keys that ran out make room for others.
    private func removeEndedKeys(of patron: Int64) throws {
        for token in try credentials.tokens(of: patron, .key) where !token.isGood(at: session.now) {
            _ = try credentials.remove(token: token.id)
        }
    }

    /// Who is let in by a token of a kind now; nil where the token is unknown, ran out or was revoked.
    package func holder(of digest: String, _ kinds: Set<AccessToken.Kind>) throws -> (
        patron: Patron, token: AccessToken
    )? {
        guard let token = try credentials.token(digest), kinds.contains(token.kind), token.isGood(at: session.now),
            let patron = try session.transaction.patrons.get(token.patron)
        else { return nil }
        return (patron, token)
    }

    /// Whose session ran out; nil where it is good still, was ended, or is forgotten by now.
    func formerHolder(of digest: String) throws -> Patron? {
        guard let token = try credentials.token(digest), token.kind == .session, !token.isGood(at: session.now) else {
            return nil
        }
        return try session.transaction.patrons.get(token.patron)
    }

    /// The valid tokens of a kind that a patron has.
    package func tokens(of patron: Int64, _ kind: AccessToken.Kind) throws -> [AccessToken] {
        try credentials.tokens(of: patron, kind).filter { $0.isGood(at: session.now) }
    }

    /// Ends a token of a patron.
    ///
    /// Refused with `unknown_token` where that patron has no such token.
    package func revoke(_ id: Int64, of patron: Int64) throws -> Outcome<Int64> {
        let trail = RequestTrail("accounts.revoke")
        return try session.request(trail) {
            trail.patron = patron
            let known = try AccessToken.Kind.allCases.flatMap { try credentials.tokens(of: patron, $0) }
            guard let token = known.first(where: { $0.id == id }), try credentials.remove(token: id) else {
                throw Refused("unknown_token", "There is no such token.")
            }
            switch token.kind {
            case .key: try write(.keyRevoked, of: patron)
            case .session: try write(.loggedOut, of: patron)
            case .reset: break
            }
            return id
        }
    }

    /// Uses up a reset token: of many who show it at once, one sets the password.
    ///
    /// - Returns: whose password it was; nil where the token is good no more.
    func redeem(_ digest: String, setting hash: String) throws -> Patron? {
        guard let (patron, token) = try holder(of: digest, [.reset]), try credentials.remove(token: token.id) else {
            return nil
        }
        try change(hash, of: patron.id, keeping: nil)
        return patron
    }

    /// For how many days it is known whose a token was that has run out.
    package static let daysRemembered: Int64 = 30

    /// Removes tokens that expired long ago. Each log-in does so.
    package func removeExpired() throws {
        try credentials.removeTokens(expiredBefore: session.now.adding(hours: -24 * Self.daysRemembered))
    }
}
