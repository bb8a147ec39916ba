import Circulation
import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Storage

/// A failure of a writer's own.
private struct Broken: Error {}

@Suite("Shared commits of SQLite")
struct SharedCommitTests {
    /// A store whose log is watched, and writers that wait for one another.
    private final class Writers: Sendable {
        let store: SQLiteStore
        let syncs: LogSyncs
        private let group = DispatchGroup()
        private let told = Mutex<[Int: Result<Int, StoreError>]>([:])
        private let mayGo = DispatchSemaphore(value: 0)

        init(_ store: SQLiteStore, _ syncs: LogSyncs) {
            self.store = store
            self.syncs = syncs
        }

        /// What each was told so far: how many titles it saw before its own, or why nothing of it was kept.
        var outcomes: [Int: Result<Int, StoreError>] { told.withLock { $0 } }

        /// Starts a writer and waits until it has the connection, where it stays until ``go()``.
        func first() throws {
            let inside = DispatchSemaphore(value: 0)
            start(0, .shared) { [mayGo] _ in
                inside.signal()
                mayGo.wait()
            }
            inside.wait()
        }

        /// Starts a writer and waits until it waits for its turn.
        func add(
            _ number: Int, _ sharing: CommitSharing = .shared,
            _ body: @escaping @Sendable (Transaction) throws -> Void = { _ in }
        ) throws {
            let waiting = store.waitingWriters
            start(number, sharing, body)
            try Waiting.until("writer \(number) waits") { store.waitingWriters == waiting + 1 }
        }

        /// A thread of its own: as many as there are writers, not as many as there are processors.
        private func start(
            _ number: Int, _ sharing: CommitSharing, _ body: @escaping @Sendable (Transaction) throws -> Void
        ) {
            group.enter()
            Thread { [self] in
                let outcome: Result<Int, StoreError>
                do {
                    outcome = .success(
                        try store.write(sharing) { transaction in
                            let seen = try transaction.titles.count()
                            try transaction.titles.insert(Title(title: "Title \(number)"))
                            try body(transaction)
                            return Int(seen)
                        })
                } catch let error as StoreError {
                    outcome = .failure(error)
                } catch {
                    outcome = .failure(.fault("its own"))
                }
                told.withLock { $0[number] = outcome }
                group.leave()
            }.start()
        }

        func go() { mayGo.signal() }

        func finish() { group.wait() }

        /// Lets all go and waits for them.
        func run() {
            go()
            finish()
        }

        func titles() throws -> [String] {
            try store.read { transaction in
                var titles: [String] = []
                try transaction.titles.forEach { title in
                    titles.append(title.title)
                    return true
                }
                return titles
            }
        }
    }

    /// - Parameter bounds: without a bound of time, so that a busy machine makes no difference.
    private func withWriters(
        _ bounds: SQLiteWriter.Bounds = .init(time: .seconds(600)), _ body: (Writers) throws -> Void
    ) throws {
        try withFolder { (folder) throws in
            let store = try SQLiteStore.open(.file(folder + "/library.db"), create: true, bounds: bounds)
            defer { try? store.close() }
            try store.write { try $0.settings.setValue("x", for: "y") }
            let syncs = try LogSyncs(store)
            try body(Writers(store, syncs))
        }
    }

    @Test("eight writers wait for the disk once, in turn, and none is answered before")
    func oneSync() throws {
        try withWriters { writers in
            writers.syncs.hold()
            try writers.first()
            for number in 1..<8 { try writers.add(number) }
            writers.go()
            try Waiting.until("the log is to be synced") { writers.syncs.count == 1 }
            #expect(writers.outcomes.isEmpty)
            #expect(try writers.titles() == [])
            writers.syncs.release()
            writers.finish()
            #expect(writers.syncs.count == 1)
            #expect(writers.outcomes == Dictionary(uniqueKeysWithValues: (0..<8).map { ($0, .success($0)) }))
            #expect(try writers.titles() == (0..<8).map { "Title \($0)" })
        }
    }

    @Test("one that fails is undone alone, whether it comes first or later")
    func oneFails() throws {
        try withWriters { writers in
            try writers.first()
            try writers.add(1) { _ in throw Broken() }
            try writers.add(2) { transaction in
                try? transaction.savepoint {
                    try transaction.titles.insert(Title(title: "undone"))
                    throw Broken()
                }
            }
            try writers.add(3)
            writers.run()
            #expect(writers.syncs.count == 1)
            #expect(
                writers.outcomes == [0: .success(0), 1: .failure(.fault("its own")), 2: .success(1), 3: .success(2)])
            #expect(try writers.titles() == ["Title 0", "Title 2", "Title 3"])
        }
        try withWriters { writers in
            let first = Result { try writers.store.write(.shared) { _ in throw Broken() } }
            #expect(throws: Broken.self) { try first.get() }
            try writers.first()
            try writers.add(1)
            writers.run()
            #expect(try writers.titles() == ["Title 0", "Title 1"])
        }
    }

    @Test("a lost commit is told to all of them, to those that failed by themselves as well, and nothing is kept")
    func lostCommit() throws {
        try withWriters { writers in
            writers.syncs.fail(true)
            try writers.first()
            try writers.add(1) { _ in throw Broken() }
            try writers.add(2)
            writers.run()
            #expect(writers.outcomes.count == 3)
            for outcome in writers.outcomes.values {
                #expect(throws: StoreError.self) { _ = try outcome.get() }
                if case .failure(let error) = outcome { #expect(error.code == .cannotWrite) }
            }
            #expect(try writers.titles() == [])
            writers.syncs.fail(false)
            try writers.store.write(.shared) { _ = try $0.titles.insert(Title(title: "after")) }
            #expect(try writers.titles() == ["after"])
            #expect(try writers.store.read { try $0.integrity.findings() } == [])
        }
    }

    @Test("where the database undoes everybody's work, all are told, and the next ones go on")
    func lostTransaction() throws {
        try withWriters { writers in
            try writers.first()
            try writers.add(1) { try $0.connection().execute(script: "ROLLBACK") }
            try writers.add(2)
            writers.run()
            #expect(writers.outcomes[0] == .failure(.transactionLost))
            #expect(writers.outcomes[1] == .failure(.transactionLost))
            #expect(writers.outcomes[2] == .success(0))
            #expect(try writers.titles() == ["Title 2"])
        }
    }

    @Test("what may take long shares with nobody, and who came before it goes before it")
    func alone() throws {
        try withWriters { writers in
            try writers.first()
            try writers.add(1)
            try writers.add(2, .alone)
            try writers.add(3)
            try writers.add(4)
            writers.run()
            #expect(writers.syncs.count == 3)
            #expect(writers.outcomes == Dictionary(uniqueKeysWithValues: (0..<5).map { ($0, .success($0)) }))
        }
    }

    @Test("a commit serves no more than its bound, of writers and of time")
    func bounds() throws {
        try withWriters(.init(count: 3, time: .seconds(600))) { writers in
            try writers.first()
            for number in 1..<7 { try writers.add(number) }
            writers.run()
            #expect(writers.syncs.count == 3)
        }
        try withWriters(.init(time: .zero)) { writers in
            try writers.first()
            for number in 1..<4 { try writers.add(number) }
            writers.run()
            #expect(writers.syncs.count == 4)
        }
    }

    @Test("nobody joins whoever changed the settings: others keep what they read by its revision")
    func settings() throws {
        try withWriters { writers in
            try writers.first()
            try writers.add(1) { try $0.settings.setValue("1", for: "library.shelves") }
            try writers.add(2)
            writers.run()
            #expect(writers.syncs.count == 2)
        }
    }

    @Test("another process gets its turn while the writers of this one never let go")
    func otherProcesses() throws {
        try withFolder { (folder) throws in
            let path = folder + "/library.db"
            let store = try SQLiteStore.open(.file(path), create: true, bounds: .init(time: .milliseconds(1)))
            defer { try? store.close() }
            let other = try SQLiteStore.open(.file(path))
            defer { try? other.close() }
            let isOver = Atomic(false)
            let failures = Mutex<[String]>([])
            let writing = DispatchGroup()
            for writer in 0..<4 {
                writing.enter()
                Thread {
                    while !isOver.load(ordering: .relaxed) {
                        do {
                            try store.write(.shared) { try $0.settings.setValue("\(writer)", for: "writer \(writer)") }
                        } catch {
                            failures.withLock { $0.append("\(error)") }
                        }
                    }
                    writing.leave()
                }.start()
            }
            try Waiting.until("the store was left free now and then") { store.pauses > 1 }
            for number in 0..<3 { try other.write { _ = try $0.titles.insert(Title(title: "\(number)")) } }
            isOver.store(true, ordering: .relaxed)
            writing.wait()
            #expect(failures.withLock { $0 } == [])
            #expect(try store.read { try $0.titles.count() } == 3)
        }
    }

    @Test("a transaction within another of the same thread is refused, and closing waits for those at work")
    func nestingAndClosing() throws {
        try withWriters { writers in
            try writers.store.write(.shared) { _ in
                #expect(storeErrorCode { try writers.store.write(.shared) { _ in } } == .nested)
                #expect(storeErrorCode { try writers.store.eraseTraces() } == .nested)
            }
            try writers.first()
            try writers.add(1)
            let closing = DispatchGroup()
            closing.enter()
            Thread {
                try? writers.store.close()
                closing.leave()
            }.start()
            try Waiting.until("closing waits") { writers.store.waitingWriters == 2 }
            writers.run()
            closing.wait()
            #expect(writers.outcomes == [0: .success(0), 1: .success(1)])
            #expect(storeErrorCode { try writers.store.write(.shared) { _ in } } == .closed)
        }
    }
}
