import Circulation
import TestSupport
import Testing

@testable import Storage

/// A store with so many titles that walking through them shows, made by statements.
private enum GrownCatalogue {
    static let titles = 6_000

    /// Every third title has the word `common`, every second copy is available, all but a few at one branch.
    static func script(key: String) -> String {
        """
        INSERT INTO branches (code, position, name, calendar) VALUES ('main', 0, 'M', ''), ('small', 1, 'S', '');
        INSERT INTO item_types (code, position, name) VALUES ('book', 0, 'Book');
        INSERT INTO titles (id, title, title_key, authors, author_key, genres, subjects, courses, recommended, extra)
        WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < \(titles))
        SELECT i, 'Title ' || i, 'title ' || i, '[]', 'a ' || i, '[]', '[]', '[]', 0, '' FROM numbers;
        INSERT INTO copies (id, barcode, title, branch, item_type, status)
        SELECT id, 'b' || id, id, CASE WHEN id % 100 = 0 THEN 'small' ELSE 'main' END, 'book',
            CASE WHEN id % 2 = 0 THEN 'available' ELSE 'on_loan' END FROM titles;
        INSERT INTO title_search (\(key), title, author, isbn, course, college, publisher, genre)
        SELECT id, 'title ' || id, 'author ' || (id % 7), '', '', '', '',
            CASE WHEN id % 3 = 0 THEN 'common' ELSE 'other' END FROM titles;
        """
    }

    static let queries: [CatalogueQuery] = {
        var queries: [CatalogueQuery] = []
        for (words, field) in [("common", .all), ("c", .all), ("title 17", .title), ("author", .author), ("", .all)]
            as [(String, CatalogueQuery.Field)]
        {
            for (available, branch) in [(false, nil), (true, nil), (true, "main"), (true, "small")] as [(Bool, String?)]
            {
                for (limit, offset) in [(20, 0), (20, 1_500)] {
                    queries.append(
                        CatalogueQuery(
                            words: words, field: field, prefix: true, available: available, branch: branch,
                            order: .relevance, limit: limit, offset: offset))
                }
            }
        }
        return queries
    }()

    /// The texts of all that a search asks, each once, with values.
    static func statements(_ store: any Store, _ recorder: StatementRecorder) throws -> [RecordedStatement] {
        try store.write { transaction in
            _ = try transaction.execute(Query(once: "UPDATE titles SET extra = ?"), [.text("{}")])
        }
        _ = recorder.take()
        try store.read { (transaction) throws in
            let bounds = SearchBounds(few: 100, firstFew: 20, rare: 100, walk: 400, sample: 300)
            let search = SearchRepository(transaction: transaction, bounds: bounds)
            for query in queries {
                _ = try search.titles(query)
                _ = try search.count(query, most: 1_000)
            }
        }
        var found: [String: RecordedStatement] = [:]
        for statement in recorder.take() where ["SELECT", "WITH"].contains(where: statement.text.hasPrefix) {
            if statement.text.contains("titles") || statement.text.contains("copies")
                || statement.text.contains("title_search")
            {
                found[statement.text] = found[statement.text] ?? statement
            }
        }
        return found.values.sorted { $0.text < $1.text }
    }
}

@Suite("How a search is answered")
struct SearchPlanTests {
    @Test("SQLite walks through no titles but in their order, and sorts no matches", arguments: [false, true])
    func sqlite(hasStatistics: Bool) throws {
        try withFolder { (folder) throws in
            let recorder = StatementRecorder()
            let store = try SQLiteStore.open(.file(folder + "/library.db"), create: true, recorder: recorder)
            defer { try? store.close() }
            try store.withWritingConnection { connection in
                try connection.execute(script: GrownCatalogue.script(key: "rowid"))
                if hasStatistics { try connection.execute(script: "ANALYZE") }
            }
            let statements = try GrownCatalogue.statements(store, recorder)
            #expect(statements.count > 12)
            try store.withWritingConnection { (connection) throws in
                for recorded in statements {
                    let statement = try connection.statement(Query(once: "EXPLAIN QUERY PLAN " + recorded.text))
                    defer { statement.release() }
                    var steps: [String] = []
                    while try statement.step() { steps.append(statement.text(3)) }
                    // What is done behind the page is done with its titles alone.
                    let faults = steps.prefix { $0 != "SCAN page" }.filter { Self.isFault($0, recorded.text) }
                    #expect(!steps.isEmpty && faults.isEmpty, "\(recorded.text)\n\(steps)")
                }
            }
        }
    }

    /// A walk that ends with the page, and a sort of the titles of rare copies, are none.
    private static func isFault(_ step: String, _ text: String) -> Bool {
        let isOfRareCopies = text.contains("AS held")
        if step.hasPrefix("SCAN titles") { return !(step.contains("titles_by_title") || text.contains("LIMIT")) }
        if step.hasPrefix("SCAN copies") { return !step.contains("COVERING INDEX copies_") }
        if step.contains("TEMP B-TREE FOR ORDER BY") { return !isOfRareCopies }
        return false
    }

    @Test(
        "PostgreSQL reads the index of words, or walks as far as it is told",
        .enabled(if: !PostgresServer.isMissing, "\(PostgresServer.reason)"), arguments: [false, true])
    func postgres(hasStatistics: Bool) throws {
        try withDatabase { (url) throws in
            let recorder = StatementRecorder()
            let store = try PostgresStore.open(url, recorder: recorder)
            defer { try? store.close() }
            let link = try PostgresLink(try PostgresAddress(url), attempt: 0)
            let connection = PostgresConnection(link, commitTimeout: 60, recorder: nil)
            _ = try connection.rows("ALTER TABLE title_search SET (autovacuum_enabled = false)")
            try connection.execute(script: GrownCatalogue.script(key: "place"))
            if hasStatistics { _ = try connection.rows("ANALYZE titles, copies, title_search") }
            let statements = try GrownCatalogue.statements(store, recorder)
            #expect(statements.count > 12)
            // In so small a store reading all is cheap.
            _ = try connection.rows("SET enable_seqscan = off")
            for recorded in statements {
                var text = recorded.text
                for (number, value) in recorded.values.enumerated().reversed() {
                    text = text.replacing("$\(number + 1)", with: Self.literal(value))
                }
                let steps = try connection.rows("EXPLAIN " + text).compactMap { $0[0] }
                #expect(!steps.contains(where: Self.isFault), "\(text)\n\(steps.joined(separator: "\n"))")
            }
        }
    }

    private static func isFault(_ step: String) -> Bool {
        // The first rows as they come are read where `LIMIT` says how many.
        step.contains("Seq Scan on titles") || step.contains("Seq Scan on copies")
    }

    private static func literal(_ value: StoredValue) -> String {
        switch value {
        case .integer(let number): "\(number)"
        case .text(let text): "'\(text.replacing("'", with: "''"))'"
        default: "NULL"
        }
    }
}
