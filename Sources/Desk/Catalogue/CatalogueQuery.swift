/// What to look for in the catalogue.
package struct CatalogueQuery: Hashable, Sendable {
    /// Where the words are looked for.
    package enum Field: String, Hashable, Sendable, CaseIterable {
        case all, title, author, isbn, course, college, publisher, genre
    }
    package enum Order: String, Hashable, Sendable, CaseIterable { case title, author, year, id }

    /// The words, all of which must be found; empty: every title.
    package var words: String
    package var field: Field
    /// The last word may be the beginning of one.
    package var prefix: Bool
    /// Only titles of which a copy is available.
    package var available: Bool
    package var order: Order
    package var limit: Int
    package var offset: Int

    package init(
        words: String = "", field: Field = .all, prefix: Bool = false, available: Bool = false, order: Order = .title,
        limit: Int = 50, offset: Int = 0
    ) {
        self.words = words
        self.field = field
        self.prefix = prefix
        self.available = available
        self.order = order
        self.limit = limit
        self.offset = offset
    }
}
