package import Circulation

/// Uses of copies in the house.
package struct InHouseUseRepository {
    let transaction: Transaction

    static let table = RecordTable<InHouseUse>()
    private static let after = Query(
        "SELECT \(table.columns) FROM in_house_uses WHERE id > ? ORDER BY id LIMIT ?")

    /// Adds a use, under its own id or, if that is 0, under a new one.
    @discardableResult
    package func insert(_ use: InHouseUse) throws(StoreError) -> Int64 { try Self.table.insert(use, in: transaction) }

    /// All uses by id, until `body` returns false. `body` may write.
    package func forEach(_ body: (InHouseUse) throws -> Bool) throws {
        try transaction.inPages(
            { (last) throws(StoreError) in
                try transaction.all(
                    Self.after, [.integer(last?.id ?? .min), .integer(Transaction.pageSize)], Self.table.read)
            }, body)
    }
}
