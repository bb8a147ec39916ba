package import Circulation
import Secrets
import Storage

// Addresses for mail.
extension AccountManager {
    /// How long a link to a new address is good.
    package static let hoursToConfirm: Int64 = 24

    /// What came of the wish for another address.
    package enum EmailWish: Sendable {
        /// The token has to be shown that is mailed to the new address.
        case asked(Entry, email: String)
        /// It counts at once, since there is nothing to confirm.
        case changed(before: Patron, after: Patron)
    }

    /// Asks for another address, or for none, for a caller who knows the password.
    ///
    /// Refused with `wrong_log_in`, `unknown_patron`, `invalid_email`, and `too_many_mails` where the address has got too many.
    package func askEmail(
        _ email: String?, of patron: Patron, password: String, from origin: AttemptOrigin
    ) throws -> Outcome<EmailWish> {
        guard try verify(patron.username, password: password, from: origin)?.id == patron.id else {
            return .refused(Refusal(code: "wrong_log_in", message: "The password is wrong."))
        }
        let token = SecretToken(kind: "mse")
        return try desk.write { session in
            guard let before = try session.patrons.get(.id(patron.id)) else {
                return .refused(PatronService.unknown.refusal)
            }
            if email != before.email, let refusal = PatronService.refusal(ofEmail: email) { return .refused(refusal) }
            guard let email, !email.isEmpty, email != before.email else {
                guard email != before.email else { return .done(.changed(before: before, after: before)) }
                return .done(.changed(before: before, after: try session.accounts.setEmail(nil, of: before)))
            }
            guard try budget.mayMail(email, in: session) else {
                return .refused(
                    Refusal(
                        code: "too_many_mails",
                        message: "Too many e-mails have been sent to this address. Please try again later."))
            }
            let ends = try session.now.adding(hours: Self.hoursToConfirm)
            try session.accounts.keep(
                EmailChange(
                    patron: before.id, digest: token.digest, email: email, createdAt: session.now, expiresAt: ends))
            return .done(.asked(Entry(patron: before, token: token, expiresAt: ends), email: email))
        }
    }

    /// Puts a new address in force by the token that was mailed there, once.
    ///
    /// Refused with `invalid_token`.
    package func confirmEmail(
        _ shown: String, from origin: AttemptOrigin
    ) throws -> Outcome<(before: Patron, after: Patron)> {
        try budget.take(from: origin)
        guard let token = SecretToken(shown: shown),
            let changed = try desk.write({ try $0.accounts.confirmEmail(token.digest) })
        else { return .refused(Self.invalidToken) }
        return .done(changed)
    }
}
