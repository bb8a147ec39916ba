package import Circulation
package import Desk
import Storage

extension Listing {
    /// What an export calls the listing.
    package var exportKey: String { importKey ?? ExportKey.of("listing", id, createdAt) }
}

extension Order {
    /// What an export calls the order.
    package var exportKey: String { importKey ?? ExportKey.of("order", id, placedAt) }
}

extension Rental {
    /// What an export calls the rental.
    package var exportKey: String { importKey ?? ExportKey.of("rental", id, begunAt) }
}

extension Suggestion {
    /// What an export calls the suggestion.
    package var exportKey: String { importKey ?? ExportKey.of("suggestion", id, submittedAt) }
}

extension Conversation {
    /// What an export calls the conversation.
    package var exportKey: String { importKey ?? ExportKey.of("conversation", id, begunAt) }
}

extension ImportService {
    /// The listing that an export calls by this key, nil if there is none.
    package func listing(called key: String) throws -> Listing? {
        if let listing = try session.transaction.listings.find(importKey: key) { return listing }
        guard let (id, at) = ExportKey.parts(of: key, "listing"),
            let listing = try session.transaction.listings.get(id), listing.importKey == nil, listing.createdAt == at
        else { return nil }
        return listing
    }

    /// The order that an export calls by this key, nil if there is none.
    package func order(called key: String) throws -> Order? {
        if let order = try session.transaction.orders.find(importKey: key) { return order }
        guard let (id, at) = ExportKey.parts(of: key, "order"), let order = try session.transaction.orders.get(id),
            order.importKey == nil, order.placedAt == at
        else { return nil }
        return order
    }

    func rental(called key: String) throws -> Rental? {
        if let rental = try session.transaction.rentals.find(importKey: key) { return rental }
        guard let (id, at) = ExportKey.parts(of: key, "rental"), let rental = try session.transaction.rentals.get(id),
            rental.importKey == nil, rental.begunAt == at
        else { return nil }
        return rental
    }

    func suggestion(called key: String) throws -> Suggestion? {
        if let suggestion = try session.transaction.suggestions.find(importKey: key) { return suggestion }
        guard let (id, at) = ExportKey.parts(of: key, "suggestion"),
            let suggestion = try session.transaction.suggestions.get(id), suggestion.importKey == nil,
            suggestion.submittedAt == at
        else { return nil }
        return suggestion
    }

    /// The conversation that an export calls by this key, nil if there is none.
    package func conversation(called key: String) throws -> Conversation? {
        let conversations = session.transaction.conversations
        if let conversation = try conversations.find(importKey: key) { return conversation }
        guard let (id, at) = ExportKey.parts(of: key, "conversation"), let conversation = try conversations.get(id),
            conversation.importKey == nil, conversation.begunAt == at
        else { return nil }
        return conversation
    }
}
