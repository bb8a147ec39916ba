import Circulation
import Foundation
import TestSupport
import Testing
import TextFormats

@testable import Storage

@Suite("Copies of stores")
struct StoreCopyTests {
    /// From where to where.
    struct Way: CustomTestStringConvertible, Sendable {
        var source: TestDriver
        var target: TestDriver
        var testDescription: String { "\(source) to \(target)" }

        static let all = TestDriver.allCases.flatMap { source in
            TestDriver.allCases.map { Way(source: source, target: $0) }
        }

        func withStores<T>(_ body: (any Store, any Store) throws -> T) throws -> T {
            try source.withStore { (from) throws in try target.withStore { (to) throws in try body(from, to) } }
        }
    }

    /// Texts that a database, or the way to it, might take for something else.
    static let texts = [
        "", "\\N", "\\", "tab\tline\nreturn\rbell\u{7}", "nul\0nul", "\u{10FFFE}0\u{10FFFE}1", "\"quoted\" 'twice'",
        "Ærøskøbing 図書館 📚", "{searchKey}", "?", "e\u{301} é",
    ]

    /// A store with something awkward in it.
    private func fill(_ store: any Store) throws {
        try store.write { transaction in
            let fixture = try Fixture(transaction)
            for (number, text) in Self.texts.enumerated() {
                try transaction.patrons.insert(
                    Patron(
                        username: "p\(number)\(text)", name: text, surname: text, email: number == 0 ? nil : text,
                        category: "patron", homeBranch: "main", extra: ["text": .string(text)]))
                try transaction.titles.insert(Title(title: text + "x", authors: [text], genres: [text]))
            }
            _ = try transaction.loans.insert(try fixture.loan())
            // A row that refers to one that comes after it.
            try transaction.settings.insert(ItemType(code: "zine", name: "Zine"))
            try transaction.settings.update(ItemType(code: "book", name: "Book", parent: "zine"))
            try transaction.events.insert(
                EventRecord(
                    sequence: 0, at: Instant(microseconds: .min), actor: "desk", channel: nil, kind: "test", version: 1,
                    payload: "{}", requestID: "r", ordinal: 0, patron: nil, copy: nil, loan: .max))
            // Keys that were given and are not to be given again.
            let last = try transaction.titles.insert(Title(title: "Gone"))
            try transaction.titles.remove(last)
        }
    }

    /// Everything that a store holds, table by table.
    private func contents(_ store: any Store) throws -> [String: Set<[StoredValue]>] {
        try store.read { try contents($0) }
    }

    private func contents(_ transaction: Transaction) throws -> [String: Set<[StoredValue]>] {
        var contents: [String: Set<[StoredValue]>] = [:]
        for table in try transaction.connection().tables() {
            let query = Query(once: "SELECT \(table.columnList) FROM \(StoredTable.quoted(table.name))")
            contents[table.name] = Set(
                try transaction.all(query) { row in
                    table.columns.map { column in
                        switch column.kind {
                        case .integer: .optional(row.optionalInteger())
                        case .text, .real: .optional(row.optionalText())
                        }
                    }
                })
        }
        return contents
    }

    /// The same store once more, as another process has it open.
    private func reader(of store: any Store) throws -> any Store {
        if case .postgres(let url) = store.location { return try PostgresStore.open(url, isReadOnly: true) }
        return try SQLiteStore.open(store.location, mode: .readOnly)
    }

    @Test(
        "that replace what a store holds leave those who read it what they began with, and give all others the new",
        arguments: TestDriver.allCases.filter { $0 != .memory })
    func replacedUnderReaders(driver: TestDriver) throws {
        try Way(source: .memory, target: driver).withStores { (from, to) throws in
            try fill(to)
            try fill(from)
            try from.write { try $0.settings.insert(Branch(code: "far", name: "Far")) }
            let (before, replacement) = (try contents(to), try contents(from))
            let other = try reader(of: to)
            defer { try? other.close() }
            let seen = try other.read { transaction in
                // It has read some tables when they are replaced, and reads the others afterwards.
                _ = try transaction.settings.snapshot()
                _ = try transaction.titles.count()
                _ = try StoreCopy(from: from, to: to, isReplaceable: { _ in true }).run()
                return try contents(transaction)
            }
            #expect(seen == before)
            #expect(try contents(other) == replacement)
            #expect(try contents(to) == replacement)
        }
    }

    @Test("that fail while they replace what a store holds leave its next keys too", arguments: TestDriver.allCases)
    func failedReplacement(driver: TestDriver) throws {
        try Way(source: .memory, target: driver).withStores { (from, to) throws in
            let request = StopRequest()
            let stoppable = try SQLiteStore.open(.memory, stop: request)
            defer { try? stoppable.close() }
            try stoppable.write { try $0.settings.insert(Branch(code: "far", name: "Far")) }
            try fill(to)
            let last = try to.write { try $0.titles.insert(Title(title: "Last")) }
            request.make(SIGINT)
            let copy = StoreCopy(from: stoppable, to: to, isReplaceable: { _ in true })
            #expect(storeErrorCode { _ = try copy.run() } == .interrupted)
            #expect(try to.write { try $0.titles.insert(Title(title: "Next")) } == last + 1)
        }
    }

    @Test("no table that the schema makes is left out", arguments: TestDriver.allCases)
    func tables(driver: TestDriver) throws {
        let script = Schema.migrations.map(\.script).joined(separator: "\n")
        let made = script.matches(of: /CREATE TABLE (?:IF NOT EXISTS )?([a-z_]+)/).map { String($0.1) }
        let dropped = script.matches(of: /DROP TABLE (?:IF EXISTS )?([a-z_]+)/).map { String($0.1) }
        try driver.withStore { (store) throws in
            let tables = try store.read { try $0.connection().tables() }
            #expect(Set(tables.map(\.name)) == Set(made).subtracting(dropped).union([StoredTable.searchIndex]))
            #expect(tables.allSatisfy { !$0.columns.isEmpty })
        }
    }

    @Test("hold the same in every table, whatever the texts, and give the same keys next", arguments: Way.all)
    func whole(way: Way) throws {
        try way.withStores { (from, to) throws in
            try fill(from)
            let tables = try StoreCopy(from: from, to: to, isReplaceable: { _ in false }).run()
            let (before, after) = (try contents(from), try contents(to))
            #expect(Set(tables.map(\.name)) == Set(before.keys))
            for (name, rows) in before {
                #expect(after[name] == rows, "\(name)")
                #expect(tables.first { $0.name == name }?.rows == rows.count)
            }
            #expect(try to.read { try $0.integrity.findings() } == from.read { try $0.integrity.findings() })
            #expect(try to.read { try $0.search.count(CatalogueQuery(words: "austen")) } == 1)
            let next = Title(title: "Next")
            #expect(try from.write { try $0.titles.insert(next) } == to.write { try $0.titles.insert(next) })
        }
    }

    @Test("references hold afterwards as before", arguments: TestDriver.allCases)
    func references(driver: TestDriver) throws {
        try Way(source: .memory, target: driver).withStores { (from, to) throws in
            try fill(from)
            _ = try StoreCopy(from: from, to: to, isReplaceable: { _ in false }).run()
            let code = storeErrorCode {
                try to.write { _ = try $0.settings.update(ItemType(code: "zine", name: "Zine", parent: "nothing")) }
            }
            #expect(code == .constraint)
        }
    }

    @Test("are refused by a store that holds something, which stays as it is", arguments: Way.all)
    func notEmpty(way: Way) throws {
        try way.withStores { (from, to) throws in
            try fill(from)
            try to.write { try $0.settings.insert(Branch(code: "far", name: "Far")) }
            let before = try contents(to)
            let refused = StoreCopy(from: from, to: to, isReplaceable: { _ in false })
            #expect(storeErrorCode { _ = try refused.run() } == .notEmpty)
            #expect(try contents(to) == before)
            let allowed = StoreCopy(from: from, to: to, isReplaceable: { _ in true })
            _ = try allowed.run()
            #expect(try contents(to) == contents(from))
        }
    }

    @Test("show the moment at which they began, though others write meanwhile", arguments: TestDriver.allCases)
    func snapshot(driver: TestDriver) throws {
        // A memory store has one connection, so that nobody can write meanwhile.
        guard driver != .memory else { return }
        try Way(source: driver, target: .memory).withStores { (from, to) throws in
            try fill(from)
            let before = try contents(from)
            try to.write { try $0.settings.insert(Branch(code: "far", name: "Far")) }
            let copy = StoreCopy(
                from: from, to: to,
                isReplaceable: { _ in
                    let done = DispatchSemaphore(value: 0)
                    let writer = Thread {
                        try? from.write { _ = try $0.titles.insert(Title(title: "Meanwhile")) }
                        done.signal()
                    }
                    writer.start()
                    done.wait()
                    return true
                })
            _ = try copy.run()
            #expect(try contents(to) == before)
            #expect(try contents(from) != before)
        }
    }

    @Test("that are stopped leave the target as it was", arguments: TestDriver.allCases)
    func stopped(driver: TestDriver) throws {
        try Way(source: .memory, target: driver).withStores { (from, to) throws in
            let request = StopRequest()
            let stoppable = try SQLiteStore.open(.memory, stop: request)
            defer { try? stoppable.close() }
            try fill(stoppable)
            try to.write { try $0.settings.insert(Branch(code: "far", name: "Far")) }
            let before = try contents(to)
            // What was in the target is gone by then, in the transaction that is undone.
            let copy = StoreCopy(
                from: stoppable, to: to,
                isReplaceable: { _ in
                    try stoppable.write { try $0.titles.insert(Title(title: "Never")) }
                    return true
                })
            #expect(storeErrorCode { _ = try copy.run() } == .nested)
            #expect(try contents(to) == before)
            request.make(SIGINT)
            let late = StoreCopy(from: stoppable, to: to, isReplaceable: { _ in true })
            #expect(storeErrorCode { _ = try late.run() } == .interrupted)
            #expect(try contents(to) == before)
        }
    }

    @Test("of pages are one moment of a store that others write to, in one file that its owner alone may read")
    func pages() throws {
        try withFolder { (folder) throws in
            let store = try SQLiteStore.open(.file(folder + "/library.db"), create: true)
            defer { try? store.close() }
            try fill(store)
            try store.write { transaction in
                for number in 0..<4_000 { try transaction.titles.insert(Title(title: "Title \(number)")) }
            }
            let before = try contents(store)
            let pending = try PendingFile(for: folder + "/backup.db")
            var parts = 0
            try store.writeCopy(to: pending.path) { _, _ in
                parts += 1
                try store.write { _ = try $0.titles.insert(Title(title: "Meanwhile \(parts)")) }
            }
            #expect(parts > 1)
            try pending.takePlace()
            #expect(try permissions(ofFile: folder + "/backup.db") == 0o600)
            let copy = try SQLiteStore.open(.file(folder + "/backup.db"), mode: .readOnly)
            #expect(try contents(copy) == before)
            #expect(try copy.structuralFaults() == [])
            try copy.close()
            let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.contains("backup") }
            #expect(names == ["backup.db"])
        }
    }

    @Test("of pages replace what a store holds under those who read it")
    func replacement() throws {
        try withFolder { (folder) throws in
            let (old, new) = (folder + "/old.db", folder + "/new.db")
            let source = try SQLiteStore.open(.file(new), create: true)
            defer { try? source.close() }
            try fill(source)
            try source.write { transaction in
                for number in 0..<1_000 { try transaction.titles.insert(Title(title: "Title \(number)")) }
            }
            let store = try SQLiteStore.open(.file(old), create: true)
            defer { try? store.close() }
            let reader = try SQLiteStore.open(.file(old), mode: .readOnly)
            defer { try? reader.close() }
            #expect(try reader.read { try $0.titles.count() } == 0)
            struct Stopped: Error {}
            #expect(throws: Stopped.self) { try store.replaceContents(by: source) { _, _ in throw Stopped() } }
            #expect(try reader.read { try $0.titles.count() } == 0)
            try store.replaceContents(by: source)
            #expect(try contents(reader) == contents(source))
            try store.write { _ = try $0.titles.insert(Title(title: "Next")) }
            #expect(try reader.structuralFaults() == [])
        }
    }
}
