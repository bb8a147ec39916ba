package import Circulation

/// Uses of copies in the house.
package struct InHouseUseRepository: RowRepository {
    package let transaction: Transaction

    package static let table = RecordTable<InHouseUse>()

    /// Adds a use, under its own id or, if that is 0, under a new one.
    @discardableResult
    package func insert(_ use: InHouseUse) throws(StoreError) -> Int64 {
        let id = try Self.table.insert(use, in: transaction)
        try transaction.counters.add([use.movement])
        return id
    }
}
