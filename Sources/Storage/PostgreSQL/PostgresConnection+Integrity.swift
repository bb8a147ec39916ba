extension PostgresConnection {
    /// The server's own checks are its administrator's; an index that was left half made can be seen from here.
    func structuralFaults() throws(StoreError) -> [String] {
        try rows(
            """
            SELECT 'the index ' || classes.relname || ' is not valid: REINDEX it'
            FROM pg_catalog.pg_index JOIN pg_catalog.pg_class AS classes ON classes.oid = pg_index.indexrelid
            WHERE classes.relnamespace = pg_catalog.current_schema()::regnamespace AND NOT pg_index.indisvalid
            """
        ).compactMap { $0.first ?? nil }
    }

    /// The server keeps references whole, unless that was switched off: as a restore with triggers switched off is.
    func brokenReferences() throws(StoreError) -> [BrokenReference] {
        var broken: [BrokenReference] = []
        for row in try rows(Self.references) {
            let names = row.compactMap { $0 }
            guard names.count == 5 else { continue }
            let (table, column, target, key, id) = (names[0], names[1], names[2], names[3], names[4])
            let dangling = try rows(
                """
                SELECT \(id) FROM \(table) AS child WHERE \(column) IS NOT NULL
                    AND NOT EXISTS (SELECT 1 FROM \(target) AS parent WHERE parent.\(key) = child.\(column)) LIMIT 100
                """)
            broken += dangling.map { found in
                BrokenReference(table: table, id: (found.first ?? nil).flatMap { Int64($0) }, target: target)
            }
        }
        return broken
    }

    /// The references of this schema, each of one column: table, column, target, key, and the table's own key where
    /// that is a number.
    private static let references = """
        SELECT pg_catalog.quote_ident(child.relname), pg_catalog.quote_ident(own.attname),
            pg_catalog.quote_ident(parent.relname), pg_catalog.quote_ident(aim.attname),
            COALESCE((SELECT pg_catalog.quote_ident(attname) FROM pg_catalog.pg_attribute
                WHERE attrelid = child.oid AND attidentity <> ''), 'NULL')
        FROM pg_catalog.pg_constraint AS reference
        JOIN pg_catalog.pg_class AS child ON child.oid = reference.conrelid
        JOIN pg_catalog.pg_class AS parent ON parent.oid = reference.confrelid
        JOIN pg_catalog.pg_attribute AS own ON own.attrelid = child.oid AND own.attnum = reference.conkey[1]
        JOIN pg_catalog.pg_attribute AS aim ON aim.attrelid = parent.oid AND aim.attnum = reference.confkey[1]
        WHERE reference.contype = 'f' AND pg_catalog.cardinality(reference.conkey) = 1
            AND child.relnamespace = pg_catalog.current_schema()::regnamespace
        ORDER BY 1, 2
        """
}
