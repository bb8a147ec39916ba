import Synchronization
import Threads

/// A second thread that does what it is handed, one after another in that order, while the first goes on.
///
/// What the two touch is kept apart by their caller: of what is handed over, the first thread touches nothing any more but
/// values of its own, until ``finish()`` or ``abandon()`` has returned.
final class SerialWorker {
    typealias Turn = () throws -> Void

    /// How much is handed over at once, and how often before the first thread has to wait.
    private static let batchSize = 128
    private static let mostBatches = 16

    private var gathered: [Turn] = []
    private let desk = SerialWorkerQueue(room: mostBatches)
    private var thread: WorkerThread?
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
        _ = desk.handover.put(nil)
        join()
        try desk.check()
    }

    /// Waits until nothing goes on any more, and does nothing of what is left.
    func abandon() {
        gathered = []
        desk.handover.close()
        join()
    }

    private func handOver() throws {
        try desk.check()
        let turns = gathered
        gathered = []
        guard !turns.isEmpty else { return }
        gathered.reserveCapacity(Self.batchSize)
        guard isStarted() else { return try turns.forEach { try $0() } }
        if !desk.handover.put(turns) { try desk.check() }
    }

    /// Whether there is a second thread. Where none can be had the first does all by itself.
    private func isStarted() -> Bool {
        guard thread == nil, !isAlone else { return !isAlone }
        thread = WorkerThread { [desk] in desk.run() }
        isAlone = thread == nil
        return !isAlone
    }

    private func join() {
        thread?.join()
        thread = nil
    }
}

/// Where the first thread puts turns down, the end of them as nil, and the second takes them up.
private final class SerialWorkerQueue: Sendable {
    let handover: BoundedQueue<[SerialWorker.Turn]?>
    private let failure = Mutex<(any Error)?>(nil)

    init(room: Int) {
        handover = BoundedQueue(room: room)
    }

    func check() throws {
        if let failure = failure.withLock({ $0 }) { throw failure }
    }

    func run() {
        while let turns = handover.take() ?? nil {
            do {
                for turn in turns {
                    if handover.isClosed { return }
                    try turn()
                }
            } catch {
                failure.withLock { $0 = error }
                return handover.close()
            }
        }
    }
}
