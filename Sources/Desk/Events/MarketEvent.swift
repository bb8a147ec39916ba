package import Circulation
import TextFormats

/// What an event says about the market: listings, orders, rentals, carts, favourites, suggestions.
package enum MarketEvent: Hashable, Sendable {
    case listing(ListingChange)
    case orderPlaced(Order)
    /// An order of another system.
    case orderImported(Order)
    case orderClosed(OrderChange)
    case rentalBegun(Rental)
    /// A rental of another system.
    case rentalImported(Rental)
    case rentalEnded(RentalReturn)
    case cart(CartChange)
    case favourite(Favourite)
    case favouriteRemoved(FavouriteRemoval)
    case suggestion(SuggestionChange)

    var kind: EventKind {
        switch self {
        case .listing(let change): change.step.kind
        case .orderPlaced: .orderPlaced
        case .orderImported: .orderImported
        case .orderClosed(let change): change.state == .cancelled ? .orderCancelled : .orderDone
        case .rentalBegun: .rentalBegun
        case .rentalImported: .rentalImported
        case .rentalEnded: .rentalEnded
        case .cart: .cartChanged
        case .favourite: .favouriteAdded
        case .favouriteRemoved: .favouriteRemoved
        case .suggestion(let change): change.step.kind
        }
    }

    var subjects: EventSubjects {
        switch self {
        case .listing(let change): EventSubjects(patron: change.listing.seller)
        case .orderPlaced(let order), .orderImported(let order): EventSubjects(patron: order.buyer)
        case .orderClosed(let change): EventSubjects(patron: change.buyer)
        case .rentalBegun(let rental), .rentalImported(let rental): EventSubjects(patron: rental.borrower)
        case .rentalEnded(let back): EventSubjects(patron: back.borrower)
        case .cart(let change): EventSubjects(patron: change.patron)
        case .favourite(let favourite): EventSubjects(patron: favourite.patron)
        case .favouriteRemoved(let removal): EventSubjects(patron: removal.patron)
        case .suggestion(let change): EventSubjects(patron: change.suggestion.patron)
        }
    }

    func writeMembers(to writer: inout JSONWriter) {
        switch self {
        case .listing(let change): writer.members(of: change.listing)
        case .orderPlaced(let order), .orderImported(let order): writer.members(of: order)
        case .orderClosed(let change):
            writer.member("order", change.order)
            writer.member("buyer", change.buyer)
            writer.member("state", change.state.rawValue)
            writer.member("closed_at", change.closedAt)
            writer.member("reason", change.reason)
        case .rentalBegun(let rental), .rentalImported(let rental): writer.members(of: rental)
        case .rentalEnded(let back):
            writer.member("rental", back.rental)
            writer.member("borrower", back.borrower)
            writer.member("ended_at", back.endedAt)
        case .cart(let change):
            writer.member("patron", change.patron)
            if !change.lines.isEmpty { writer.list("lines", change.lines) { $0.members(of: $1) } }
            writer.member("removed", ids: change.removed)
        case .favourite(let favourite): writer.members(of: favourite)
        case .favouriteRemoved(let removal):
            writer.member("id", removal.id)
            writer.member("patron", removal.patron)
        case .suggestion(let change): writer.members(of: change.suggestion)
        }
    }

    /// Reads the payload of a kind; nil for a kind that is not about the market.
    init?(kind: EventKind, payload: EventPayload) throws {
        if let step = ListingChange.Step.allCases.first(where: { $0.kind == kind }) {
            self = .listing(ListingChange(step, try payload.record()))
            return
        }
        if let step = SuggestionChange.Step.allCases.first(where: { $0.kind == kind }) {
            self = .suggestion(SuggestionChange(step, try payload.record()))
            return
        }
        switch kind {
        case .orderPlaced: self = .orderPlaced(try payload.record())
        case .orderImported: self = .orderImported(try payload.record())
        case .orderDone, .orderCancelled: self = .orderClosed(try payload.orderChange())
        case .rentalBegun: self = .rentalBegun(try payload.record())
        case .rentalImported: self = .rentalImported(try payload.record())
        case .rentalEnded:
            self = .rentalEnded(
                RentalReturn(
                    rental: try payload.integer("rental"), borrower: try payload.optionalInteger("borrower"),
                    endedAt: try payload.instant("ended_at")))
        case .cartChanged:
            self = .cart(
                CartChange(
                    patron: try payload.integer("patron"), lines: try payload.inners("lines").map { try $0.record() },
                    removed: try payload.ids("removed")))
        case .favouriteAdded: self = .favourite(try payload.record())
        case .favouriteRemoved:
            self = .favouriteRemoved(
                FavouriteRemoval(id: try payload.integer("id"), patron: try payload.integer("patron")))
        default: return nil
        }
    }
}

extension EventPayload {
    fileprivate func orderChange() throws -> OrderChange {
        OrderChange(
            order: try integer("order"), buyer: try optionalInteger("buyer"),
            state: try choice("state", Order.State.self), closedAt: try instant("closed_at"),
            reason: try optionalText("reason"))
    }
}
