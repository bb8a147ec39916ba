import Dispatch
import Glibc
import Synchronization
import Threads

/// The connections of a store: made when they are needed, kept for the next who needs one.
final class PostgresPool: Sendable {
    /// `@unchecked Sendable`: a connection is either in the pool or with the one thread that took it out.
    private final class Idle: @unchecked Sendable {
        let connection: PostgresConnection

        init(_ connection: PostgresConnection) {
            self.connection = connection
        }
    }

    private struct State {
        var idle: [Idle] = []
        var isClosed = false
        /// The threads that are in a transaction, as numbers.
        var threads: Set<UInt> = []
        var recoveries = Recoveries()
    }

    /// How many connections a store has at most.
    static let maximum = 8
    /// How many of them threads have at most that give way to others.
    private static let ofOthers = 5
    /// How long a thread waits for one of them, and for a server that went away to come back.
    private static let patience = Duration.seconds(10)

    private let state = Mutex(State())
    private let places = DispatchSemaphore(value: maximum)
    private let placesOfOthers = DispatchSemaphore(value: ofOthers)
    private let connect: @Sendable (_ attempt: Int) throws(PostgresLink.Refusal) -> PostgresConnection

    init(connect: @escaping @Sendable (_ attempt: Int) throws(PostgresLink.Refusal) -> PostgresConnection) {
        self.connect = connect
    }

    /// A place in the pool, for a connection on which a transaction is begun when it is needed.
    final class Place {
        private let pool: PostgresPool
        /// The connection once one has begun.
        private(set) var connection: PostgresConnection?

        fileprivate init(_ pool: PostgresPool) {
            self.pool = pool
        }

        /// Begins a transaction and asks questions with the same message.
        ///
        /// A connection that turns out to be gone is replaced: nothing was done with it yet.
        func begin(writing: Bool, asking questions: [BoundQuery] = []) throws(StoreError) -> PostgresConnection {
            let begun = try pool.begun(writing: writing, asking: questions)
            connection = begun
            return begun
        }
    }

    /// Runs `body` with a place for a connection.
    ///
    /// - Throws: ``StoreError/Code/nested`` if this thread is in a transaction already.
    func use<T>(_ body: (Place) throws -> T) throws -> T {
        let thread = UInt(pthread_self())
        try state.withLock { state in
            if state.isClosed { throw StoreError.storeClosed }
            if !state.threads.insert(thread).inserted { throw StoreError.nested }
        }
        defer { state.withLock { _ = $0.threads.remove(thread) } }
        let givesWay = WorkerThread.givesWay
        let patience = DispatchTime.now() + .seconds(Int(Self.patience.components.seconds))
        if givesWay, placesOfOthers.wait(timeout: patience) != .success { throw StoreError.connectionsBusy }
        defer { if givesWay { placesOfOthers.signal() } }
        guard places.wait(timeout: patience) == .success else { throw StoreError.connectionsBusy }
        defer { places.signal() }
        let place = Place(self)
        defer { if let connection = place.connection { giveBack(connection) } }
        return try body(place)
    }

    var recoveries: Recoveries { state.withLock { $0.recoveries } }

    /// Notes that the fate of a commit was found out.
    func noteResolved() {
        state.withLock { $0.recoveries.resolvedCommits += 1 }
    }

    private func begun(writing: Bool, asking questions: [BoundQuery]) throws(StoreError) -> PostgresConnection {
        while let idle = state.withLock({ $0.idle.popLast() }) {
            do {
                try idle.connection.begin(writing: writing, asking: questions)
                return idle.connection
            } catch {
                giveBack(idle.connection)
                guard idle.connection.isBroken else { throw error }
            }
        }
        let connection = try connected(within: Self.patience, wasIn: true)
        do {
            try connection.begin(writing: writing, asking: questions)
        } catch {
            giveBack(connection)
            throw error
        }
        return connection
    }

    /// A new connection. While the server is away or starting it is tried again, after longer and longer pauses.
    ///
    /// - Parameter wasIn: whether the server has let us in before. Then it is tried again after a refusal as well: a server
    ///   that has no connection left just now, or is not the primary yet, may have in a moment.
    func connected(within patience: Duration, wasIn: Bool = false) throws(StoreError) -> PostgresConnection {
        let end = ContinuousClock.now + patience
        var pause: UInt32 = 50_000
        var attempt = 0
        while true {
            do throws(PostgresLink.Refusal) {
                return try connect(attempt)
            } catch {
                guard error.isPassing || wasIn, ContinuousClock.now + .microseconds(Int64(pause)) < end else {
                    throw error.error
                }
                attempt += 1
                // Many that lost the same server do not come back in step.
                usleep(UInt32.random(in: pause / 2...pause))
                pause = min(pause * 2, 1_000_000)
            }
        }
    }

    /// Runs `body` with an idle connection, or a new one, beside the transaction of this thread.
    func beside<T>(_ body: (PostgresConnection) throws(StoreError) -> T) throws(StoreError) -> T {
        if let idle = state.withLock({ $0.idle.popLast() }) {
            defer { giveBack(idle.connection) }
            do throws(StoreError) {
                return try body(idle.connection)
            } catch {
                guard idle.connection.isBroken else { throw error }
            }
        }
        return try withNewConnection(body)
    }

    /// Runs `body` with a new connection, beside those of the pool.
    func withNewConnection<T>(_ body: (PostgresConnection) throws(StoreError) -> T) throws(StoreError) -> T {
        let connection = try connected(within: Self.patience, wasIn: true)
        defer { giveBack(connection) }
        return try body(connection)
    }

    func giveBack(_ connection: PostgresConnection) {
        if connection.isBroken { state.withLock { $0.recoveries.reconnected += 1 } }
        guard connection.isClean else { return }
        let idle = Idle(connection)
        state.withLock { state in
            if !state.isClosed && state.idle.count < Self.maximum { state.idle.append(idle) }
        }
    }

    /// Waits for the transactions under way and ends the connections.
    func close() throws(StoreError) {
        let thread = UInt(pthread_self())
        let isInside = state.withLock { state in
            guard !state.threads.contains(thread) else { return true }
            state.isClosed = true
            return false
        }
        if isInside { throw .nested }
        for _ in 0..<Self.maximum { places.wait() }
        for _ in 0..<Self.maximum { places.signal() }
        state.withLock { $0.idle = [] }
    }
}

extension PostgresPool {
    /// Lets the server reclaim dead rows of the tables; it does so outside of any transaction.
    func erase(_ tables: [String]) throws {
        if state.withLock({ $0.isClosed }) { throw StoreError.storeClosed }
        try withNewConnection { (connection) throws(StoreError) in
            try connection.vacuum(tables)
        }
    }
}
