package import Circulation

/// Words of a title, in one of its fields.
package struct ListingWords: Hashable, Sendable {
    package var text: String
    package var field: CatalogueQuery.Field

    package init(_ text: String, in field: CatalogueQuery.Field) {
        self.text = text
        self.field = field
    }
}

/// Which listings are asked for; what is nil does not count.
package struct ListingFilter: Hashable, Sendable {
    package var title: Int64?
    package var seller: Int64?
    /// Only the library's own.
    package var isOwn: Bool
    package var kind: Listing.Kind?
    /// Empty: in any state.
    package var states: Set<Listing.State>
    /// Words that the titles have, all of them.
    package var words: [ListingWords]

    package init(
        title: Int64? = nil, seller: Int64? = nil, isOwn: Bool = false, kind: Listing.Kind? = nil,
        states: Set<Listing.State> = [], words: [ListingWords] = []
    ) {
        self.title = title
        self.seller = seller
        self.isOwn = isOwn
        self.kind = kind
        self.states = states
        self.words = words
    }
}

/// What patrons and the library offer.
package struct ListingRepository: RowRepository {
    package let transaction: Transaction

    package static let table = RecordTable<Listing>()
    private static let byImportKey = Query("SELECT \(columns) FROM listings WHERE import_key = ?")
    private static let ofSeller = Query(
        """
        SELECT \(columns) FROM listings WHERE seller = ? AND state NOT IN ('withdrawn', 'sold') ORDER BY id
        """)
    private static let openOfTitle = Query(
        "SELECT COUNT(*) FROM listings WHERE title = ? AND state NOT IN ('withdrawn', 'sold')")
    private static let openWithTitles = Query(
        "SELECT COUNT(*) FROM listings WHERE title IS NOT NULL AND state NOT IN ('withdrawn', 'sold')")
    private static let blanking = Query("UPDATE listings SET note = '' WHERE seller = ?")

    /// The listing that an import has brought under this key.
    package func find(importKey: String) throws(StoreError) -> Listing? {
        try first(Self.byImportKey, [.text(importKey)])
    }

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

    /// Listings that pass the filter, the newest first.
    package func list(_ filter: ListingFilter, limit: Int64, offset: Int64 = 0) throws(StoreError) -> [Listing] {
        var conditions: [String] = []
        var values: [StoredValue] = []
        func add(_ condition: String, _ value: StoredValue) {
            conditions.append(condition)
            values.append(value)
        }
        if let title = filter.title { add("title = ?", .integer(title)) }
        if let seller = filter.seller { add("seller = ?", .integer(seller)) }
        if filter.isOwn { conditions.append("seller IS NULL") }
        if let kind = filter.kind { add("kind = ?", .choice(kind)) }
        if !filter.states.isEmpty {
            let states = filter.states.map(\.rawValue).sorted()
            conditions.append("state IN (\(states.map { _ in "?" }.joined(separator: ", ")))")
            values += states.map { .text($0) }
        }
        for words in filter.words where !words.text.allSatisfy(\.isWhitespace) {
            let terms = SearchTerm.terms(of: CatalogueQuery(words: words.text, field: words.field))
            guard !terms.isEmpty else { return [] }
            let dialect = try transaction.connection().dialect
            add(
                "title IN (SELECT titles.id FROM {titlesInSearch} WHERE {searchMatches})",
                .text(dialect.searchExpression(terms, words.field)))
        }
        let condition = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        let text = "SELECT \(Self.columns) FROM listings\(condition) ORDER BY id DESC LIMIT ? OFFSET ?"
        return try all(Query(once: text), values + [.integer(max(limit, 0)), .integer(max(offset, 0))])
    }

    /// Takes the sellers' own words out of all their listings: what stands outside the events.
    package func forgetNotes(of seller: Int64) throws(StoreError) {
        try transaction.execute(Self.blanking, [.integer(seller)])
    }
}
