import Circulation
import Desk
import Market
import TextFormats

/// Puts listings, orders, rentals, carts and suggestions into the store, each under its key.
struct MarketApplier {
    let session: DeskSession
    let settings: DeclaredSettings
    let run: ImportRun

    func apply(_ imported: ImportedMarket) throws -> ImportChange {
        switch imported {
        case .listing(var listing, let names, let pictures):
            // What is there already stays, and its title with it.
            if case .whole? = names.work, let key = listing.importKey, try session.imports.listing(called: key) != nil {
                return .unchanged
            }
            listing.title = try title(names)
            listing.seller = try patron(names.owner, "seller")
            let (stored, change) = try session.imports.listing(listing, pictures: pictures).change(field: nil)
            run.note(.listing, listing.id, isNow: stored.id)
            return change
        case .order(var order, let names, let items):
            order.buyer = try patron(names.username, "username")
            for (index, names) in items.enumerated() where index < order.items.count {
                order.items[index].title = try title(names)
                order.items[index].seller = try patron(names.owner, "seller")
                order.items[index].listing = try listing(names)
            }
            let (stored, change) = try session.imports.order(order).change(field: nil)
            run.note(.order, order.id, isNow: stored.id)
            return change
        case .rental(var rental, let names):
            guard let listing = try listing(names) else {
                throw RefusedRecord(field: "listing", code: "missing", message: "a rental needs its listing")
            }
            rental.listing = listing
            rental.title = try title(names)
            rental.lender = try patron(names.owner, "lender")
            rental.borrower = try patron(names.username, "borrower")
            rental.order = try names.order.flatMap { try session.imports.order(called: $0)?.id }
            let (stored, change) = try session.imports.rental(rental).change(field: nil)
            run.note(.rental, rental.id, isNow: stored.id)
            return change
        case .cartLine(var line, let names):
            guard let patron = try patron(names.username, "username") else {
                throw RefusedRecord(field: "username", code: "missing", message: "a line of a cart needs its patron")
            }
            line.patron = patron
            line.title = try title(names)
            line.listing = try listing(names)
            return try session.imports.cartLine(line).change(field: nil).change
        case .favourite(var favourite, let names):
            guard let patron = try patron(names.username, "username") else {
                throw RefusedRecord(field: "username", code: "missing", message: "a favourite needs its patron")
            }
            favourite.patron = patron
            favourite.title = try title(names)
            favourite.listing = try listing(names)
            return try session.imports.favourite(favourite).change(field: nil).change
        case .suggestion(var suggestion, let names):
            suggestion.patron = try patron(names.username, "username")
            suggestion.title = try title(names)
            let (stored, change) = try session.imports.suggestion(suggestion).change(field: nil)
            run.note(.suggestion, suggestion.id, isNow: stored.id)
            return change
        case .conversation(var conversation, let names):
            guard let listing = try listing(names) else {
                throw RefusedRecord(field: "listing", code: "missing", message: "a conversation needs its listing")
            }
            conversation.listing = listing
            conversation.asker = try patron(names.username, "asker")
            conversation.owner = try patron(names.owner, "owner")
            return try session.imports.conversation(conversation).change(field: nil).change
        case .message(var message, let names, let key):
            guard let conversation = try session.imports.conversation(called: key) else {
                throw RefusedRecord(
                    field: "conversation", code: "unknown_conversation",
                    message: "there is no conversation with the key '\(key)'")
            }
            message.conversation = conversation.id
            message.sender = try patron(names.username, "sender")
            return try session.imports.message(message).change(field: "number").change
        case .blockedWriter(var block, let names):
            guard let reader = try patron(names.username, "patron"), let writer = try patron(names.owner, "writer")
            else {
                throw RefusedRecord(field: "patron", code: "missing", message: "a blocked writer needs both patrons")
            }
            block.patron = reader
            block.writer = writer
            return try session.imports.blockedWriter(block).change(field: nil).change
        }
    }

    private func title(_ names: ImportedNames) throws -> Int64? {
        try TitleApplier(session: session, settings: settings, run: run).id(of: names.work)
    }

    private func patron(_ username: String?, _ field: String) throws -> Int64? {
        guard let username else { return nil }
        guard let patron = try session.patrons.get(.username(username)) else {
            throw RefusedRecord(field: field, code: "unknown_patron", message: "no patron is called '\(username)'")
        }
        return patron.id
    }

    private func listing(_ names: ImportedNames) throws -> Int64? {
        guard let key = names.listing else { return nil }
        guard let listing = try session.imports.listing(called: key) else {
            throw RefusedRecord(
                field: "listing", code: "unknown_listing", message: "there is no listing with the key '\(key)'")
        }
        return listing.id
    }
}
