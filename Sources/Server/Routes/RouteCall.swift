import Circulation
import Desk
import Market
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
        try checkScope()
        switch route.access {
        case .everyone: return
        case .holder: _ = try holder()
        case .staff:
            _ = try holder()
            guard caller.isStaff else { throw Problem.notAllowed }
        case .admin:
            _ = try holder()
            guard caller.isAdmin else { throw Problem.notAllowed }
        }
    }

    /// A key does no more than it is for, and never what would make it last: other keys, a password, an address.
    private func checkScope() throws {
        guard let token = caller.token, token.kind == .key, route.access != .everyone else { return }
        if route.group == "accounts" {
            // With it a program says that it is done.
            if route.path == "/log-out" { return }
            guard route.verb == .get else {
                throw Problem(403, "not_for_keys", "This wants a session: no key lets do it.")
            }
            // Lists of sessions and keys belong to no group of routes.
            return try caller.check(nil, changes: false)
        }
        try caller.check(route.group, changes: route.verb != .get)
    }

    /// Puts the route's own arguments in, and the caller where the caller has to stand.
    ///
    /// - Throws: ``Problem``: another patron's record counts as missing.
    func complete(_ members: APIMembers) throws -> APIMembers {
        var members = members
        for name in route.hidden where members.others[name] != nil {
            throw Problem.input("There is no '\(name)' here.")
        }
        for parameter in route.pathParameters + route.otherParameters
        where parameter.type.namesPatron && members[parameter.name] == "me" {
            members[parameter.name] = .integer(try holder().id)
        }
        if !caller.isStaff {
            for name in route.staffOnly where members[name] != nil { throw Problem.notAllowed }
        }
        try own(&members)
        if let name = route.owned, !caller.isStaff, let id = members[name]?.integerValue {
            try checkOwner(of: id, name)
        }
        try route.guardian?.look(self, &members)
        return members
    }

    private func own(_ members: inout APIMembers) throws {
        for name in route.own where members[name] == "me" { members[name] = .integer(try holder().id) }
        guard !caller.isStaff, let first = route.own.first else { return }
        let holder = try holder()
        let given = route.own.filter { members[$0] != nil }
        for name in given where members[name] != .integer(holder.id) && members[name] != .string(holder.username) {
            throw Problem.notFound
        }
        for name in given.isEmpty ? [first] : given { members[name] = .integer(holder.id) }
    }

    private func checkOwner(of id: Int64, _ name: String) throws {
        let holder = try holder().id
        let owners: [Int64?] = try context.look { session in
            switch name {
            case "loan": [try session.loans.get(.id(id))?.patron]
            case "hold": [try session.holds.get(id)?.hold.patron]
            case "notice": [try session.notices.get(id)?.patron]
            case "listing": [try session.market.get(id)?.seller]
            case "order": try session.market.order(id).map { [$0.buyer] + $0.items.map(\.seller) } ?? []
            case "rental": try session.market.rental(id).map { [$0.borrower, $0.lender] } ?? []
            default: []
            }
        }
        guard owners.contains(holder) else { throw Problem.notFound }
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
            AccountRequests.tell(before, after, services)
        }
        return answer
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
