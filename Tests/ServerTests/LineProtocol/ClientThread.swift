import Dispatch

/// A thread of its own for tests whose clients wait in system calls: on the threads of tasks they would keep the server
/// waiting, which needs them.
@globalActor
actor ClientThread {
    static let shared = ClientThread()

    private final class Executor: SerialExecutor {
        private let queue = DispatchQueue(label: "clients")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    private static let executor = Executor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { Self.executor.asUnownedSerialExecutor() }
}
