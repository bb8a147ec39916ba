/// A listing as a policy sees it.
package struct ListingFacts: Hashable, Sendable {
    /// 0 while it is only proposed.
    package var id: Int64
    /// The seller's id; nil: the library itself.
    package var seller: Int64?
    package var sellerCategory: String?
    package var kind: Listing.Kind
    /// Of one piece, of a rental for each ``period``.
    package var price: Money?
    package var period: Period?
    package var quantity: Int64
    package var condition: String
    package var edition: String
    package var hasPicture: Bool
    package var state: Listing.State
    /// How many other open listings the seller has.
    package var others: Int64

    package init(
        id: Int64 = 0, seller: Int64? = nil, sellerCategory: String? = nil, kind: Listing.Kind, price: Money? = nil,
        period: Period? = nil, quantity: Int64 = 1, condition: String = "", edition: String = "",
        hasPicture: Bool = false, state: Listing.State = .active, others: Int64 = 0
    ) {
        self.id = id
        self.seller = seller
        self.sellerCategory = sellerCategory
        self.kind = kind
        self.price = price
        self.period = period
        self.quantity = quantity
        self.condition = condition
        self.edition = edition
        self.hasPicture = hasPicture
        self.state = state
        self.others = others
    }
}

/// A title that a patron suggests, as a policy sees it.
package struct SuggestionFacts: Hashable, Sendable {
    /// 0 while it is only proposed.
    package var id: Int64
    package var hasISBN: Bool
    package var courses: [String]
    package var college: String?
    /// How many other suggestions of this patron are undecided.
    package var others: Int64

    package init(
        id: Int64 = 0, hasISBN: Bool = false, courses: [String] = [], college: String? = nil, others: Int64 = 0
    ) {
        self.id = id
        self.hasISBN = hasISBN
        self.courses = courses
        self.college = college
        self.others = others
    }
}

/// What is done with something in a cart.
package enum SaleKind: String, Hashable, Sendable, CaseIterable { case loan, buy, rent }

/// One line of what a patron is about to borrow, buy or rent, as the point `price` sees it.
package struct SaleLine: Hashable, Sendable {
    package var kind: SaleKind
    /// What it is: the title's name.
    package var label: String
    package var title: Int64?
    package var listing: Int64?
    /// The listing's seller; nil: the library itself.
    package var seller: Int64?
    package var sellerCategory: String?
    package var quantity: Int64
    /// Of one piece, of a rental for one period.
    package var price: Money
    /// How many periods a rental lasts, started ones included; 1 for what is bought.
    package var periods: Int64
    /// When a rental ends.
    package var ends: CivilDate?

    package init(
        kind: SaleKind, label: String, title: Int64? = nil, listing: Int64? = nil, seller: Int64? = nil,
        sellerCategory: String? = nil, quantity: Int64 = 1, price: Money, periods: Int64 = 1, ends: CivilDate? = nil
    ) {
        self.kind = kind
        self.label = label
        self.title = title
        self.listing = listing
        self.seller = seller
        self.sellerCategory = sellerCategory
        self.quantity = quantity
        self.price = price
        self.periods = periods
        self.ends = ends
    }

    /// Price times quantity times periods.
    ///
    /// - Throws: ``MoneyError/Code/overflow``.
    package func amount() throws(MoneyError) -> Money {
        try price.multiplied(by: quantity).multiplied(by: periods)
    }
}

/// One line of what something costs: the parts of a total, taxes and reductions among them.
package struct PriceLine: Hashable, Sendable {
    package var label: String
    /// Negative for a reduction.
    package var amount: Money
    /// The place, from 1, of the order's item whose seller it is owed to; nil: it is owed to the library.
    package var item: Int64?
    /// Of an answer of the policy: that it is owed to the library and not to the seller.
    package var isForLibrary: Bool
    /// Where the policy says so.
    package var origin: RuleOrigin?

    package init(
        label: String, amount: Money, item: Int64? = nil, isForLibrary: Bool = false, origin: RuleOrigin? = nil
    ) {
        self.label = label
        self.amount = amount
        self.item = item
        self.isForLibrary = isForLibrary
        self.origin = origin
    }

    package var isOwedToLibrary: Bool { item == nil }

    /// How a policy says `to` whom a line of a seller's deal is owed.
    package static let toLibrary = "library"
    package static let toSeller = "seller"

    /// The sum of the lines that are owed to the library.
    ///
    /// - Throws: ``MoneyError``: overflow, two currencies.
    package static func owed(of lines: some Sequence<PriceLine>, in currency: Currency) throws(MoneyError) -> Money {
        try total(of: lines.filter(\.isOwedToLibrary), in: currency)
    }

    /// The sum of the lines.
    ///
    /// - Throws: ``MoneyError``: overflow, two currencies.
    package static func total(of lines: some Sequence<PriceLine>, in currency: Currency) throws(MoneyError) -> Money {
        var amounts: [Money] = []
        for line in lines { amounts.append(line.amount) }
        return try Money.sum(amounts, currency: currency)
    }
}
