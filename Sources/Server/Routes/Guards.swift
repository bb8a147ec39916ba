import Circulation
import Desk
import Market
import Scripting
import TextFormats

/// Looks at a call before it is carried out, and may change its arguments.
typealias RouteGuard = @Sendable (RouteCall, inout APIMembers) throws -> Void

extension APIRoute.Guardian {
    var look: RouteGuard {
        switch self {
        case .listings: ListingGuard.list
        case .listing: ListingGuard.one
        case .notOneself: PatronGuard.notOneself
        case .noRole: PatronGuard.noRole
        }
    }
}

/// Who may see which listings: offers, everyone; all others, their seller and staff.
enum ListingGuard {
    static let list: RouteGuard = { call, members in
        try nameSeller(call, &members)
        guard !call.caller.isStaff, let state = members["state"]?.stringValue, state != "active" else { return }
        guard let patron = call.caller.patron,
            members["seller"] == .integer(patron.id) || members["seller"] == .string(patron.username)
        else { throw Problem.notAllowed }
    }

    /// Sellers are found by their public names. An e-mail address reveals neither its owner nor that
    /// it is in use.
    private static func nameSeller(_ call: RouteCall, _ members: inout APIMembers) throws {
        guard let name = members["seller"]?.stringValue, name != call.caller.patron?.username else { return }
        if let id = Patron.id(ofNeutralName: name) {
            let seller = try call.context.look { try $0.patrons.get(.id(id)) }
            if let seller, seller.publicName != seller.username { members["seller"] = .integer(id) }
        } else if Username.isAddress(name), !call.caller.seesPatrons {
            // No patron's number, whereas any text may be a username in a store that is old enough.
            members["seller"] = .integer(.max)
        }
    }

    static let one: RouteGuard = { call, members in
        guard !call.caller.isStaff, let id = members["listing"]?.integerValue else { return }
        let listing = try call.context.look { try $0.market.get(id) }
        guard let listing, listing.state == .active || listing.seller == call.caller.patron?.id, listing.id == id else {
            throw Problem.notFound
        }
    }
}

/// Who may give roles, and who may end an account.
enum PatronGuard {
    /// One's own account is not removed in passing: that wants the password, and a session.
    static let notOneself: RouteGuard = { call, members in
        for name in ["patron", "from"] {
            guard let value = members[name], let holder = call.caller.patron else { continue }
            let key: PatronKey? = value.integerValue.map { .id($0) } ?? value.stringValue.map { .username($0) }
            let named = try key.flatMap { key in try call.context.look { try $0.patrons.get(key)?.id } }
            guard named != holder.id else {
                throw Problem(
                    403, "password_needed", "Your own account is ended by 'POST /patrons/me/leave' and your password.")
            }
        }
    }

    static let noRole: RouteGuard = { call, members in
        if members.others["role"] != nil && !call.caller.isAdmin { throw Problem.notAllowed }
    }
}
