import Circulation
import Dispatch
import Foundation
import Storage
import Synchronization
import Testing
import Threads

@Suite("Several at once")
struct ConcurrencyTests {
    @Test(
        "writers of one store take turns and lose nothing, whether they share commits or not",
        arguments: TestDriver.allCases)
    func writers(driver: TestDriver) throws {
        try driver.withStore { (store) throws in
            let failures = Mutex<[String]>([])
            DispatchQueue.concurrentPerform(iterations: 8) { thread in
                for number in 0..<25 {
                    do {
                        try store.write(thread.isMultiple(of: 3) ? .alone : .shared) { (transaction) throws in
                            let count = try transaction.settings.value("count").flatMap { Int($0) } ?? 0
                            try transaction.settings.setValue(String(count + 1), for: "count")
                            try transaction.titles.insert(Title(title: "\(thread) \(number)"))
                        }
                    } catch {
                        failures.withLock { $0.append("\(error)") }
                    }
                }
            }
            #expect(failures.withLock { $0 } == [])
            #expect(try store.read { try $0.settings.value("count") } == "200")
            #expect(try store.read { try $0.titles.count() } == 200)
        }
    }

    @Test("the last copy asked for by many goes to exactly one", arguments: TestDriver.allCases)
    func lastCopy(driver: TestDriver) throws {
        try driver.withStore { (store) throws in
            let fixture = try store.write { try Fixture($0) }
            let winners = Atomic<Int>(0)
            DispatchQueue.concurrentPerform(iterations: 12) { _ in
                let code = storeErrorCode {
                    try store.write(.shared) { transaction in _ = try transaction.loans.insert(try fixture.loan()) }
                }
                if code == nil { winners.add(1, ordering: .relaxed) }
            }
            #expect(winners.load(ordering: .relaxed) == 1)
            #expect(try store.read { try $0.loans.openCount() } == 1)
        }
    }

    @Test(
        "threads that give way to others never have all connections, however many they are",
        arguments: TestDriver.allCases.filter { $0 != .memory })
    func givingWay(driver: TestDriver) throws {
        try driver.withStore { (store) throws in
            let (begun, over) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let gate = DispatchSemaphore(value: 0)
            for _ in 0..<9 {
                let isStarted = WorkerThread.detach(givesWay: true) {
                    try? store.read { _ in
                        begun.signal()
                        gate.wait()
                    }
                    over.signal()
                }
                #expect(isStarted)
            }
            // As many as have a connection, whatever the store.
            for _ in 0..<5 { begun.wait() }
            #expect(!WorkerThread.givesWay)
            #expect(try store.read { try $0.titles.count() } == 0)
            try store.write { _ = try $0.titles.insert(Title(title: "Persuasion")) }
            for _ in 0..<9 { gate.signal() }
            for _ in 0..<9 { over.wait() }
            #expect(try store.read { try $0.titles.count() } == 1)
        }
    }

    @Test(
        "who reads events from the last one on meets every one of them, however many write",
        arguments: TestDriver.allCases)
    func followingEvents(driver: TestDriver) throws {
        try driver.withStore { (store) throws in
            let seen = try Self.following(store, while: Self.writers(of: store))
            #expect(try store.read { try $0.events.page(limit: 100).map(\.sequence) } == seen)
            #expect(seen.count == 80)
        }
    }

    private static func writers(of store: any Store) -> DispatchGroup {
        let writing = DispatchGroup()
        for writer in 0..<4 {
            DispatchQueue.global().async(group: writing) { writeEvents(20, by: writer, to: store) }
        }
        return writing
    }

    /// The sequences that a reader meets who goes on from the last one each time, to the end of the writing.
    private static func following(_ store: any Store, while writing: DispatchGroup) throws -> [Int64] {
        var seen: [Int64] = []
        while true {
            let isOver = writing.wait(timeout: .now()) == .success
            let last = seen.last ?? 0
            let page = try store.read { try $0.events.page(after: last, limit: 7) }
            seen += page.map(\.sequence)
            if isOver && page.isEmpty { return seen }
        }
    }

    private static func writeEvents(_ count: Int, by writer: Int, to store: any Store) {
        for number in 0..<count {
            let event = EventRecord(
                at: Instant(seconds: 1), actor: "desk", kind: "test", payload: "{}", requestID: "\(writer)-\(number)")
            do {
                try store.write(.shared) { try $0.events.insert(event) }
            } catch {
                Issue.record(error)
            }
        }
    }

    @Test("a reader keeps its snapshot while another writes", arguments: TestDriver.allCases.filter { $0 != .memory })
    func snapshots(driver: TestDriver) throws {
        try driver.withStore { (store) throws in
            try store.write { try Fixture($0) }
            try store.read { (reader) throws in
                #expect(try reader.titles.count() == 1)
                let written = DispatchSemaphore(value: 0)
                DispatchQueue.global().async {
                    try? store.write { _ = try $0.titles.insert(Title(title: "Persuasion")) }
                    written.signal()
                }
                written.wait()
                #expect(try reader.titles.count() == 1)
            }
            #expect(try store.read { try $0.titles.count() } == 2)
        }
    }

    @Test("two openings of one file see each other's commits, and a busy one is reported as locked")
    func twoOpenings() throws {
        try withFolder { (folder) throws in
            let path = folder + "/library.db"
            let first = try SQLiteStore.open(.file(path), create: true)
            defer { try? first.close() }
            let second = try SQLiteStore.open(.file(path), busyTimeout: 0.05)
            defer { try? second.close() }
            try first.write { (transaction) throws in
                try Fixture(transaction)
                #expect(storeErrorCode { try second.write { _ in } } == .locked)
                #expect(try second.read { try $0.titles.count() } == 0)
            }
            #expect(try second.read { try $0.titles.count() } == 1)
            try second.write { _ = try $0.titles.insert(Title(title: "Persuasion")) }
            #expect(try first.read { try $0.titles.count() } == 2)
        }
    }

    @Test("settings that another process changed are seen by the next transaction")
    func settingsAcrossOpenings() throws {
        try withFolder { (folder) throws in
            let path = folder + "/library.db"
            let first = try SQLiteStore.open(.file(path), create: true)
            defer { try? first.close() }
            let second = try SQLiteStore.open(.file(path))
            defer { try? second.close() }
            try first.write { try Fixture($0) }
            #expect(try second.read { try $0.settings.snapshot().branches.count } == 2)
            try first.write { try $0.settings.insert(Branch(code: "north", name: "North")) }
            #expect(try second.read { try $0.settings.snapshot().branches.count } == 3)
        }
    }
}
