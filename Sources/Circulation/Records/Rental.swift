/// Something of a listing that a patron has until a date.
package struct Rental: Hashable, Sendable {
    package var id: Int64
    package var listing: Int64
    /// nil once the title was removed.
    package var title: Int64?
    /// The listing's seller; nil: the library itself, or a seller who was removed.
    package var lender: Int64?
    /// nil once the patron was removed.
    package var borrower: Int64?
    /// What it was charged by.
    package var order: Int64?
    package var quantity: Int64
    /// For each ``period``, as it was.
    package var price: Money
    package var period: Period
    package var begunAt: Instant
    /// The last day.
    package var ends: CivilDate
    /// When it was given back; nil: it is open.
    package var endedAt: Instant?
    /// Set for a rental from a file: its key, unique in the store.
    package var importKey: String?

    package init(
        id: Int64 = 0, listing: Int64, title: Int64?, lender: Int64?, borrower: Int64?, order: Int64? = nil,
        quantity: Int64 = 1, price: Money, period: Period, begunAt: Instant, ends: CivilDate,
        endedAt: Instant? = nil, importKey: String? = nil
    ) {
        self.id = id
        self.listing = listing
        self.title = title
        self.lender = lender
        self.borrower = borrower
        self.order = order
        self.quantity = quantity
        self.price = price
        self.period = period
        self.begunAt = begunAt
        self.ends = ends
        self.endedAt = endedAt
        self.importKey = importKey
    }

    package var isOpen: Bool { endedAt == nil }
}
