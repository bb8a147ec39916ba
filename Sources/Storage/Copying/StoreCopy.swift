/// Copies one store into another: every row of every table, and the keys that come next.
///
/// It knows no table: what the databases say of themselves is what is copied. The source is read from one snapshot, while
/// others go on writing; the target is filled in one transaction, so that it holds all or nothing. Memory does not grow
/// with the store.
package struct StoreCopy {
    /// How far a copy has come.
    package struct Progress: Sendable {
        package var table: String
        /// Rows of this table so far.
        package var rows: Int
    }

    /// How many rows of a table were copied.
    package struct Table: Hashable, Sendable {
        package var name: String
        package var rows: Int
    }

    private let source: any Store
    private let target: any Store
    private let isReplaceable: (Transaction) throws -> Bool
    private let progress: (Progress) -> Void

    private static let rowsBetweenProgress = 5_000

    /// - Parameters:
    ///   - isReplaceable: asked of a target that is not empty: whether what it holds may go.
    ///   - progress: called every few thousand rows.
    package init(
        from source: any Store, to target: any Store, isReplaceable: @escaping (Transaction) throws -> Bool,
        progress: @escaping (Progress) -> Void = { _ in }
    ) {
        self.source = source
        self.target = target
        self.isReplaceable = isReplaceable
        self.progress = progress
    }

    /// Copies.
    ///
    /// - Returns: the tables in the order in which they were filled.
    /// - Throws: ``StoreError``: `notEmpty` if the target holds something; then, as after every other error, it is as it
    ///   was.
    package func run() throws -> [Table] {
        try source.read { from in
            try target.write { to in
                let (from, filled) = (try from.connection(), try to.connection())
                let (sources, tables) = (try from.tables(), try filled.tables())
                try Self.checkShapes(sources, tables)
                if try !to.tablesWithRows().isEmpty {
                    guard try isReplaceable(to) else { throw StoreError.notEmpty(target.location) }
                    try filled.clear(tables)
                }
                to.settingsChanged = true
                to.settingsSnapshot = nil
                let searchColumn = sources.first { $0.name == StoredTable.searchIndex }?.searchColumn
                let copied = try fill(filled, from: from, searchColumn ?? StoredTable.searchKey, tables, to)
                // A store of an earlier version has no fields of its own.
                let versions = tables.first { $0.name == "plugin_versions" }
                if versions?.columns.contains(where: { $0.name == "fields" }) == true { try to.remakeViews() }
                return copied
            }
        }
    }

    private func fill(
        _ filled: any Connection, from: any Connection, _ searchColumn: String, _ tables: [StoredTable],
        _ transaction: Transaction
    ) throws(StoreError) -> [Table] {
        let (order, entangled) = StoredTable.ordered(tables)
        try filled.deferReferences(of: entangled)
        var copied: [Table] = []
        var keys = try from.lastKeys()
        for table in order {
            let (rows, last) = try move(table, from: from, searchColumn, to: filled, transaction)
            copied.append(Table(name: table.name, rows: rows))
            if let last { keys[table.name] = max(last, keys[table.name] ?? last) }
        }
        try filled.checkReferences(of: entangled)
        try filled.setLastKeys(keys)
        for table in copied {
            let count = try transaction.number(Query(once: "SELECT COUNT(*) FROM \(StoredTable.quoted(table.name))"))
            guard count == table.rows else {
                throw .fault("\(table.rows) rows of \(table.name) were copied, and \(count) are there")
            }
        }
        return copied
    }

    /// - Parameter searchColumn: what the source calls the full-text index's key.
    /// - Returns: how many rows there were, and the largest key.
    private func move(
        _ table: StoredTable, from: any Connection, _ searchColumn: String, to: any Connection,
        _ transaction: Transaction
    ) throws(StoreError) -> (rows: Int, last: Int64?) {
        let order = table.key.map { " ORDER BY \(StoredTable.quoted($0))" } ?? ""
        let text = "SELECT \(table.columnList) FROM \(StoredTable.quoted(table.name))\(order)"
        let statement = try from.statement(
            Query(once: text.replacing(StoredTable.searchKey, with: searchColumn), isLong: true))
        defer { statement.release() }
        try statement.bind([])
        var loader = try to.bulkLoader(table)
        let key = table.key.flatMap { key in table.columns.firstIndex { $0.name == key } }
        var count = 0
        var last: Int64?
        var row: [StoredValue] = []
        while try statement.step() {
            row.removeAll(keepingCapacity: true)
            for (index, column) in table.columns.enumerated() { row.append(Self.value(statement, index, column.kind)) }
            try loader.append(row)
            if let key, case .integer(let id) = row[key] { last = max(last ?? id, id) }
            count += 1
            guard count.isMultiple(of: Self.rowsBetweenProgress) else { continue }
            try transaction.checkStop()
            progress(Progress(table: table.name, rows: count))
        }
        try loader.finish()
        return (count, last)
    }

    private static func value(
        _ statement: any PreparedStatement, _ column: Int, _ kind: StoredTable.Kind
    ) -> StoredValue {
        if statement.isNull(column) { return .null }
        return switch kind {
        case .integer: .integer(statement.integer(column))
        case .real: .real(statement.double(column))
        case .text: .text(statement.text(column))
        }
    }

    /// Both stores are of one version, so that they differ only if one of them was tampered with.
    private static func checkShapes(_ source: [StoredTable], _ target: [StoredTable]) throws(StoreError) {
        let shapes = [source, target].map { tables in
            Dictionary(tables.map { ($0.name, Set($0.columns)) }) { first, _ in first }
        }
        guard shapes[0] != shapes[1] else { return }
        let names = Set(shapes[0].keys).union(shapes[1].keys).filter { shapes[0][$0] != shapes[1][$0] }
        throw .corrupt(
            "the stores do not have the same tables: they differ in \(names.sorted().joined(separator: ", "))")
    }
}

extension Transaction {
    /// The names of the tables that hold something. One row is looked for in each, however large it is.
    package func tablesWithRows() throws(StoreError) -> Set<String> {
        var names: Set<String> = []
        for table in try connection().tables() {
            let query = Query(once: "SELECT EXISTS (SELECT 1 FROM \(StoredTable.quoted(table.name)))")
            let found = try first(query) { row in row.text() }
            // The one database says 1, the other t.
            if found == "1" || found == "t" { names.insert(table.name) }
        }
        return names
    }
}
