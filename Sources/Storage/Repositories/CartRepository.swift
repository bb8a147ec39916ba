package import Circulation

/// The patrons' carts, line by line.
package struct CartRepository: RemovableRepository, RowRepository {
    package let transaction: Transaction

    package static let table = RecordTable<CartLine>()
    private static let ofPatron = Query("SELECT \(columns) FROM cart_lines WHERE patron = ? ORDER BY id")
    private static let pieces = Query(
        "SELECT CAST(COALESCE(SUM(quantity), 0) AS {integer}) FROM cart_lines WHERE patron = ?")

    /// A patron's lines in the order in which they were added.
    package func of(patron: Int64) throws(StoreError) -> [CartLine] { try all(Self.ofPatron, [.integer(patron)]) }

    /// How many pieces a patron's lines are about.
    package func pieces(patron: Int64) throws(StoreError) -> Int64 {
        try transaction.number(Self.pieces, [.integer(patron)])
    }
}
