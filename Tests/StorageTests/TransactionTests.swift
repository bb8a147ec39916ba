import Circulation
import Foundation
import Storage
import Testing

private struct Stop: Error {}

@Suite("Transactions")
struct TransactionTests {
    @Test("what a body throws undoes all it wrote", arguments: TestDriver.allCases)
    func rollback(driver: TestDriver) throws {
        try driver.withStore { (store) throws in
            #expect(throws: Stop.self) {
                try store.write { (transaction) throws in
                    try Fixture(transaction)
                    throw Stop()
                }
            }
            #expect(try store.read { try $0.titles.count() } == 0)
            try store.write { try Fixture($0) }
            #expect(try store.read { try $0.titles.count() } == 1)
        }
    }

    @Test("a reader cannot write", arguments: TestDriver.allCases)
    func readersCannotWrite(driver: TestDriver) throws {
        try driver.withStore { (store) throws in
            let code = storeErrorCode {
                try store.read { _ = try $0.titles.insert(Title(title: "Emma")) }
            }
            #expect(code == .readOnly)
            // And the connection is none the worse for it.
            try store.write { try Fixture($0) }
            #expect(try store.read { try $0.titles.count() } == 1)
        }
    }

    @Test("a transaction is dead after its end, and so are its repositories", arguments: TestDriver.allCases)
    func deadAfterEnd(driver: TestDriver) throws {
        try driver.withStore { (store) throws in
            var escaped: Transaction?
            try store.write { escaped = $0 }
            let transaction = try #require(escaped)
            #expect(!transaction.isLive)
            #expect(storeErrorCode { _ = try transaction.titles.count() } == .closed)
            #expect(storeErrorCode { _ = try transaction.titles.insert(Title(title: "Emma")) } == .closed)
            #expect(storeErrorCode { try transaction.savepoint {} } == .closed)
        }
    }

    @Test("a savepoint that fails undoes itself alone", arguments: TestDriver.allCases)
    func savepoints(driver: TestDriver) throws {
        try driver.withStore { (store) throws in
            try store.write { (transaction) throws in
                try transaction.titles.insert(Title(title: "kept"))
                let failing = {
                    try transaction.savepoint {
                        try transaction.titles.insert(Title(title: "undone"))
                        try transaction.savepoint { _ = try transaction.titles.insert(Title(title: "undone too")) }
                        throw Stop()
                    }
                }
                #expect(throws: Stop.self) { try failing() }
                try transaction.savepoint { _ = try transaction.titles.insert(Title(title: "kept too")) }
            }
            let titles = try store.read { try $0.search.titles(CatalogueQuery(words: "")) }
            #expect(titles.map(\.title) == ["kept", "kept too"])
        }
    }

    @Test("savepoints nest deeply", arguments: TestDriver.allCases)
    func deepSavepoints(driver: TestDriver) throws {
        try driver.withStore { (store) throws in
            try store.write { (transaction) throws in
                func descend(_ depth: Int) throws {
                    try transaction.titles.insert(Title(title: "level \(depth)"))
                    if depth == 12 { throw Stop() }
                    do { try transaction.savepoint { try descend(depth + 1) } } catch  where depth > 6 {
                        throw error
                    } catch {}
                }
                try descend(1)
                #expect(try transaction.titles.count() == 6)
            }
        }
    }

    @Test("a constraint error leaves the transaction usable after a savepoint", arguments: TestDriver.allCases)
    func constraintInSavepoint(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            let copy = Copy(barcode: "b1", title: fixture.title, branch: "main", itemType: "book")
            let code = storeErrorCode { try transaction.savepoint { _ = try transaction.copies.insert(copy) } }
            #expect(code == .constraint)
            #expect(try transaction.copies.count() == 2)
        }
    }

    @Test("a transaction inside one of the same thread is refused, not waited for", arguments: TestDriver.allCases)
    func nesting(driver: TestDriver) throws {
        try driver.withStore { (store) throws in
            try store.write { (_) throws in
                #expect(storeErrorCode { try store.write { _ in } } == .nested)
                #expect(storeErrorCode { try store.read { _ in } } == .nested)
            }
            try store.write { try Fixture($0) }
        }
    }

    @Test("a closed store refuses, and may be closed twice", arguments: TestDriver.allCases)
    func closing(driver: TestDriver) throws {
        try driver.withStore { (store) throws in
            try store.write { try Fixture($0) }
            _ = try store.read { try $0.titles.count() }
            try store.close()
            try store.close()
            #expect(storeErrorCode { try store.write { _ in } } == .closed)
            #expect(storeErrorCode { try store.read { _ in } } == .closed)
            #expect(storeErrorCode { try store.eraseTraces() } == .closed)
        }
    }

    @Test("a stream goes on while its body writes to the same table", arguments: TestDriver.allCases)
    func streamingWhileWriting(driver: TestDriver) throws {
        try driver.withStore { (store) throws in
            try store.write { (transaction) throws in
                for number in 1...600 { try transaction.titles.insert(Title(title: "Title \(number)")) }
                var seen = 0
                try transaction.titles.forEach { (title) throws in
                    seen += 1
                    var changed = title
                    changed.title = "Seen \(title.id)"
                    try transaction.titles.update(changed)
                    if title.id.isMultiple(of: 3) { try transaction.titles.remove(title.id) }
                    return true
                }
                #expect(seen == 600)
                #expect(try transaction.titles.count() == 400)
                #expect(try transaction.search.count(CatalogueQuery(words: "seen")) == 400)
                #expect(try transaction.integrity.findings().isEmpty)
            }
        }
    }

    @Test("a stream ends when its body says so", arguments: TestDriver.allCases)
    func streamEnds(driver: TestDriver) throws {
        try driver.withStore { (store) throws in
            try store.write { (transaction) throws in
                for number in 1...10 { try transaction.titles.insert(Title(title: "Title \(number)")) }
                var seen = 0
                try transaction.titles.forEach { (_) throws in
                    seen += 1
                    return seen < 4
                }
                #expect(seen == 4)
            }
        }
    }

    @Test("a file opened for reading only refuses to write")
    func readOnlyStore() throws {
        try withFolder { (folder) throws in
            let path = folder + "/library.db"
            try SQLiteStore.open(.file(path), create: true).close()
            let store = try SQLiteStore.open(.file(path), mode: .readOnly)
            defer { try? store.close() }
            #expect(store.isReadOnly)
            #expect(storeErrorCode { try store.write { _ in } } == .readOnly)
            #expect(storeErrorCode { try store.read { try $0.settings.setValue("x", for: "y") } } == .readOnly)
            #expect(storeErrorCode { try store.eraseTraces() } == .readOnly)
        }
    }
}
