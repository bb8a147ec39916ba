/// Something in a patron's cart: a title to borrow, or pieces of a listing to buy or rent. It stays there until it is
/// checked out or taken out.
package struct CartLine: Hashable, Sendable {
    package var id: Int64
    package var patron: Int64
    package var kind: SaleKind
    /// The title to borrow; nil for what is bought or rented.
    package var title: Int64?
    /// The listing to buy or rent from; nil for a loan.
    package var listing: Int64?
    package var quantity: Int64
    /// The listing's price when the line was last looked at; nil for a loan.
    package var price: Money?
    /// The last day of a rental.
    package var ends: CivilDate?
    package var addedAt: Instant

    package init(
        id: Int64 = 0, patron: Int64, kind: SaleKind, title: Int64? = nil, listing: Int64? = nil, quantity: Int64 = 1,
        price: Money? = nil, ends: CivilDate? = nil, addedAt: Instant
    ) {
        self.id = id
        self.patron = patron
        self.kind = kind
        self.title = title
        self.listing = listing
        self.quantity = quantity
        self.price = price
        self.ends = ends
        self.addedAt = addedAt
    }
}
