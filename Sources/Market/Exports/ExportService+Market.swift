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

    /// Conversations by id, without their messages.
    package func conversations(_ body: (Conversation) throws -> Bool) throws {
        try session.transaction.conversations.forEach(body)
    }

    /// Messages by id, so that those of one conversation come in their order.
    package func messages(_ body: (Message) throws -> Bool) throws { try session.transaction.messages.forEach(body) }

    /// From whom patrons take no messages, by id.
    package func blockedWriters(_ body: (BlockedWriter) throws -> Bool) throws {
        try session.transaction.blockedWriters.forEach(body)
    }

    package func favourites(_ body: (Favourite) throws -> Bool) throws {
        try session.transaction.favourites.forEach(body)
    }

    package func cartLines(_ body: (CartLine) throws -> Bool) throws { try session.transaction.carts.forEach(body) }
}
