package import Circulation

/// What a record of the market refers to, by the keys of a file.
package struct ImportedNames: Hashable, Sendable {
    package var work: ImportedLoan.Work?
    /// The buyer, the borrower, the proposer, or whose cart it is.
    package var username: String?
    /// The seller or the lender.
    package var owner: String?
    /// The key of the listing.
    package var listing: String?
    /// The key of the order.
    package var order: String?
}

/// A record of the market, as a file describes it: all that needs no looking up, with the id that it had, and the names
/// of the rest.
package enum ImportedMarket: Hashable, Sendable {
    /// With the pictures that it names.
    case listing(Listing, ImportedNames, pictures: [WrittenPicture] = [])
    /// With the names of each item.
    case order(Order, ImportedNames, items: [ImportedNames])
    case rental(Rental, ImportedNames)
    case cartLine(CartLine, ImportedNames)
    case favourite(Favourite, ImportedNames)
    case suggestion(Suggestion, ImportedNames)
    /// The asker is the `username`.
    case conversation(Conversation, ImportedNames)
    /// The sender is the `username`.
    case message(Message, ImportedNames, conversation: String)
    /// Who takes no messages is the `username`, from whom the `owner`.
    case blockedWriter(BlockedWriter, ImportedNames)
}
