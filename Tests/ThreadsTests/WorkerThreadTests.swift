import Dispatch
import Synchronization
import Testing
import Threads

@Suite("Threads")
struct WorkerThreadTests {
    /// More than any address space holds, so that the system refuses the thread.
    private static let impossible = 1 << 50

    @Test("a thread runs its body once, and is joined")
    func joined() throws {
        let runs = Atomic(0)
        let threads = (0..<8).compactMap { _ in
            WorkerThread(name: "a name that is longer than Linux keeps") { runs.add(1, ordering: .relaxed) }
        }
        for thread in threads { thread.join() }
        #expect(threads.count == 8)
        #expect(runs.load(ordering: .relaxed) == 8)
    }

    @Test("a detached thread runs its body")
    func detached() {
        let done = DispatchSemaphore(value: 0)
        #expect(WorkerThread.detach { done.signal() })
        done.wait()
    }

    @Test("a thread that the system refuses runs nothing, on no thread")
    func refused() {
        let runs = Atomic(0)
        #expect(WorkerThread(stack: Self.impossible) { runs.add(1, ordering: .relaxed) } == nil)
        #expect(!WorkerThread.detach(stack: Self.impossible) { fatalError("ran on the calling thread") })
        #expect(runs.load(ordering: .relaxed) == 0)
    }

    @Test("a stack holds what it was made for")
    func stack() throws {
        func depth(_ levels: Int) -> Int {
            withUnsafeTemporaryAllocation(byteCount: 1_024, alignment: 16) { bytes in
                bytes[0] = 1
                return levels == 0 ? 0 : depth(levels - 1) + Int(bytes[0])
            }
        }
        nonisolated(unsafe) var reached = 0
        let thread = try #require(WorkerThread(stack: 256 << 20) { reached = depth(20_000) })
        thread.join()
        #expect(reached == 20_000)
    }
}
