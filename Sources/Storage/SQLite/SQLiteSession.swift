import GRDB
import GRDBSQLite
import Glibc
import Synchronization

/// A connection and the queue that it belongs to.
///
/// `@unchecked Sendable`: `connection` is touched inside the database queue alone, which lets in one thread at a time.
final class SQLiteSession: @unchecked Sendable {
    private let queue: DatabaseQueue
    private var connection: SQLiteConnection?
    /// Until the session is closed.
    private let file = Mutex<OpenFile?>(nil)
    /// The thread that is inside, as a number; 0 if none is.
    private let owner = Atomic<UInt>(0)

    /// - Parameters:
    ///   - path: nil for a memory store.
    ///   - busyTimeout: seconds to wait for another process.
    ///   - recorder: records every statement.
    init(
        path: String?, isReadOnly: Bool = false, busyTimeout: Double = 0, recorder: StatementRecorder? = nil
    ) throws {
        var configuration = Configuration()
        configuration.readonly = isReadOnly
        configuration.busyMode = busyTimeout > 0 ? .callback(Self.waiting(busyTimeout)) : .immediateError
        configuration.foreignKeysEnabled = true
        // Those who share a transaction come one after the other.
        configuration.allowsUnsafeTransactions = true
        configuration.label = "moonshelf"
        do {
            queue =
                if let path {
                    try DatabaseQueue(path: path, configuration: configuration)
                } else {
                    try DatabaseQueue(configuration: configuration)
                }
        } catch {
            throw StoreError.translated(error)
        }
        let opened = path.flatMap { OpenFile(path: $0) }
        file.withLock { $0 = opened }
        connection = try queue.writeWithoutTransaction { database in
            try SQLiteConnection(database, recorder: recorder)
        }
    }

    /// Waits for another process. SQLite's own waiting sleeps for up to a tenth of a second between two looks, in which a
    /// process that writes page after page lets no other in. `SQLiteWriter` leaves the store free for two looks.
    private static func waiting(_ seconds: Double) -> @Sendable (Int) -> Bool {
        let (pause, looks) = (0.0005, Int(seconds / 0.0005))
        return { count in
            usleep(UInt32(pause * 1_000_000))
            return count < looks
        }
    }

    /// Runs `body` alone on the connection, on the calling thread.
    ///
    /// - Throws: ``StoreError/Code/nested`` if this thread is inside already, which would wait for itself for ever.
    func use<T>(_ body: (SQLiteConnection) throws -> T) throws -> T {
        let thread = UInt(pthread_self())
        guard owner.load(ordering: .relaxed) != thread else { throw StoreError.nested }
        return try queue.writeWithoutTransaction { _ in
            owner.store(thread, ordering: .relaxed)
            defer { owner.store(0, ordering: .relaxed) }
            guard let connection else { throw StoreError.storeClosed }
            return try body(connection)
        }
    }

    /// Runs `body` on the connection, also inside a transaction of the same thread: for what only looks.
    func asked<T>(_ body: (SQLiteConnection) throws -> T) throws -> T {
        guard isOwnedByThisThread else { return try use(body) }
        guard let connection else { throw StoreError.storeClosed }
        return try body(connection)
    }

    /// Whether the calling thread is inside.
    var isOwnedByThisThread: Bool { owner.load(ordering: .relaxed) == UInt(pthread_self()) }

    func close() throws {
        queue.writeWithoutTransaction { _ in
            connection?.finalizeStatements()
            connection = nil
        }
        do {
            try queue.close()
        } catch {
            throw StoreError.translated(error)
        }
        file.withLock { $0 = nil }
    }
}
