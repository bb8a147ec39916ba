extension PostgresConnection {
    func tables() throws(StoreError) -> [StoredTable] {
        var tables: [StoredTable] = []
        for row in try rows(Self.columnsOfTables) {
            let cells = row.map { $0 ?? "" }
            let (name, column, isKey) = (cells[0], cells[1], cells[3] == "t")
            let kind: StoredTable.Kind =
                switch cells[2] {
                case "bigint": .integer
                case "double precision": .real
                case "text": .text
                default: throw .fault("the table \(name) has a column of the type \(cells[2])")
                }
            let isSearchKey = name == StoredTable.searchIndex && isKey
            let shown = isSearchKey ? StoredTable.searchKey : column
            if tables.last?.name != name { tables.append(StoredTable(name: name, columns: [])) }
            let place = tables.count - 1
            if isSearchKey { tables[place].searchColumn = column }
            tables[place].columns.append(StoredTable.Column(name: shown, kind: kind))
            if isKey && kind == .integer { tables[place].key = shown }
        }
        for row in try rows(Self.targetsOfTables) {
            guard let name = row[0], let target = row[1], let place = tables.firstIndex(where: { $0.name == name })
            else { continue }
            tables[place].targets.insert(target)
        }
        return tables
    }

    private static let ownTables = """
        classes.relnamespace = pg_catalog.current_schema()::regnamespace AND classes.relkind IN ('r', 'p')
            AND classes.relname <> 'moonshelf_schema'
            AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend AS depend
                WHERE depend.classid = 'pg_class'::regclass AND depend.objid = classes.oid AND depend.deptype = 'e')
        """

    private static let columnsOfTables = """
        SELECT classes.relname, attributes.attname, pg_catalog.format_type(attributes.atttypid, NULL),
            EXISTS (SELECT 1 FROM pg_catalog.pg_index AS keys
                WHERE keys.indrelid = classes.oid AND keys.indisprimary AND keys.indnatts = 1
                    AND keys.indkey[0] = attributes.attnum)
        FROM pg_catalog.pg_class AS classes
        JOIN pg_catalog.pg_attribute AS attributes ON attributes.attrelid = classes.oid
        WHERE \(ownTables) AND attributes.attnum > 0 AND NOT attributes.attisdropped AND attributes.attgenerated = ''
        ORDER BY classes.relname COLLATE "C", attributes.attnum
        """

    private static let targetsOfTables = """
        SELECT DISTINCT classes.relname, aims.relname
        FROM pg_catalog.pg_constraint AS reference
        JOIN pg_catalog.pg_class AS classes ON classes.oid = reference.conrelid
        JOIN pg_catalog.pg_class AS aims ON aims.oid = reference.confrelid
        WHERE \(ownTables) AND reference.contype = 'f'
        """

    /// Row by row, from what refers to what is referred to: those who read by an earlier snapshot go on to see the
    /// rows, which `TRUNCATE` would take from them. It waits for no other session.
    func clear(_ tables: [StoredTable]) throws(StoreError) {
        for table in StoredTable.ordered(tables).order.reversed() {
            try execute("DELETE FROM \(StoredTable.quoted(table.name))")
        }
        // A sequence begun anew is undone with the transaction; one that is only set is not.
        for row in try rows(Self.sequences) {
            if let sequence = row[1] { try execute("ALTER SEQUENCE \(sequence) RESTART") }
        }
    }

    func deferReferences(of tables: Set<String>) throws(StoreError) {
        if !tables.isEmpty { try execute("SET CONSTRAINTS ALL DEFERRED") }
    }

    func checkReferences(of tables: Set<String>) throws(StoreError) {
        if !tables.isEmpty { try execute("SET CONSTRAINTS ALL IMMEDIATE") }
    }

    /// Lets the references of tables whose rows refer to each other wait for the end of a transaction that asks for it.
    /// It locks them against everybody, so that it is done once, with the schema.
    func makeReferencesDeferrable() throws(StoreError) {
        let entangled = try StoredTable.ordered(tables()).entangled
        let found = try rows(
            """
            SELECT classes.relname, pg_catalog.quote_ident(classes.relname), pg_catalog.quote_ident(reference.conname)
            FROM pg_catalog.pg_constraint AS reference
            JOIN pg_catalog.pg_class AS classes ON classes.oid = reference.conrelid
            WHERE \(Self.ownTables) AND reference.contype = 'f' AND NOT reference.condeferrable
            """)
        for row in found {
            guard let name = row[0], entangled.contains(name), let table = row[1], let constraint = row[2] else {
                continue
            }
            try execute("ALTER TABLE \(table) ALTER CONSTRAINT \(constraint) DEFERRABLE INITIALLY IMMEDIATE")
        }
    }

    func bulkLoader(_ table: StoredTable) -> any BulkLoader { PostgresBulkLoader(table, on: self) }

    private static let sequences = """
        SELECT classes.relname, pg_catalog.pg_get_serial_sequence(
            pg_catalog.quote_ident(pg_catalog.current_schema()) || '.' || pg_catalog.quote_ident(classes.relname),
            attributes.attname) AS sequence
        FROM pg_catalog.pg_class AS classes
        JOIN pg_catalog.pg_attribute AS attributes ON attributes.attrelid = classes.oid
        WHERE \(ownTables) AND attributes.attidentity <> ''
        """

    func lastKeys() throws(StoreError) -> [String: Int64] {
        let found = try rows(
            "SELECT relname, pg_catalog.pg_sequence_last_value(sequence::regclass) FROM (\(Self.sequences)) AS counting"
        )
        return Dictionary(
            found.compactMap { row in
                guard let name = row[0], let last = row[1].flatMap({ Int64($0) }) else { return nil }
                return (name, last)
            }
        ) { max($0, $1) }
    }

    func setLastKeys(_ keys: [String: Int64]) throws(StoreError) {
        for row in try rows(Self.sequences) {
            guard let name = row[0], let sequence = row[1], let last = keys[name], last > 0 else { continue }
            _ = try rows("SELECT pg_catalog.setval('\(sequence.replacing("'", with: "''"))'::regclass, \(last))")
        }
    }

    /// Runs a statement that changes something and gives nothing.
    private func execute(_ text: String) throws(StoreError) {
        markChanged()
        _ = try rows(text)
    }
}

/// Sends rows in the text form of `COPY`, some thousand at a time: the server checks references after each part, and
/// keeps what it has yet to check in memory.
private struct PostgresBulkLoader: BulkLoader {
    private static let bytesAtATime = 1 << 20

    private let statement: String
    private let connection: PostgresConnection
    private var bytes: [UInt8] = []

    init(_ table: StoredTable, on connection: PostgresConnection) {
        let names = table.columnList
        statement = "COPY \(StoredTable.quoted(table.name)) (\(names)) FROM STDIN"
        self.connection = connection
    }

    mutating func append(_ row: [StoredValue]) throws(StoreError) {
        for (index, value) in row.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: "\t")) }
            switch value {
            case .null: bytes.append(contentsOf: #"\N"#.utf8)
            case .integer(let value): bytes.append(contentsOf: String(value).utf8)
            case .real(let value): bytes.append(contentsOf: String(value).utf8)
            case .text(let value): appendEscaped(PostgresText.stored(value))
            }
        }
        bytes.append(UInt8(ascii: "\n"))
        if bytes.count >= Self.bytesAtATime { try finish() }
    }

    private mutating func appendEscaped(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): bytes.append(contentsOf: #"\\"#.utf8)
            case UInt8(ascii: "\n"): bytes.append(contentsOf: #"\n"#.utf8)
            case UInt8(ascii: "\r"): bytes.append(contentsOf: #"\r"#.utf8)
            case UInt8(ascii: "\t"): bytes.append(contentsOf: #"\t"#.utf8)
            default: bytes.append(byte)
            }
        }
    }

    mutating func finish() throws(StoreError) {
        guard !bytes.isEmpty else { return }
        try connection.copy(statement, bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}
