import Synchronization
import Testing
import Threads

@Suite("A bounded queue")
struct BoundedQueueTests {
    @Test("elements arrive in order, each once, however few places there are", arguments: [1, 2, 7, 1_000])
    func order(room: Int) throws {
        let queue = BoundedQueue<Int>(room: room)
        nonisolated(unsafe) var taken: [Int] = []
        let reader = try #require(
            WorkerThread {
                while let element = queue.take(), element >= 0 { taken.append(element) }
            })
        for number in 0..<5_000 { #expect(queue.put(number)) }
        #expect(queue.put(-1))
        reader.join()
        #expect(taken == Array(0..<5_000))
    }

    @Test("no more elements stand in it than it has places")
    func bounded() throws {
        let queue = BoundedQueue<Int>(room: 3)
        let ahead = Atomic(0)
        let most = Atomic(0)
        let writer = try #require(
            WorkerThread {
                for number in 0..<500 where queue.put(number) {
                    // Counted after it is in: what was taken meanwhile makes the difference smaller, never larger.
                    let present = ahead.add(1, ordering: .sequentiallyConsistent).newValue
                    most.max(present, ordering: .relaxed)
                }
                _ = queue.put(-1)
            })
        while true {
            // Taken off the count first, so that an element on its way counts for neither.
            ahead.subtract(1, ordering: .sequentiallyConsistent)
            guard let element = queue.take(), element >= 0 else { break }
        }
        writer.join()
        #expect(most.load(ordering: .relaxed) <= 3)
    }

    @Test("closing drops what is in it and wakes both sides")
    func closed() throws {
        let full = BoundedQueue<Int>(room: 1)
        #expect(full.put(1))
        let isTaken = Mutex<Bool?>(nil)
        let writer = try #require(
            WorkerThread {
                let taken = full.put(2); isTaken.withLock { $0 = taken }
            })
        full.close()
        writer.join()
        #expect(isTaken.withLock { $0 } == false)
        #expect(full.isClosed)
        #expect(full.take() == nil)
        #expect(!full.put(3))

        let empty = BoundedQueue<Int>(room: 1)
        let isEmpty = Mutex(false)
        let readers = (0..<3).compactMap { _ in
            WorkerThread { if empty.take() == nil { isEmpty.withLock { $0 = true } } }
        }
        empty.close()
        for reader in readers { reader.join() }
        #expect(isEmpty.withLock { $0 })
    }
}
