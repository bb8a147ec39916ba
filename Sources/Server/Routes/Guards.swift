import Circulation
import Desk
import Scripting
import TextFormats

/// Who may see which listings: what is offered, everybody; the rest, its seller and staff.
enum ListingGuard {
    static let list: Route.Guardian = { call, members in
        guard !call.caller.isStaff, let state = members["state"]?.stringValue, state != "active" else { return }
        guard let patron = call.caller.patron,
            members["seller"] == .integer(patron.id) || members["seller"] == .string(patron.username)
        else { throw Problem.notAllowed }
    }

    static let one: Route.Guardian = { call, members in
        guard !call.caller.isStaff, let id = members["listing"]?.integerValue else { return }
        let listing = try call.context.look { try $0.market.get(id) }
        guard let listing, listing.state == .active || listing.seller == call.caller.patron?.id, listing.id == id else {
            throw Problem.notFound
        }
    }
}

/// Who may give roles.
enum PatronGuard {
    static let noRole: Route.Guardian = { call, members in
        if members.others["role"] != nil && !call.caller.isAdmin { throw Problem.notAllowed }
    }
}
