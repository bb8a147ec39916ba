import Circulation
import Testing

@testable import Storage

@Suite("Migrations")
struct MigrationTests {
    /// A store as a program of that version made it.
    private func store(version: Int64, at path: String) throws {
        let session = try SQLiteSession(path: path)
        try session.use { connection in
            for migration in Schema.migrations where migration.version <= version {
                try connection.execute(script: migration.script)
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
                _ = try transaction.loans.page(LoanFilter(isLost: true), limit: 1)
                try transaction.suggestions.forEach { _ in true }
                _ = try transaction.notices.count()
                _ = try transaction.policies.history()
                return holds
            }
            #expect(holds == 0)
            try store.close()
            #expect(storeErrorCode { try SQLiteStore.open(.file(path)).close() } == nil)
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
