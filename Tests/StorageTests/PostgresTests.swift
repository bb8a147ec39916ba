import Circulation
import Dispatch
import Foundation
import Storage
import Synchronization
import TestSupport
import Testing

@Suite("PostgreSQL", .enabled(if: !PostgresServer.isMissing, "\(PostgresServer.reason)"))
struct PostgresTests {
    private func server() throws -> PostgresServer { try PostgresServer.shared }

    @Test("the contract holds for PostgreSQL as well")
    func driverIsThere() {
        #expect(TestDriver.allCases.contains(.postgres))
    }

    @Test("ten openings of an empty database at once make the tables once")
    func migrationsRunOnce() throws {
        let server = try server()
        let url = server.url(try server.database())
        let failures = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 10) { number in
            do {
                let store = try PostgresStore.open(url, create: true)
                try store.write { _ = try $0.titles.insert(Title(title: "Title \(number)")) }
                try store.close()
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
        }
        #expect(failures.withLock { $0 } == [])
        let store = try PostgresStore.open(url)
        #expect(try store.read { try $0.titles.count() } == 10)
        try store.close()
    }

    @Test("every text is compared by its code points, and every number has 64 bits")
    func columnTypes() throws {
        try withDatabase { (url) throws in
            let server = try server()
            let name = try #require(url.split(separator: "/").last?.split(separator: "?").first)
            let strange = try server.execute(
                """
                SELECT table_name || '.' || column_name || ' ' || data_type FROM information_schema.columns
                WHERE table_schema = 'public' AND table_name <> 'moonshelf_schema' AND NOT (
                    data_type = 'text' AND collation_name = 'C' OR data_type IN ('bigint', 'tsvector'))
                """, in: String(name))
            #expect(strange.isEmpty, "\(strange)")
        }
    }

    @Test("a key that was given is never given again, nor is one that was wanted")
    func keys() throws {
        try TestDriver.postgres.withStore { (store) throws in
            try store.write { (transaction) throws in
                #expect(try transaction.titles.insert(Title(id: 40, title: "wanted")) == 40)
                #expect(try transaction.titles.insert(Title(id: 7, title: "earlier")) == 7)
                #expect(try transaction.titles.insert(Title(title: "next")) == 41)
            }
        }
    }

    @Test("a store newer than the program is refused by a sentence that says so")
    func newerStore() throws {
        try withDatabase { (url) throws in
            try change(url, "UPDATE moonshelf_schema SET version = version + 1")
            #expect(storeErrorCode { _ = try PostgresStore.open(url) } == .newer)
            #expect(storeErrorCode { _ = try PostgresStore.open(url, create: true) } == .newer)
        }
    }

    @Test("an empty schema is not a store, and one with something else in it is refused as it is")
    func strangers() throws {
        let server = try server()
        let name = try server.database()
        let url = server.url(name)
        #expect(storeErrorCode { _ = try PostgresStore.open(url) } == .cannotOpen)
        try server.execute("CREATE TABLE accounts (id INTEGER)", in: name)
        #expect(storeErrorCode { _ = try PostgresStore.open(url, create: true) } == .notAStore)
        #expect(storeErrorCode { _ = try PostgresStore.open(url) } == .notAStore)
        let relations = try server.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace", in: name)
        #expect(relations == [["accounts"]])
    }

    @Test("two stores in two schemas of one database are two stores")
    func schemas() throws {
        let server = try server()
        let name = try server.database()
        try server.execute("CREATE SCHEMA east; CREATE SCHEMA west", in: name)
        let stores = try ["east", "west"].map { schema in
            try PostgresStore.open(server.url(name, "options=-csearch_path%3D\(schema)"), create: true)
        }
        try stores[0].write { (transaction) throws in
            try Fixture(transaction)
            // Each has its own turn.
            try DispatchQueue.global().sync { try stores[1].write { _ = try $0.titles.insert(Title(title: "Emma")) } }
        }
        #expect(try stores.map { try $0.read { try $0.copies.count() } } == [2, 0])
        for store in stores { try store.close() }
    }

    @Test("opened for reading only, the database itself refuses to write")
    func readOnly() throws {
        try withDatabase { (url) throws in
            let store = try PostgresStore.open(url, isReadOnly: true)
            defer { try? store.close() }
            #expect(store.isReadOnly)
            #expect(storeErrorCode { try store.write { _ in } } == .readOnly)
            #expect(storeErrorCode { try store.read { try $0.settings.setValue("x", for: "y") } } == .readOnly)
            #expect(storeErrorCode { try store.eraseTraces() } == .readOnly)
        }
    }

    @Test("a role that may only read reads, and gets an error when it writes")
    func readingRole() throws {
        let server = try server()
        let name = try server.database(like: "storage_template") { try PostgresStore.open($0, create: true).close() }
        try server.execute(
            """
            CREATE ROLE reader_\(name) LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader_\(name)
            """, in: name)
        let store = try PostgresStore.open(server.url(name, user: "reader_\(name)"))
        defer { try? store.close() }
        #expect(try store.read { try $0.titles.count() } == 0)
        #expect(storeErrorCode { try store.write { try $0.settings.setValue("x", for: "y") } } == .readOnly)
    }

    @Test("a role that owns its schema and nothing else can keep a store")
    func plainRole() throws {
        let server = try server()
        let name = try server.database()
        try server.execute("CREATE ROLE owner_\(name) LOGIN; CREATE SCHEMA AUTHORIZATION owner_\(name)", in: name)
        let store = try PostgresStore.open(server.url(name, user: "owner_\(name)"), create: true)
        defer { try? store.close() }
        try store.write { try Fixture($0) }
        #expect(try store.read { try $0.integrity.findings() } == [])
        try store.eraseTraces()
    }

    @Test(
        "no error shows a password",
        arguments: [
            "postgres://ada:hunter2@127.0.0.1:1/library", "postgres://ada:hunter%32@127.0.0.1:1/library",
            "postgres://ada:hunter2@[::1/library", "postgres://ada@127.0.0.1:1/library?password=hunter2",
            "postgres://ada:hunter2@host:port/library", "postgres://ada:hunter2@127.0.0.1:1/library?sslmode=much",
            "postgres://ada:hunter2@/library?nonsense=1", "postgres://ada:hunter2%zz@127.0.0.1/library",
            "postgres://ada:hunter2/x@127.0.0.1:1/library", "postgres://ada:x@hunter2@localhost:1/library",
            "postgres://ada@127.0.0.1:1/x?sslpassword=hunter2&x=y",
        ])
    func passwords(url: String) throws {
        let error = try #require(throws: StoreError.self) { try PostgresStore.open(url) }
        #expect(!"\(error) \(error.message)".contains("hunter"))
        #expect([.badLocation, .unreachable, .cannotOpen].contains(error.code))
    }

    @Test("a password that the server does not take is shown neither by the error nor by the address")
    func wrongPassword() throws {
        let server = try PostgresServer(password: "right")
        let error = try #require(throws: StoreError.self) {
            try PostgresStore.open(server.url("postgres", user: "postgres:hunter2"))
        }
        #expect(error.code == .cannotOpen && error.message.contains("password"))
        #expect(!error.message.contains("hunter"))
        let store = try PostgresStore.open(server.url("postgres", user: "postgres:right"), create: true)
        #expect(!"\(store.location)".contains("right"))
        try store.close()
    }

    @Test("the second host is asked when the first is not there, and only one that can be written will do")
    func severalHosts() throws {
        try withDatabase { (url) throws in
            let server = try server()
            let name = try #require(url.split(separator: "/").last?.split(separator: "?").first)
            let socket = server.folder.replacingOccurrences(of: "/", with: "%2F")
            let hosts = "postgres://postgres@/\(name)?host=%2Fnowhere,\(socket)&target_session_attrs=read-write"
            let store = try PostgresStore.open(hosts)
            try store.write { try Fixture($0) }
            try store.close()
        }
    }

    @Test("a reference that leads nowhere is found, as after a restore with triggers switched off")
    func brokenReferences() throws {
        try withDatabase { (url) throws in
            let store = try PostgresStore.open(url)
            defer { try? store.close() }
            try store.write { try Fixture($0) }
            #expect(try store.read { try $0.integrity.findings() } == [])
            try change(url, "SET session_replication_role = replica; DELETE FROM titles")
            let findings = try store.read { try $0.integrity.findings() }.filter { $0.invariant == "references" }
            #expect(findings.map(\.table) == ["copies", "copies"])
            #expect(findings.allSatisfy { $0.message.contains("titles") && $0.id != nil })
        }
    }

    @Test("a connection is encrypted and the server known by its certificate, when the URL says so")
    func encrypted() throws {
        let server = try PostgresServer(certified: true)
        let certificate = "sslrootcert=" + server.folder.replacing("/", with: "%2F") + "%2Fauthority.crt"
        let store = try PostgresStore.open(
            server.url(host: "localhost", "postgres", "sslmode=verify-full&\(certificate)"), create: true)
        try store.close()
        let code = storeErrorCode {
            _ = try PostgresStore.open(server.url(host: "127.0.0.1", "postgres", "sslmode=verify-full&\(certificate)"))
        }
        #expect(code == .cannotOpen || code == .unreachable)
    }

    @Test("a NUL is kept, as is what stands for it")
    func nul() throws {
        try TestDriver.postgres.withStore { (store) throws in
            let text = "a\0b\u{10FFFE}0\u{10FFFE}\0"
            let id = try store.write { try $0.titles.insert(Title(title: text)) }
            #expect(try store.read { try $0.titles.get(id)?.title } == text)
        }
    }

    /// Runs statements in the database of a URL.
    private func change(_ url: String, _ text: String) throws {
        let name = try #require(url.split(separator: "/").last?.split(separator: "?").first)
        try server().execute(text, in: String(name))
    }
}
