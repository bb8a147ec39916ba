package import Circulation
package import Desk

/// The market where circulation has to call it: with it, a desk does not remove patrons who have something rented or
/// ordered, and its sweep speaks of rentals.
package struct MarketExtension: DeskExtension {
    package init() {}

    package func checkRemovable(_ patron: Int64, in session: DeskSession) throws {
        try session.market.checkRemovable(patron)
    }

    package func forget(_ patron: Patron, in session: DeskSession) throws { try session.market.forget(patron) }

    package func announce(after id: Int64, limit: Int64, in session: DeskSession) throws -> Int64? {
        try session.market.announceRentals(after: id, limit: limit)
    }
}
