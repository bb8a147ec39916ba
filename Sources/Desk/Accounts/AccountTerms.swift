import Circulation
import Secrets

/// What a library asks of passwords, and how long tokens are good.
package struct AccountTerms: Hashable, Sendable {
    /// The least number of characters of a password.
    package var shortestPassword: Int
    package var hoursOfSession: Int64
    package var minutesOfReset: Int64

    /// Twelve characters, and no rules about kinds of characters, which NIST SP 800-63B (section 5.1.1.2) advises against. A
    /// library may say fewer, but not fewer than ``leastShortestPassword``.
    package init(shortestPassword: Int = 12, hoursOfSession: Int64 = 12, minutesOfReset: Int64 = 30) {
        self.shortestPassword = shortestPassword
        self.hoursOfSession = hoursOfSession
        self.minutesOfReset = minutesOfReset
    }

    /// What NIST SP 800-63B wants at least.
    package static let leastShortestPassword = 8

    /// Why a password will not do; nil where it will.
    func refusal(of password: String, username: String) -> Refusal? {
        let words: String
        if password.count < shortestPassword {
            words = "A password must have at least \(shortestPassword) characters."
        } else if password.utf8.count > PasswordHash.longestPassword {
            words = "A password can be at most \(PasswordHash.longestPassword) bytes long."
        } else if !username.isEmpty && password.lowercased() == username.lowercased() {
            words = "The password must not be the same as the username."
        } else if Self.isCommon(password, username: username) {
            words = "Many people use this password, or one like it, so it is easy to guess. Please choose another one."
        } else {
            return nil
        }
        return Refusal(code: "weak_password", message: words)
    }

    /// Whether a password is among the first guesses, also where letters of another alphabet stand for those that look alike.
    private static func isCommon(_ password: String, username: String) -> Bool {
        let others = [username, Username.folded(username), "moonshelf"]
        return [password, Username.folded(password)].contains { CommonPasswords.contain($0, others: others) }
    }
}
