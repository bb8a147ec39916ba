/// What belongs to a patron and goes over to the other record if two become one, past loans and holds too. What is not
/// named here goes with the record: above all, what lets one person in never lets in another.
package enum PatronBelonging: Hashable, Sendable, CaseIterable {
    case loans, holds
    /// Lines of the account of fees.
    case entries
    case notices, blocks, listings, orders
    /// What was sold, as it stands in the orders of others.
    case sales
    /// Rentals on either side.
    case lentOut, borrowed
    case cartLines, favourites, suggestions
    /// Conversations on either side.
    case askedAbout, answered
    case messages
    /// Writers from whom the patron takes no messages, and patrons who take none from them.
    case blockedWriters, blockedBy
    case ratings, lists
    /// Links to other patrons, on either side.
    case links, linkedFrom
}
