import Circulation

/// The mark and the version of a store in a schema of a database: the first one of the search path.
enum PostgresSchema {
    /// The oldest server that this was tried with.
    private static let oldestServer = 150_000

    /// How writers take turns: by a lock that a role without rights to that table cannot take, and that ends with the
    /// transaction. It does not block readers of the table.
    static let turn = "LOCK TABLE moonshelf_schema IN EXCLUSIVE MODE"

    /// The same where the table may not be there yet.
    static let foundingTurn = """
        DO $$
        BEGIN
            PERFORM pg_catalog.pg_advisory_xact_lock(1299084136::bigint << 32 | oid::bigint)
                FROM pg_catalog.pg_namespace WHERE nspname = pg_catalog.current_schema();
            IF pg_catalog.to_regclass('moonshelf_schema') IS NOT NULL THEN
                \(turn);
            END IF;
        END $$
        """

    /// Sets a fresh connection up and looks where it has led.
    static func prepare(
        _ link: PostgresLink, _ address: PostgresAddress, isReadOnly: Bool, lockTimeout: Double
    ) throws(StoreError) {
        guard link.version >= oldestServer else {
            throw .cannotOpen(address.shown, "the server is older than PostgreSQL 15")
        }
        let milliseconds = Int64((min(max(lockTimeout, 0.001), 86_400) * 1_000).rounded())
        let answer = try link.run(
            """
            SET client_min_messages TO warning; SET lock_timeout TO \(milliseconds);
            SET default_transaction_read_only TO \(isReadOnly ? "on" : "off");
            SELECT pg_catalog.current_setting('server_encoding'),
                (SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = pg_catalog.current_schema())
            """)
        try link.run(defaults)
        guard answer.text(0, 0) == "UTF8" else {
            throw .cannotOpen(address.shown, "the database is encoded in \(answer.text(0, 0)), and must be in UTF8")
        }
        guard !answer.isNull(0, 1) else {
            throw .cannotOpen(address.shown, "the schema that the search path names does not exist")
        }
    }

    /// What holds where neither the server's administrator nor the URL says otherwise: the server lets go of a client
    /// whose machine is gone within a minute, and of one that does nothing in the middle of a transaction after five.
    private static let defaults = """
        SELECT pg_catalog.set_config(name, wanted.value, false)
        FROM (VALUES ('idle_in_transaction_session_timeout', '300000'), ('tcp_keepalives_idle', '30'),
            ('tcp_keepalives_interval', '10'), ('tcp_keepalives_count', '3'), ('tcp_user_timeout', '60000'))
            AS wanted (name, value)
        JOIN pg_catalog.pg_settings USING (name) WHERE source = 'default'
        """

    /// Whether the schema holds a store of the version that this program works with.
    ///
    /// - Parameter isOlderWelcome: whether it may be an earlier one.
    /// - Returns: its version.
    @discardableResult
    static func check(
        _ connection: PostgresConnection, _ address: PostgresAddress, isOlderWelcome: Bool = false
    ) throws(StoreError) -> Int64 {
        let version = try version(of: connection, address)
        guard version == Schema.version || isOlderWelcome && version > 0 else {
            throw version == 0
                ? .missing(address.shown) : .older(address.shown, version: version, needed: Schema.version)
        }
        return version
    }

    /// Brings the schema to this program's version, in one transaction, in this writer's turn.
    ///
    /// Of processes that do this at once one does it, and the others find it done.
    static func migrate(_ connection: PostgresConnection, _ address: PostgresAddress) throws(StoreError) {
        let found = try version(of: connection, address)
        if found == Schema.version { return }
        try connection.begin(writing: true, isFounding: found == 0)
        do throws(StoreError) {
            let version = try version(of: connection, address)
            if version < Schema.version {
                try connection.execute(script: Dialect.postgresFunctions)
                // Roles that were let at the views before are let at them again.
                let readers = try connection.viewReaders()
                try connection.execute(script: ReportView.droppingScript)
                for migration in Schema.migrations where migration.version > version {
                    try migration.run(on: connection)
                }
                try connection.makeReferencesDeferrable()
                try connection.remakeViews(Schema.customFields(on: connection), for: readers)
                try Schema.indexCustomFields(on: connection)
                try connection.execute(
                    script: """
                        CREATE TABLE IF NOT EXISTS moonshelf_schema (version BIGINT NOT NULL);
                        DELETE FROM moonshelf_schema;
                        INSERT INTO moonshelf_schema (version) VALUES (\(Schema.version));
                        """)
            }
            switch connection.commit() {
            case .kept: break
            case .undone(let error): throw error
            // The migration is whole or not there at all, and is found so the next time.
            case .unknown: throw .outcomeUnknown
            }
        } catch {
            connection.rollBack()
            throw error
        }
    }

    /// 0 if the schema is empty.
    private static func version(
        of connection: PostgresConnection, _ address: PostgresAddress
    ) throws(StoreError) -> Int64 {
        let names = try connection.rows(relations).compactMap { $0.first ?? nil }
        guard names.contains("moonshelf_schema") else {
            guard let stranger = names.first else { return 0 }
            throw .notAStore(address.shown, "the schema has something else in it, such as \(stranger)")
        }
        let stored = try connection.rows("SELECT version FROM moonshelf_schema").first?.first
        guard let version = (stored ?? nil).flatMap({ Int64($0) }), version > 0 else {
            throw .notAStore(address.shown, "its table moonshelf_schema holds no version")
        }
        guard version <= Schema.version else {
            throw .newer(address.shown, version: version, known: Schema.version)
        }
        return version
    }

    /// Roles, quoted, that may read one of the views without owning it.
    fileprivate static var viewReaders: String {
        let names = ReportView.all.map { "'\($0.name)'" }.joined(separator: ", ")
        return """
            SELECT DISTINCT CASE WHEN grants.grantee = 0 THEN 'PUBLIC'
                ELSE pg_catalog.quote_ident(pg_catalog.pg_get_userbyid(grants.grantee)) END
            FROM pg_catalog.pg_class, LATERAL pg_catalog.aclexplode(relacl) AS grants
            WHERE relnamespace = pg_catalog.current_schema()::regnamespace AND relname IN (\(names))
                AND grants.privilege_type = 'SELECT' AND grants.grantee <> relowner
            """
    }

    /// Tables and views of the schema, without those that extensions put there.
    private static let relations = """
        SELECT relname FROM pg_catalog.pg_class
        WHERE relnamespace = pg_catalog.current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')
            AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend WHERE classid = 'pg_class'::regclass
                AND objid = pg_class.oid AND deptype = 'e')
        ORDER BY relname
        """
}

extension PostgresConnection {
    func remakeViews(_ fields: CustomFields) throws(StoreError) {
        try remakeViews(fields, for: viewReaders())
    }

    /// - Parameter readers: roles, quoted, that may read them.
    fileprivate func remakeViews(_ fields: CustomFields, for readers: [String]) throws(StoreError) {
        let views = ReportView.all.map(\.name).joined(separator: ", ")
        let grants = readers.map { "GRANT SELECT ON \(views) TO \($0);" }
        try execute(
            script: ([ReportView.droppingScript, ReportView.makingScript(fields)] + grants).joined(separator: "\n"))
    }

    fileprivate func viewReaders() throws(StoreError) -> [String] {
        try rows(PostgresSchema.viewReaders).compactMap { $0.first ?? nil }
    }
}
