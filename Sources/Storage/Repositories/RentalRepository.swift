package import Circulation

/// Rentals, open and ended.
package struct RentalRepository: ImportedRepository, RowRepository {
    package let transaction: Transaction

    package static let table = RecordTable<Rental>()
    private static let dueBy = Query(
        """
        SELECT \(columns) FROM rentals WHERE ended_at IS NULL AND ends <= ? AND id > ? ORDER BY id LIMIT ?
        """)

    /// Rentals, the latest first; what is nil does not count.
    ///
    /// - Parameter isOpen: open ones, or ended ones.
    package func list(
        lender: Int64? = nil, borrower: Int64? = nil, order: Int64? = nil, isOpen: Bool? = nil, _ part: ListPart
    ) throws(StoreError) -> [Rental] {
        var conditions = Conditions()
        conditions.add("lender = ?", lender.map { .integer($0) })
        conditions.add("borrower = ?", borrower.map { .integer($0) })
        conditions.add("order_id = ?", order.map { .integer($0) })
        if let isOpen { conditions.add(isOpen ? "ended_at IS NULL" : "ended_at IS NOT NULL") }
        return try list(conditions, by: "id DESC", part)
    }

    /// Open rentals whose last day is `date` or earlier, the next by id.
    package func due(by date: CivilDate, after id: Int64, limit: Int64) throws(StoreError) -> [Rental] {
        try all(Self.dueBy, [.date(date), .integer(id), .integer(limit)])
    }
}

extension RentalRepository {
    private static let ending = Query("UPDATE rentals SET ended_at = ? WHERE id = ?")

    /// - Returns: false if no rental has that id.
    @discardableResult
    package func setEnded(_ id: Int64, at instant: Instant) throws(StoreError) -> Bool {
        try transaction.execute(Self.ending, [.instant(instant), .integer(id)]) == 1
    }
}
