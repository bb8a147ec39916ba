import Dispatch
import Synchronization

/// Where one thread puts down what another takes up, in that order and only so much of it at once.
///
/// `@unchecked Sendable`: whoever puts something down does not touch it again, or nobody changes it any more.
final class BoundedQueue<Element>: @unchecked Sendable {
    private struct State {
        var elements: [Element] = []
        var isClosed = false
    }

    private let lock = Mutex(())
    private var state = State()
    private let room = DispatchSemaphore(value: 0)
    private let work = DispatchSemaphore(value: 0)

    init(room places: Int) {
        // A semaphore may not end below the value that it began with.
        for _ in 0..<places { room.signal() }
    }

    /// Waits until there is room.
    ///
    /// - Returns: false if nobody will take it.
    func put(_ element: Element) -> Bool {
        room.wait()
        let isTaken = lock.withLock { _ in
            if !state.isClosed { state.elements.append(element) }
            return !state.isClosed
        }
        (isTaken ? work : room).signal()
        return isTaken
    }

    /// Waits until there is something.
    ///
    /// - Returns: nil once it is closed.
    func take() -> Element? {
        work.wait()
        let element = lock.withLock { _ in state.isClosed ? nil : state.elements.removeFirst() }
        (element == nil ? work : room).signal()
        return element
    }

    var isClosed: Bool { lock.withLock { _ in state.isClosed } }

    /// From now on nothing is put down or taken up, and nobody waits.
    func close() {
        lock.withLock { _ in
            state.isClosed = true
            state.elements = []
        }
        room.signal()
        work.signal()
    }
}
