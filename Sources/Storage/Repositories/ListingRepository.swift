package import Circulation

/// Words of a title, in one of its fields.
package struct ListingWords: Hashable, Sendable {
    package var text: String
    package var field: CatalogueQuery.Field
    /// Whether words may be the beginnings of those that are looked for.
    package var isPrefix: Bool

    package init(_ text: String, in field: CatalogueQuery.Field, isPrefix: Bool = false) {
        self.text = text
        self.field = field
        self.isPrefix = isPrefix
    }
}

/// What patrons and the library offer.
package struct ListingRepository: ImportedRepository, RowRepository {
    package let transaction: Transaction

    package static let table = RecordTable<Listing>()
    private static let ofSeller = Query(
        """
        SELECT \(columns) FROM listings WHERE seller = ? AND state NOT IN ('withdrawn', 'sold') ORDER BY id
        """)
    private static let openOfTitle = Query(
        "SELECT COUNT(*) FROM listings WHERE title = ? AND state NOT IN ('withdrawn', 'sold')")
    private static let openWithTitles = Query(
        "SELECT COUNT(*) FROM listings WHERE title IS NOT NULL AND state NOT IN ('withdrawn', 'sold')")
    private static let blanking = Query("UPDATE listings SET note = '' WHERE seller = ?")

    /// A seller's listings that are neither withdrawn nor sold, the oldest first.
    package func open(seller: Int64) throws(StoreError) -> [Listing] { try all(Self.ofSeller, [.integer(seller)]) }

    /// How many listings of a title are neither withdrawn nor sold; nil: of any title of the catalogue.
    package func openCount(title: Int64?) throws(StoreError) -> Int64 {
        guard let title else { return try transaction.number(Self.openWithTitles) }
        return try transaction.number(Self.openOfTitle, [.integer(title)])
    }

    /// How many listings await a decision, counted up to a limit.
    package func reviewCount(upTo most: Int64) throws(StoreError) -> Int64 {
        try transaction.number(Self.reviewCounted, [.integer(most)])
    }

    private static let reviewCounted = Query(
        "SELECT COUNT(*) FROM (SELECT 1 FROM listings WHERE state = 'review' LIMIT ?) AS waiting")

    /// Listings, the newest first; what is nil does not count.
    ///
    /// - Parameters:
    ///   - states: empty: in any state.
    ///   - words: words that the titles have, all of them.
    ///   - recommended: whether only those that their sellers recommend are wanted.
    package func list(
        title: Int64? = nil, seller: Int64? = nil, kind: Listing.Kind? = nil, states: Set<Listing.State> = [],
        words: [ListingWords] = [], recommended: Bool = false, _ part: ListPart
    ) throws(StoreError) -> [Listing] {
        var conditions = Conditions()
        conditions.add("title = ?", title.map { .integer($0) })
        conditions.add("seller = ?", seller.map { .integer($0) })
        conditions.add("kind = ?", kind.map { .choice($0) })
        if !states.isEmpty { conditions.add("state", in: states.map(\.rawValue).sorted().map { .text($0) }) }
        for words in words where !words.text.allSatisfy(\.isWhitespace) {
            let terms = SearchTerm.terms(
                of: CatalogueQuery(words: words.text, field: words.field, prefix: words.isPrefix))
            guard !terms.isEmpty else { return [] }
            let dialect = try transaction.connection().dialect
            conditions.add(
                "title IN (SELECT titles.id FROM {titlesInSearch} WHERE {searchMatches})",
                .text(dialect.searchExpression(terms, words.field)))
        }
        if recommended { conditions.add("recommended = 1") }
        return try list(conditions, by: "id DESC", part)
    }

    /// Takes the sellers' own words out of all their listings: what stands outside the events.
    package func forgetNotes(of seller: Int64) throws(StoreError) {
        try transaction.execute(Self.blanking, [.integer(seller)])
    }
}
