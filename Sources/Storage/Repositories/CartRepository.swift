package import Circulation

/// The patrons' carts, line by line.
package struct CartRepository {
    let transaction: Transaction

    static let table = RecordTable<CartLine>()
    private static let columns = table.columns
    private static let byID = Query("SELECT \(columns) FROM cart_lines WHERE id = ?")
    private static let ofPatron = Query("SELECT \(columns) FROM cart_lines WHERE patron = ? ORDER BY id")
    private static let pieces = Query(
        "SELECT CAST(COALESCE(SUM(quantity), 0) AS {integer}) FROM cart_lines WHERE patron = ?")
    private static let after = Query("SELECT \(columns) FROM cart_lines WHERE id > ? ORDER BY id LIMIT ?")
    private static let removal = Query("DELETE FROM cart_lines WHERE id = ?")

    package func get(_ id: Int64) throws(StoreError) -> CartLine? { try all(Self.byID, [.integer(id)]).first }

    /// A patron's lines in the order in which they were added.
    package func of(patron: Int64) throws(StoreError) -> [CartLine] { try all(Self.ofPatron, [.integer(patron)]) }

    /// How many pieces a patron's lines are about.
    package func pieces(patron: Int64) throws(StoreError) -> Int64 {
        try transaction.number(Self.pieces, [.integer(patron)])
    }

    /// All lines by id, until `body` returns false. `body` may write.
    package func forEach(_ body: (CartLine) throws -> Bool) throws {
        try transaction.inPages(
            { (last) throws(StoreError) in
                try all(Self.after, [.integer(last?.id ?? .min), .integer(Transaction.pageSize)])
            }, body)
    }

    /// Adds a line, under its own id or, if that is 0, under a new one.
    ///
    /// - Throws: ``StoreError/Code/constraint`` if patron, title or listing do not exist.
    @discardableResult
    package func insert(_ line: CartLine) throws(StoreError) -> Int64 {
        try Self.table.insert(line, in: transaction)
    }

    /// - Returns: false if no line has that id.
    @discardableResult
    package func update(_ line: CartLine) throws(StoreError) -> Bool {
        try Self.table.update(line, in: transaction)
    }

    /// - Returns: false if no line has that id.
    @discardableResult
    package func remove(_ id: Int64) throws(StoreError) -> Bool {
        try transaction.execute(Self.removal, [.integer(id)]) == 1
    }

    private func all(_ query: Query, _ values: [StoredValue]) throws(StoreError) -> [CartLine] {
        try transaction.all(query, values, Self.table.read)
    }
}
