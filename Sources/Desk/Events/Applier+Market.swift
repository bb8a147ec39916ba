import Circulation
import Storage

extension Applier {
    /// Makes a change of the market.
    ///
    /// - Returns: it with the ids that new rows were given.
    func apply(_ event: MarketEvent) throws -> MarketEvent {
        switch event {
        case .listing(let change): return .listing(try apply(change))
        case .orderPlaced(var order):
            order.id = try transaction.orders.insert(order)
            return .orderPlaced(order)
        case .orderImported(var order):
            order.id = try transaction.orders.insert(order)
            return .orderImported(order)
        case .orderClosed(let change):
            try transaction.orders.setState(change.state, closedAt: change.closedAt, of: change.order)
        case .rentalBegun(var rental):
            rental.id = try transaction.rentals.insert(rental)
            return .rentalBegun(rental)
        case .rentalImported(var rental):
            rental.id = try transaction.rentals.insert(rental)
            return .rentalImported(rental)
        case .rentalEnded(let back):
            try transaction.rentals.setEnded(back.rental, at: back.endedAt)
        case .cart(let change): return .cart(try apply(change))
        case .favourite(var favourite):
            favourite.id = try transaction.favourites.insert(favourite)
            return .favourite(favourite)
        case .favouriteRemoved(let removal): try transaction.favourites.remove(removal.id)
        case .suggestion(let change): return .suggestion(try apply(change))
        }
        return event
    }

    private func apply(_ change: ListingChange) throws -> ListingChange {
        var change = change
        if change.listing.id != 0, try transaction.listings.update(change.listing) { return change }
        change.listing.id = try transaction.listings.insert(change.listing)
        return change
    }

    private func apply(_ change: SuggestionChange) throws -> SuggestionChange {
        var change = change
        if change.suggestion.id != 0, try transaction.suggestions.update(change.suggestion) { return change }
        change.suggestion.id = try transaction.suggestions.insert(change.suggestion)
        return change
    }

    private func apply(_ change: CartChange) throws -> CartChange {
        var change = change
        for id in change.removed { try transaction.carts.remove(id) }
        for (index, line) in change.lines.enumerated() {
            if line.id != 0, try transaction.carts.update(line) { continue }
            change.lines[index].id = try transaction.carts.insert(line)
        }
        return change
    }
}
