import Storage
import TestSupport
import Testing

/// The databases that the desk works over.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
    case memory, file, postgres

    /// Those that there are here.
    static let allCases: [StoreKind] = PostgresServer.isMissing ? [.memory, .file] : [.memory, .file, .postgres]

    /// Where a ``Library`` stands that was not told otherwise: see ``EveryStore``.
    @TaskLocal static var current = StoreKind.memory

    var testDescription: String { rawValue }

    /// A fresh store.
    ///
    /// - Parameter folder: where a file goes; it must outlive the store.
    func store(in folder: ScratchFolder? = nil) throws -> any Store {
        switch self {
        case .memory: return try SQLiteStore.memory()
        case .file: return try #require(folder).store()
        case .postgres:
            let server = try PostgresServer.shared
            let name = try server.database(like: "desk_template") { (url) throws in
                try PostgresStore.open(url, create: true).close()
            }
            return try PostgresStore.open(server.url(name))
        }
    }
}

/// Runs each test of a suite once over SQLite in memory and once over PostgreSQL, where its server is installed.
struct EveryStore: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        for kind in StoreKind.allCases where kind != .file {
            try await StoreKind.$current.withValue(kind) { try await function() }
        }
    }
}

extension Trait where Self == EveryStore {
    static var everyStore: EveryStore { EveryStore() }
}
