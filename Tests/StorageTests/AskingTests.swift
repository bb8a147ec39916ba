import Circulation
import Foundation
import TestSupport
import Testing

@testable import Storage

@Suite("SQL of others")
struct AskingTests {
    /// A store with the ``Fixture`` and a loan in it, which may be asked.
    private func withStore<T>(_ driver: TestDriver, _ body: (any Store) throws -> T) throws -> T {
        func filled(_ store: any Store) throws -> T {
            try store.write { (transaction) throws in
                let fixture = try Fixture(transaction)
                _ = try transaction.loans.insert(try fixture.loan())
            }
            return try body(store)
        }
        guard driver == .postgres else { return try driver.withStore(filled) }
        return try withDatabase { (url) throws in
            let name = try #require(url.split(separator: "/").last?.split(separator: "?").first)
            try PostgresServer.shared.execute(
                """
                CREATE ROLE asking_\(name) LOGIN; GRANT USAGE ON SCHEMA public TO asking_\(name);
                GRANT SELECT ON \(ReportView.all.map(\.name).joined(separator: ", ")) TO asking_\(name)
                """, in: String(name))
            let asking = try PostgresServer.shared.url(String(name), user: "asking_\(name)")
            let store = try PostgresStore.open(url, askedAt: asking)
            defer { try? store.close() }
            return try filled(store)
        }
    }

    private func refusal(_ store: any Store, _ text: String, _ limits: SQLLimits = SQLLimits()) -> SQLRefusal.Code? {
        do {
            _ = try store.ask(SQLQuery(text, limits: limits))
            return nil
        } catch {
            return (error as? SQLRefusal)?.code
        }
    }

    @Test("every view can be read, each of its columns, in every database", arguments: TestDriver.allCases)
    func views(driver: TestDriver) throws {
        try withStore(driver) { (store) throws in
            for view in ReportView.all {
                let answer = try store.ask(SQLQuery("SELECT * FROM \(view.name)"))
                #expect(answer.columns == view.columns.map(\.name))
            }
            let counts = try store.ask(
                SQLQuery(
                    """
                    WITH lent AS (SELECT copy, COUNT(*) AS times FROM report_loans WHERE lent_at >= ? GROUP BY copy)
                    SELECT barcode, COALESCE(times, 0) AS times, '?' AS mark -- ?
                    FROM report_copies LEFT JOIN lent ON lent.copy = report_copies.id ORDER BY barcode
                    """, [.text("1970-01-01T00:00:00Z")]))
            #expect(
                counts.rows == [[.text("b1"), .integer(1), .text("?")], [.text("b2"), .integer(0), .text("?")]])
            let instants = try store.ask(SQLQuery("SELECT lent_at, due_at, returned_at FROM report_loans"))
            #expect(instants.rows == [[.text("1970-01-01T00:16:40Z"), .text("1970-01-02T00:16:40Z"), .null]])
            #expect(try store.ask(SQLQuery("SELECT COUNT(*) FROM report_loans")).rows == [[.integer(1)]])
        }
    }

    @Test("what is lost or claimed, and what is above what, can be asked for", arguments: TestDriver.allCases)
    func stoppedLoansAndParents(driver: TestDriver) throws {
        try withStore(driver) { (store) throws in
            try store.write { (transaction) throws in
                var loan = try #require(try transaction.loans.page(LoanQuery(), limit: 1).first)
                loan.lostAt = Instant(seconds: 200_000)
                loan.claimedAt = Instant(seconds: 100_000)
                try transaction.loans.updateStop(loan)
                try transaction.settings.update(Branch(code: "annex", name: "Annex", parent: "main"))
            }
            let answer = try store.ask(
                SQLQuery("SELECT lost_at, claimed_at, recalled_at, renewed_at FROM report_loans"))
            #expect(
                answer.rows == [[.text("1970-01-03T07:33:20Z"), .text("1970-01-02T03:46:40Z"), .null, .null]])
            for (view, parent) in [("branches", "main"), ("categories", nil), ("item_types", "book")] {
                let parents = try store.ask(
                    SQLQuery("SELECT parent FROM report_\(view) WHERE parent IS NOT NULL ORDER BY code"))
                #expect(parents.rows == (parent.map { [[.text($0)]] } ?? []))
            }
            try store.write { try $0.settings.insert(ShelvingLocation(code: "ref", name: "Reference")) }
            #expect(
                try store.ask(SQLQuery("SELECT code, name FROM report_locations")).rows
                    == [[.text("ref"), .text("Reference")]])
        }
    }

    @Test("moments and days are read as they were stored", arguments: TestDriver.allCases)
    func moments(driver: TestDriver) throws {
        try withStore(driver) { (store) throws in
            try store.write { (transaction) throws in
                let fixture = try #require(try transaction.patrons.page(after: 0, limit: 1).first)
                var block = PatronBlock(
                    patron: fixture.id, kind: "manual", createdAt: Instant(seconds: 1_700_000_000),
                    ends: try CivilDate(year: 2026, month: 3, day: 9))
                block.liftedAt = Instant(seconds: 1_700_000_060)
                try transaction.blocks.insert(block)
            }
            let answer = try store.ask(SQLQuery("SELECT created_at, ends, lifted_at FROM report_blocks"))
            #expect(
                answer.rows == [
                    [.text("2023-11-14T22:13:20Z"), .text("2026-03-09"), .text("2023-11-14T22:14:20Z")]
                ])
        }
    }

    @Test("every column of a declared record is shown as what it holds")
    func kinds() throws {
        let shown = Dictionary(uniqueKeysWithValues: ReportView.all.map { ($0.name, $0) })
        let loans = try #require(shown["report_loans"])
        #expect(
            Set(loans.columns).isSuperset(of: [.instant("due_at"), .instant("recalled_at"), "renewals", "on_site"]))
        #expect(try #require(shown["report_blocks"]).columns.contains(.date("ends")))
        #expect(try #require(shown["report_patrons"]).personalColumns.contains("birth_date"))
    }

    @Test("no view has a column that identifies a patron or leads to one")
    func impersonal() {
        let personal: Set<String> = [
            "username", "name_key", "surname", "email", "phone", "birth_date", "extra", "payload", "password", "token",
            "reason", "body", "subject", "label", "actor", "note", "entry_key", "request_id", "case_json",
        ]
        for view in ReportView.all {
            #expect(personal.isDisjoint(with: view.columns.map(\.name)), "\(view.name)")
            #expect(Set(view.personalColumns).isDisjoint(with: view.columns.map(\.name)), "\(view.name)")
            if ["report_patrons", "report_blocks"].contains(view.name) {
                #expect(!view.columns.map(\.name).contains("name"))
            }
        }
    }

    static let hostile = [
        "SELECT name FROM patrons", "SELECT payload FROM events", "SELECT files FROM policy_versions",
        "WITH report_patrons AS (SELECT email AS id FROM patrons) SELECT id FROM report_patrons",
        "WITH report_events(sequence) AS (SELECT payload FROM events) SELECT sequence FROM report_events",
        "SELECT report_patrons.id FROM (SELECT surname AS id FROM patrons) AS report_patrons",
        "SELECT (SELECT username FROM patrons LIMIT 1) AS x FROM report_patrons",
        "SELECT id FROM report_loans UNION SELECT email FROM patrons",
        "SELECT id FROM report_loans WHERE EXISTS (SELECT 1 FROM patrons WHERE name LIKE 'A%')",
        "DELETE FROM loans", "UPDATE loans SET returned_at = 1", "INSERT INTO settings VALUES ('a', 'b')",
        "DROP VIEW report_loans", "CREATE TABLE x (y INTEGER)", "CREATE TEMP TABLE x AS SELECT 1",
        "WITH gone AS (DELETE FROM loans RETURNING id) SELECT id FROM gone",
        "WITH RECURSIVE x AS (SELECT 1) INSERT INTO settings SELECT 'a', 'b'",
        "SELECT 1; SELECT 2", "SELECT 1; DROP TABLE loans", "SELECT 1;;SELECT 2", "SELECT 1 \0; DROP TABLE loans",
        "SELECT 1 AS a; -- \n nonsense", "", "  ", "-- nothing", ";", "BEGIN", "COMMIT", "ROLLBACK", "VACUUM",
        "ANALYZE",
        "EXPLAIN SELECT 1", "REINDEX", "SELECT 1 AS a, 2 AS a", "SELECT ?", "SELECT", "nonsense", "SELECT * FROM",
        "SELECT * FROM sqlite_schema", "SELECT * FROM sqlite_master", "SELECT * FROM pragma_table_info('patrons')",
        "SELECT * FROM pg_catalog.pg_roles", "SELECT * FROM pg_class", "SELECT * FROM information_schema.tables",
        "SELECT * FROM pg_stat_activity", "SELECT * FROM title_search", "SELECT * FROM json_each('[1]')",
    ]

    @Test("nothing but the views is read and nothing is changed", arguments: TestDriver.allCases)
    func harmless(driver: TestDriver) throws {
        try withStore(driver) { (store) throws in
            let before = try store.read { try $0.integrity.findings() }
            for text in Self.hostile {
                #expect(refusal(store, text) != nil, "\(text)")
            }
            #expect(try store.read { try $0.integrity.findings() } == before)
            #expect(try store.ask(SQLQuery("SELECT COUNT(*) AS n FROM report_loans")).rows == [[.integer(1)]])
        }
    }

    static let hostileToSQLite = [
        "ATTACH 'other.db' AS other", "ATTACH ':memory:' AS x", "VACUUM INTO '/tmp/moonshelf-stolen.db'",
        "PRAGMA writable_schema = ON", "PRAGMA query_only = OFF", "PRAGMA database_list", "DETACH main",
        "SELECT load_extension('x')", "SELECT readfile('/etc/passwd')", "SELECT writefile('/tmp/x', 'y')",
        "SELECT zeroblob(1000000000)", "SELECT randomblob(1000000000)", "SELECT fts3_tokenizer('simple')",
        "SELECT rowid FROM loans", "SELECT sqlite_compileoption_get(1)",
        "SELECT edit('x')", "SELECT * FROM dbstat", "SELECT * FROM sqlite_temp_schema",
        "SELECT * FROM bytecode('SELECT 1')",
    ]

    @Test(
        "SQLite's own ways out are shut", arguments: [TestDriver.file, .memory])
    func shutSQLite(driver: TestDriver) throws {
        try withStore(driver) { (store) throws in
            for text in Self.hostileToSQLite { #expect(refusal(store, text) != nil, "\(text)") }
        }
        #expect(!FileManager.default.fileExists(atPath: "/tmp/moonshelf-stolen.db"))
    }

    @Test("what never ends or grows without end is broken off", arguments: TestDriver.allCases)
    func endless(driver: TestDriver) throws {
        try withStore(driver) { (store) throws in
            let limits = SQLLimits(seconds: 0.5, rows: 1_000, bytes: 1 << 20, memory: 32 << 20)
            let recursion = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT "
            #expect(refusal(store, recursion + "COUNT(*) FROM n", limits) == .limit)
            #expect(refusal(store, recursion + "i FROM n", limits) == .limit)
            #expect(refusal(store, recursion + "i FROM n ORDER BY i DESC", limits) == .limit)
            let product = (1...12).map { "report_copies AS c\($0)" }.joined(separator: ", ")
            let many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99999) "
            #expect(refusal(store, many + "SELECT COUNT(*) FROM n, n AS m, \(product)", limits) == .limit)
            #expect(try store.ask(SQLQuery("SELECT 1 AS one")).rows == [[.integer(1)]])
        }
    }

    /// Functions whose work would be the product of two lengths.
    static let products = [
        "instr(a, b)", "replace(a, b, '')", "trim(a, b)", "ltrim(a, b)", "rtrim(a, b)",
        "a LIKE '%' || substr(b, 1, 45)",
    ]

    @Test("no single function runs on for long", arguments: products)
    func slow(function: String) throws {
        try TestDriver.file.withStore { (store) throws in
            let begun = ProcessorTime.now()
            let text = """
                WITH t(a, b) AS (SELECT replace(printf('%900000d', 1), ' ', 'a'), replace(printf('%400000d', 1), ' ', 'a') || 'b')
                SELECT length(\(function)) AS n FROM t
                """
            // That it takes too long is an answer, too.
            _ = try? store.ask(SQLQuery(text, limits: SQLLimits(seconds: 0.2)))
            // A product of the lengths would take minutes; the sum takes a second or two without optimization.
            #expect(ProcessorTime.isWithin(.seconds(30), ProcessorTime.now() - begun))
        }
    }

    @Test("texts are found, replaced and trimmed as SQLite does it")
    func texts() throws {
        try TestDriver.file.withStore { (store) throws in
            let question = """
                SELECT instr('Ünïcode', 'ï') AS a, instr('abc', 'd') AS b, instr('abc', '') AS c, instr(NULL, 'a') AS d,
                    instr(12345, 34) AS e, replace('aXbXc', 'X', 'yy') AS f, replace('abc', '', 'x') AS g,
                    replace('aaa', 'aa', 'b') AS h, trim('xxaxx', 'x') AS i, ltrim('öäb', 'äö') AS j, rtrim('abc', '') AS k,
                    replace(NULL, 'a', 'b') AS l, instr(x'0102', x'02') AS m, trim('xx', 'x') AS n, trim('  a ') AS o
                """
            let row = try #require(try store.ask(SQLQuery(question)).rows.first)
            #expect(
                row == [
                    .integer(3), .integer(0), .integer(1), .null, .integer(3), .text("ayybyyc"), .text("abc"),
                    .text("ba"), .text("a"), .text("b"), .text("abc"), .null, .integer(2), .text(""), .text("a"),
                ])
        }
    }

    @Test("who asks can break a question off", arguments: [TestDriver.file, .memory])
    func brokenOff(driver: TestDriver) throws {
        try driver.withStore { (store) throws in
            let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) AS n FROM n"
            var asked = 0
            #expect(throws: SQLRefusal.tooLong) {
                try store.ask(SQLQuery(endless)) {
                    asked += 1
                    return asked < 5
                }
            }
            #expect(asked == 5)
        }
    }

    @Test(
        "a question is broken off within a function too, and before the next one",
        arguments: [
            ("length(replace(?, 'a', 'b'))", 0), ("length(replace(?, 'a', 'b'))", 40),
            ("length(replace(replace(?, 'a', 'b'), 'b', 'c'))", 80), ("length(trim(?, 'a'))", 0), ("instr(?, 'b')", 0),
        ])
    func brokenOffWithin(expression: String, most: Int) throws {
        try withStore(.file) { (store) throws in
            // The statement has a few steps, after none of which SQLite itself asks.
            let text = StoredValue.text(String(repeating: "a", count: 200_000))
            var asked = 0
            var code: SQLRefusal.Code?
            do {
                _ = try store.ask(SQLQuery("SELECT \(expression) AS n", [text])) {
                    asked += 1
                    return asked <= most
                }
            } catch let refusal as SQLRefusal {
                code = refusal.code
            }
            #expect(code == SQLRefusal.tooLong.code && asked == most + 1, "\(asked)")
        }
    }

    @Test("an answer larger than it may be is refused", arguments: [TestDriver.file, .memory])
    func large(driver: TestDriver) throws {
        try withStore(driver) { (store) throws in
            let limits = SQLLimits(bytes: 10_000)
            let many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) SELECT i FROM n"
            #expect(refusal(store, many, limits) == .limit)
            // SQLite gives nothing rather than a text beyond its limit.
            #expect(try store.ask(SQLQuery("SELECT printf('%2000000d', 1) AS x")).rows == [[.null]])
        }
    }
}
