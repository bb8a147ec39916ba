import Circulation
import Foundation
import Storage
import TestSupport
import Testing

/// The databases that the contract holds for. A further one joins by a case here.
enum TestDriver: String, CaseIterable, CustomTestStringConvertible {
    case file, memory, postgres

    /// Without PostgreSQL's server, which ``PostgresTests`` says is missing, the others.
    static let allCases: [TestDriver] = PostgresServer.isMissing ? [.file, .memory] : [.file, .memory, .postgres]

    var testDescription: String { rawValue }

    /// Runs `body` with a fresh store, which is gone afterwards.
    func withStore<T>(_ body: (any Store) throws -> T) throws -> T {
        switch self {
        case .memory:
            let store = try SQLiteStore.memory()
            defer { try? store.close() }
            return try body(store)
        case .file:
            return try withFolder { (folder) throws in
                let store = try SQLiteStore.open(.file(folder + "/library.db"), create: true)
                defer { try? store.close() }
                return try body(store)
            }
        case .postgres:
            return try withDatabase { (url) throws in
                let store = try PostgresStore.open(url)
                defer { try? store.close() }
                return try body(store)
            }
        }
    }

    /// Runs `body` in a writing transaction of a fresh store that has the ``Fixture`` in it.
    func withFixture<T>(_ body: (Transaction, Fixture) throws -> T) throws -> T {
        try withStore { (store) throws in
            try store.write { transaction in try body(transaction, try Fixture(transaction)) }
        }
    }
}

/// Runs `body` with the path of an empty folder, which is gone afterwards.
func withFolder<T>(_ body: (String) throws -> T) throws -> T {
    let path = FileManager.default.temporaryDirectory.path + "/storage-tests-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body(path)
}

/// Runs `body` with the URL of a fresh PostgreSQL store.
func withDatabase<T>(_ body: (String) throws -> T) throws -> T {
    let server = try PostgresServer.shared
    let name = try server.database(like: "storage_template") { (url) throws in
        try PostgresStore.open(url, create: true).close()
    }
    return try body(server.url(name))
}

/// A store behind a proxy, and the same store reached straight.
func withCutStore(_ body: (any Store, CuttingProxy, any Store) throws -> Void) throws {
    try withDatabase { (url) throws in
        let proxy = try CuttingProxy(to: try PostgresServer.shared.folder)
        let name = try #require(url.split(separator: "/").last?.split(separator: "?").first)
        let socket = proxy.folder.replacing("/", with: "%2F")
        let store = try PostgresStore.open("postgres://postgres@/\(name)?host=\(socket)")
        defer { try? store.close() }
        let straight = try PostgresStore.open(url)
        defer { try? straight.close() }
        try body(store, proxy, straight)
    }
}

/// Two branches, a category, two item types, one title with two copies, one patron.
struct Fixture {
    let title: Int64
    let copies: [Int64]
    let patron: Int64

    @discardableResult
    init(_ transaction: Transaction) throws {
        let settings = transaction.settings
        try settings.insert(Branch(code: "main", name: "Main"))
        try settings.insert(Branch(code: "annex", name: "Annex"))
        try settings.insert(Circulation.Category(code: "patron", name: "Patron"))
        try settings.insert(ItemType(code: "book", name: "Book"))
        try settings.insert(ItemType(code: "reference", name: "Reference", parent: "book"))
        let title = try transaction.titles.insert(Title(title: "Emma", authors: ["Jane Austen"]))
        self.title = title
        copies = try ["b1", "b2"].map { barcode in
            try transaction.copies.insert(Copy(barcode: barcode, title: title, branch: "main", itemType: "book"))
        }
        patron = try transaction.patrons.insert(
            Patron(username: "ada", name: "Ada", surname: "Lovelace", category: "patron", homeBranch: "main"))
    }

    /// An open loan of the first copy, due at ``due``.
    func loan(_ id: Int64 = 0, copy: Int = 0, lentAt: Instant = Instant(seconds: 1_000), dueIn seconds: Int64 = 86_400)
        throws -> Loan
    {
        let due = try lentAt.adding(seconds: seconds)
        return Loan(
            id: id, copy: copies[copy], title: title, patron: patron, category: "patron", homeBranch: "main",
            itemType: "book", branch: "main", lentAt: lentAt,
            due: DueTime(instant: due, date: Zone.utc.date(of: due), isExact: false), originalDueAt: due,
            channel: .desk)
    }
}

/// The code of the ``StoreError`` that `body` throws, nil if it throws none.
func storeErrorCode(_ body: () throws -> Void) -> StoreError.Code? { storeError(body)?.code }

/// The ``StoreError`` that `body` throws, nil if it throws none.
func storeError(_ body: () throws -> Void) -> StoreError? {
    do {
        try body()
        return nil
    } catch {
        return error as? StoreError
    }
}
