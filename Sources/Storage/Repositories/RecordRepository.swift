package import Circulation

/// The repository of a declared record that has an id: what all of them do alike.
package protocol RecordRepository {
    associatedtype Record: NumberedRecord
    var transaction: Transaction { get }
    static var table: RecordTable<Record> { get }
    /// Adds to records what stands in other tables.
    func complete(_ records: inout [Record]) throws(StoreError)
}

extension RecordRepository {
    /// The declared columns for a query.
    static var columns: String { table.columns }

    package func complete(_ records: inout [Record]) throws(StoreError) {}

    /// The record of an id; nil if there is none.
    package func get(_ id: Int64) throws(StoreError) -> Record? { try first(Self.table.byKey, [.integer(id)]) }

    /// The records of those ids that there are, in no order.
    package func get(_ ids: some Sequence<Int64>) throws(StoreError) -> [Record] {
        try all(Self.table.among, [.numbers(ids)])
    }

    /// The next records by id.
    package func page(after id: Int64 = .min, limit: Int64) throws(StoreError) -> [Record] {
        try all(Self.table.after, [.integer(id), .integer(limit)])
    }

    /// All records by id, until `body` returns false. `body` may write.
    package func forEach(_ body: (Record) throws -> Bool) throws {
        try transaction.inPages(
            { (last) throws(StoreError) in try page(after: last?.id ?? .min, limit: Transaction.pageSize) }, body)
    }

    /// The next records by id that meet conditions.
    func page(_ conditions: Conditions, after id: Int64, limit: Int64) throws(StoreError) -> [Record] {
        var conditions = conditions
        conditions.add("id > ?", .integer(id))
        let text = "SELECT \(Self.columns) FROM \(Self.table.name)\(conditions.clause) ORDER BY id LIMIT ?"
        return try all(Query(once: text), conditions.values + [.integer(limit)])
    }

    /// A part of the records that meet conditions.
    func list(_ conditions: Conditions, by order: String, _ part: ListPart) throws(StoreError) -> [Record] {
        let text =
            "SELECT \(Self.columns) FROM \(Self.table.name)\(conditions.clause) ORDER BY \(order) LIMIT ? OFFSET ?"
        return try all(Query(once: text), conditions.values + part.values)
    }

    /// How many records meet conditions.
    func count(_ conditions: Conditions) throws(StoreError) -> Int64 {
        let text = "SELECT COUNT(*) FROM \(Self.table.name)\(conditions.clause)"
        return try transaction.number(Query(once: text), conditions.values)
    }

    func first(_ question: BoundQuery) throws(StoreError) -> Record? { try first(question.query, question.values) }

    func first(_ query: Query, _ values: [StoredValue] = []) throws(StoreError) -> Record? {
        guard let record = try transaction.first(query, values, Self.table.read) else { return nil }
        var records = [record]
        try complete(&records)
        return records[0]
    }

    func all(_ query: Query, _ values: [StoredValue] = []) throws(StoreError) -> [Record] {
        var records = try transaction.all(query, values, Self.table.read)
        try complete(&records)
        return records
    }
}

/// A repository of records that imports bring under keys.
package protocol ImportedRepository: RecordRepository {}

extension ImportedRepository {
    /// The record that an import has brought under this key.
    package func find(importKey: String) throws(StoreError) -> Record? {
        try first(Self.table.byImportKey, [.text(importKey)])
    }
}

/// A repository of records that are removed for good.
package protocol RemovableRepository: RecordRepository {}

extension RemovableRepository {
    /// - Returns: false if there is none of that id.
    @discardableResult
    package func remove(_ id: Int64) throws(StoreError) -> Bool {
        try transaction.execute(Self.table.removal, [.integer(id)]) == 1
    }
}

/// A repository whose records are written as one row each.
package protocol RowRepository: RecordRepository {}

extension RowRepository {
    /// Adds a record, under its own id or, if that is 0, under a new one.
    ///
    /// - Throws: ``StoreError/Code/constraint`` if what is unique about it is taken, or what it refers to does not exist.
    @discardableResult
    package func insert(_ record: Record) throws(StoreError) -> Int64 {
        try Self.table.insert(record, in: transaction)
    }

    /// Replaces all of a record.
    ///
    /// - Returns: false if there is none of that id.
    @discardableResult
    package func update(_ record: Record) throws(StoreError) -> Bool {
        try Self.table.update(record, in: transaction)
    }
}

/// A repository of records of which each is written once.
package protocol OnceRepository: RecordRepository {}

extension OnceRepository {
    /// Adds a record, unless what is unique about it is taken.
    ///
    /// - Returns: the id, or nil if it was there.
    package func insert(_ record: Record) throws(StoreError) -> Int64? {
        try Self.table.insertIfNew(record, in: transaction)
    }

    /// Adds records, each unless what is unique about it is taken.
    ///
    /// - Returns: those that are new, with their ids.
    package func insertNew(_ records: [Record]) throws(StoreError) -> [Record] {
        zip(records, try Self.table.insertIfNew(records, in: transaction)).compactMap { record, id in
            guard let id else { return nil }
            var record = record
            record.id = id
            return record
        }
    }
}
