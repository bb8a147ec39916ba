import Circulation
import Dispatch
import Foundation
import Glibc
import Storage
import Synchronization
import TestSupport
import Testing

@Suite("PostgreSQL going away", .enabled(if: !PostgresServer.isMissing, "\(PostgresServer.reason)"))
struct PostgresFaultTests {
    func event(_ request: String) -> EventRecord {
        EventRecord(at: Instant(seconds: 1), actor: "desk", kind: "test", payload: "{}", requestID: request)
    }

    @Test("a commit whose answer is lost counts as kept when its event is there")
    func lostAnswer() throws {
        try withCutStore { (store, proxy, straight) throws in
            proxy.cutNextCommit(.after)
            let sequence = try store.write { try $0.events.insert(event("request-1")) }
            #expect(try straight.read { try $0.events.of(request: "request-1").map(\.sequence) } == [sequence])
            try store.write { _ = try $0.events.insert(event("request-2")) }
            #expect(try straight.read { try $0.events.count() } == 2)
        }
    }

    @Test("a commit that never arrived is an error, nothing of it is there, and the store goes on")
    func lostCommit() throws {
        try withCutStore { (store, proxy, straight) throws in
            proxy.cutNextCommit(.before)
            let error = try #require(throws: StoreError.self) {
                try store.write { _ = try $0.events.insert(event("request-1")) }
            }
            #expect(error.code == .unreachable && error.message.contains("nothing of the change was kept"))
            #expect(try straight.read { try $0.events.count() } == 0)
            try store.write { _ = try $0.events.insert(event("request-1")) }
            #expect(try straight.read { try $0.events.count() } == 1)
        }
    }

    @Test("an event that a savepoint undid does not vouch for the rest")
    func undoneEvent() throws {
        try withCutStore { (store, proxy, straight) throws in
            proxy.cutNextCommit(.after)
            try store.write { (transaction) throws in
                _ = try transaction.events.insert(event("kept"))
                #expect(throws: DriverStop.self) {
                    try transaction.savepoint {
                        _ = try transaction.events.insert(event("undone"))
                        throw DriverStop()
                    }
                }
            }
            #expect(try straight.read { try $0.events.count() } == 1)
        }
    }

    private struct DriverStop: Error {}

    @Test("without an event the outcome is unknown, and the error says so", arguments: CuttingProxy.Cut.allCases)
    func unknown(cut: CuttingProxy.Cut) throws {
        try withCutStore { (store, proxy, straight) throws in
            proxy.cutNextCommit(cut)
            let error = try #require(throws: StoreError.self) {
                try store.write { try $0.settings.setValue("x", for: "y") }
            }
            #expect(error.code == .unreachable && error.message.contains("is not known"))
            #expect(try straight.read { try $0.settings.value("y") } == (cut == .after ? "x" : nil))
        }
    }

    @Test("connections that were killed while they waited are replaced unnoticed")
    func killedWhileIdle() throws {
        try withDatabase { (url) throws in
            let store = try PostgresStore.open(url)
            defer { try? store.close() }
            try store.write { try Fixture($0) }
            try kill(url)
            try store.write { _ = try $0.titles.insert(Title(title: "Persuasion")) }
            try kill(url)
            #expect(try store.read { try $0.titles.count() } == 2)
        }
    }

    @Test("a connection killed in the middle of a transaction undoes it, says so, and the next one goes well")
    func killedInside() throws {
        try withDatabase { (url) throws in
            let store = try PostgresStore.open(url)
            defer { try? store.close() }
            let error = try #require(throws: StoreError.self) {
                try store.write { (transaction) throws in
                    try Fixture(transaction)
                    try kill(url)
                    _ = try transaction.savepoint { try transaction.titles.count() }
                }
            }
            #expect(error.code == .unreachable && error.message.contains("nothing of the change was kept"))
            try store.write { try Fixture($0) }
            #expect(try store.read { try $0.titles.count() } == 1)
        }
    }

    @Test("a server that restarts is waited for")
    func restart() throws {
        let server = try PostgresServer()
        let store = try PostgresStore.open(server.url("postgres"), create: true)
        defer { try? store.close() }
        server.stop()
        let started = DispatchSemaphore(value: 0)
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.3) {
            try? server.start()
            started.signal()
        }
        try store.write { try Fixture($0) }
        #expect(try store.read { try $0.titles.count() } == 1)
        started.wait()
    }

    @Test("a server that crashes again and again loses nothing that was acknowledged to a writer")
    func crashes() throws {
        let server = try PostgresServer()
        let store = try PostgresStore.open(server.url("postgres"), create: true)
        defer { try? store.close() }
        let told = Mutex<Set<Int64>>([])
        let isOver = Atomic<Bool>(false)
        let writing = DispatchGroup()
        for writer in 0..<4 {
            writing.enter()
            Thread {
                var number = 0
                while !isOver.load(ordering: .relaxed) {
                    number += 1
                    let request = "\(writer)-\(number)"
                    let kept = try? store.write { try $0.events.insert(event(request)) }
                    if let kept { told.withLock { _ = $0.insert(kept) } }
                }
                writing.leave()
            }.start()
        }
        for _ in 0..<5 {
            let before = told.withLock { $0.count }
            try Waiting.until("twenty more are written") { told.withLock { $0.count } >= before + 20 }
            try server.crash()
            try server.start()
        }
        isOver.store(true, ordering: .relaxed)
        writing.wait()
        let kept = try store.read { Set(try $0.events.page(limit: .max).map(\.sequence)) }
        let lost = told.withLock { $0.subtracting(kept) }
        #expect(lost.isEmpty)
        #expect(told.withLock { $0.count } >= 100)
    }

    @Test("a writer that waits too long for its turn is asked to try again, and readers do not wait")
    func locked() throws {
        try withDatabase { (url) throws in
            let first = try PostgresStore.open(url)
            defer { try? first.close() }
            let second = try PostgresStore.open(url, lockTimeout: 0.05)
            defer { try? second.close() }
            try first.write { (transaction) throws in
                try Fixture(transaction)
                let code = DispatchQueue.global().sync { storeErrorCode { try second.write { _ in } } }
                #expect(code == .locked)
            }
            try second.write { _ = try $0.titles.insert(Title(title: "Persuasion")) }
            #expect(try first.read { try $0.titles.count() } == 2)
        }
    }

    @Test("an error that was caught outside a savepoint undoes the transaction, and the commit says why")
    func caughtError() throws {
        try withDatabase { (url) throws in
            let store = try PostgresStore.open(url)
            defer { try? store.close() }
            let error = try #require(throws: StoreError.self) {
                try store.write { (transaction) throws in
                    let fixture = try Fixture(transaction)
                    let copy = Copy(barcode: "b1", title: fixture.title, branch: "main", itemType: "book")
                    _ = try? transaction.copies.insert(copy)
                }
            }
            #expect(error.code == .constraint)
            #expect(try store.read { try $0.titles.count() } == 0)
        }
    }

    private func kill(_ url: String) throws {
        let name = try #require(url.split(separator: "/").last?.split(separator: "?").first)
        try PostgresServer.shared.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '\(name)'")
    }
}
