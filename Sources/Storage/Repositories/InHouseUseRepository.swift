package import Circulation

/// Uses of copies in the house.
package struct InHouseUseRepository {
    let transaction: Transaction

    private static let insertion = Query(
        """
        INSERT INTO in_house_uses (id, copy, title, item_type, branch, used_at)
        VALUES ({id in_house_uses}, ?, ?, ?, ?, ?)
        """)
    private static let after = Query(
        "SELECT id, copy, title, item_type, branch, used_at FROM in_house_uses WHERE id > ? ORDER BY id LIMIT ?")

    /// Adds a use, under its own id or, if that is 0, under a new one.
    @discardableResult
    package func insert(_ use: InHouseUse) throws(StoreError) -> Int64 {
        let values: [StoredValue] = [
            .id(use.id), .optional(use.copy), .optional(use.title), .optional(use.itemType), .optional(use.branch),
            .instant(use.usedAt),
        ]
        guard let id = try transaction.insert(Self.insertion, values) else {
            throw .fault("a use in the house was not inserted")
        }
        return id
    }

    /// All uses by id, until `body` returns false. `body` may write.
    package func forEach(_ body: (InHouseUse) throws -> Bool) throws {
        try transaction.inPages(
            { (last) throws(StoreError) in
                try transaction.all(Self.after, [.integer(last?.id ?? .min), .integer(Transaction.pageSize)]) { row in
                    InHouseUse(
                        id: row.integer(), copy: row.optionalInteger(), title: row.optionalInteger(),
                        itemType: row.optionalText(), branch: row.optionalText(), usedAt: row.instant())
                }
            }, body)
    }
}
