import Circulation
import Foundation
import TestSupport
import Testing

@testable import Storage

@Suite("SQL of others over PostgreSQL", .enabled(if: !PostgresServer.isMissing, "\(PostgresServer.reason)"))
struct PostgresAskingTests {
    private func refusal(_ store: any Store, _ text: String) -> SQLRefusal.Code? {
        do {
            _ = try store.ask(SQLQuery(text, limits: SQLLimits(seconds: 1)))
            return nil
        } catch {
            return (error as? SQLRefusal)?.code
        }
    }

    private func withRole(_ privileges: String, _ body: (any Store, String) throws -> Void) throws {
        try withDatabase { (url) throws in
            let name = String(try #require(url.split(separator: "/").last?.split(separator: "?").first))
            let role = "role_\(name)"
            try PostgresServer.shared.execute(
                """
                CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA public TO \(role);
                GRANT SELECT ON \(ReportView.all.map(\.name).joined(separator: ", ")) TO \(role);
                """ + privileges.replacing("@", with: role), in: name)
            let store = try PostgresStore.open(url, askedAt: try PostgresServer.shared.url(name, user: role))
            defer { try? store.close() }
            try body(store, name)
        }
    }

    @Test("without a role of its own the answer is that there is none configured")
    func notConfigured() throws {
        try TestDriver.postgres.withStore { (store) throws in
            #expect(refusal(store, "SELECT 1 AS one") == .notConfigured)
        }
    }

    @Test(
        "a role that may do more than read the views is not used",
        arguments: [
            "ALTER ROLE @ SUPERUSER", "ALTER ROLE @ CREATEROLE", "GRANT SELECT ON patrons TO @",
            "GRANT SELECT (email) ON patrons TO @", "GRANT DELETE ON loans TO @",
            "GRANT INSERT ON report_branches TO @", "GRANT CREATE ON SCHEMA public TO @",
            "GRANT pg_read_server_files TO @", "CREATE TABLE own (x INTEGER); ALTER TABLE own OWNER TO @",
            "CREATE FUNCTION dblink(text) RETURNS INTEGER LANGUAGE sql AS 'SELECT 1'",
            "GRANT EXECUTE ON FUNCTION pg_read_file(text) TO @",
        ])
    func powerful(privileges: String) throws {
        try withRole(privileges) { (store, name) throws in
            #expect(refusal(store, "SELECT 1 AS one") == .notConfigured)
            try PostgresServer.shared.execute(
                "REVOKE EXECUTE ON FUNCTION pg_read_file(text) FROM role_\(name)", in: name)
        }
    }

    static let hostile = [
        "SELECT pg_read_file('/etc/passwd')", "SELECT pg_ls_dir('/')", "SELECT lo_import('/etc/passwd')",
        "SET ROLE postgres", "RESET ROLE", "SET SESSION AUTHORIZATION postgres",
        "SELECT set_config('role', 'postgres', false)",
        "COPY (SELECT 1) TO '/tmp/x'", "COPY report_loans TO PROGRAM 'true'", "COPY loans FROM STDIN",
        "DO $$ BEGIN END $$",
        "CALL x()", "LISTEN x", "LOAD 'x'", "LOCK TABLE loans", "SELECT * FROM dblink('', 'SELECT 1') AS t(x INTEGER)",
        "SELECT id INTO x FROM report_loans", "SELECT id FROM report_loans FOR UPDATE", "TABLE patrons",
        "SELECT nextval('loans_id_seq')", "SELECT next_key('loans_id_seq', NULL)", "FETCH 1 FROM answer",
        "SELECT 1; COMMIT; DELETE FROM loans", "CREATE EXTENSION dblink",
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity",
        "SELECT pg_sleep(100)", "PREPARE x AS SELECT 1", "DECLARE x CURSOR FOR SELECT 1", "CLOSE ALL",
        "SHOW data_directory",
        "SELECT * FROM pg_authid", "SELECT * FROM pg_ls_logdir()", "ANALYZE VERBOSE) SELECT 1",
    ]

    /// Functions that every role may call, however they are spelled.
    static let forbidden = [
        "SELECT pg_advisory_lock(1)", "SELECT pg_try_advisory_xact_lock(1)", "SELECT pg_advisory_lock_shared(1, 2)",
        "SELECT query_to_xml('SELECT 1', true, false, '')", "SELECT database_to_xml(true, false, '')",
        "SELECT \"pg_advisory_lock\"(1)", "SELECT pg_catalog.pg_advisory_lock(1)", "SELECT PG_Advisory_Lock (1)",
        "SELECT pg_advisory_lock/* ( */(1)", "SELECT pg_advisory_lock -- (\n (1)", "SELECT pg_advisory_lock--\r(1)",
        "SELECT U&\"pg_advisory\\005flock\"(1)", "SELECT '\\' AS a, pg_advisory_lock(1) AS b, '\\' AS c",
        "SELECT $$ ' $$ AS a, pg_advisory_lock(1)", "SELECT $q$ ' $q$ AS a, pg_advisory_lock(1), $q$ ' $q$ AS b",
        "SELECT /* /* */ ' */ pg_advisory_lock(1) AS a", "SELECT * FROM pg_advisory_lock(1) AS a",
        "WITH a AS (SELECT pg_advisory_lock(1)) SELECT 1 AS n FROM a", "SELECT version()", "SELECT current_user",
        "SELECT 'patrons'::regclass", "SELECT CAST('patrons' AS regclass)", "SELECT regclass 'patrons'",
        "SELECT 'patrons'::\"regclass\"", "SELECT pg_get_viewdef('report_loans')",
        "SELECT has_table_privilege('x', 'y')",
        "SELECT txid_current()", "SELECT pg_notify('a', 'b')", "SELECT pg_backend_pid()", "SELECT inet_server_addr()",
        "SELECT 1 AS n FROM report_loans TABLESAMPLE system (1)", "SELECT lo_creat(1)", "SELECT pg_sleep(1)",
        "SELECT ts_stat('SELECT 1')", "SELECT to_regclass('patrons')", "SELECT col_description(1, 1)",
    ]

    /// The server takes a field that there is not for a function.
    static let fields = [
        "SELECT (1).pg_sleep AS x", "SELECT (1::bigint).pg_advisory_lock AS x",
        "SELECT (1) . \"pg_advisory_lock\" AS x",
        "SELECT s.pg_advisory_lock AS x FROM generate_series(1, 3) AS s", "SELECT ('loans').to_regclass AS x",
        "SELECT (ARRAY[1::bigint])[1].pg_advisory_lock AS x",
        "SELECT (s./* */pg_advisory_lock) FROM unnest('{1}'::int[]) AS s",
        "SELECT 1 AS pg_advisory_lock FROM generate_series(1, 3) AS s WHERE s.pg_advisory_lock IS NULL",
        "SELECT (?::bigint).pg_advisory_xact_lock AS x", "SELECT ('lock_timeout').current_setting AS x",
    ]

    @Test("a function is not called as if it were a field", arguments: fields)
    func calledAsField(text: String) throws {
        try withRole("") { (store, _) throws in
            let values: [StoredValue] = text.contains("?") ? [.integer(1)] : []
            do {
                _ = try store.ask(SQLQuery(text, values))
                Issue.record("\(text) was answered")
            } catch let refusal as SQLRefusal {
                #expect([.forbidden, .statement].contains(refusal.code), "\(refusal)")
            }
            _ = try store.ask(
                SQLQuery("SELECT l.id, t.x, (t.y) AS y FROM report_loans AS l, (SELECT 1 AS x, 2 AS y) AS t"))
        }
    }

    @Test("no function is called that could do or tell more than its arguments say", arguments: forbidden)
    func functions(text: String) throws {
        #expect(throws: SQLRefusal.self) { try PostgresAuthorizer.check(text) }
        try withRole("") { (store, _) throws in
            #expect([.forbidden, .statement].contains(refusal(store, text)), "\(text)")
        }
    }

    @Test(
        "what a library counts with is allowed",
        arguments: [
            "SELECT COUNT(*) FILTER (WHERE channel = 'desk') AS n FROM report_loans",
            "WITH a (b) AS (SELECT 1) SELECT SUM(b) OVER (PARTITION BY b) AS n FROM a",
            "SELECT CAST(1.5 AS numeric(10, 2)) AS n, 1::numeric(4,1) AS m, 'it''s (not) a function (' AS t",
            "SELECT EXTRACT(year FROM now()) > 1 AS y, date_trunc('month', now()) IS NULL AS m",
            "SELECT i FROM generate_series(1, 3) AS s(i) WHERE i IN (1, 2) AND (i > 0 OR NOT (i = 2))",
            "SELECT COALESCE(MAX(id), 0) AS n FROM report_loans WHERE EXISTS (SELECT 1 FROM report_patrons)",
            "SELECT id FROM report_loans GROUP BY GROUPING SETS ((id), ())", "VALUES (1), (2)",
            "SELECT string_agg(x, ',' ORDER BY x) AS t FROM (VALUES ('a'), ('b')) AS v(x)",
        ])
    func counting(text: String) throws {
        try withRole("") { (store, _) throws in _ = try store.ask(SQLQuery(text)) }
    }

    @Test("PostgreSQL's own ways out are shut")
    func shut() throws {
        try withRole("") { (store, _) throws in
            for text in Self.hostile { #expect(refusal(store, text) != nil, "\(text)") }
            #expect(try store.ask(SQLQuery("SELECT COUNT(*) AS n FROM report_loans")).rows == [[.integer(0)]])
        }
    }

    @Test("the role cannot take the writers' turn, whatever locks it may have")
    func turn() throws {
        try withRole("") { (store, name) throws in
            let address = try PostgresAddress(PostgresServer.shared.url(name, user: "role_\(name)"))
            let link = try PostgresLink(address, attempt: 0)
            try link.run("BEGIN")
            // The locks of a transaction that writes: its own row in `pg_locks` is what the role can see of the turn.
            let seen = """
                SELECT pg_advisory_lock(classid::bigint << 32 | objid::bigint), pg_advisory_lock(classid::int, objid::int)
                FROM pg_locks WHERE locktype = 'advisory'
                """
            try store.write { (transaction) throws in
                try transaction.begin()
                try link.run(seen)
            }
            for mode in ["ACCESS EXCLUSIVE", "EXCLUSIVE", "SHARE", "ROW EXCLUSIVE", "ACCESS SHARE"] {
                try link.run("SAVEPOINT before")
                let text = "LOCK TABLE moonshelf_schema IN \(mode) MODE"
                #expect(storeErrorCode { try link.run(text) } != nil, "\(mode)")
                try link.run("ROLLBACK TO before")
            }
            let other = try PostgresStore.open(PostgresServer.shared.url(name), lockTimeout: 0.5)
            defer { try? other.close() }
            #expect(storeErrorCode { try other.write { _ in } } == nil)
            // The turn is one all the same.
            try store.write { (transaction) throws in
                try transaction.begin()
                #expect(storeErrorCode { try other.write { _ in } } == .locked)
            }
        }
    }

    @Test("a time-out holds, and a statement cannot lift it for itself")
    func liftedTimeout() throws {
        try withRole("") { (store, _) throws in
            let begun = ContinuousClock.now
            #expect(refusal(store, "SELECT set_config('statement_timeout', '0', false) AS x") == .forbidden)
            let many = "generate_series(1, 100000)"
            #expect(refusal(store, "SELECT COUNT(*) AS n FROM \(many) AS a(i), \(many) AS b(i)") == .limit)
            #expect(ContinuousClock.now - begun < .seconds(300))
        }
    }

    /// Each would have many megabytes on their way to this process.
    static let huge = [
        "SELECT repeat('x', 50000000) AS x", "SELECT i, repeat('x', 2000000) AS x FROM generate_series(1, 3) AS s(i)",
        "SELECT COUNT(*) AS n FROM report_loans WHERE channel <> repeat('x', 30000000) AND 1 = length(repeat('y', 9))",
        "SELECT array_agg(i) AS x FROM generate_series(1, 1000000) AS s(i)",
        "SELECT string_agg(repeat('x', 1000), '') AS x FROM generate_series(1, 5000)",
        "SELECT repeat('x', 900000) AS x FROM generate_series(1, 100)",
        "SELECT repeat('x', 900000) AS a, repeat('x', 900000) AS b, i FROM generate_series(1, 100) AS s(i) ORDER BY i",
    ]

    @Test("a value or an answer that is larger than it may be is told of, and stays on the server", arguments: huge)
    func hugeValues(text: String) throws {
        try withRole("") { (store, _) throws in
            do {
                // The plan of one of them holds a huge text; its answer is small.
                let answer = try store.ask(SQLQuery(text, limits: SQLLimits(seconds: 300)))
                #expect(answer.rows == [[.integer(0)]])
            } catch {
                let refusal = try #require(error as? SQLRefusal)
                #expect([SQLRefusal.tooLargeValue, .tooManyBytes(64 << 20)].contains(refusal))
            }
        }
    }

    @Test("what stands behind a statement does no harm to it, and order and types stay")
    func wrapped() throws {
        try withRole("") { (store, _) throws in
            for end in ["", ";", " ; -- the end", "\n/* ; */ ;", " -- ;", "; -- ?"] {
                let text =
                    "SELECT i, i / 2.0 AS half, i = ? AS same, 'a;b' AS t FROM generate_series(1, 3) AS s(i) ORDER BY 1 DESC"
                let answer = try store.ask(SQLQuery(text + end, [.integer(2)]))
                #expect(answer.columns == ["i", "half", "same", "t"])
                #expect(
                    answer.rows.map { Array($0.prefix(3)) } == [
                        [.integer(3), .real(1.5), .integer(0)], [.integer(2), .real(1), .integer(1)],
                        [.integer(1), .real(0.5), .integer(0)],
                    ], "\(end)")
            }
            let other = try store.ask(SQLQuery("VALUES (1, NULL), (2, 'O''Brien')"))
            #expect(other.rows == [[.integer(1), .null], [.integer(2), .text("O'Brien")]])
            let parameters = try store.ask(SQLQuery("SELECT ? AS a, ? AS b", [.text("O'Brien\\"), .null]))
            #expect(parameters.rows == [[.text("O'Brien\\"), .null]])
        }
    }

    @Test("a migration makes the views anew and lets in whom they let in before")
    func grants() throws {
        try withRole("") { (store, name) throws in
            // Steps that change rows alone leave nothing to take back, and are gone through again.
            let step = try #require(Schema.migrations.last { !Self.undoing($0).isEmpty })
            let undoing = Self.undoing(step) + ["UPDATE moonshelf_schema SET version = \(step.version - 1)"]
            try PostgresServer.shared.execute(undoing.joined(separator: "; "), in: name)
            try store.close()
            let url = try PostgresServer.shared.url(name)
            #expect(storeErrorCode { try PostgresStore.open(url).close() } == .older)
            try PostgresStore.open(url, create: true).close()
            let asking = try PostgresServer.shared.url(name, user: "role_\(name)")
            let again = try PostgresStore.open(url, askedAt: asking)
            defer { try? again.close() }
            #expect(try again.ask(SQLQuery("SELECT COUNT(*) AS n FROM report_titles")).rows == [[.integer(0)]])
        }
    }

    /// What takes a step back that adds columns, tables and indexes.
    private static func undoing(_ migration: Schema.Migration) -> [String] {
        migration.script.split(separator: "\n").reversed().compactMap { line in
            let words = line.split(separator: " ")
            // A view that shows it goes with it, and is made anew.
            if words.starts(with: ["CREATE", "TABLE"]) { return "DROP TABLE \(words[2]) CASCADE" }
            if words.starts(with: ["CREATE", "INDEX"]) { return "DROP INDEX \(words[2])" }
            if words.starts(with: ["CREATE", "UNIQUE", "INDEX"]) { return "DROP INDEX \(words[3])" }
            if words == ["DROP", "TABLE", "decisions;"] {
                return "CREATE TABLE decisions AS SELECT * FROM decision_log"
            }
            // What is dropped must be there; what it was like does not matter here.
            if words.starts(with: ["DROP", "INDEX"]) {
                return "CREATE INDEX \(words[2].filter { $0 != ";" }) ON moonshelf_schema (version)"
            }
            if line == "{placedSearch}" { return "ALTER TABLE title_search RENAME COLUMN place TO title_id" }
            guard words.starts(with: ["ALTER", "TABLE"]), words.count > 5, words[4] == "COLUMN" else { return nil }
            return "ALTER TABLE \(words[2]) DROP COLUMN \(words[5]) CASCADE"
        }
    }
}
