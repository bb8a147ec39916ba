import GRDBSQLite

extension SQLiteConnection {
    func tables() throws(StoreError) -> [StoredTable] {
        let names = try rows(
            """
            SELECT name, type FROM pragma_table_list
            WHERE schema = 'main' AND type IN ('table', 'virtual') AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name
            """, columns: 2)
        var tables: [StoredTable] = []
        for name in names { tables.append(try table(name[0], isIndex: name[1] == "virtual")) }
        return tables
    }

    private func table(_ name: String, isIndex: Bool) throws(StoreError) -> StoredTable {
        var table = StoredTable(name: name, columns: [])
        if isIndex {
            table.columns = [StoredTable.Column(name: StoredTable.searchKey, kind: .integer)]
            table.key = StoredTable.searchKey
        }
        let columns = try rows(
            "SELECT name, type, pk FROM pragma_table_xinfo('\(name)') WHERE hidden = 0 ORDER BY cid", columns: 3)
        for column in columns {
            let kind: StoredTable.Kind =
                switch column[1] {
                case "INTEGER": .integer
                case "REAL": .real
                case "TEXT", "": .text
                default: throw .fault("the table \(name) has a column of the type \(column[1])")
                }
            table.columns.append(StoredTable.Column(name: column[0], kind: kind))
        }
        let keys = columns.filter { $0[2] != "0" }
        if keys.count == 1, keys[0][1] == "INTEGER" { table.key = keys[0][0] }
        table.targets = Set(try texts("SELECT \"table\" FROM pragma_foreign_key_list('\(name)')"))
        return table
    }

    private func rows(_ text: String, columns: Int) throws(StoreError) -> [[String]] {
        let statement = try SQLiteStatement(text, on: handle, isKept: false)
        defer { statement.release() }
        var rows: [[String]] = []
        while try statement.step() {
            rows.append((0..<columns).map { statement.text($0) })
        }
        return rows
    }

    func clear(_ tables: [StoredTable]) throws(StoreError) {
        try deferReferences(of: [])
        for table in tables { try execute(script: "DELETE FROM \"\(table.name)\"") }
        try execute(script: "DELETE FROM sqlite_sequence")
    }

    /// Until the commit, which fails then.
    func deferReferences(of tables: Set<String>) throws(StoreError) {
        try execute(script: "PRAGMA defer_foreign_keys = ON")
    }

    func checkReferences(of tables: Set<String>) throws(StoreError) {
        if let broken = try brokenReferences().first {
            throw StoreError(
                .constraint, "a row of \(broken.table) refers to one of \(broken.target) that is not there")
        }
    }

    func bulkLoader(_ table: StoredTable) throws(StoreError) -> any BulkLoader {
        let places = table.columns.map { _ in "?" }.joined(separator: ", ")
        return SQLiteBulkLoader(
            statement: try SQLiteStatement(
                dialect.rendered("INSERT INTO \"\(table.name)\" (\(table.columnList)) VALUES (\(places))"), on: handle,
                isKept: true))
    }

    func lastKeys() throws(StoreError) -> [String: Int64] {
        let rows = try rows("SELECT name, seq FROM sqlite_sequence", columns: 2)
        return Dictionary(rows.compactMap { row in Int64(row[1]).map { (row[0], $0) } }) { max($0, $1) }
    }

    func setLastKeys(_ keys: [String: Int64]) throws(StoreError) { try setLastKeys { keys[$0] } }

    /// - Parameter key: the last key of a table by its name; where it is nil, the table goes on after the largest that is
    ///   there.
    func setLastKeys(_ key: (String) -> Int64?) throws(StoreError) {
        let counting = try texts(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'")
        for name in counting {
            guard let last = key(name) else { continue }
            try execute(
                script: """
                    DELETE FROM sqlite_sequence WHERE name = '\(name)';
                    INSERT INTO sqlite_sequence (name, seq) VALUES ('\(name)', \(last));
                    """)
        }
    }
}

/// Inserts row by row with one statement.
private struct SQLiteBulkLoader: BulkLoader {
    let statement: SQLiteStatement

    func append(_ row: [StoredValue]) throws(StoreError) {
        defer { statement.release() }
        try statement.bind(row)
        _ = try statement.step()
    }

    func finish() {
        statement.finalize()
    }
}
