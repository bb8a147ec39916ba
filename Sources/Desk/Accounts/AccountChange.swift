import Circulation

/// A change of an account's credentials, without their values.
package struct AccountChange: EventContent {
    package enum Change: String, FieldChoice {
        case passwordSet = "password_set"
        case keyIssued = "key_issued"
        case keyRevoked = "key_revoked"
        case loggedIn = "logged_in"
        case loggedOut = "logged_out"
        case logInFailed = "log_in_failed"
        /// A link to a new password was mailed.
        case resetSent = "reset_sent"
        /// A link by which a new address is confirmed was mailed.
        case emailAsked = "email_asked"
        case emailConfirmed = "email_confirmed"
        /// Nobody gets in until it is opened.
        case closed
        case opened

        /// Whether it changes credentials, rather than recording a log-in, an attempt or a request.
        var isOfAccess: Bool {
            switch self {
            case .passwordSet, .keyIssued, .keyRevoked, .emailConfirmed, .closed, .opened: true
            case .loggedIn, .loggedOut, .logInFailed, .resetSent, .emailAsked: false
            }
        }
    }

    /// nil: a failed log-in with an unknown username. The typed text is not kept, as it may be a password.
    package var patron: Int64?
    package var change: Change

    package static let blank = AccountChange(patron: nil, change: .passwordSet)
    package static let eventMembers: [EventMember<Self>] = [
        EventMember(.patron, \.patron), EventMember("change", \.change),
    ]

    package var subjects: EventSubjects { EventSubjects(patron: patron) }
}
