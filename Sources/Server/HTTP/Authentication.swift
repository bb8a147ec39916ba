import Desk
import Scripting

/// Authenticates requests.
struct Authentication {
    private let services: Services

    init(_ services: Services) {
        self.services = services
    }

    /// The patron to whom the token in the header belongs; staff work at the branch that `Moonshelf-Branch` names.
    ///
    /// - Throws: ``Problem`` for an invalid token, and for a branch that there is not.
    func caller(_ request: WebRequest) throws -> Caller {
        var caller = try holder(request)
        if caller.isStaff, let code = request.field("moonshelf-branch") {
            guard let branch = try services.workplace(code, of: caller) else {
                throw Problem.input("'Moonshelf-Branch' names no branch of the library.")
            }
            caller.workplace = branch
        }
        return caller
    }

    private func holder(_ request: WebRequest) throws -> Caller {
        let values = request.fields.filter { $0.name == "authorization" }
        guard let value = values.first?.value else { return .anonymous }
        let parts = value.split(separator: " ", maxSplits: 1)
        guard values.count == 1, parts.count == 2, parts[0].lowercased() == "bearer" else { throw Problem.badToken }
        return try caller(token: String(parts[1]).trimmingSpaces())
    }

    /// - Throws: ``Problem`` for an invalid token.
    func caller(token: String) throws -> Caller {
        guard let caller = try services.caller(token: token) else { throw Problem.badToken }
        return caller
    }
}
