package import Circulation
package import Desk
import Storage

// The market of another store, record by record, each under its own key and at its own instant. No policy is asked, no
// one is told and nothing is charged: what was charged comes with the lines of the accounts.
extension ImportService {
    /// Takes in a listing; the key that was seen before changes nothing.
    ///
    /// - Parameter pictures: those that it names, of which six are taken while it is open.
    package func listing(_ listing: Listing, pictures: [WrittenPicture] = []) throws -> Imported<Listing> {
        let key = try Self.key(listing.importKey)
        return try rejecting {
            if let before = try self.listing(called: key) { return .unchanged(before) }
            var listing = listing
            if try listing.id <= 0 || session.transaction.listings.get(listing.id) != nil { listing.id = 0 }
            if key == ExportKey.of("listing", listing.id, listing.createdAt) { listing.importKey = nil }
            listing.policy = try session.policies.wasInForce(
                listing.policy, from: listing.createdAt, through: listing.updatedAt)
            guard listing.quantity >= 0, listing.quantity > 0 || listing.state != .active else {
                throw Refused("quantity", "An active offer must be for at least one item.")
            }
            if let price = listing.price { try check(price) }
            let kept = listing.isOpen ? pictures.prefix(Listing.mostPictures) : []
            listing.pictures = kept.map(\.name)
            let change = ListingChange(.imported, listing)
            guard let added = try session.record(change, at: listing.createdAt)?.content
            else { throw DeskError.input(nil, "The offer could not be added.") }
            for picture in kept {
                try session.transaction.pictures.keep(picture, of: .listing(added.listing.id))
            }
            return .added(added.listing)
        }
    }

    /// Takes in an order; the key that was seen before changes nothing.
    package func order(_ order: Order) throws -> Imported<Order> {
        let key = try Self.key(order.importKey)
        return try rejecting {
            if let before = try self.order(called: key) { return .unchanged(before) }
            var order = order
            if try order.id <= 0 || session.transaction.orders.get(order.id) != nil { order.id = 0 }
            if key == ExportKey.of("order", order.id, order.placedAt) { order.importKey = nil }
            order.policy = try session.policies.wasInForce(order.policy, from: order.placedAt)
            try check(order.total)
            guard (try? PriceLine.total(of: order.lines, in: order.total.currency)) == order.total,
                order.items.allSatisfy({ $0.price.currency == order.total.currency })
            else {
                throw Refused("total", "The order's total is not the sum of its lines.")
            }
            let places = 1...Int64(max(1, order.items.count))
            guard order.lines.allSatisfy({ $0.item.map(places.contains) ?? true }) else {
                throw Refused("lines", "A line is owed to the seller of an item that is not in the order.")
            }
            guard (order.closedAt == nil) == (order.state == .open), order.items.allSatisfy({ $0.quantity > 0 }) else {
                throw Refused(
                    "state",
                    "Only an order that is no longer open has a closing time, and each of its items needs a quantity.")
            }
            guard
                let added = try session.record(.orderImported, order, at: order.placedAt)?.content
            else { throw DeskError.input(nil, "The order could not be added.") }
            return .added(added)
        }
    }

    /// Takes in a rental; the key that was seen before changes nothing.
    package func rental(_ rental: Rental) throws -> Imported<Rental> {
        let key = try Self.key(rental.importKey)
        return try rejecting {
            if let before = try self.rental(called: key) { return .unchanged(before) }
            var rental = rental
            if try rental.id <= 0 || session.transaction.rentals.get(rental.id) != nil { rental.id = 0 }
            if key == ExportKey.of("rental", rental.id, rental.begunAt) { rental.importKey = nil }
            try check(rental.price)
            guard rental.quantity > 0 else { throw Refused("quantity", "A rental must be for at least one item.") }
            guard
                let added = try session.record(.rentalImported, rental, at: rental.begunAt)?.content
            else { throw DeskError.input(nil, "The rental could not be added.") }
            return .added(added)
        }
    }

    /// Takes in a suggestion; the key that was seen before changes nothing.
    package func suggestion(_ suggestion: Suggestion) throws -> Imported<Suggestion> {
        let key = try Self.key(suggestion.importKey)
        return try rejecting {
            if let before = try self.suggestion(called: key) { return .unchanged(before) }
            var suggestion = suggestion
            let transaction = session.transaction
            if try suggestion.id <= 0 || transaction.suggestions.get(suggestion.id) != nil { suggestion.id = 0 }
            if key == ExportKey.of("suggestion", suggestion.id, suggestion.submittedAt) { suggestion.importKey = nil }
            suggestion.policy = try session.policies.wasInForce(
                suggestion.policy, from: suggestion.submittedAt, through: suggestion.decidedAt)
            guard (suggestion.decidedAt == nil) == (suggestion.state == .review) else {
                throw Refused("state", "Only a suggestion that is no longer under review has a decision date.")
            }
            let change = SuggestionChange(.imported, suggestion)
            guard
                let added = try session.record(change, at: suggestion.submittedAt)?.content
            else { throw DeskError.input(nil, "The suggestion could not be added.") }
            return .added(added.suggestion)
        }
    }

    /// Takes in a line of a cart, unless the cart has one like it.
    package func cartLine(_ line: CartLine) throws -> Imported<CartLine> {
        try rejecting {
            let carts = session.transaction.carts
            let same = try carts.of(patron: line.patron).first {
                $0.kind == line.kind && $0.title == line.title && $0.listing == line.listing && $0.ends == line.ends
            }
            if let same { return .unchanged(same) }
            guard line.quantity > 0, (line.title == nil) != (line.listing == nil) else {
                throw Refused("line", "A line of a cart must refer to a title or an offer.")
            }
            if let price = line.price { try check(price) }
            var line = line
            if try line.id <= 0 || carts.get(line.id) != nil { line.id = 0 }
            let change = CartChange(patron: line.patron, lines: [line])
            guard let added = try session.record(.cartChanged, change, at: line.addedAt)?.content,
                let written = added.lines.first
            else { throw DeskError.input(nil, "The line could not be added.") }
            return .added(written)
        }
    }

    /// Takes in a favourite, unless the patron has it.
    package func favourite(_ favourite: Favourite) throws -> Imported<Favourite> {
        try rejecting {
            let favourites = session.transaction.favourites
            if let same = try favourites.of(patron: favourite.patron).first(where: { $0.isSame(as: favourite) }) {
                return .unchanged(same)
            }
            guard (favourite.title == nil) != (favourite.listing == nil) else {
                throw Refused("favourite", "A favourite must be a title or an offer.")
            }
            var favourite = favourite
            if try favourite.id <= 0 || favourites.get(favourite.id) != nil { favourite.id = 0 }
            guard
                let added = try session.record(.favouriteAdded, favourite, at: favourite.addedAt)?.content
            else { throw DeskError.input(nil, "The favourite could not be added.") }
            return .added(added)
        }
    }

    static func key(_ key: String?) throws -> String {
        guard let key, !key.isEmpty else {
            throw DeskError.input("import_key", "Anything imported from another store needs a key.")
        }
        return key
    }

    func check(_ amount: Money) throws {
        let currency = try session.fees.currency()
        guard amount.currency == currency, !amount.isNegative else {
            throw Refused("currency", "Amounts must be in the library's currency, \(currency.code).")
        }
    }
}
