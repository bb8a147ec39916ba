import Circulation
import Desk
import Scripting
import TextFormats

/// One request on its way through a route, on a thread of the desk.
struct RouteCall {
    let route: Route
    let caller: Caller
    let context: ScriptContext
    let services: Services
    /// By what is counted what it tries.
    let origin: AttemptOrigin

    /// The caller's id.
    ///
    /// - Throws: ``Problem`` if the caller is not logged in.
    func holder() throws -> Patron {
        guard let patron = caller.patron else { throw Problem.noToken }
        return patron
    }

    /// - Throws: ``Problem`` for whom the route is not.
    func checkAccess() throws {
        var group: String? = route.group
        // A key does no more than it is for, and never what would make it last: other keys, a password, an address.
        if group == "accounts", caller.token?.kind == .key, route.access != .everyone {
            // With it a program says that it is done.
            if route.path == "/log-out" { return }
            guard route.verb == .get else {
                throw Problem(403, "not_for_keys", "This needs a session and cannot be done with a key.")
            }
            // Lists of sessions and keys belong to no group of routes.
            group = nil
        }
        try caller.check(route.access, group: group, changes: route.verb != .get)
    }

    /// Puts the route's own arguments in, and the caller where the caller has to stand.
    ///
    /// - Throws: ``Problem``: another patron's record counts as missing.
    func complete(_ members: APIMembers) throws -> APIMembers {
        var members = members
        for name in route.hidden where members.others[name] != nil {
            throw Problem.input("There is no parameter '\(name)' here.")
        }
        for parameter in route.pathParameters + route.otherParameters
        where parameter.type.namesPatron && members[parameter.name] == "me" {
            members[parameter.name] = .integer(try holder().id)
        }
        return try CallAccess(route.function, for: caller, in: context).complete(members)
    }

    /// As ``answer(_:)``; a mail tells the old address of a change by staff.
    func answerTelling(_ members: APIMembers) throws -> APIResponse {
        guard route.function.fullName == "patrons.update", let key = members["patron"] else {
            return try answer(members)
        }
        let named: PatronKey? = key.integerValue.map { .id($0) } ?? key.stringValue.map { .username($0) }
        let before = try named.flatMap { key in try context.look { try $0.patrons.get(key) } }
        let answer = try answer(members)
        if case .value = answer, let before,
            let after = try context.look({ try $0.patrons.get(.id(before.id)) })
        {
            try tell(before, after)
        }
        return answer
    }

    /// What the library says of itself.
    func library() throws -> LibrarySettings { try context.look { try $0.settings.library() } }

    /// Mails the patron's former address that it has been replaced.
    func tell(_ before: Patron, _ after: Patron) throws {
        guard let email = before.email, !email.isEmpty, after.email != email else { return }
        services.teller.send(AccountMail(kind: .addressChanged, to: email, patron: before, library: try library()))
    }

    /// - Throws: ``Problem``, what the desk throws.
    func answer(_ members: APIMembers) throws -> APIResponse {
        guard let perform = route.perform else { return try context.call(route.function, members) }
        return try perform(self, try context.checked(route.function, members))
    }
}

extension APIType {
    /// Whether it is a patron, whom a caller may call `me`.
    fileprivate var namesPatron: Bool {
        switch self {
        case .reference(.patron): true
        case .optional(let inner): inner.namesPatron
        default: false
        }
    }
}
