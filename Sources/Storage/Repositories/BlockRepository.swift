package import Circulation

/// Blocks on patrons, suspensions among them.
package struct BlockRepository: RemovableRepository, RowRepository {
    package let transaction: Transaction

    package static let table = RecordTable<PatronBlock>()
    private static let ofPatron = Query("SELECT \(columns) FROM blocks WHERE patron = ? ORDER BY id")
    private static let inForce = Query(
        """
        SELECT \(columns) FROM blocks
        WHERE patron = ? AND lifted_at IS NULL AND (ends IS NULL OR ends >= ?) ORDER BY id
        """)
    private static let partInForce = Query(inForce.text + " LIMIT ? OFFSET ?")

    /// All blocks of a patron, past and lifted ones too, the oldest first.
    package func of(patron: Int64) throws(StoreError) -> [PatronBlock] {
        try all(Self.ofPatron, [.integer(patron)])
    }

    /// The patron's blocks that are not lifted and whose last day, if they have one, is `today` or later.
    package func inForce(patron: Int64, today: CivilDate) throws(StoreError) -> [PatronBlock] {
        try all(Self.inForce, [.integer(patron), .date(today)])
    }

    /// A part of them.
    package func inForce(patron: Int64, today: CivilDate, _ part: ListPart) throws(StoreError) -> [PatronBlock] {
        try all(Self.partInForce, [.integer(patron), .date(today)] + part.values)
    }

    // One bit an action; a new action takes the next bit and never another's.
    private static let bitOfAction: [(BlockFacts.Action, Int64)] = [
        (.borrow, 1), (.renew, 2), (.hold, 4), (.cart, 8), (.market, 16), (.`self`, 32),
    ]

    static func bits(_ actions: Set<BlockFacts.Action>) -> Int64 {
        bitOfAction.reduce(0) { bits, entry in actions.contains(entry.0) ? bits | entry.1 : bits }
    }

    static func actions(_ bits: Int64) -> Set<BlockFacts.Action> {
        Set(bitOfAction.filter { bits & $0.1 != 0 }.map(\.0))
    }
}
