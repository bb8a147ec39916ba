import GRDB
import Synchronization

/// Connections that read, opened when they are needed and kept for the next reader.
final class SQLiteReaders: Sendable {
    private struct State {
        var idle: [SQLiteSession] = []
        var isClosed = false
    }

    /// How many idle connections are kept.
    private static let kept = 32

    private let state = Mutex(State())
    private let open: @Sendable () throws -> SQLiteSession

    init(open: @escaping @Sendable () throws -> SQLiteSession) {
        self.open = open
    }

    func use<T>(_ body: (SQLiteConnection) throws -> T) throws -> T {
        let session = try taken()
        defer { giveBack(session) }
        return try session.use(body)
    }

    private func taken() throws -> SQLiteSession {
        let idle = try state.withLock { state in
            if state.isClosed { throw StoreError.storeClosed }
            return state.idle.popLast()
        }
        return try idle ?? open()
    }

    private func giveBack(_ session: SQLiteSession) {
        let isKept = state.withLock { state in
            guard !state.isClosed, state.idle.count < Self.kept else { return false }
            state.idle.append(session)
            return true
        }
        if !isKept {
            // What cannot be closed now goes when the process ends; there is no one to tell.
            try? session.close()
        }
    }

    /// Opens a connection now, so that what is wrong with the file shows at once.
    func warmUp() throws {
        giveBack(try taken())
    }

    func close() throws {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
        for session in idle {
            try session.close()
        }
    }
}
