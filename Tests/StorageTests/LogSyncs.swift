import Dispatch
import GRDBSQLite
import Synchronization

@testable import Storage

/// Counts the waits for the disk of a store's write-ahead log, and can hold them up or have them fail: it stands between
/// SQLite and the log's file.
final class LogSyncs: Sendable {
    private struct State {
        var count = 0
        var isHeld = false
        var fails = false
    }

    /// By the address of the log's file.
    private static let watched = Mutex<[UInt: LogSyncs]>([:])

    private let file: UInt
    private let original: UInt
    private let state = Mutex(State())
    private let released = DispatchSemaphore(value: 0)

    /// Watches a store that has been written to.
    init(_ store: SQLiteStore) throws {
        (file, original) = try store.withWritingConnection { connection in
            var file: UnsafeMutablePointer<sqlite3_file>?
            let code = sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file)
            guard code == SQLITE_OK, let file, let methods = file.pointee.pMethods else {
                throw StoreError.fault("there is no log to watch")
            }
            let own = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
            own.initialize(to: methods.pointee)
            own.pointee.xSync = { file, flags in LogSyncs.sync(file, flags) }
            file.pointee.pMethods = UnsafePointer(own)
            return (UInt(bitPattern: file), UInt(bitPattern: methods))
        }
        Self.watched.withLock { $0[file] = self }
    }

    /// How many there were.
    var count: Int { state.withLock(\.count) }

    /// Lets nobody past from now on.
    func hold() { state.withLock { $0.isHeld = true } }

    /// Lets the one past that waits, and all later ones.
    func release() {
        state.withLock { $0.isHeld = false }
        released.signal()
    }

    /// Whether all fail from now on, as by a disk that is broken.
    func fail(_ fails: Bool) { state.withLock { $0.fails = fails } }

    private static func sync(_ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32) -> Int32 {
        guard let syncs = watched.withLock({ $0[UInt(bitPattern: file)] }),
            let methods = UnsafePointer<sqlite3_io_methods>(bitPattern: syncs.original)
        else { return SQLITE_IOERR }
        let (isHeld, fails) = syncs.state.withLock { state in
            state.count += 1
            return (state.isHeld, state.fails)
        }
        if isHeld { syncs.released.wait() }
        if fails { return SQLITE_IOERR | 4 << 8 }
        return methods.pointee.xSync(file, flags)
    }
}
