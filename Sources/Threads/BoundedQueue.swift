internal import Dispatch
internal import Synchronization

/// A first-in, first-out queue between two threads that holds only so many elements.
///
/// `@unchecked Sendable`: the thread that puts an element in does not touch it afterwards.
package final class BoundedQueue<Element>: @unchecked Sendable {
    private struct State {
        var elements: [Element] = []
        var isClosed = false
    }

    private let lock = Mutex(())
    private var state = State()
    private let room = DispatchSemaphore(value: 0)
    private let work = DispatchSemaphore(value: 0)

    /// - Parameter places: how many elements it holds.
    package init(room places: Int) {
        // A semaphore may not end below the value that it began with.
        for _ in 0..<places { room.signal() }
    }

    /// Waits until there is room.
    ///
    /// - Returns: false if the queue is closed, so that the element is lost.
    package func put(_ element: Element) -> Bool {
        room.wait()
        let isTaken = lock.withLock { _ in
            if !state.isClosed { state.elements.append(element) }
            return !state.isClosed
        }
        (isTaken ? work : room).signal()
        return isTaken
    }

    /// Waits until there is an element.
    ///
    /// - Returns: nil once the queue is closed.
    package func take() -> Element? {
        work.wait()
        let element = lock.withLock { _ in state.isClosed ? nil : state.elements.removeFirst() }
        (element == nil ? work : room).signal()
        return element
    }

    package var isClosed: Bool { lock.withLock { _ in state.isClosed } }

    /// Drops what is in the queue and wakes the threads that wait.
    package func close() {
        lock.withLock { _ in
            state.isClosed = true
            state.elements = []
        }
        room.signal()
        work.signal()
    }
}
