package import Circulation

/// What patrons keep in mind.
package struct FavouriteRepository {
    let transaction: Transaction

    static let table = RecordTable<Favourite>()
    private static let columns = table.columns
    private static let byID = Query("SELECT \(columns) FROM favourites WHERE id = ?")
    private static let ofPatron = Query("SELECT \(columns) FROM favourites WHERE patron = ? ORDER BY id")
    private static let after = Query("SELECT \(columns) FROM favourites WHERE id > ? ORDER BY id LIMIT ?")
    private static let removal = Query("DELETE FROM favourites WHERE id = ?")
    private static let doubles = Query(
        """
        DELETE FROM favourites WHERE patron = ? AND EXISTS (
            SELECT 1 FROM favourites AS earlier WHERE earlier.patron = favourites.patron
                AND earlier.id < favourites.id
                AND (earlier.title = favourites.title OR earlier.listing = favourites.listing))
        """)

    package func get(_ id: Int64) throws(StoreError) -> Favourite? { try all(Self.byID, [.integer(id)]).first }

    /// A patron's favourites in the order in which they were added.
    package func of(patron: Int64) throws(StoreError) -> [Favourite] { try all(Self.ofPatron, [.integer(patron)]) }

    /// All favourites by id, until `body` returns false. `body` may write.
    package func forEach(_ body: (Favourite) throws -> Bool) throws {
        try transaction.inPages(
            { (last) throws(StoreError) in
                try all(Self.after, [.integer(last?.id ?? .min), .integer(Transaction.pageSize)])
            }, body)
    }

    /// Adds one, under its own id or, if that is 0, under a new one.
    ///
    /// - Throws: ``StoreError/Code/constraint`` if patron, title or listing do not exist.
    @discardableResult
    package func insert(_ favourite: Favourite) throws(StoreError) -> Int64 {
        try Self.table.insert(favourite, in: transaction)
    }

    /// - Returns: false if there is none of that id.
    @discardableResult
    package func remove(_ id: Int64) throws(StoreError) -> Bool {
        try transaction.execute(Self.removal, [.integer(id)]) == 1
    }

    /// Of a title kept twice, the first favourite stays.
    package func removeDoubles(of patron: Int64) throws(StoreError) {
        try transaction.execute(Self.doubles, [.integer(patron)])
    }

    private func all(_ query: Query, _ values: [StoredValue]) throws(StoreError) -> [Favourite] {
        try transaction.all(query, values, Self.table.read)
    }
}
