/// What a patron has bought or rented in one go, with what it cost.
package struct Order: Hashable, Sendable {
    package enum State: String, Hashable, Sendable, CaseIterable {
        /// To be handed over.
        case open
        /// Handed over.
        case done
        case cancelled
    }

    /// One thing that was bought or rented.
    package struct Item: Hashable, Sendable {
        /// nil for one from a file whose listing is not known.
        package var listing: Int64?
        /// nil once the title was removed, or where the catalogue never had it.
        package var title: Int64?
        /// nil: the library itself, or a seller who was removed.
        package var seller: Int64?
        package var kind: SaleKind
        /// The title's name as it was.
        package var label: String
        package var quantity: Int64
        /// Of one piece, of a rental for one period.
        package var price: Money
        package var periods: Int64
        /// When a rental ends.
        package var ends: CivilDate?

        package init(
            listing: Int64?, title: Int64?, seller: Int64?, kind: SaleKind, label: String, quantity: Int64,
            price: Money, periods: Int64 = 1, ends: CivilDate? = nil
        ) {
            self.listing = listing
            self.title = title
            self.seller = seller
            self.kind = kind
            self.label = label
            self.quantity = quantity
            self.price = price
            self.periods = periods
            self.ends = ends
        }
    }

    package var id: Int64
    /// nil once the patron was removed.
    package var buyer: Int64?
    /// The buyer's, as it was: statistics stay.
    package var category: String?
    package var state: State
    package var items: [Item]
    /// What it cost, line by line. What is owed to the library is posted to the buyer's account; what is owed to another
    /// patron stands here alone, for the two to settle.
    package var lines: [PriceLine]
    /// The sum of the lines.
    package var total: Money
    package var placedAt: Instant
    /// When it was handed over or cancelled.
    package var closedAt: Instant?
    package var channel: ActorFacts.Channel?
    /// SHA-256 of the policy version that set the price.
    package var policy: String?
    /// Set for an order from a file: its key, unique in the store.
    package var importKey: String?

    package init(
        id: Int64 = 0, buyer: Int64?, category: String? = nil, state: State = .open, items: [Item],
        lines: [PriceLine], total: Money, placedAt: Instant, closedAt: Instant? = nil,
        channel: ActorFacts.Channel? = nil, policy: String? = nil, importKey: String? = nil
    ) {
        self.id = id
        self.buyer = buyer
        self.category = category
        self.state = state
        self.items = items
        self.lines = lines
        self.total = total
        self.placedAt = placedAt
        self.closedAt = closedAt
        self.channel = channel
        self.policy = policy
        self.importKey = importKey
    }

    /// What of it is owed to the library; the rest is between the buyer and the sellers.
    ///
    /// - Throws: ``MoneyError``.
    package func owed() throws(MoneyError) -> Money { try PriceLine.owed(of: lines, in: total.currency) }
}
