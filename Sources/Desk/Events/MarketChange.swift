package import Circulation
import TextFormats

/// A step in the life of a listing, with the listing as it is from then on.
package struct ListingChange: Hashable, Sendable {
    package enum Step: String, Hashable, Sendable, CaseIterable {
        case published, updated, decided, withdrawn
        /// Pieces were bought or rented.
        case taken
        /// Pieces came back, from a rental or a cancelled order.
        case returned
        case imported

        /// The event's kind.
        package var kind: EventKind {
            switch self {
            case .published: .listingPublished
            case .updated: .listingUpdated
            case .decided: .listingDecided
            case .withdrawn: .listingWithdrawn
            case .taken: .listingTaken
            case .returned: .listingReturned
            case .imported: .listingImported
            }
        }
    }

    package var step: Step
    package var listing: Listing

    package init(_ step: Step, _ listing: Listing) {
        self.step = step
        self.listing = listing
    }
}

/// An order that was handed over or cancelled.
package struct OrderChange: Hashable, Sendable {
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
}

/// Something that was given back.
package struct RentalReturn: Hashable, Sendable {
    package var rental: Int64
    package var borrower: Int64?
    package var endedAt: Instant

    package init(rental: Int64, borrower: Int64?, endedAt: Instant) {
        self.rental = rental
        self.borrower = borrower
        self.endedAt = endedAt
    }
}

/// What a patron's cart has from now on, and what it no longer has.
package struct CartChange: Hashable, Sendable {
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
}

/// Something that a patron no longer keeps in mind.
package struct FavouriteRemoval: Hashable, Sendable {
    package var id: Int64
    package var patron: Int64

    package init(id: Int64, patron: Int64) {
        self.id = id
        self.patron = patron
    }
}

/// A step in the life of a suggestion, with the suggestion as it is from then on.
package struct SuggestionChange: Hashable, Sendable {
    package enum Step: String, Hashable, Sendable, CaseIterable {
        case submitted, decided, imported

        /// The event's kind.
        package var kind: EventKind {
            switch self {
            case .submitted: .suggestionSubmitted
            case .decided: .suggestionDecided
            case .imported: .suggestionImported
            }
        }
    }

    package var step: Step
    package var suggestion: Suggestion

    package init(_ step: Step, _ suggestion: Suggestion) {
        self.step = step
        self.suggestion = suggestion
    }
}
