package import Circulation
import Storage

extension AccountService {
    /// Whether a patron was mailed a link for a new password since a moment that is still valid.
    func hasReset(of patron: Int64, since moment: Instant) throws -> Bool {
        try session.transaction.credentials.tokens(of: patron, .reset).contains {
            $0.isGood(at: session.now) && $0.createdAt > moment
        }
    }

    /// Keeps a new address until it is confirmed.
    func keep(_ change: EmailChange) throws {
        try session.transaction.credentials.insert(change)
        try write(.emailAsked, of: change.patron)
    }

    /// The new address that waits to be confirmed; nil: none does, or it waited for too long.
    package func emailChange(of patron: Int64) throws -> EmailChange? {
        try session.transaction.credentials.emailChange(of: patron).flatMap { session.now < $0.expiresAt ? $0 : nil }
    }

    /// Puts a new address in force by the token that was mailed there.
    ///
    /// - Returns: the patron as they were and as they are; nil where the token is good no more.
    func confirmEmail(_ digest: String) throws -> (before: Patron, after: Patron)? {
        guard let change = try session.transaction.credentials.emailChange(digest), session.now < change.expiresAt,
            let before = try session.transaction.patrons.get(change.patron)
        else { return nil }
        return (before, try setEmail(change.email, of: before))
    }

    /// Puts an address, or none, in force.
    func setEmail(_ email: String?, of before: Patron) throws -> Patron {
        var patron = before
        patron.email = email
        if patron != before {
            try session.record(
                .patronUpdated, PatronChange(patron, fields: patron.changedPersonalFields(since: before)))
        }
        try endLinks(of: patron.id)
        try write(.emailConfirmed, of: patron.id)
        return patron
    }
}
