import Dispatch
import Server
import Synchronization
import Testing

@Suite("Threads of the desk")
struct WorkerPoolTests {
    private struct Broken: Error {}

    @Test("all work is done, with its results and errors")
    func done() async throws {
        let pool = WorkerPool(threads: 3, mostWaiting: 5_000)
        defer { pool.stop() }
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 1...2_500 { group.addTask { try await pool.run { number } } }
            return try await group.reduce(0, +)
        }
        #expect(sum == 2_500 * 2_501 / 2)
        await #expect(throws: Broken.self) { try await pool.run { throw Broken() } }
        #expect(pool.waiting == 0)
    }

    @Test("more than may wait is turned away, and what waits is done even after the end")
    func busy() async throws {
        let pool = WorkerPool(threads: 1, mostWaiting: 1)
        let (begun, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let first = pool.run {
            begun.signal()
            gate.wait()
            return 1
        }
        // Only when it has been taken does nothing wait.
        await Self.wait(for: begun)
        async let second = pool.run { 2 }
        while pool.waiting == 0 { await Task.yield() }
        await #expect(throws: WorkerPool.Busy.self) { try await pool.run { 3 } }
        pool.stop()
        await #expect(throws: WorkerPool.Busy.self) { try await pool.run { 4 } }
        gate.signal()
        #expect(try await [first, second] == [1, 2])
    }

    private static func wait(for signal: DispatchSemaphore) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                signal.wait()
                continuation.resume()
            }
        }
    }
}
