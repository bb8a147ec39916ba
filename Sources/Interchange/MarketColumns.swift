import Circulation
import Desk
import TextFormats

/// Listings, orders, rentals, carts and suggestions as exports write them: titles, patrons and each other by the keys that
/// another store knows.
struct MarketColumns {
    let session: DeskSession

    func json(_ listing: Listing) throws -> JSONObject {
        var object: JSONObject = ["id": .integer(listing.id), "key": .string(listing.exportKey)]
        object["seller"] = try username(listing.seller)
        try name(listing.title, in: &object)
        object["kind"] = .string(listing.kind.rawValue)
        object["price"] = listing.price.map { .string($0.description) }
        object["period"] = listing.period.map { .string($0.isoText) }
        object["quantity"] = .integer(listing.quantity)
        if !listing.condition.isEmpty { object["condition"] = .string(listing.condition) }
        if !listing.edition.isEmpty { object["edition"] = .string(listing.edition) }
        object["picture"] = listing.picture.map { .string($0) }
        if !listing.note.isEmpty { object["note"] = .string(listing.note) }
        object["state"] = .string(listing.state.rawValue)
        object["created_at"] = .string(listing.createdAt.description)
        object["updated_at"] = .string(listing.updatedAt.description)
        object["decision"] = listing.decision.map { .string($0) }
        object["proposal"] = listing.proposal.map { .object($0.json) }
        object["policy"] = listing.policy.map { .string($0) }
        return object
    }

    func json(_ order: Order) throws -> JSONObject {
        var object: JSONObject = ["id": .integer(order.id), "key": .string(order.exportKey)]
        object["username"] = try username(order.buyer)
        object["category"] = order.category.map { .string($0) }
        object["state"] = .string(order.state.rawValue)
        object["items"] = .array(try order.items.map { .object(try json($0)) })
        object["lines"] = .array(order.lines.map(\.json))
        object["total"] = .string(order.total.description)
        object["placed_at"] = .string(order.placedAt.description)
        object["closed_at"] = order.closedAt.map { .string($0.description) }
        object["channel"] = order.channel.map { .string($0.rawValue) }
        object["policy"] = order.policy.map { .string($0) }
        return object
    }

    private func json(_ item: Order.Item) throws -> JSONObject {
        var object: JSONObject = [:]
        object["listing"] = try listing(item.listing)
        try name(item.title, in: &object)
        object["seller"] = try username(item.seller)
        object["kind"] = .string(item.kind.rawValue)
        object["label"] = .string(item.label)
        object["quantity"] = .integer(item.quantity)
        object["price"] = .string(item.price.description)
        object["periods"] = .integer(item.periods)
        object["ends"] = item.ends.map { .string($0.description) }
        return object
    }

    func json(_ rental: Rental) throws -> JSONObject {
        var object: JSONObject = ["id": .integer(rental.id), "key": .string(rental.exportKey)]
        object["listing"] = try listing(rental.listing)
        try name(rental.title, in: &object)
        object["lender"] = try username(rental.lender)
        object["borrower"] = try username(rental.borrower)
        object["order"] = try rental.order.flatMap { try session.market.order($0) }.map { .string($0.exportKey) }
        object["quantity"] = .integer(rental.quantity)
        object["price"] = .string(rental.price.description)
        object["period"] = .string(rental.period.isoText)
        object["begun_at"] = .string(rental.begunAt.description)
        object["ends"] = .string(rental.ends.description)
        object["ended_at"] = rental.endedAt.map { .string($0.description) }
        return object
    }

    func json(_ line: CartLine) throws -> JSONObject {
        var object: JSONObject = ["id": .integer(line.id)]
        object["username"] = try username(line.patron)
        object["kind"] = .string(line.kind.rawValue)
        try name(line.title, in: &object)
        object["listing"] = try listing(line.listing)
        object["quantity"] = .integer(line.quantity)
        object["price"] = line.price.map { .string($0.description) }
        object["ends"] = line.ends.map { .string($0.description) }
        object["added_at"] = .string(line.addedAt.description)
        return object
    }

    func json(_ favourite: Favourite) throws -> JSONObject {
        var object: JSONObject = ["id": .integer(favourite.id)]
        object["username"] = try username(favourite.patron)
        try name(favourite.title, in: &object)
        object["listing"] = try listing(favourite.listing)
        object["added_at"] = .string(favourite.addedAt.description)
        return object
    }

    func json(_ suggestion: Suggestion) throws -> JSONObject {
        var object: JSONObject = ["id": .integer(suggestion.id), "key": .string(suggestion.exportKey)]
        object["username"] = try username(suggestion.patron)
        object["proposal"] = .object(suggestion.proposal.json)
        if !suggestion.note.isEmpty { object["note"] = .string(suggestion.note) }
        object["state"] = .string(suggestion.state.rawValue)
        object["submitted_at"] = .string(suggestion.submittedAt.description)
        object["decided_at"] = suggestion.decidedAt.map { .string($0.description) }
        object["decision"] = suggestion.decision.map { .string($0) }
        try name(suggestion.title, in: &object)
        object["policy"] = suggestion.policy.map { .string($0) }
        return object
    }

    private func name(_ title: Int64?, in object: inout JSONObject) throws {
        TitleColumns.name(try title.flatMap { try session.catalogue.get(.id($0)) }, in: &object)
    }

    private func username(_ patron: Int64?) throws -> JSON? {
        try patron.flatMap { try session.patrons.get(.id($0)) }.map { .string($0.username) }
    }

    private func listing(_ id: Int64?) throws -> JSON? {
        try id.flatMap { try session.market.get($0) }.map { .string($0.exportKey) }
    }
}
