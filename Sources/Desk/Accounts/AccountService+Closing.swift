package import Circulation
import Storage

// Accounts that are closed: of colleagues who left, or whose password others may know.
extension AccountService {
    /// The most accounts of staff that are listed.
    package static let mostOfStaff: Int64 = 500

    /// Staff and administrators with how their accounts stand, by their numbers.
    package func ofStaff() throws -> [(patron: Patron, standing: AccountStanding)] {
        let patrons = try session.transaction.patrons.staff(limit: Self.mostOfStaff)
        let standings = try credentials.standings(of: patrons.map(\.id))
        return patrons.map { ($0, standings[$0.id] ?? AccountStanding()) }
    }

    /// How an account stands.
    package func standing(of patron: Int64) throws -> AccountStanding {
        try credentials.standings(of: [patron])[patron] ?? AccountStanding()
    }

    /// Nobody logs in to it any more: sessions, keys and links end, and no link to a new password is made. The password is kept.
    ///
    /// Refused with `unknown_patron`, `account_closed` where it is closed already.
    package func close(_ key: PatronKey) throws -> Outcome<Patron> {
        let trail = RequestTrail("accounts.close")
        return try session.request(trail) {
            let patron = try session.patrons.known(key, trail)
            guard try standing(of: patron.id).closedAt == nil else { throw Self.isClosed }
            try credentials.close(patron.id, at: session.now)
            try write(.closed, of: patron.id)
            return patron
        }
    }

    /// Its holder logs in again, with the password that was there.
    ///
    /// Refused with `unknown_patron`, `account_open`.
    package func open(_ key: PatronKey) throws -> Outcome<Patron> {
        let trail = RequestTrail("accounts.open")
        return try session.request(trail) {
            let patron = try session.patrons.known(key, trail)
            guard try standing(of: patron.id).closedAt != nil else {
                throw Refused("account_open", "This account is already open.")
            }
            try credentials.open(patron.id)
            try write(.opened, of: patron.id)
            return patron
        }
    }

    static let isClosed = Refused("account_closed", "This account is closed.")
}
