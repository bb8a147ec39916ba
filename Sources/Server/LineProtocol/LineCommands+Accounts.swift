import Circulation
import Desk
import Secrets

extension LineCommands {
    /// What became of a sign-up.
    enum SignUp {
        case done
        /// Not done; the words say why.
        case refused(String)
    }

    /// Makes an account. Hashing takes as long as its cost says.
    ///
    /// BitBooks takes whatever it gets, words that are missing for empty ones. Here neither a user without a name nor
    /// one without a sound password is made, and a fifth word, the rest of a name of two words, is not dropped in
    /// silence.
    func signUp(_ arguments: [String], from origin: AttemptOrigin) throws -> SignUp {
        guard settings.takesSignUps else { return .refused(LineWords.noSignUp) }
        guard arguments.count == 4 else { return .refused(LineWords.fourFields) }
        let (category, branch) = try desk.read { session in
            (
                try settings.category ?? session.settings.categories().first?.code ?? "",
                try settings.homeBranch ?? session.settings.branches().first?.code ?? ""
            )
        }
        let patron = Patron(
            username: arguments[2], name: arguments[0], surname: arguments[1], category: category, homeBranch: branch)
        do {
            switch try accounts.signUp(patron, password: arguments[3], from: origin) {
            case .done: return .done
            case .refused(let refusal) where refusal.code == "exists": return .refused(LineWords.taken)
            case .refused(let refusal): return .refused(Self.line(refusal.message))
            }
        } catch let error as DeskError where error.code == .input {
            return .refused(Self.line(error.message))
        }
    }

    /// Logs a user in; nil for an unknown username and for a wrong password alike.
    func logIn(_ username: String, password: String, from origin: AttemptOrigin) throws -> Visitor? {
        guard let entry = try accounts.logIn(username, password: password, from: origin),
            let holder = try accounts.holder(of: entry.token.text)
        else { return nil }
        return Visitor(patron: entry.patron.id, token: holder.token.id, digest: entry.token.digest)
    }

    /// Ends what a log-in began.
    func logOut(_ visitor: Visitor) throws {
        _ = try desk(of: visitor.patron).write { try $0.accounts.revoke(visitor.token, of: visitor.patron) }
    }
}
