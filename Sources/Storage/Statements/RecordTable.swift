package import Circulation

/// The rows of a declared record: their columns, and how they are written and read.
package struct RecordTable<Record: DeclaredRecord>: Sendable {
    /// A column that the store makes of a record for itself, to find or to sort it.
    struct Derived: Sendable {
        let column: String
        let value: @Sendable (Record) -> StoredValue

        init(_ column: String, _ value: @escaping @Sendable (Record) -> StoredValue) {
            self.column = column
            self.value = value
        }
    }

    let name: String
    /// The names of the declared columns, in the order in which ``read(_:)`` expects them.
    let columnNames: [String]
    /// The same for a query, each with the table's name.
    let columns: String
    let derived: [Derived]
    /// The derived columns for a query, each with the table's name.
    let derivedColumns: String
    private let fields: [RecordField<Record>]
    /// The record of a key.
    let byKey: Query
    /// The records of some keys: see ``StoredValue/numbers(_:)``.
    let among: Query
    /// The record that an import has brought under a key, where they have one.
    let byImportKey: Query
    /// Takes the record of a key out.
    let removal: Query
    /// The next records by id: the last id, and how many.
    let after: Query
    private let insertion: Query
    private let insertionIfNew: Query
    let replacement: RecordChange<Record>

    init(derived: [Derived] = []) {
        let declaration = Record.declaration
        let name = declaration.table
        self.name = name
        self.derived = derived
        derivedColumns = derived.map { "\(name).\($0.column)" }.joined(separator: ", ")
        fields = declaration.fields.filter { !$0.columns.isEmpty }
        columnNames = fields.flatMap(\.columns)
        columns = columnNames.map { "\(name).\($0)" }.joined(separator: ", ")
        byKey = Query("SELECT \(columns) FROM \(name) WHERE \(declaration.key) = ?")
        among = Query("SELECT \(columns) FROM \(name) WHERE {among \(declaration.key)}")
        byImportKey = Query("SELECT \(columns) FROM \(name) WHERE import_key = ?")
        removal = Query("DELETE FROM \(name) WHERE \(declaration.key) = ?")
        after = Query("SELECT \(columns) FROM \(name) WHERE id > ? ORDER BY id LIMIT ?")
        let text = Self.insertion(into: name, columnNames + derived.map(\.column))
        insertion = Query(text)
        insertionIfNew = Query(text + " ON CONFLICT DO NOTHING")
        replacement = RecordChange(name, fields.filter { $0.name != declaration.key }, derived)
    }

    /// An insertion of a record without a number of its own, with further columns behind the declared ones.
    func insertion(adding columns: [String]) -> Query { Query(Self.insertion(into: name, columnNames + columns)) }

    /// What writes these fields of a record, and leaves the others as they are.
    func change(_ paths: PartialKeyPath<Record>...) -> RecordChange<Record> {
        let changed = paths.map { path in
            guard let field = fields.first(where: { $0.path == path }) else {
                preconditionFailure("\(path) is no declared field")
            }
            return field
        }
        return RecordChange(name, changed, [])
    }

    /// Adds a record, under its own id or, if that is 0, under a new one.
    func insert(_ record: Record, in transaction: Transaction) throws(StoreError) -> Int64 {
        guard let id = try transaction.insert(insertion, values(record)) else {
            throw .fault("\(Record.declaration.one) was not inserted")
        }
        return id
    }

    /// Adds a record that nothing stands in the way of, under its own id, without waiting for that.
    func post(_ record: Record, in transaction: Transaction) throws(StoreError) {
        try transaction.post(insertion, values(record))
    }

    /// Adds a record unless what is unique about it is taken.
    ///
    /// - Returns: nil if nothing was added.
    func insertIfNew(_ record: Record, in transaction: Transaction) throws(StoreError) -> Int64? {
        try transaction.insert(insertionIfNew, values(record))
    }

    /// Adds records, each unless what is unique about it is taken.
    ///
    /// - Returns: for each its id, or nil if it was not added.
    func insertIfNew(_ records: [Record], in transaction: Transaction) throws(StoreError) -> [Int64?] {
        try transaction.connection().insert(insertionIfNew, records.map(values))
    }

    /// Replaces all of a record.
    ///
    /// - Returns: false if there is none of that id.
    func update(_ record: Record, in transaction: Transaction) throws(StoreError) -> Bool {
        try replacement.write(record, in: transaction)
    }

    /// What the declared and the derived columns hold.
    func values(_ record: Record) -> [StoredValue] { .init(fields, derived, of: record) }

    /// Reads ``columns``.
    func read(_ row: inout RowReader) throws(StoreError) -> Record {
        var record = Record.blank
        for field in fields {
            var value = try row.value(of: field.kind)
            if field.isNoneAsZero, case .absent = value { value = .integer(0) }
            guard field.set(&record, value) else {
                throw .corrupt(
                    "the column \(field.columns[0]) of \(name) holds a value that this program does not know")
            }
        }
        return record
    }

    /// Reads ``derivedColumns`` and names those that do not hold what the store would make of the record now.
    func outdated(_ record: Record, _ row: inout RowReader) -> [String] {
        derived.filter { $0.value(record) != .optional(row.optionalText()) }.map(\.column)
    }

    private static func insertion(into name: String, _ columns: [String]) -> String {
        let parameters = columns.map { $0 == "id" ? "{id \(name)}" : "?" }
        return """
            INSERT INTO \(name) (\(columns.joined(separator: ", "))) VALUES (\(parameters.joined(separator: ", ")))
            """
    }
}

/// A statement that writes fields of a record where its key is found.
struct RecordChange<Record: DeclaredRecord>: Sendable {
    private let query: Query
    private let fields: [RecordField<Record>]
    private let derived: [RecordTable<Record>.Derived]

    fileprivate init(_ table: String, _ fields: [RecordField<Record>], _ derived: [RecordTable<Record>.Derived]) {
        let columns = fields.flatMap(\.columns) + derived.map(\.column)
        let key = Record.declaration.key
        query = Query("UPDATE \(table) SET \(columns.map { "\($0) = ?" }.joined(separator: ", ")) WHERE \(key) = ?")
        self.fields = fields + Record.declaration.fields.filter { $0.name == key }
        self.derived = derived
    }

    /// - Returns: false if there is no record of that key.
    func write(_ record: Record, in transaction: Transaction) throws(StoreError) -> Bool {
        var values = [StoredValue](fields, derived, of: record)
        // The key stands behind what is set.
        if !derived.isEmpty { values.append(values.remove(at: values.count - derived.count - 1)) }
        return try transaction.execute(query, values) == 1
    }
}
