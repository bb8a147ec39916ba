/// The hold in question.
package struct HoldFacts: Hashable, Sendable {
    /// 0 while it is only asked for.
    package var id: Int64
    /// The category of the patron who wants it.
    package var category: String
    package var pickupBranch: String
    package var placedAt: Instant
    package var expiresOn: CivilDate?
    /// Whether one copy alone will do.
    package var isForCopy: Bool
    package var priority: Int64
    /// The place in the queue that it has, or would have without another priority; 1 is the first.
    package var position: Int64
    /// How many holds the patron has placed today before this one.
    package var placedToday: Int64
    /// How many open holds the patron has already that are to be picked up at the same branch.
    package var atPickup: Int64
    /// How many other open holds the patron has on the copy's item type and, after it, on each type above it; nil where
    /// no policy that was asked reads it.
    package var itemTypeCounts: [Int64]?

    package init(
        id: Int64 = 0, category: String, pickupBranch: String, placedAt: Instant, expiresOn: CivilDate? = nil,
        isForCopy: Bool = false, priority: Int64 = 0, position: Int64 = 1, placedToday: Int64 = 0, atPickup: Int64 = 0
    ) {
        self.id = id
        self.category = category
        self.pickupBranch = pickupBranch
        self.placedAt = placedAt
        self.expiresOn = expiresOn
        self.isForCopy = isForCopy
        self.priority = priority
        self.position = position
        self.placedToday = placedToday
        self.atPickup = atPickup
    }
}

/// The event about which a patron gets a message, at the point `notify`.
package enum NotifyEvent: String, Hashable, Sendable, CaseIterable {
    case holdReady = "hold_ready"
    case recalled
    case dueMoved = "due_moved"
    case renewed
    /// A copy came back. The desk says nothing of it unless the policy's `notify` names it.
    case returned
    /// A charge was posted to the account by staff or by a script. What a sweep or a return posts by rule is no such
    /// event.
    case fee
    /// Something was bought or rented: for the buyer.
    case order
    /// Something was bought or rented: for the seller.
    case sold
    /// A rental ends soon.
    case rentalDue = "rental_due"
    /// Staff have decided on a listing that was to be reviewed.
    case listing
    /// Staff have decided on a suggestion.
    case suggestion
    /// Another patron has written about a listing: for who reads it.
    case contact
}
