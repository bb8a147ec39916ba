package import Circulation

// How many holds a patron has by item type.
extension FactRepository {
    // A hold for one copy is of that copy's type; one for a title is of each type of which the title has copies that
    // could fill it.
    private static let heldTypes = Query(
        """
        SELECT DISTINCT holds.id, holds.title, holds.placed_at, copies.item_type
        FROM holds JOIN copies ON copies.title = holds.title AND (copies.id = holds.copy
            OR holds.copy IS NULL AND copies.status <> 'lost' AND copies.status <> 'withdrawn')
        WHERE holds.patron = ? AND holds.closed_at IS NULL
        """)

    /// How many open holds of a patron are on each of some item types, types below it included.
    ///
    /// - Parameters:
    ///   - hold: the hold in question, which does not count. One without an id is known by title and moment, if it was
    ///     placed in the meantime.
    ///   - title: the title that it is on.
    package func holdCounts(
        patron: Int64, of itemTypes: [String], but hold: HoldFacts, title: Int64?
    ) throws(StoreError) -> [Int64] {
        let settings = try transaction.settings.snapshot()
        var held: [Int64: Set<String>] = [:]
        try transaction.each(Self.heldTypes, [.integer(patron)]) { row throws(StoreError) in
            let id = row.integer()
            let (other, placedAt) = (row.optionalInteger(), row.instant())
            let types = settings.itemTypes(from: row.text())
            let isInQuestion = hold.id == 0 ? other == title && placedAt == hold.placedAt : id == hold.id
            if !isInQuestion { held[id, default: []].formUnion(types) }
            return true
        }
        return itemTypes.map { type in Int64(held.values.count { $0.contains(type) }) }
    }
}
