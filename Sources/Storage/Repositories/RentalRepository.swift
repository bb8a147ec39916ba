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
package struct RentalRepository {
    let transaction: Transaction

    static let table = RecordTable<Rental>()
    private static let columns = table.columns
    private static let byID = Query("SELECT \(columns) FROM rentals WHERE id = ?")
    private static let byImportKey = Query("SELECT \(columns) FROM rentals WHERE import_key = ?")
    private static let after = Query("SELECT \(columns) FROM rentals WHERE id > ? ORDER BY id LIMIT ?")
    private static let dueBy = Query(
        """
        SELECT \(columns) FROM rentals WHERE ended_at IS NULL AND ends <= ? AND id > ? ORDER BY id LIMIT ?
        """)

    package func get(_ id: Int64) throws(StoreError) -> Rental? { try all(Self.byID, [.integer(id)]).first }

    /// The rental that an import has brought under this key.
    package func find(importKey: String) throws(StoreError) -> Rental? {
        try all(Self.byImportKey, [.text(importKey)]).first
    }

    /// Rentals that pass the filter, the latest first.
    package func list(_ filter: RentalFilter, limit: Int64) throws(StoreError) -> [Rental] {
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
        let text = "SELECT \(Self.columns) FROM rentals\(condition) ORDER BY id DESC LIMIT ?"
        return try all(Query(once: text), values + [.integer(max(limit, 0))])
    }

    /// Open rentals whose last day is `date` or earlier, the next by id.
    package func due(by date: CivilDate, after id: Int64, limit: Int64) throws(StoreError) -> [Rental] {
        try all(Self.dueBy, [.date(date), .integer(id), .integer(limit)])
    }

    /// The next rentals by id.
    package func page(after id: Int64, limit: Int64) throws(StoreError) -> [Rental] {
        try all(Self.after, [.integer(id), .integer(limit)])
    }

    /// All rentals by id, until `body` returns false. `body` may write.
    package func forEach(_ body: (Rental) throws -> Bool) throws {
        try transaction.inPages(
            { (last) throws(StoreError) in try page(after: last?.id ?? .min, limit: Transaction.pageSize) }, body)
    }

    private func all(_ query: Query, _ values: [StoredValue]) throws(StoreError) -> [Rental] {
        try transaction.all(query, values, Self.table.read)
    }
}

extension RentalRepository {
    private static let ending = Query("UPDATE rentals SET ended_at = ? WHERE id = ?")

    /// Adds a rental, under its own id or, if that is 0, under a new one.
    ///
    /// - Throws: ``StoreError/Code/constraint`` if the import key is taken, or a record that it names does not exist.
    @discardableResult
    package func insert(_ rental: Rental) throws(StoreError) -> Int64 {
        try Self.table.insert(rental, in: transaction)
    }

    /// - Returns: false if no rental has that id.
    @discardableResult
    package func setEnded(_ id: Int64, at instant: Instant) throws(StoreError) -> Bool {
        try transaction.execute(Self.ending, [.instant(instant), .integer(id)]) == 1
    }
}
