import Circulation
import Desk
import Storage

extension MarketService {
    /// Whether a patron may be removed: nothing that they have or lend is open.
    ///
    /// - Throws: ``Refused`` with `open_rentals` or `open_orders`.
    func checkRemovable(_ patron: Int64) throws {
        let rentals =
            try transaction.rentals.list(borrower: patron, isOpen: true, ListPart(limit: 1))
            + transaction.rentals.list(lender: patron, isOpen: true, ListPart(limit: 1))
        guard rentals.isEmpty else { throw Refused("open_rentals", "The patron still has open rentals.") }
        let orders =
            try transaction.orders.list(buyer: patron, state: .open, ListPart(limit: 1))
            + transaction.orders.list(seller: patron, state: .open, ListPart(limit: 1))
        guard orders.isEmpty else { throw Refused("open_orders", "The patron still has orders to be handed over.") }
    }

    /// Withdraws what a patron offers who is about to be removed, and takes their own words out of listings, suggestions
    /// and messages to others. The cart goes with the patron.
    func forget(_ patron: Patron) throws {
        for var listing in try transaction.listings.open(seller: patron.id) {
            listing.state = .withdrawn
            listing.updatedAt = session.now
            try record(.withdrawn, listing)
        }
        try transaction.listings.forgetNotes(of: patron.id)
        try transaction.suggestions.forgetNotes(of: patron.id)
        try transaction.messages.forgetTexts(of: patron.id)
        try transaction.notices.blank(subjectPrefix: "contact:\(patron.id):")
    }
}
