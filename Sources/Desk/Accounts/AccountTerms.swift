import Circulation
import Secrets

/// What a library asks of passwords, and how long tokens are good.
package struct AccountTerms: Hashable, Sendable {
    /// The least number of characters of a password.
    package var shortestPassword: Int
    package var hoursOfSession: Int64
    package var minutesOfReset: Int64

    /// Eight characters, as NIST SP 800-63B (section 5.1.1.2) wants at least, and no rules about kinds of characters, which it
    /// advises against.
    package init(shortestPassword: Int = 8, hoursOfSession: Int64 = 12, minutesOfReset: Int64 = 30) {
        self.shortestPassword = shortestPassword
        self.hoursOfSession = hoursOfSession
        self.minutesOfReset = minutesOfReset
    }

    /// Why a password will not do; nil where it will.
    func refusal(of password: String, username: String) -> Refusal? {
        let words: String
        if password.count < shortestPassword {
            words = "A password has at least \(shortestPassword) characters."
        } else if password.utf8.count > PasswordHash.longestPassword {
            words = "A password has at most \(PasswordHash.longestPassword) bytes."
        } else if !username.isEmpty && password.lowercased() == username.lowercased() {
            words = "A password is not the username."
        } else {
            return nil
        }
        return Refusal(code: "weak_password", message: words)
    }
}
