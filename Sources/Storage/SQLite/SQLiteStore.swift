import GRDB
import GRDBSQLite
import Synchronization

/// A store in SQLite: a file in write-ahead mode, or memory.
///
/// One connection writes; others read beside it, each its own snapshot. Several processes may use a file at once:
/// writers take turns and wait up to the time allowed. Those of one process may share a commit.
package final class SQLiteStore: Store {
    package enum Mode: Hashable, Sendable { case readOnly, readWrite }

    /// The versions that a store may have which is opened as it is. One of another version than the program's can be
    /// copied and replaced as a file, and nothing else.
    package enum Versions: Hashable, Sendable {
        case current
        /// This one and those before it.
        case known
        /// Also those that come later.
        case all
    }

    /// The version that this program works with.
    package static var currentVersion: Int64 { Schema.version }

    package let location: StoreLocation
    package let isReadOnly: Bool
    /// nil if the store was opened for reading only.
    private let writer: SQLiteWriter?
    /// nil for a memory store, whose one connection does all.
    private let readers: SQLiteReaders?
    private let isClosed = Atomic<Bool>(false)
    private let settingsCache = SettingsCache()
    let stop: StopRequest?
    private let derived: DerivedRows

    init(
        location: StoreLocation, writer: SQLiteSession?, readers: SQLiteReaders?, bounds: SQLiteWriter.Bounds = .init(),
        derived: DerivedRows = .all, stop: StopRequest? = nil
    ) {
        self.location = location
        self.writer = writer.map { SQLiteWriter($0, bounds: bounds, isAlone: readers == nil) }
        self.readers = readers
        self.derived = derived
        self.stop = stop
        isReadOnly = writer == nil
    }

    @discardableResult
    package func write<T>(_ sharing: CommitSharing, _ body: (Transaction) throws -> T) throws -> T {
        guard !isClosed.load(ordering: .acquiring) else { throw StoreError.storeClosed }
        guard let writer else { throw StoreError.openedReadOnly }
        return try writer.write(sharing) { connection in
            let (value, settingsChanged) = try perform(body, on: connection, isWritable: true)
            // Settings are kept by their revision. One that others have seen must not be given again to other settings.
            return SQLiteWriter.Work(value: value, isLast: settingsChanged)
        }
    }

    @discardableResult
    package func read<T>(_ body: (Transaction) throws -> T) throws -> T {
        guard !isClosed.load(ordering: .acquiring) else { throw StoreError.storeClosed }
        guard let readers else { return try readInMemory(body) }
        if let writer, writer.isOwnedByThisThread { throw StoreError.nested }
        return try readers.use { connection in
            try look(body, on: connection)
        }
    }

    private func readInMemory<T>(_ body: (Transaction) throws -> T) throws -> T {
        guard let writer else { throw StoreError.storeClosed }
        return try writer.alone { connection in
            try connection.execute(script: "PRAGMA query_only = ON")
            defer { try? connection.execute(script: "PRAGMA query_only = OFF") }
            return try look(body, on: connection)
        }
    }

    /// Runs `body` in a transaction of its own that reads.
    private func look<T>(_ body: (Transaction) throws -> T, on connection: SQLiteConnection) throws -> T {
        try connection.begin(writing: false)
        do {
            let (value, _) = try perform(body, on: connection, isWritable: false)
            try connection.commit()
            return value
        } catch {
            connection.rollBack()
            throw error
        }
    }

    /// Runs `body` in the transaction that the connection is in.
    private func perform<T>(
        _ body: (Transaction) throws -> T, on connection: SQLiteConnection, isWritable: Bool
    ) throws -> (value: T, settingsChanged: Bool) {
        let transaction = Transaction(
            connection: connection, isWritable: isWritable, settingsCache: settingsCache, derived: derived,
            stop: stop)
        defer { transaction.end() }
        let value = try body(transaction)
        guard transaction.isLive, connection.isInTransaction else { throw StoreError.transactionLost }
        return (value, transaction.settingsChanged)
    }

    /// How many wait to write.
    var waitingWriters: Int { writer?.waiting ?? 0 }

    /// How often those who waited left the store free for other processes.
    var pauses: Int { writer?.pauses ?? 0 }

    /// The writing connection outside any transaction: for tests that look at it or cripple it.
    func withWritingConnection<T>(_ body: (SQLiteConnection) throws -> T) throws -> T {
        guard let writer else { throw StoreError.openedReadOnly }
        return try writer.alone(body)
    }

    /// A connection that reads, outside any transaction.
    func withReadingConnection<T>(_ body: (SQLiteConnection) throws -> T) throws -> T {
        guard !isClosed.load(ordering: .acquiring) else { throw StoreError.storeClosed }
        if let readers { return try readers.use(body) }
        return try withWritingConnection(body)
    }

    package func ask(_ question: SQLQuery, goesOn: @escaping () -> Bool) throws -> SQLResult {
        guard !isClosed.load(ordering: .acquiring) else { throw StoreError.storeClosed }
        try question.check()
        if case .file(let path) = location {
            return try SQLiteQueryRunner(path: path, question.limits, goesOn: goesOn).answer(question)
        }
        guard let writer else { throw StoreError.storeClosed }
        return try writer.asked { connection in
            try connection.withImage {
                try SQLiteQueryRunner(image: $0, question.limits, goesOn: goesOn).answer(question)
            }
        }
    }

    package func eraseTraces() throws {
        guard !isClosed.load(ordering: .acquiring) else { throw StoreError.storeClosed }
        guard let writer else { throw StoreError.openedReadOnly }
        try writer.alone { connection in
            // A reader of an old snapshot keeps its pages: not an error, the next call gets them.
            _ = try connection.integer("PRAGMA wal_checkpoint(TRUNCATE)")
        }
    }

    /// 128 MiB of pages: indexes grow everywhere at once. And what several batches change of a page goes from the log into the
    /// file once.
    package func expectBulk() throws {
        try withWritingConnection { connection in
            try connection.execute(script: "PRAGMA cache_size = -131072; PRAGMA wal_autocheckpoint = 16000")
        }
    }

    package func close() throws {
        guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        // Readers first, so that the writer is the last one, which folds the log into the file.
        try readers?.close()
        try writer?.close()
    }
}
