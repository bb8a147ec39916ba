package import Circulation
package import Desk
package import Secrets

// As somebody at the machine itself does it, whose tries nobody counts.
extension AccountManager {
    package func signUp(_ patron: Patron, password: String) throws -> Outcome<Patron> {
        try signUp(patron, password: password, from: .console)
    }

    package func verify(_ username: String, password: String) throws -> Patron? {
        try verify(username, password: password, from: .console)
    }

    package func logIn(_ username: String, password: String) throws -> Entry? {
        try logIn(username, password: password, from: .console)
    }

    package func forgot(_ username: String) throws -> Entry? { try forgot(username, from: .console) }

    package func reset(_ shown: String, password: String) throws -> Outcome<Patron> {
        try reset(shown, password: password, from: .console)
    }

    package func issueKey(to key: PatronKey, label: String) throws -> Outcome<SecretToken> {
        switch try issueKey(to: key, KeyRequest(label: label)) {
        case .done(let made): .done(made.secret)
        case .refused(let refusal): .refused(refusal)
        }
    }
}
