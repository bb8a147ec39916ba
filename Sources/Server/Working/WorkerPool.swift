import Dispatch
import Synchronization
import Threads

/// Threads on which the desk works for those who wait asynchronously: their stacks hold the deepest Lua, and of work
/// that bounds the queue of waiting requests, so that a flood is refused instead of filling the memory.
package final class WorkerPool: Sendable {
    /// There is more to do than may wait.
    package struct Busy: Error {}

    private typealias Job = @Sendable () -> Void

    private struct State {
        var waiting: [Job] = []
        var next = 0
        /// The last one is the warmest.
        var idle: [Worker] = []
        var isStopped = false

        var count: Int { waiting.count - next }

        mutating func take() -> Job? {
            guard next < waiting.count else { return nil }
            let job = waiting[next]
            next += 1
            if next == waiting.count || next > 1_000 {
                waiting.removeFirst(next)
                next = 0
            }
            return job
        }
    }

    /// A thread that has nothing to do.
    ///
    /// `@unchecked Sendable`: the job is set by the one who takes it from the idle ones, before the signal.
    private final class Worker: @unchecked Sendable {
        let signal = DispatchSemaphore(value: 0)
        /// Nil with the signal: nothing more comes.
        var job: Job?
    }

    /// Apart from the pool, so that the threads do not keep it alive.
    private final class Queue: Sendable {
        let state = Mutex(State())

        func work() {
            let worker = Worker()
            while let job = next(worker) { job() }
        }

        /// Waits for something to do; nil once there is nothing and nothing more comes.
        private func next(_ worker: Worker) -> Job? {
            let (job, isStopped) = state.withLock { state in
                let job = state.take()
                if job == nil, !state.isStopped { state.idle.append(worker) }
                return (job, state.isStopped)
            }
            if job != nil || isStopped { return job }
            worker.signal.wait()
            defer { worker.job = nil }
            return worker.job
        }
    }

    private let queue = Queue()
    /// How much goes on at once: the threads that the system granted, 0 to those asked for.
    package let threads: Int
    private let mostWaiting: Int

    /// - Parameters:
    ///   - threads: how much goes on at once.
    ///   - mostWaiting: how much may wait for a thread.
    ///   - name: of the threads.
    ///   - givesWay: whether other threads get the processor first.
    package init(threads: Int, mostWaiting: Int, name: String = "desk", givesWay: Bool = false) {
        self.mostWaiting = mostWaiting
        var granted = 0
        while granted < max(1, threads),
            WorkerThread.detach(name: "\(name) \(granted + 1)", givesWay: givesWay, { [queue] in queue.work() })
        {
            granted += 1
        }
        self.threads = granted
    }

    deinit { stop() }

    /// How much waits for a thread.
    package var waiting: Int { queue.state.withLock(\.count) }

    /// Runs the body on one of the threads.
    ///
    /// - Throws: ``Busy`` if too much waits already or there is no thread; what the body throws.
    package func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            let job: Job = { continuation.resume(with: Swift.Result { try body() }) }
            let (isTaken, idle) = queue.state.withLock { state -> (Bool, Worker?) in
                guard threads > 0, !state.isStopped, state.count < mostWaiting else { return (false, nil) }
                if let idle = state.idle.popLast() { return (true, idle) }
                state.waiting.append(job)
                return (true, nil)
            }
            if !isTaken { return continuation.resume(throwing: Busy()) }
            idle?.job = job
            idle?.signal.signal()
        }
    }

    /// Takes nothing more; what waits is still done.
    package func stop() {
        let idle = queue.state.withLock { state in
            defer { state.idle = [] }
            state.isStopped = true
            return state.idle
        }
        for worker in idle { worker.signal.signal() }
    }
}
