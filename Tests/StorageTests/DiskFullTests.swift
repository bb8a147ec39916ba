import Circulation
import Testing

@testable import Storage

@Suite("A disk that is full")
struct DiskFullTests {
    private func fill(_ transaction: Transaction) throws {
        for number in 0..<100_000 {
            try transaction.titles.insert(
                Title(title: "Title \(number)", description: String(repeating: "x", count: 4_000)))
        }
    }

    private func cripple(_ store: SQLiteStore) throws {
        try store.withWritingConnection { (connection) throws in
            let pages = try connection.integer("PRAGMA page_count")
            _ = try connection.integer("PRAGMA max_page_count = \(pages + 20)")
        }
    }

    @Test("the transaction fails as a whole with a clear error, and what was before stays")
    func whole() throws {
        try withFolder { (folder) throws in
            let store = try SQLiteStore.open(.file(folder + "/library.db"), create: true)
            defer { try? store.close() }
            try store.write { try Fixture($0) }
            try cripple(store)
            #expect(storeErrorCode { try store.write { try fill($0) } } == .cannotWrite)
            #expect(try store.read { try $0.titles.count() } == 1)
            #expect(try store.read { try $0.integrity.findings() } == [])
            // Small things still go.
            try store.write { try $0.settings.setValue("x", for: "y") }
        }
    }

    @Test("inside a savepoint too, and the transaction never goes on as if nothing had been")
    func inSavepoint() throws {
        try withFolder { (folder) throws in
            let store = try SQLiteStore.open(.file(folder + "/library.db"), create: true)
            defer { try? store.close() }
            try store.write { try Fixture($0) }
            try cripple(store)
            let code = storeErrorCode {
                try store.write { (transaction) throws in
                    try transaction.settings.setValue("before", for: "mark")
                    do {
                        try transaction.savepoint { try fill(transaction) }
                    } catch {
                        // Carrying on after the error, as a caller might.
                        try transaction.settings.setValue("after", for: "mark")
                    }
                }
            }
            let mark = try store.read { try $0.settings.value("mark") }
            // Either the savepoint alone was undone and the rest kept, or all was, and then the caller was told.
            #expect(code == nil ? mark == "after" : mark == nil)
            #expect(try store.read { try $0.titles.count() } == 1)
        }
    }
}
