package import Circulation

/// The keys of records, for completing a typed beginning.
package struct KeyRepository {
    let transaction: Transaction

    private static let titles = listing("isbn, title FROM titles", by: "isbn")
    private static let copies = Query(
        """
        SELECT copies.barcode, titles.title FROM copies JOIN titles ON titles.id = copies.title \
        WHERE copies.barcode >= ? AND copies.barcode < ? ORDER BY copies.barcode LIMIT ?
        """)
    private static let patrons = listing("username, name || ' ' || surname FROM patrons", by: "username")
    private static let branches = listing("code, name FROM branches", by: "code")
    private static let categories = listing("code, name FROM categories", by: "code")
    private static let itemTypes = listing("code, name FROM item_types", by: "code")
    private static let locations = listing("code, name FROM locations", by: "code")

    private static func listing(_ what: String, by key: String) -> Query {
        Query("SELECT \(what) WHERE \(key) >= ? AND \(key) < ? ORDER BY \(key) LIMIT ?")
    }

    /// Those that begin with a text, by key.
    ///
    /// A range of the key's own index: it takes as long for a million records as for a hundred.
    package func list(_ table: KeyedTable, beginningWith text: String, limit: Int64) throws(StoreError) -> [KeyOfRecord]
    {
        let query =
            switch table {
            case .titles: Self.titles
            case .copies: Self.copies
            case .patrons: Self.patrons
            case .branches: Self.branches
            case .categories: Self.categories
            case .itemTypes: Self.itemTypes
            case .locations: Self.locations
            }
        // No text is behind the last scalar of Unicode.
        let bounds: [StoredValue] = [.text(text), .text(text + "\u{10FFFF}"), .integer(limit)]
        return try transaction.all(query, bounds) { row in
            KeyOfRecord(key: row.text(), about: row.text())
        }
    }
}
