import Circulation
import Desk
import Scripting
import Secrets
import Synchronization

/// Who showed which token lately, so that the next request with it finds its lane before anything is read.
///
/// It lets no one in: whoever asks is looked up again for each request.
final class KnownCallers: Sendable {
    /// Of how many tokens it is kept; then all are learnt anew.
    private static let most = 10_000

    /// By hashes of tokens that hold for this process alone: the tokens are not kept.
    private let roles = Mutex<[Int: Patron.Role]>([:])

    /// - Parameter role: nil: the token is none, or is none any more.
    func note(_ token: String, _ role: Patron.Role?) {
        roles.withLock { roles in
            if role != nil, roles.count >= Self.most { roles = [:] }
            roles[token.hashValue] = role
        }
    }

    /// The role in which the token of a request acted when it was last shown; nil where there is none.
    func role(of request: WebRequest, _ settings: ServerSettings) -> Patron.Role? {
        let header = request.field("authorization")?.split(separator: " ").last.map(String.init)
        guard let token = header ?? PageCookie.shown(.session, in: request, settings)?.text else { return nil }
        return roles.withLock { $0[token.hashValue] }
    }
}

extension Services {
    /// Who has a token; nil: no one.
    ///
    /// - Throws: what the store throws.
    func caller(token: String) throws -> Caller? {
        let caller = try accounts.holder(of: token).map { Caller(patron: $0.patron, token: $0.token) }
        callers.note(token, caller?.patron?.role)
        return caller
    }

    /// A branch where a member of staff may work: any that there is.
    ///
    /// - Parameter code: as a browser or a program sent it.
    func workplace(_ code: String, of caller: Caller) throws -> String? {
        guard caller.isStaff, let patron = caller.patron else { return nil }
        if code == patron.homeBranch { return code }
        return try desk.read { try $0.settings.branch(code)?.code }
    }
}
