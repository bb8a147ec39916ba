import Foundation
import Glibc

/// Work that waits for processes most of the time, on eight threads at once.
enum Parallel {
    /// The results in the order of the elements.
    static func map<Element: Sendable, Result: Sendable>(
        _ elements: [Element], _ body: @escaping @Sendable (Element) throws -> Result
    ) throws -> [Result] {
        let work = Work(elements: elements, body: body)
        let threads = DispatchGroup()
        for _ in 0..<min(8, elements.count) {
            threads.enter()
            let thread = Thread {
                work.run()
                threads.leave()
            }
            thread.stackSize = 8 << 20
            thread.start()
        }
        threads.wait()
        return try work.results.sorted { $0.key < $1.key }.map { try $0.value.get() }
    }

    private final class Work<Element: Sendable, Value: Sendable>: @unchecked Sendable {
        // All that changes is touched under the lock alone.
        private let lock = NSLock()
        private let elements: [Element]
        private let body: @Sendable (Element) throws -> Value
        private var next = 0
        private(set) var results: [Int: Result<Value, any Error>] = [:]

        init(elements: [Element], body: @escaping @Sendable (Element) throws -> Value) {
            self.elements = elements
            self.body = body
        }

        func run() {
            while let index = take() {
                let result = Result { try body(elements[index]) }
                lock.withLock { results[index] = result }
            }
        }

        private func take() -> Int? {
            lock.withLock {
                guard next < elements.count else { return nil }
                next += 1
                return next - 1
            }
        }
    }
}
