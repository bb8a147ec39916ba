import Circulation
import Testing

@testable import Storage

@Suite("Migrations")
struct MigrationTests {
    /// A store as a program of that version left it: without the tables that came later.
    private func store(version: Int64, at path: String) throws {
        let store = try SQLiteStore.open(.file(path), create: true)
        let later = [(2, "holds"), (3, "in_house_uses")].filter { $0.0 > version }.map(\.1)
        try store.write { transaction in
            for table in later { try transaction.connection().execute(script: "DROP TABLE \(table)") }
            try transaction.connection().execute(script: "PRAGMA user_version = \(version)")
        }
        try store.close()
    }

    @Test("a store of each earlier version is refused as it is and brought here by making it", arguments: [1, 2])
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
                return holds
            }
            #expect(holds == 0)
            try store.close()
            #expect(storeErrorCode { try SQLiteStore.open(.file(path)).close() } == nil)
        }
    }

    @Test("versions are numbered without a gap, and no step is empty")
    func numbered() {
        #expect(Schema.migrations.map(\.version) == Array(1...Schema.version))
        #expect(Schema.migrations.allSatisfy { !$0.script.isEmpty })
    }
}
