import Circulation
import Testing

@testable import Storage

@Suite("Migrations")
struct MigrationTests {
    /// What takes the steps after the first back.
    private static let undoing: [(version: Int64, script: String)] = [
        (2, "DROP TABLE holds"),
        (3, "DROP TABLE in_house_uses"),
        (
            4,
            """
            DROP INDEX loans_lost;
            DROP INDEX loans_claimed;
            ALTER TABLE loans DROP COLUMN lost_at;
            ALTER TABLE loans DROP COLUMN claimed_at
            """
        ),
        (5, ReportView.droppingScript),
        (
            6,
            ["cart_lines", "rentals", "order_items", "orders", "suggestions", "listings"]
                .map { "DROP TABLE \($0);" }.joined(separator: "\n")
        ),
    ]

    /// A store as a program of that version left it: without the tables that came later.
    private func store(version: Int64, at path: String) throws {
        let store = try SQLiteStore.open(.file(path), create: true)
        let later = Self.undoing.filter { $0.version > version }.reversed().map(\.script)
        try store.write { transaction in
            for script in later { try transaction.connection().execute(script: script) }
            try transaction.connection().execute(script: "PRAGMA user_version = \(version)")
        }
        try store.close()
    }

    @Test("a store of each earlier version is refused as it is and brought here by making it", arguments: Array(1..<Schema.version))
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
