import Dispatch
import Glibc
import Synchronization

/// Lets those take turns who write through one connection, and has those who wait share a commit.
///
/// A writer that finds the connection free begins a transaction. If others wait when its work is done, it hands the open
/// transaction on to the first of them, who works within a savepoint, and so on; the last one commits for all. None
/// is answered before that: each learns what became of the commit, whether its own work succeeded or not, since what
/// it saw may have been another one's work.
final class SQLiteWriter: Sendable {
    /// How much one commit keeps at most.
    struct Bounds: Hashable, Sendable {
        /// How many transactions.
        var count = 64
        /// After how long no further one joins, so that other processes are not kept waiting.
        var time = Duration.milliseconds(20)
    }

    /// What a body leaves behind that succeeded.
    struct Work<Value> {
        var value: Value
        /// Whether none is to join after it.
        var isLast: Bool
    }

    private struct State {
        var isTaken = false
        /// The first one is next.
        var waiting: [Waiter] = []
        /// Since when other processes have had no chance.
        var heldSince = ContinuousClock.now
        /// How often the store was left free for other processes.
        var pauses = 0
        /// When the connection was last left with none waiting.
        var leftAt = ContinuousClock.now
    }

    /// For so long the store is free before the next transaction, once ``Bounds/time`` has passed without a pause: other
    /// processes look twice as often whether it is.
    private static let pause = Duration.milliseconds(1)

    private let session: SQLiteSession
    private let bounds: Bounds
    private let isAlone: Bool
    private let state = Mutex(State())

    /// - Parameter isAlone: no other process writes to the store.
    init(_ session: SQLiteSession, bounds: Bounds = Bounds(), isAlone: Bool) {
        self.session = session
        self.bounds = bounds
        self.isAlone = isAlone
    }

    /// How many wait for their turn.
    var waiting: Int { state.withLock(\.waiting.count) }

    /// How often the store was left free for other processes although others waited.
    var pauses: Int { state.withLock(\.pauses) }

    /// Whether the calling thread is at work on the connection.
    var isOwnedByThisThread: Bool { session.isOwnedByThisThread }

    /// Runs `body` in a transaction, on the calling thread. When this returns, what `body` did is on the disk.
    ///
    /// - Throws: what `body` throws, of which nothing is kept then; ``StoreError`` if the transaction was lost.
    func write<T>(_ sharing: CommitSharing, _ body: (SQLiteConnection) throws -> Work<T>) throws -> T {
        try inTurn(isAlone ? .alone : sharing) { batch in
            try session.use { connection in try batch.add(on: connection, body) }
        } end: { batch in
            do {
                try session.use { connection in batch.end(on: connection) }
            } catch {
                batch.lose(because: error)
            }
        }
    }

    /// Runs `body` on the connection with no transaction open.
    func alone<T>(_ body: (SQLiteConnection) throws -> T) throws -> T {
        try inTurn(.alone) { _ in try session.use(body) }
    }

    /// Runs `body` on the connection, also inside a transaction of the same thread: for what only looks.
    func asked<T>(_ body: (SQLiteConnection) throws -> T) throws -> T {
        isOwnedByThisThread ? try session.asked(body) : try alone(body)
    }

    func close() throws {
        try inTurn(.alone) { _ in try session.close() }
    }
}

// MARK: - Turns

extension SQLiteWriter {
    /// One who waits for a turn.
    ///
    /// `@unchecked Sendable`: `batch` and `pauses` are set by who passes the turn on, before the signal.
    private final class Waiter: @unchecked Sendable {
        let sharing: CommitSharing
        let signal = DispatchSemaphore(value: 0)
        /// The open transaction to join; nil: one of its own.
        var batch: SQLiteBatch?
        var pauses = false

        init(_ sharing: CommitSharing) {
            self.sharing = sharing
        }
    }

    private func inTurn<T>(
        _ sharing: CommitSharing, _ body: (SQLiteBatch) throws -> T, end: (SQLiteBatch) -> Void = { _ in }
    ) throws -> T {
        guard !isOwnedByThisThread else { throw StoreError.nested }
        let batch = takeTurn(sharing)
        let result = Result { try body(batch) }
        if let next = successor(in: batch) {
            let told = batch.member()
            next.signal.signal()
            told.wait()
        } else {
            end(batch)
            passTurn()
            batch.tell()
        }
        if let loss = batch.loss { throw loss }
        return try result.get()
    }

    /// Waits for the turn.
    private func takeTurn(_ sharing: CommitSharing) -> SQLiteBatch {
        let waiter = state.withLock { state -> Waiter? in
            guard state.isTaken else {
                state.isTaken = true
                let now = ContinuousClock.now
                if now - state.leftAt >= Self.pause { state.heldSince = now }
                return nil
            }
            let waiter = Waiter(sharing)
            state.waiting.append(waiter)
            return waiter
        }
        waiter?.signal.wait()
        if let batch = waiter?.batch { return batch }
        if waiter?.pauses == true { usleep(UInt32(Self.pause / .microseconds(1))) }
        return SQLiteBatch(isOpenToOthers: sharing == .shared)
    }

    /// The one who is next, if it can join.
    private func successor(in batch: SQLiteBatch) -> Waiter? {
        guard batch.takesMore(within: bounds) else { return nil }
        return state.withLock { state in
            guard let next = state.waiting.first, next.sharing == .shared else { return nil }
            state.waiting.removeFirst()
            next.batch = batch
            return next
        }
    }

    private func passTurn() {
        let next = state.withLock { state -> Waiter? in
            let now = ContinuousClock.now
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                state.leftAt = now
                return nil
            }
            let next = state.waiting.removeFirst()
            if !isAlone, now - state.heldSince >= bounds.time {
                next.pauses = true
                state.pauses += 1
                state.heldSince = now
            }
            return next
        }
        next?.signal.signal()
    }
}
