import Desk
import Scripting

/// Authenticates requests.
struct Authentication {
    private let services: Services

    init(_ services: Services) {
        self.services = services
    }

    /// The patron to whom the token in the header belongs.
    ///
    /// - Throws: ``Problem`` for an invalid token.
    func caller(_ request: WebRequest) throws -> Caller {
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
