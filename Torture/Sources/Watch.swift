import Circulation
import Desk
import Foundation
import Glibc
import Storage
import Synchronization

/// Looks on while others work: a reader of events, who goes on from the last one it saw, and a doctor.
final class Watch: Sendable {
    /// An event as its reader saw it.
    struct Sighting: Hashable {
        var request: String
        var ordinal: Int64
    }

    struct Notes {
        /// By sequence.
        var seen: [Int64: Sighting] = [:]
        /// Sequences that the reader saw twice, or behind a later one.
        var disorder: [Int64] = []
        var examinations = 0
        var broken: Set<String> = []
        /// Failures that do not pass.
        var failures: [String] = []
    }

    private let store: any Store
    private let desk: Desk
    private let isOver = Atomic<Bool>(false)
    private let notes = Mutex(Notes())
    private let running = DispatchGroup()

    init(_ store: any Store, openedAt: Int64) {
        self.store = store
        desk = TortureLibrary.desk(store, openedAt)
    }

    func start() {
        for body in [follow, examine] {
            running.enter()
            let thread = Thread { [self] in
                while !isOver.load(ordering: .relaxed) { attempt(body) }
                running.leave()
            }
            thread.stackSize = 16 << 20
            thread.start()
        }
    }

    /// Ends both, the reader after it has read to the end.
    func stop() -> Notes {
        isOver.store(true, ordering: .relaxed)
        running.wait()
        attempt(follow)
        return notes.withLock { $0 }
    }

    private func attempt(_ body: () throws -> Void) {
        do {
            try body()
        } catch let error as StoreError where error.isPassing {
            usleep(50_000)
        } catch {
            notes.withLock { $0.failures.append("\(error)") }
            usleep(200_000)
        }
    }

    private func follow() throws {
        let last = notes.withLock { $0.seen.keys.max() ?? 0 }
        let page = try desk.read { try $0.events.list(EventQuery(since: last, limit: 500)) }
        notes.withLock { notes in
            var previous = last
            for event in page {
                if event.sequence <= previous { notes.disorder.append(event.sequence) }
                previous = event.sequence
                notes.seen[event.sequence] = Sighting(request: event.request, ordinal: event.ordinal)
            }
        }
        if page.isEmpty { usleep(5_000) }
    }

    private func examine() throws {
        let report = try desk.examine()
        notes.withLock { notes in
            notes.examinations += 1
            for broken in report.broken { notes.broken.insert("\(broken.invariant): \(broken.message)") }
        }
        for _ in 0..<20 where !isOver.load(ordering: .relaxed) { usleep(50_000) }
    }
}
