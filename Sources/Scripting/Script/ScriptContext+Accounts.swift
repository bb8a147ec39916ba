import Circulation
import Desk

extension ScriptContext {
    private func accountDesk() throws -> AccountManager {
        if let accounts { return accounts }
        let made = try AccountManager(desk, terms: desk.outside.terms(), cost: desk.outside.passwordCost)
        accounts = made
        return made
    }

    /// The way in for people who sign up and log in.
    func entranceInUse() throws -> AccountEntrance {
        try entrance ?? AccountEntrance(accountDesk(), from: .script, allowsSignUp: true, category: nil)
    }

    /// Sets a password, in the script's transaction if there is one.
    func setPassword(_ password: String, of key: PatronKey) throws -> Outcome<Patron> {
        let accounts = try accountDesk()
        guard let session else { return try accounts.setPassword(password, of: key) }
        return try session.savepoint { try accounts.setPassword(password, of: key, in: session) }
    }

    /// Whether a password is a patron's. Repeated guesses are refused for a while.
    func verify(_ password: String, of key: PatronKey) throws -> Outcome<Patron> {
        let name =
            switch key {
            case .username(let username): username
            // No patron has the empty username: it takes as long and gives the same answer.
            case .id: try read { try $0.patrons.get(key)?.username } ?? ""
            }
        let accounts = try accountDesk()
        let found: Patron?
        do {
            found =
                if let session {
                    try accounts.verify(name, password: password, from: .script, in: session)
                } else {
                    try accounts.verify(name, password: password, from: .script)
                }
        } catch let error as AttemptBudget.Exhausted {
            return .refused(Refusal(code: "too_many_tries", message: error.description))
        }
        guard let found else {
            return .refused(Refusal(code: "wrong_log_in", message: "The username or password is incorrect."))
        }
        return .done(found)
    }
}
