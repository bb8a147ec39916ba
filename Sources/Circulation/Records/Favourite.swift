/// A title, or something offered, that a patron keeps in mind.
package struct Favourite: Hashable, Sendable {
    package var id: Int64
    package var patron: Int64
    /// nil for a listing.
    package var title: Int64?
    /// nil for a title.
    package var listing: Int64?
    package var addedAt: Instant

    package init(id: Int64 = 0, patron: Int64, title: Int64? = nil, listing: Int64? = nil, addedAt: Instant) {
        self.id = id
        self.patron = patron
        self.title = title
        self.listing = listing
        self.addedAt = addedAt
    }
}
