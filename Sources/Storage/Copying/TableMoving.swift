/// What a driver offers to those who move whole tables, beside what it offers to repositories.
protocol TableMoving {
    /// All tables of the store, the full-text index among them, by name.
    func tables() throws(StoreError) -> [StoredTable]

    /// Empties tables.
    func clear(_ tables: [StoredTable]) throws(StoreError)

    /// Rows of these tables may refer, until ``checkReferences(of:)``, to rows that are yet to come.
    func deferReferences(of tables: Set<String>) throws(StoreError)

    /// - Throws: ``StoreError/Code/constraint`` if a row refers to one that is not there.
    func checkReferences(of tables: Set<String>) throws(StoreError)

    /// Takes rows for a table; they are in it after ``BulkLoader/finish()``.
    func bulkLoader(_ table: StoredTable) throws(StoreError) -> any BulkLoader

    /// The last key that a table has given, by its name; nil for a table that has given none, or keeps no count.
    func lastKeys() throws(StoreError) -> [String: Int64]

    /// Goes on after these keys.
    func setLastKeys(_ keys: [String: Int64]) throws(StoreError)
}

/// Takes the rows of one table.
protocol BulkLoader {
    mutating func append(_ row: [StoredValue]) throws(StoreError)
    mutating func finish() throws(StoreError)
}
