import Dispatch
import Glibc
import Synchronization

/// A second thread that does what it is handed, one after another in that order, while the first goes on.
///
/// What the two touch is kept apart by their caller: of what is handed over, the first thread touches nothing any more but
/// values of its own, until ``finish()`` or ``abandon()`` has returned.
final class TurnThread {
    typealias Turn = () throws -> Void

    /// How much is handed over at once, and how often before the first thread has to wait.
    private static let batchSize = 128
    private static let mostBatches = 16

    private var gathered: [Turn] = []
    private let desk = TurnDesk(room: mostBatches)
    private var thread: pthread_t?
    private var isAlone = false

    /// Adds to what is to be done.
    ///
    /// - Throws: what one of the earlier turns threw; nothing more is done then.
    func take(_ turn: @escaping Turn) throws {
        gathered.append(turn)
        if gathered.count >= Self.batchSize { try handOver() }
    }

    /// Waits until all is done.
    ///
    /// - Throws: what one of the turns threw.
    func finish() throws {
        try handOver()
        join()
        try desk.check()
    }

    /// Waits until nothing goes on any more, and does nothing of what is left.
    func abandon() {
        gathered = []
        desk.abandon()
        join()
    }

    private func handOver() throws {
        try desk.check()
        let turns = gathered
        gathered = []
        guard !turns.isEmpty else { return }
        if isStarted() {
            desk.put(TurnBatch(turns: turns))
        } else {
            for turn in turns { try turn() }
        }
    }

    /// Whether there is a second thread. Where none can be had the first does all by itself.
    private func isStarted() -> Bool {
        guard thread == nil, !isAlone else { return !isAlone }
        thread = Self.thread(at: desk)
        isAlone = thread == nil
        return !isAlone
    }

    private static func thread(at desk: TurnDesk) -> pthread_t? {
        var made: pthread_t = 0
        let context = Unmanaged.passRetained(desk)
        let code = withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { memory -> Int32 in
            guard let attributes = memory.baseAddress else { return ENOMEM }
            pthread_attr_init(attributes)
            defer { pthread_attr_destroy(attributes) }
            // Policies need room, whatever the process was started with.
            pthread_attr_setstacksize(attributes, 16 << 20)
            return pthread_create(
                &made, attributes,
                { context in
                    guard let context else { return nil }
                    Unmanaged<TurnDesk>.fromOpaque(context).takeRetainedValue().run()
                    return nil
                }, context.toOpaque())
        }
        if code == 0 { return made }
        context.release()
        return nil
    }

    private func join() {
        guard let thread else { return }
        desk.put(nil)
        pthread_join(thread, nil)
        self.thread = nil
    }
}

/// Some turns on their way from one thread to the other.
///
/// `@unchecked Sendable`: whoever put them down does not touch them again.
private struct TurnBatch: @unchecked Sendable {
    let turns: [TurnThread.Turn]
}

/// Where one thread puts down what the other takes up.
private final class TurnDesk: Sendable {
    private struct State {
        var batches: [TurnBatch?] = []
        var failure: (any Error)?
        var isAbandoned = false
    }

    private let state = Mutex(State())
    private let room: DispatchSemaphore
    private let work = DispatchSemaphore(value: 0)

    init(room: Int) {
        self.room = DispatchSemaphore(value: room)
    }

    /// - Parameter batch: nil: the end.
    func put(_ batch: TurnBatch?) {
        room.wait()
        state.withLock { $0.batches.append(batch) }
        work.signal()
    }

    func check() throws {
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    func abandon() {
        state.withLock { $0.isAbandoned = true }
    }

    func run() {
        while let batch = next() {
            do {
                for turn in batch.turns where goesOn { try turn() }
            } catch {
                state.withLock { $0.failure = error }
            }
        }
    }

    private var goesOn: Bool { state.withLock { $0.failure == nil && !$0.isAbandoned } }

    private func next() -> TurnBatch? {
        work.wait()
        defer { room.signal() }
        return state.withLock { $0.batches.removeFirst() }
    }
}
