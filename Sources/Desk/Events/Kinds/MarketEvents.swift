package import Circulation
import Storage

// Listings, orders, rentals, carts, favourites, suggestions: none of them bears on lending.
extension EventKinds {
    static let market: [any AnyEventKind] =
        ListingChange.Step.allCases.map { EventKind.listing($0) }
        + SuggestionChange.Step.allCases.map { EventKind.suggestion($0) }
        + [
            EventKind.orderPlaced, EventKind.orderImported, EventKind.orderDone, EventKind.orderCancelled,
            EventKind.rentalBegun, EventKind.rentalImported, EventKind.rentalEnded, EventKind.cartChanged,
            EventKind.favouriteAdded, EventKind.favouriteRemoved,
        ]
}

extension EventKind where Content == ListingChange {
    /// A listing was published, taken, withdrawn and so on: `listing.published`.
    package static func listing(_ step: ListingChange.Step) -> Self {
        EventKind(ListingChange.kindPrefix + step.rawValue, step.summary, isOfLending: false) { change, transaction in
            var change = change
            if change.listing.id != 0, try transaction.listings.update(change.listing) { return change }
            change.listing.id = try transaction.listings.insert(change.listing)
            return change
        }
    }
}

extension EventKind where Content == SuggestionChange {
    /// A suggestion was submitted, decided on or imported: `suggestion.submitted`.
    package static func suggestion(_ step: SuggestionChange.Step) -> Self {
        EventKind(SuggestionChange.kindPrefix + step.rawValue, step.summary, isOfLending: false) {
            change, transaction in
            var change = change
            if change.suggestion.id != 0, try transaction.suggestions.update(change.suggestion) { return change }
            change.suggestion.id = try transaction.suggestions.insert(change.suggestion)
            return change
        }
    }
}

extension EventKind where Content == Order {
    package static var orderPlaced: Self { added("order.placed", "An order was placed.") }
    /// An order of another system.
    package static var orderImported: Self { added("order.imported", "An order came from another system.") }

    private static func added(_ name: String, _ summary: String) -> Self {
        EventKind(adding: name, summary, isOfLending: false) { try $1.orders.insert($0) }
    }
}

extension EventKind where Content == OrderChange {
    package static var orderDone: Self { closed("order.done", "An order was handed over.") }
    package static var orderCancelled: Self { closed("order.cancelled", "An order was cancelled.") }

    private static func closed(_ name: String, _ summary: String) -> Self {
        EventKind(writing: name, summary, isOfLending: false) {
            try $1.orders.setState($0.state, closedAt: $0.closedAt, of: $0.order)
        }
    }
}

extension EventKind where Content == Rental {
    package static var rentalBegun: Self { added("rental.begun", "Something was rented out.") }
    /// A rental of another system.
    package static var rentalImported: Self { added("rental.imported", "A rental came from another system.") }

    private static func added(_ name: String, _ summary: String) -> Self {
        EventKind(adding: name, summary, isOfLending: false) { try $1.rentals.insert($0) }
    }
}

extension EventKind where Content == RentalReturn {
    package static var rentalEnded: Self {
        EventKind(writing: "rental.ended", "Something that was rented came back.", isOfLending: false) {
            try $1.rentals.setEnded($0.rental, at: $0.endedAt)
        }
    }
}

extension EventKind where Content == CartChange {
    package static var cartChanged: Self {
        EventKind("cart.changed", "Lines were put into a patron's cart, changed or taken out.", isOfLending: false) {
            change, transaction in
            var change = change
            for id in change.removed { try transaction.carts.remove(id) }
            for (index, line) in change.lines.enumerated() {
                if line.id != 0, try transaction.carts.update(line) { continue }
                change.lines[index].id = try transaction.carts.insert(line)
            }
            return change
        }
    }
}

extension EventKind where Content == Favourite {
    package static var favouriteAdded: Self {
        EventKind(
            adding: "favourite.added", "A patron marked a title or a listing as a favourite.", isOfLending: false
        ) { try $1.favourites.insert($0) }
    }
}

extension EventKind where Content == FavouriteRemoval {
    package static var favouriteRemoved: Self {
        EventKind(writing: "favourite.removed", "A patron took a favourite back.", isOfLending: false) {
            try $1.favourites.remove($0.id)
        }
    }
}

extension Order: EventContent {
    package static let eventMembers = declaredMembers(.order)
    package var subjects: EventSubjects { EventSubjects(patron: buyer) }
}

extension Rental: EventContent {
    package static let eventMembers = declaredMembers(.rental)
    package var subjects: EventSubjects { EventSubjects(patron: borrower) }
}

extension Favourite: EventContent {
    package static let eventMembers = declaredMembers(renaming: ["id": "favourite"])
    package var subjects: EventSubjects { EventSubjects(patron: patron) }
}

/// A step in the life of a listing, with the listing as it is from then on.
package struct ListingChange: EventStep {
    /// What became of the listing; the name of the event's kind ends with it.
    package enum Step: String, Hashable, Sendable, CaseIterable {
        case published, updated, decided, withdrawn
        /// Pieces were bought or rented.
        case taken
        /// Pieces came back, from a rental or a cancelled order.
        case returned
        case imported

        /// When it is taken, as a sentence.
        var summary: String {
            switch self {
            case .published: "A listing was written: it is published, or waits for a review."
            case .updated: "A listing was changed."
            case .decided: "Staff decided on a listing."
            case .withdrawn: "A listing was withdrawn."
            case .taken: "Pieces of a listing were bought or rented."
            case .returned: "Pieces of a listing came back, from a rental or a cancelled order."
            case .imported: "A listing came from another system."
            }
        }
    }

    fileprivate static let kindPrefix = "listing."

    package var step: Step
    package var listing: Listing

    package init(_ step: Step, _ listing: Listing) {
        self.step = step
        self.listing = listing
    }

    package static let blank = ListingChange(.imported, .blank)
    package static let eventMembers: [EventMember<Self>] =
        [.step(\.step, after: kindPrefix)]
        + EventMember.record(\ListingChange.listing, Listing.declaredMembers(.listing))
    package var subjects: EventSubjects { EventSubjects(patron: listing.seller) }
    package var kind: EventKind<ListingChange> { .listing(step) }
}

/// An order that was handed over or cancelled.
package struct OrderChange: EventStep {
    package var order: Int64
    package var buyer: Int64?
    package var state: Order.State
    package var closedAt: Instant
    /// Why, where staff say so.
    package var reason: String?

    package init(order: Int64, buyer: Int64?, state: Order.State, closedAt: Instant, reason: String? = nil) {
        self.order = order
        self.buyer = buyer
        self.state = state
        self.closedAt = closedAt
        self.reason = reason
    }

    package static let blank = OrderChange(order: 0, buyer: nil, state: .cancelled, closedAt: .earliest)
    package static let eventMembers: [EventMember<Self>] = [
        EventMember(.order, \.order), EventMember(.patron, \.buyer, as: "buyer"),
        EventMember("state", \.state), EventMember("closed_at", \.closedAt),
        EventMember("reason", \.reason, "why, where staff say so"),
    ]

    package var subjects: EventSubjects { EventSubjects(patron: buyer) }
    package var kind: EventKind<OrderChange> { state == .cancelled ? .orderCancelled : .orderDone }
}

/// Something that was given back.
package struct RentalReturn: EventContent {
    package var rental: Int64
    package var borrower: Int64?
    package var endedAt: Instant

    package init(rental: Int64, borrower: Int64?, endedAt: Instant) {
        self.rental = rental
        self.borrower = borrower
        self.endedAt = endedAt
    }

    package static let blank = RentalReturn(rental: 0, borrower: nil, endedAt: .earliest)
    package static let eventMembers: [EventMember<Self>] = [
        EventMember(.rental, \.rental), EventMember(.patron, \.borrower, as: "borrower"),
        EventMember("ended_at", \.endedAt),
    ]

    package var subjects: EventSubjects { EventSubjects(patron: borrower) }
}

extension CartLine: EventContent {
    package static let eventMembers = declaredMembers()
}

/// What a patron's cart has from now on, and what it no longer has.
package struct CartChange: EventContent {
    package var patron: Int64
    /// Lines that are new or changed.
    package var lines: [CartLine]
    /// The ids of lines that are gone.
    package var removed: [Int64]

    package init(patron: Int64, lines: [CartLine] = [], removed: [Int64] = []) {
        self.patron = patron
        self.lines = lines
        self.removed = removed
    }

    package static let blank = CartChange(patron: 0)
    package static let eventMembers: [EventMember<Self>] = [
        EventMember(.patron, \.patron), .entries("lines", \.lines, "lines that are new or changed"),
        EventMember("removed", \.removed, "the ids of lines that are gone"),
    ]

    package var subjects: EventSubjects { EventSubjects(patron: patron) }
}

/// Something that a patron no longer keeps in mind.
package struct FavouriteRemoval: EventContent {
    package var id: Int64
    package var patron: Int64

    package init(id: Int64, patron: Int64) {
        self.id = id
        self.patron = patron
    }

    package static let blank = FavouriteRemoval(id: 0, patron: 0)
    package static let eventMembers: [EventMember<Self>] = [
        EventMember("favourite", \.id, stored: "id", "the id that it had"), EventMember(.patron, \.patron),
    ]

    package var subjects: EventSubjects { EventSubjects(patron: patron) }
}

/// A step in the life of a suggestion, with the suggestion as it is from then on.
package struct SuggestionChange: EventStep {
    /// What became of the suggestion; the name of the event's kind ends with it.
    package enum Step: String, Hashable, Sendable, CaseIterable {
        case submitted, decided, imported

        /// When it is taken, as a sentence.
        var summary: String {
            switch self {
            case .submitted: "A title was suggested."
            case .decided: "Staff decided on a suggestion."
            case .imported: "A suggestion came from another system."
            }
        }
    }

    fileprivate static let kindPrefix = "suggestion."

    package var step: Step
    package var suggestion: Suggestion

    package init(_ step: Step, _ suggestion: Suggestion) {
        self.step = step
        self.suggestion = suggestion
    }

    package static let blank = SuggestionChange(.imported, .blank)
    package static let eventMembers: [EventMember<Self>] =
        [.step(\.step, after: kindPrefix)]
        + EventMember.record(\SuggestionChange.suggestion, Suggestion.declaredMembers(.suggestion))
    package var subjects: EventSubjects { EventSubjects(patron: suggestion.patron) }
    package var kind: EventKind<SuggestionChange> { .suggestion(step) }
}
