import Circulation
import TestSupport
import Testing

@testable import Storage

@Suite("Migrations")
struct MigrationTests {
    /// A store as a program of that version made it.
    private func store(version: Int64, at path: String) throws {
        let session = try SQLiteSession(path: path)
        try session.use { connection in
            for migration in Schema.migrations where migration.version <= version {
                try migration.run(on: connection)
            }
            try connection.execute(
                script: "PRAGMA application_id = \(SQLiteSchema.applicationID); PRAGMA user_version = \(version);")
        }
        try session.close()
    }

    @Test(
        "a store of each earlier version is refused as it is and brought here by making it",
        arguments: 1..<Schema.version)
    func earlier(version: Int64) throws {
        try withFolder { (folder) throws in
            let path = folder + "/library.db"
            try store(version: version, at: path)
            #expect(storeErrorCode { try SQLiteStore.open(.file(path)).close() } == .older)
            let store = try SQLiteStore.open(.file(path), create: true)
            let holds = try store.read { transaction in
                var holds = 0
                try transaction.holds.forEach { _ in
                    holds += 1
                    return true
                }
                try transaction.inHouseUses.forEach { _ in true }
                _ = try transaction.loans.page(LoanQuery(state: .lost), limit: 1)
                try transaction.suggestions.forEach { _ in true }
                _ = try transaction.notices.count()
                try transaction.favourites.forEach { _ in true }
                _ = try transaction.bookData.get(ISBN("9780441013593"), since: .earliest)
                _ = try transaction.policies.history()
                return holds
            }
            #expect(holds == 0)
            try store.close()
            #expect(storeErrorCode { try SQLiteStore.open(.file(path)).close() } == nil)
        }
    }

    /// A store on the server as a program of that version made it, with an item type and its parent.
    private func withDatabase<T>(version: Int64, _ body: (String) throws -> T) throws -> T {
        let server = try PostgresServer.shared
        let name = try server.database()
        let url = server.url(name)
        let address = try PostgresAddress(url)
        let connection = PostgresConnection(
            try PostgresLink(address, attempt: 0), commitTimeout: 60, recorder: nil)
        try connection.begin(writing: true, isFounding: true)
        try connection.execute(script: Dialect.postgresFunctions)
        for migration in Schema.migrations where migration.version <= version {
            try migration.run(on: connection)
        }
        try connection.execute(
            script: """
                CREATE TABLE moonshelf_schema (version BIGINT NOT NULL);
                INSERT INTO moonshelf_schema (version) VALUES (\(version));
                INSERT INTO item_types (code, position, name) VALUES ('book', 0, 'Book');
                INSERT INTO item_types (code, position, name, parent) VALUES ('atlas', 1, 'Atlas', 'book');
                """)
        guard case .kept = connection.commit() else { throw StoreError.outcomeUnknown }
        return try body(url)
    }

    private func itemTypes(_ store: any Store) throws -> [String] {
        try store.read { transaction in
            try transaction.settings.itemTypes().map { "\($0.code) \($0.parent ?? "-")" }
        }
    }

    @Test(
        "a store of each earlier version on a server is refused as it is and brought here by making it",
        .enabled(if: !PostgresServer.isMissing, "\(PostgresServer.reason)"), arguments: 1..<Schema.version)
    func earlierOnServer(version: Int64) throws {
        try withDatabase(version: version) { (url) throws in
            #expect(storeErrorCode { try PostgresStore.open(url).close() } == .older)
            let store = try PostgresStore.open(url, create: true)
            defer { try? store.close() }
            #expect(try itemTypes(store) == ["book -", "atlas book"])
            #expect(try store.read { try $0.settings.locations() } == [])
        }
    }

    @Test(
        "a store of each earlier version on a server is copied as it is into a file of that version",
        .enabled(if: !PostgresServer.isMissing, "\(PostgresServer.reason)"), arguments: 1..<Schema.version)
    func copied(version: Int64) throws {
        try withDatabase(version: version) { (url) throws in
            try withFolder { (folder) throws in
                let path = folder + "/copy.db"
                let old = try PostgresStore.openToCopy(url)
                defer { try? old.close() }
                #expect(old.schemaVersion == version)
                let file = try SQLiteStore.make(at: path, version: version)
                _ = try StoreCopy(from: old, to: file, isReplaceable: { _ in false }).run()
                try file.close()
                // The store is what it was, and the file is one of that version too.
                #expect(storeErrorCode { try PostgresStore.open(url).close() } == .older)
                #expect(storeErrorCode { try SQLiteStore.open(.file(path)).close() } == .older)
                let store = try SQLiteStore.open(.file(path), create: true)
                defer { try? store.close() }
                #expect(try itemTypes(store) == ["book -", "atlas book"])
            }
        }
    }

    @Test("usernames that look alike are found among those of an older store, and those that stand in it stay")
    func likeUsernames() throws {
        try withFolder { (folder) throws in
            let path = folder + "/library.db"
            try store(version: 20, at: path)
            let session = try SQLiteSession(path: path)
            let names = ["root", "r00t", "Sm1th", "nell", "ab8i3457"]
            try session.use { connection in
                try connection.execute(
                    script: """
                        INSERT INTO categories (code, position, name) VALUES ('patron', 0, 'Patron');
                        INSERT INTO branches (code, position, name, calendar) VALUES ('main', 0, 'Main', '');
                        """)
                for (id, name) in names.enumerated() {
                    try connection.execute(
                        script: """
                            INSERT INTO patrons (id, username, username_key, name, surname, name_key, category, home_branch,
                                role, extra)
                            VALUES (\(id + 1), '\(name)', '\(Username.folded(name))', 'N', 'S', 's n', 'patron', 'main',
                                'patron', '');
                            """)
                }
            }
            try session.close()
            let store = try SQLiteStore.open(.file(path), create: true)
            defer { try? store.close() }
            func like(_ name: String) throws -> [Int64] {
                try store.read { transaction in try transaction.patrons.ids(usernamesLike: name) }
            }
            let (zeros, capital, other) = (try like("ro0t"), try like("smith"), try like("neil"))
            #expect(zeros == [1, 2] && capital == [3] && other == [])
            for (id, name) in names.enumerated() {
                let found = try like(name)
                #expect(found.contains(Int64(id + 1)), "\(name)")
            }
        }
    }

    /// What stands in a store before its titles had places: the third was lent most.
    private func lentTitles(_ key: String) -> String {
        let titles = (1...3).map { id in
            """
            INSERT INTO titles (id, title, title_key, authors, author_key, genres, subjects, courses, recommended, extra)
            VALUES (\(id), 'Emma \(id)', 'emma \(id)', '[]', '', '[]', '[]', '[]', 0, '');
            INSERT INTO title_search (\(key), title, author, isbn, course, college, publisher, genre)
            VALUES (\(id), 'emma \(id)', '', '', '', '', '', 'novel');
            """
        }
        let loans = [3, 3, 2, 3, 3].map { title in
            """
            INSERT INTO loans (title, lent_at, due_exact, renewals, unseen_renewals, on_site)
            VALUES (\(title), 5, 0, 0, 0, 0);
            """
        }
        return (titles + loans).joined(separator: "\n")
    }

    private func expectPlaced(_ store: any Store) throws {
        try store.read { (transaction) throws in
            let search = transaction.search
            for (title, standing) in [(1, 0), (2, 1), (3, 3)] as [(Int64, Int64)] {
                let expected = Standing.place(title: title, standing: standing)
                #expect(try search.place(of: title) == expected)
                #expect(try search.texts(of: title) == ["emma \(title)", "", "", "", "", "", "novel"])
            }
            #expect(try search.placed().reached == 5 && search.placed().last == 5)
            let query = CatalogueQuery(words: "n", prefix: true)
            #expect(try search.count(query) == 3)
            #expect(try search.spelling(CatalogueQuery(words: "ema")) == "emma")
            #expect(try search.unknown(Set(["emma", "novel"].compactMap(SpelledWord.init))) == [])
            #expect(!(try transaction.connection().tables().contains { $0.name == "earlier_search" }))
        }
    }

    /// The version before the one whose step makes the index anew.
    private var unplaced: Int64 {
        (Schema.migrations.first { $0.script.contains("{placedSearch}") }?.version ?? 1) - 1
    }

    @Test("titles of an older store get the places that their loans give them")
    func placed() throws {
        try withFolder { (folder) throws in
            let path = folder + "/library.db"
            try store(version: unplaced, at: path)
            let session = try SQLiteSession(path: path)
            try session.use { connection in try connection.execute(script: lentTitles("rowid")) }
            try session.close()
            let store = try SQLiteStore.open(.file(path), create: true)
            defer { try? store.close() }
            try expectPlaced(store)
        }
    }

    @Test(
        "titles of an older store on a server get the places that their loans give them",
        .enabled(if: !PostgresServer.isMissing, "\(PostgresServer.reason)"))
    func placedOnServer() throws {
        try withDatabase(version: unplaced) { (url) throws in
            let name = try #require(url.split(separator: "/").last?.split(separator: "?").first)
            try PostgresServer.shared.execute(lentTitles("title_id"), in: String(name))
            let store = try PostgresStore.open(url, create: true)
            defer { try? store.close() }
            try expectPlaced(store)
        }
    }

    /// More titles than are read at once, with years and languages; one has no entry in the index.
    private func datedTitles(_ key: String, count: Int) -> String {
        (1...count).map { id in
            """
            INSERT INTO titles (id, title, title_key, authors, author_key, year, language, genres, subjects, courses,
                recommended, extra)
            VALUES (\(id), 'Emma \(id)', 'emma \(id)', '[]', '', \(1_900 + id % 100), 'pt-\(id % 2 == 0 ? "BR" : "pt")', '[]',
                '[]', '[]', 0, '');
            """
                + (id == 7
                    ? ""
                    : """
                    INSERT INTO title_search (\(key), title, author, isbn, course, college, publisher, genre)
                    VALUES (\(id), 'emma \(id)', 'name\(id)', '\(id % 3 == 0 ? "978\(id)" : "")', '', '', '', '');
                    """)
        }.joined(separator: "\n")
    }

    private func expectDated(_ store: any Store, count: Int) throws {
        try store.read { (transaction) throws in
            let search = transaction.search
            func found(_ facets: CatalogueQuery.Facets, _ words: String = "") throws -> Int64 {
                try search.count(CatalogueQuery(words: words, facets: facets))
            }
            #expect(try search.count(CatalogueQuery(words: "emma")) == Int64(count - 1))
            #expect(try found(.init(language: "pt-br")) == Int64(count / 2))
            #expect(try found(.init(language: "PT-PT"), "emma") == Int64(count / 2 - 1))
            let (last, number) = (try found(.init(year: 1_900 + Int64(count % 100))), Int64(count / 100) + 1)
            #expect(last == number)
            #expect(try found(.init(decade: 1900)) == Int64(count / 100 * 10 + 9) - 1)
            #expect(try search.count(CatalogueQuery(words: "978\(count / 3 * 3)", field: .isbn)) == 1)
            // Each author is a word of its own.
            #expect(try search.spelling(CatalogueQuery(words: "nmae\(count)")) == "name\(count)")
            #expect(try search.spelling(CatalogueQuery(words: "nmae1")) == "name1")
        }
    }

    @Test("titles of an older store are found by their year and language, and their words are learnt")
    func dated() throws {
        let count = Int(Transaction.pageSize) * 2 + 10
        try withFolder { (folder) throws in
            let path = folder + "/library.db"
            try store(version: 35, at: path)
            let session = try SQLiteSession(path: path)
            try session.use { connection in
                try connection.execute(script: datedTitles("rowid", count: count))
            }
            try session.close()
            let store = try SQLiteStore.open(.file(path), create: true)
            defer { try? store.close() }
            try expectDated(store, count: count)
        }
    }

    @Test(
        "titles of an older store on a server are found by their year and language, and their words are learnt",
        .enabled(if: !PostgresServer.isMissing, "\(PostgresServer.reason)"))
    func datedOnServer() throws {
        let count = Int(Transaction.pageSize) * 2 + 10
        try withDatabase(version: 35) { (url) throws in
            let name = try #require(url.split(separator: "/").last?.split(separator: "?").first)
            try PostgresServer.shared.execute(datedTitles("place", count: count), in: String(name))
            let store = try PostgresStore.open(url, create: true)
            defer { try? store.close() }
            try expectDated(store, count: count)
        }
    }

    /// The version before the one that keeps no key of requests that no caller named.
    private var keyed: Int64 { (Schema.migrations.first { $0.script.contains("{freeRequests}") }?.version ?? 1) - 1 }

    private static let past = """
        INSERT INTO events (sequence, at, actor, kind, version, payload, request_id, ordinal, patron, loan, hash, seal)
        VALUES (3, 7, 'desk', 'k', 1, '{}', 'r', 0, 5, 6, 'h3', 's3'), (9, 8, 'desk', 'k', 1, '{}', 'r', 1, NULL, 6, 'h9', 's9');
        INSERT INTO decision_log (id, event, ordinal, point, policy, answer, case_json, decision_json)
        VALUES (\(3 * DecisionRecord.most + 1), 3, 1, 'checkout', 'p', 'allow', '[1]', '[2]');
        """

    private func expectPast(_ store: any Store) throws {
        try store.write { (transaction) throws in
            let events = transaction.events
            #expect(try events.of(request: "r").map(\.sequence) == [3, 9])
            #expect(try events.page(EventQuery(loan: 6), limit: 9).map(\.patron) == [5, nil])
            #expect(try events.end() == EventChain.Link(sequence: 9, hash: "h9"))
            #expect(try transaction.decisions.of(event: 3).map(\.caseJSON) == ["[1]"])
            #expect(try transaction.connection().brokenReferences() == [])
            let next = EventRecord(at: .earliest, actor: "a", kind: "k", payload: "{}", requestID: "~1", loan: 6)
            #expect(try events.insert(next) == 10)
            #expect(try events.insert(next) == 11)
            #expect(try events.of(request: "~1") == [])
            var named = next
            named.requestID = "r"
            #expect(try events.insertIfNew(named) == nil)
        }
    }

    @Test("events and decisions of an older store stay as they are when requests lose their key")
    func unnamedRequests() throws {
        try withFolder { (folder) throws in
            let path = folder + "/library.db"
            try store(version: keyed, at: path)
            let session = try SQLiteSession(path: path)
            try session.use { connection in try connection.execute(script: Self.past) }
            try session.close()
            let store = try SQLiteStore.open(.file(path), create: true)
            defer { try? store.close() }
            try expectPast(store)
        }
    }

    @Test(
        "events and decisions of an older store on a server stay as they are when requests lose their key",
        .enabled(if: !PostgresServer.isMissing, "\(PostgresServer.reason)"))
    func unnamedRequestsOnServer() throws {
        try withDatabase(version: keyed) { (url) throws in
            let name = try #require(url.split(separator: "/").last?.split(separator: "?").first)
            try PostgresServer.shared.execute(Self.past, in: String(name))
            let store = try PostgresStore.open(url, create: true)
            defer { try? store.close() }
            try expectPast(store)
        }
    }

    @Test("the columns that refer to a table are found in the steps")
    func references() {
        let patrons = Schema.references(to: "patrons").map { "\($0.table).\($0.column)" }
        let known = [
            "patron_words.patron", "blocks.patron", "loans.patron", "notices.patron", "ledger.patron", "holds.patron",
        ]
        #expect(patrons.prefix(known.count) == known[...])
        #expect(
            Schema.references(to: "branches").map(\.table) == ["copies", "patrons", "branches"])
        #expect(Schema.references(to: "nothing").isEmpty)
    }

    @Test("versions are numbered without a gap, and no step is empty")
    func numbered() {
        #expect(Schema.migrations.map(\.version) == Array(1...Schema.version))
        #expect(Schema.migrations.allSatisfy { !$0.script.isEmpty })
    }
}
