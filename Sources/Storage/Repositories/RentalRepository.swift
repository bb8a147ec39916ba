package import Circulation

/// Which rentals are asked for; what is nil does not count.
package struct RentalFilter: Hashable, Sendable {
    package var lender: Int64?
    package var borrower: Int64?
    package var listing: Int64?
    package var order: Int64?
    /// Open ones, or ended ones.
    package var isOpen: Bool?

    package init(
        lender: Int64? = nil, borrower: Int64? = nil, listing: Int64? = nil, order: Int64? = nil, isOpen: Bool? = nil
    ) {
        self.lender = lender
        self.borrower = borrower
        self.listing = listing
        self.order = order
        self.isOpen = isOpen
    }
}

/// Rentals, open and ended.
package struct RentalRepository: RowRepository {
    package let transaction: Transaction

    package static let table = RecordTable<Rental>()
    private static let byImportKey = Query("SELECT \(columns) FROM rentals WHERE import_key = ?")
    private static let dueBy = Query(
        """
        SELECT \(columns) FROM rentals WHERE ended_at IS NULL AND ends <= ? AND id > ? ORDER BY id LIMIT ?
        """)

    /// The rental that an import has brought under this key.
    package func find(importKey: String) throws(StoreError) -> Rental? {
        try all(Self.byImportKey, [.text(importKey)]).first
    }

    /// Rentals that pass the filter, the latest first.
    package func list(_ filter: RentalFilter, _ part: ListPart) throws(StoreError) -> [Rental] {
        var conditions: [String] = []
        var values: [StoredValue] = []
        for (column, value) in [
            ("lender", filter.lender), ("borrower", filter.borrower), ("listing", filter.listing),
            ("order_id", filter.order),
        ] {
            guard let value else { continue }
            conditions.append("\(column) = ?")
            values.append(.integer(value))
        }
        if let isOpen = filter.isOpen { conditions.append(isOpen ? "ended_at IS NULL" : "ended_at IS NOT NULL") }
        let condition = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        let text = "SELECT \(Self.columns) FROM rentals\(condition) ORDER BY id DESC LIMIT ? OFFSET ?"
        return try all(Query(once: text), values + part.values)
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
