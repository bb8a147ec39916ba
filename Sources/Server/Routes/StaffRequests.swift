import Circulation
import Desk
import Scripting
import Secrets
import TextFormats

/// What the routes of colleagues' accounts do.
struct StaffRequests {
    private let call: RouteCall

    init(_ call: RouteCall) {
        self.call = call
    }

    func list() throws -> APIResponse {
        let accounts = try call.context.look { try $0.accounts.ofStaff() }
        return .value(
            .array(
                accounts.map { patron, standing in
                    var object: JSONObject = [
                        "id": .integer(patron.id), "username": .string(patron.username),
                        "name": .string(patron.fullName), "role": .string(patron.role.rawValue),
                        "has_password": .bool(standing.hasPassword),
                    ]
                    object["last_log_in_at"] = standing.lastLogInAt.map { .string($0.description) }
                    object["closed_at"] = standing.closedAt.map { .string($0.description) }
                    return .object(object)
                }))
    }

    func close(_ arguments: APIArguments) throws -> APIResponse {
        let patron = try patron(arguments)
        guard patron.id != call.caller.patron?.id else {
            return .refused([
                "code": "own_account", "message": "You cannot close your own account; another administrator can.",
            ])
        }
        return try change { try $0.accounts.close(.id(patron.id)) }
    }

    func open(_ arguments: APIArguments) throws -> APIResponse {
        let patron = try patron(arguments)
        return try change { try $0.accounts.open(.id(patron.id)) }
    }

    func link(_ arguments: APIArguments) throws -> APIResponse {
        let patron = try patron(arguments)
        let made = try call.services.accounts.acting(as: call.caller.actor).passwordLink(for: .id(patron.id))
        switch made {
        case .refused(let refusal): return Self.refused(refusal)
        case .done(let entry):
            return .value([
                "link": .string("\(call.services.settings.url)/reset?token=\(entry.token.text)"),
                "expires_at": .string(entry.expiresAt.description),
            ])
        }
    }

    private func change(_ body: (DeskSession) throws -> Outcome<Patron>) throws -> APIResponse {
        switch try call.context.inOneTransaction({ try call.context.look(body) }) {
        case .refused(let refusal): return Self.refused(refusal)
        case .done(let patron):
            guard let function = LuaAPI.function("patrons.get") else { throw Problem.fault }
            return try call.context.call(function, APIMembers(path: ["patron": .integer(patron.id)]))
        }
    }

    private static func refused(_ refusal: Refusal) -> APIResponse {
        .refused(["code": .string(refusal.code), "message": .string(refusal.message)])
    }

    private func patron(_ arguments: APIArguments) throws -> Patron {
        let key: PatronKey =
            switch try arguments.need("patron") as RecordKey {
            case .id(let id): .id(id)
            case .text(let username): .username(username)
            }
        guard let patron = try call.context.look({ try $0.patrons.get(key) }) else { throw Problem.notFound }
        return patron
    }
}
