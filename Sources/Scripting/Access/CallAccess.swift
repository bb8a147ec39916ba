package import Circulation
import Desk
import Market
import TextFormats

/// Whether a caller may call a function of the API, and with which arguments: what its route declares, for requests to the
/// route itself and for what scripts do in a caller's name.
package struct CallAccess {
    package let function: APIFunction
    package let caller: Caller
    let script: ScriptContext

    package init(_ function: APIFunction, for caller: Caller, in script: ScriptContext) {
        self.function = function
        self.caller = caller
        self.script = script
    }

    private var route: APIRoute? { function.route }

    /// The caller.
    ///
    /// - Throws: ``Problem`` if the caller is not logged in.
    package func holder() throws(Problem) -> Patron {
        guard let patron = caller.patron else { throw Problem.noToken }
        return patron
    }

    /// - Throws: ``Problem`` for whom the function is not.
    package func check() throws(Problem) {
        try caller.check(function.access, group: function.group, changes: function.isForChanges)
    }

    /// Puts the caller where the caller has to stand.
    ///
    /// - Throws: ``Problem``: another patron's record counts as missing.
    package func complete(_ given: APIMembers) throws -> APIMembers {
        guard let route else { return given }
        var members = given
        if !caller.isStaff {
            for name in route.staffOnly where members[name] != nil { throw Problem.notAllowed }
        }
        try own(&members, route)
        if let name = route.owned, !caller.isStaff, let id = members[name]?.integerValue {
            try checkOwner(of: id, name)
        }
        switch route.guardian {
        case nil: break
        case .listings: try ownListings(&members)
        case .listing: try shownListing(members)
        case .titleList: try shownList(members)
        case .notOneself: try notOneself(members)
        case .noRole: if members["role"] != nil && !caller.isAdmin { throw Problem.notAllowed }
        }
        return members
    }

    private func own(_ members: inout APIMembers, _ route: APIRoute) throws {
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
        let owners: [Int64?] = try script.look { session in
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
}

// MARK: - Guardians

extension CallAccess {
    /// Listings that are not offered are listed for their sellers and for staff.
    private func ownListings(_ members: inout APIMembers) throws {
        try nameSeller(&members)
        guard !caller.isStaff, let state = members["state"]?.stringValue, state != "active" else { return }
        guard let patron = caller.patron,
            members["seller"] == .integer(patron.id) || members["seller"] == .string(patron.username)
        else { throw Problem.notAllowed }
    }

    /// Sellers are found by their public names. An e-mail address, and a username behind another name, reveal neither their
    /// owner nor that they are in use.
    private func nameSeller(_ members: inout APIMembers) throws {
        guard let name = members["seller"]?.stringValue, name != caller.patron?.username else { return }
        if let seller = try script.look({ try $0.patrons.member(named: name) }) {
            members["seller"] = .integer(seller.id)
        } else if !caller.seesPatrons {
            // No patron's number, whereas any text may be a username.
            members["seller"] = .integer(.max)
        }
    }

    /// A listing that is not offered exists for its seller and for staff.
    private func shownListing(_ members: APIMembers) throws {
        guard !caller.isStaff, let id = members["listing"]?.integerValue else { return }
        let listing = try script.look { try $0.market.get(id) }
        guard let listing, listing.state == .active || listing.seller == caller.patron?.id, listing.id == id else {
            throw Problem.notFound
        }
    }

    /// A private list exists for its owner alone, and for staff only if they took it down; one that is shared by a link for who has
    /// its key as well.
    private func shownList(_ members: APIMembers) throws {
        guard let id = members["list"]?.integerValue else { return }
        let list = try script.look { try $0.lists.get(id) }
        let isKnown = list?.linkKey != nil && list?.linkKey == members["key"]?.stringValue
        let isJudged = caller.isStaff && list?.takenDownAt != nil
        guard let list, list.isPublic || isKnown || isJudged || list.patron == caller.patron?.id else {
            throw Problem.notFound
        }
    }

    /// One's own account is not removed in passing: that wants the password, and a session.
    private func notOneself(_ members: APIMembers) throws {
        for name in ["patron", "from"] {
            guard let value = members[name], let holder = caller.patron else { continue }
            let key: PatronKey? = value.integerValue.map { .id($0) } ?? value.stringValue.map { .username($0) }
            let named = try key.flatMap { key in try script.look { try $0.patrons.get(key)?.id } }
            guard named != holder.id else {
                throw Problem(
                    403, "password_needed",
                    "To delete your own account, use 'POST /patrons/me/leave' with your password.")
            }
        }
    }
}

extension Caller {
    /// - Parameters:
    ///   - group: the group of routes that something is one of.
    ///   - changes: whether it changes something.
    /// - Throws: ``Problem`` for whom it is not.
    package func check(_ access: APIRoute.Access, group: String?, changes: Bool) throws(Problem) {
        if access == .everyone { return }
        guard patron != nil else { throw Problem.noToken }
        try check(group, changes: changes)
        guard access != .staff || isStaff, access != .admin || isAdmin else { throw Problem.notAllowed }
    }
}
