import Circulation
import TestSupport
import Testing

@testable import Storage

@Suite("Older events")
struct ChainMigrationTests {
    /// Events and an activation as a program of version 15 wrote them.
    private static func write(on connection: any Connection) throws {
        func insert(_ table: String, _ values: KeyValuePairs<String, StoredValue>) throws {
            let columns = values.map(\.key).joined(separator: ", ")
            let places = values.map { _ in "?" }.joined(separator: ", ")
            try connection.post(
                Query("INSERT INTO \(table) (\(columns)) VALUES (\(places))"), values.map(\.value))
        }
        try insert(
            "branches",
            ["code": .text("main"), "position": .integer(0), "name": .text("Main"), "calendar": .text("{}")])
        try insert("categories", ["code": .text("patron"), "position": .integer(0), "name": .text("Patron")])
        try insert(
            "patrons",
            [
                "id": .integer(7), "username": .text("ada"), "name": .text(""), "surname": .text(""),
                "name_key": .text(""), "category": .text("patron"), "home_branch": .text("main"),
                "role": .text("admin"), "extra": .text("{}"),
            ])
        try insert("policy_versions", ["sha256": .text("ab"), "files": .text("[]")])
        try insert(
            "policy_activations",
            [
                "policy": .text("ab"), "name": .text("p"), "effective_from": .integer(1), "activated_at": .integer(1),
                "actor": .text("ada"), "note": .text(""),
            ])
        for number in 1...600 {
            let payload = number == 40 ? "{\"actor\":\"ada\",\"id\":1}" : "{\"n\":\(number)}"
            try insert(
                "events",
                [
                    "sequence": .integer(Int64(number * 2)), "at": .integer(Int64(number)),
                    "actor": .text(["ada", "desk", "patron:3", "gone"][number % 4]),
                    "kind": .text(number == 40 ? "policy.activated" : "test"), "version": .integer(1),
                    "payload": .text(payload), "request_id": .text("r\(number)"), "ordinal": .integer(0),
                ])
        }
    }

    private func expectChained(_ store: any Store) throws {
        try store.read { (transaction) throws in
            var previous = EventChain.Link.start.hash
            var actors: [String] = []
            try transaction.events.forEachSealed { sealed in
                let hash = EventChain.hash(of: sealed.event, content: sealed.content, after: previous)
                #expect(hash == sealed.hash && sealed.seal.count == 32 && sealed.clearedBy == nil)
                previous = sealed.hash
                actors.append(sealed.event.actor)
                return true
            }
            #expect(actors.count == 600)
            #expect(actors.prefix(4) == ["desk", "patron:3", "gone", "patron:7"], "names that somebody has become ids")
            #expect(try transaction.events.get(80)?.payload.contains("\"patron:7\"") == true)
            #expect(try transaction.policies.history().map(\.actor) == ["patron:7"])
        }
        try store.write { (transaction) throws in
            let next = EventRecord(at: .earliest, actor: "desk", kind: "test", payload: "{}", requestID: "new")
            #expect(try transaction.events.insert(next) == 1_201)
        }
    }

    @Test("events of an older store are linked as they are, and the next one to the last of them")
    func sqlite() throws {
        try withFolder { (folder) throws in
            let path = folder + "/library.db"
            let session = try SQLiteSession(path: path)
            try session.use { connection in
                for migration in Schema.migrations where migration.version <= 15 {
                    try connection.execute(script: migration.script)
                }
                try Self.write(on: connection)
                try connection.execute(
                    script: "PRAGMA application_id = \(SQLiteSchema.applicationID); PRAGMA user_version = 15;")
            }
            try session.close()
            let store = try SQLiteStore.open(.file(path), create: true)
            try expectChained(store)
            try store.close()
        }
    }

    @Test("the same over PostgreSQL")
    func postgres() throws {
        let server = try PostgresServer.shared
        let url = server.url(try server.database())
        let connection = PostgresConnection(
            try PostgresLink(try PostgresAddress(url), attempt: 0), commitTimeout: 60, recorder: nil)
        try connection.begin(writing: true, isFounding: true)
        try connection.execute(script: Dialect.postgresFunctions)
        for migration in Schema.migrations where migration.version <= 15 {
            try connection.execute(script: migration.script)
        }
        try Self.write(on: connection)
        try connection.execute(
            script: """
                CREATE TABLE moonshelf_schema (version BIGINT NOT NULL);
                INSERT INTO moonshelf_schema (version) VALUES (15);
                """)
        guard case .kept = connection.commit() else { throw StoreError.outcomeUnknown }
        let store = try PostgresStore.open(url, create: true)
        try expectChained(store)
        try store.close()
    }
}
