package import Circulation
package import Desk
import Storage

extension ExportService {
    package func listings(_ body: (Listing) throws -> Bool) throws {
        try session.transaction.listings.forEach(body)
    }

    package func orders(_ body: (Order) throws -> Bool) throws { try session.transaction.orders.forEach(body) }

    package func rentals(_ body: (Rental) throws -> Bool) throws { try session.transaction.rentals.forEach(body) }

    package func suggestions(_ body: (Suggestion) throws -> Bool) throws {
        try session.transaction.suggestions.forEach(body)
    }

    package func favourites(_ body: (Favourite) throws -> Bool) throws {
        try session.transaction.favourites.forEach(body)
    }

    package func cartLines(_ body: (CartLine) throws -> Bool) throws { try session.transaction.carts.forEach(body) }
}
