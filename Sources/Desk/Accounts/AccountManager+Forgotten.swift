package import Circulation
import Secrets
import Storage

// Forgotten passwords.
extension AccountManager {
    /// How long it takes until another link is mailed to the same patron.
    package static let minutesBetweenLinks: Int64 = 10

    /// A token for setting a new password. One that was mailed a moment ago stays valid, so that no one
    /// can keep another from using it, or fill their mailbox.
    ///
    /// - Returns: nil where no mail is to be sent, for whatever reason. The answer to the caller is the same in every
    ///   case.
    package func forgot(_ username: String, from origin: AttemptOrigin) throws -> Entry? {
        try budget.take(from: origin)
        let token = SecretToken(kind: "msr")
        return try desk.write { session in
            guard let patron = try session.patrons.get(.username(username)), let email = patron.email,
                !email.isEmpty
            else { return nil }
            let since = try session.now.adding(minutes: -Self.minutesBetweenLinks)
            guard try !session.accounts.hasReset(of: patron.id, since: since),
                try budget.mayMail(email, in: session)
            else { return nil }
            let ends = try session.now.adding(minutes: terms.minutesOfReset)
            let issued = try session.accounts.issue(.reset, to: .id(patron.id), digest: token.digest, expiresAt: ends)
            guard case .done = issued else { return nil }
            return Entry(patron: patron, token: token, expiresAt: ends)
        }
    }

    /// How long a first link may be good, in days.
    package static let mostDaysOfInvitation: Int64 = 90

    /// A token for setting a first password: for accounts that came in without one, and may have no address to mail to.
    /// One that was made before is good no more.
    ///
    /// Refused with `unknown_patron`, `has_password`, `account_closed`.
    package func invite(_ key: PatronKey, days: Int64) throws -> Outcome<Entry> {
        let token = SecretToken(kind: "msr")
        return try desk.write { session in
            guard let patron = try session.patrons.get(key) else {
                return .refused(Refusal(code: Refusal.Code.unknownPatron, message: "There is no such patron."))
            }
            guard try !session.accounts.standing(of: patron.id).hasPassword else {
                return .refused(
                    Refusal(code: "has_password", message: "\(patron.username) already has a password."))
            }
            let ends = try session.now.adding(hours: 24 * days)
            let issued = try session.accounts.issue(.reset, to: .id(patron.id), digest: token.digest, expiresAt: ends)
            if let refusal = issued.refusal { return .refused(refusal) }
            return .done(Entry(patron: patron, token: token, expiresAt: ends))
        }
    }

    /// For how many hours a link is good that an administrator makes.
    package static let hoursOfHandedLink: Int64 = 24

    /// A token for a new password, to be handed over by who may set passwords anyway, so that only its holder knows it. One that was
    /// made before is good no more.
    ///
    /// Refused with `unknown_patron`, `account_closed`.
    package func passwordLink(for key: PatronKey) throws -> Outcome<Entry> {
        let token = SecretToken(kind: "msr")
        return try desk.write { session in
            let ends = try session.now.adding(hours: Self.hoursOfHandedLink)
            let issued = try session.accounts.issue(.reset, to: key, digest: token.digest, expiresAt: ends)
            if let refusal = issued.refusal { return .refused(refusal) }
            guard let patron = try session.patrons.get(key) else { return .refused(PatronService.unknown.refusal) }
            return .done(Entry(patron: patron, token: token, expiresAt: ends))
        }
    }

    /// Patrons, by their ids, who have never had a password, staff and administrators left out.
    package func withoutPassword() throws -> [Int64] {
        try desk.read { session in
            var found: [Int64] = []
            try session.patrons.each { patron in
                guard patron.role == .patron else { return true }
                let standing = try session.accounts.standing(of: patron.id)
                if !standing.hasPassword, standing.closedAt == nil { found.append(patron.id) }
                return true
            }
            return found
        }
    }

    /// Sets a new password by such a token; keys and sessions end. The address from which the link was used is known
    /// from then on.
    ///
    /// Refused with `weak_password`, which leaves the token good, and `invalid_token`.
    package func reset(_ shown: String, password: String, from origin: AttemptOrigin) throws -> Outcome<Patron> {
        try budget.take(from: origin)
        guard let token = SecretToken(shown: shown),
            let holder = try desk.read({ try $0.accounts.holder(of: token.digest, [.reset]) })
        else { return .refused(Self.invalidToken) }
        if let refusal = terms.refusal(of: password, username: holder.patron.username) { return .refused(refusal) }
        let hash = try PasswordHash(of: password, cost: cost)
        let patron = try desk.write { session in
            let patron = try session.accounts.redeem(token.digest, setting: hash.encoded)
            if let patron { try session.accounts.note(origin, of: patron.id) }
            return patron
        }
        return patron.map { .done($0) } ?? .refused(Self.invalidToken)
    }

    static let invalidToken = Refusal(
        code: "invalid_token", message: "This link is no longer valid. Please request a new one.")
}
