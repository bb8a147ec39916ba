import Foundation
import TestSupport
import Testing
import TextFormats

@testable import Storage

@Suite(
    "Stores of earlier versions on a server",
    .enabled(if: !PostgresServer.isMissing, "\(PostgresServer.reason)"))
struct OlderStoreTests {
    /// What a program made that knew the schema up to version 8.
    private func make(in database: String, of server: PostgresServer) throws {
        let url = server.url(database)
        let connection = PostgresConnection(
            try PostgresLink(try PostgresAddress(url), attempt: 0), commitTimeout: 60, recorder: nil)
        try connection.begin(writing: true, isFounding: true)
        try connection.execute(script: Dialect.postgresFunctions)
        for migration in Schema.migrations where migration.version <= 8 {
            try connection.execute(script: migration.script)
        }
        try connection.execute(
            script: """
                CREATE TABLE moonshelf_schema (version BIGINT NOT NULL);
                INSERT INTO moonshelf_schema (version) VALUES (8);
                """)
        guard case .kept = connection.commit() else { throw StoreError.outcomeUnknown }
        try server.execute(
            "INSERT INTO item_types (code, position, name) VALUES ('atlas', 0, 'Atlas')", in: database)
    }

    private func hasAtlases(_ folder: borrowing TemporaryFolder, _ store: String) throws -> String {
        let command = BuiltCommand(folder: folder.url)
        return try command.run(["--store", store, "eval", "return item_types.get('atlas') ~= nil"]).output
    }

    @Test("one is backed up as it is before it is migrated, and the backup leads back, whatever became of the store")
    func backup() throws {
        let folder = try TemporaryFolder()
        let command = BuiltCommand(folder: folder.url)
        let server = try PostgresServer.shared
        let database = try server.database()
        let url = server.url(database)
        try make(in: database, of: server)
        let refused = try command.run(["--store", url, "doctor"])
        #expect(refused.status == 65 && refused.error.contains("`moonshelf backup`"), "\(refused)")

        let made = try command.run(["--store", url, "backup", "--json", "old.db"])
        #expect(made.status == 0, "\(made)")
        #expect(try made.json()["version"] == 8)
        #expect(try command.run(["--store", url, "doctor"]).status == 65)

        // A backup that was made before is brought back over the store, which is of the earlier version still.
        let early = try command.run(["--store", url, "restore", "--force", "old.db"])
        #expect(early.status == 0, "\(early)")
        #expect(try hasAtlases(folder, url) == "true\n")
        #expect(try command.run(["--store", url, "init"]).status == 0)
        let remove = "assert(item_types.remove('atlas'))"
        #expect(try command.run(["--store", url, "eval", "--allow", "settings.write", remove]).status == 0)
        #expect(try hasAtlases(folder, url) == "false\n")
        #expect(try command.run(["--store", url, "restore", "--force", "old.db"]).status == 0)
        #expect(try hasAtlases(folder, url) == "true\n")
        let file = try command.run(["--store", "sqlite:new.db", "restore", "old.db"])
        #expect(file.status == 0, "\(file)")
        #expect(try hasAtlases(folder, "sqlite:new.db") == "true\n")
    }
}
