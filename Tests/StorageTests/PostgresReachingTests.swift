import Circulation
import Dispatch
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Storage

@Suite("Reaching PostgreSQL", .enabled(if: !PostgresServer.isMissing, "\(PostgresServer.reason)"))
struct PostgresReachingTests {
    private func event(_ request: String) -> EventRecord {
        EventRecord(at: Instant(seconds: 1), actor: "desk", kind: "test", payload: "{}", requestID: request)
    }

    private func folder(_ server: PostgresServer) -> String { server.folder.replacing("/", with: "%2F") }

    // MARK: - Several hosts

    @Test(
        "of a primary and its standby each opening gets the kind that the URL asks for, and a lost primary is replaced")
    func kinds() throws {
        let primary = try PostgresServer(settings: ["wal_level = replica"])
        let standby = try PostgresServer(beside: primary)
        try PostgresStore.open(primary.url("postgres"), create: true).close()
        try standby.follow(primary)
        // The standby stands first.
        let hosts = "postgres://postgres@/postgres?host=\(folder(standby)),\(folder(primary))"
        let writer = try PostgresStore.open(hosts + "&target_session_attrs=read-write")
        defer { try? writer.close() }
        try writer.write { _ = try $0.events.insert(event("one")) }
        let reader = try PostgresStore.open(hosts + "&target_session_attrs=standby", isReadOnly: true)
        defer { try? reader.close() }
        var seen: [String] = []
        try Waiting.until("the standby has the event") {
            seen = try reader.read { try $0.events.page(limit: 10).map(\.requestID) }
            return !seen.isEmpty
        }
        #expect(seen == ["one"])
        #expect(storeErrorCode { _ = try PostgresStore.open(standby.url("postgres")).write { _ in } } == .readOnly)

        try primary.kill()
        // Nobody takes writes now: that may pass, and is said to.
        #expect(
            storeErrorCode { _ = try PostgresStore.open(hosts + "&target_session_attrs=read-write") } == .unreachable)
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.5) { try? standby.promote() }
        try writer.write { _ = try $0.events.insert(event("two")) }
        #expect(try writer.read { try $0.events.page(limit: 10).map(\.requestID) } == ["one", "two"])
    }

    @Test("a host that takes the connection and drops it is passed over at the next attempt")
    func droppingHost() throws {
        try withDatabase { (url) throws in
            let server = try PostgresServer.shared
            let name = try #require(url.split(separator: "/").last?.split(separator: "?").first)
            let proxy = try CuttingProxy(to: "/nowhere")
            let dropping = proxy.folder.replacing("/", with: "%2F")
            let hosts = "postgres://postgres@/\(name)?host=\(folder(server)),\(dropping)"
            let store = try PostgresStore.open(hosts)
            defer { try? store.close() }
            try store.write { try Fixture($0) }
            let address = try PostgresAddress("postgres://postgres@/\(name)?host=\(dropping),\(folder(server))")
            #expect(throws: PostgresLink.Refusal.self) { try PostgresLink(address, attempt: 0) }
            #expect(!(try PostgresLink(address, attempt: 1)).isBroken)
        }
    }

    @Test(
        "a commit that nobody but the server has is not acknowledged, whoever stops waiting for the standby first",
        arguments: [true, false])
    func unsafeCommit(isServerTold: Bool) throws {
        let primary = try PostgresServer(settings: ["wal_level = replica"])
        let store = try PostgresStore.open(
            primary.url("postgres"), create: true, commitTimeout: isServerTold ? 60 : 0.5)
        defer { try? store.close() }
        try store.write { _ = try $0.events.insert(event("one")) }
        try primary.holdCommits()
        let isOver = Atomic(false)
        let telling = DispatchGroup()
        DispatchQueue.global().async(group: telling) {
            // Told to break off, the server answers that it has committed, and warns that nobody else has it.
            while isServerTold && !isOver.load(ordering: .relaxed) {
                _ = try? primary.execute(
                    "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
                usleep(50_000)
            }
        }
        let error = storeError { try store.write { _ = try $0.events.insert(event("two")) } }
        isOver.store(true, ordering: .relaxed)
        telling.wait()
        #expect(error?.leavesOutcomeOpen == true)
        try primary.releaseCommits()
        try store.write { _ = try $0.events.insert(event("three")) }
        #expect(try store.read { try $0.events.page(limit: 10).map(\.requestID) } == ["one", "two", "three"])
    }

    // MARK: - Time-outs

    @Test("a host that says nothing is given up after the time that the URL gives")
    func silentHost() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 1) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        #expect(isListening)
        let begun = ContinuousClock.now
        let port = in_port_t(bigEndian: address.sin_port)
        let code = storeErrorCode {
            _ = try PostgresStore.open("postgres://ada@127.0.0.1:\(port)/x?connect_timeout=2")
        }
        #expect(code == .unreachable && ContinuousClock.now - begun < .seconds(30))
    }

    @Test("a statement that takes longer than the URL allows is broken off, and the store goes on")
    func statementTimeout() throws {
        try withDatabase { (url) throws in
            let store = try PostgresStore.open(url + "&options=-cstatement_timeout%3D2000")
            defer { try? store.close() }
            let slow = Query(once: "SELECT pg_sleep(30)")
            #expect(storeErrorCode { try store.read { _ = try $0.execute(slow) } } == .locked)
            try store.write { try Fixture($0) }
        }
    }

    @Test("a writer who does nothing in the middle of a transaction loses it, and the next one has its turn")
    func idleWriter() throws {
        try withDatabase { (url) throws in
            let idle = try PostgresStore.open(url + "&options=-cidle_in_transaction_session_timeout%3D300")
            defer { try? idle.close() }
            let other = try PostgresStore.open(url, lockTimeout: 20)
            defer { try? other.close() }
            let code = storeErrorCode {
                try idle.write { (transaction) throws in
                    _ = try transaction.events.insert(event("idle"))
                    try DispatchQueue.global().sync { try other.write { _ = try $0.events.insert(event("other")) } }
                    _ = try transaction.events.insert(event("idle again"))
                }
            }
            #expect(code == .unreachable)
            #expect(try other.read { try $0.events.page(limit: 10).map(\.requestID) } == ["other"])
        }
    }

    @Test("what neither the server nor the URL sets has limits all the same")
    func defaults() throws {
        try withDatabase { (url) throws in
            func setting(_ url: String) throws -> [String?] {
                let store = try PostgresStore.open(url)
                defer { try? store.close() }
                return try store.read { (transaction) throws in
                    let connection = try #require(try transaction.connection() as? PostgresConnection)
                    return try connection.rows("SHOW idle_in_transaction_session_timeout").first ?? []
                }
            }
            #expect(try setting(url) == ["5min"])
            #expect(try setting(url + "&options=-cidle_in_transaction_session_timeout%3D7s") == ["7s"])
        }
    }

    // MARK: - TLS

    @Test("the server must be who its certificate says, by the authority that the URL names")
    func authority() throws {
        let server = try PostgresServer(certified: true)
        func code(_ host: String, _ mode: String, _ authority: String) -> StoreError.Code? {
            storeErrorCode {
                let root = "sslrootcert=\(folder(server))%2F\(authority).crt"
                try PostgresStore.open(
                    server.url(host: host, "postgres", "sslmode=\(mode)&\(root)"), create: true
                ).close()
            }
        }
        #expect(code("localhost", "verify-full", "authority") == nil)
        #expect(code("127.0.0.1", "verify-ca", "authority") == nil)
        #expect(code("127.0.0.1", "verify-full", "authority") != nil)
        #expect(code("localhost", "verify-full", "stranger") != nil)
        #expect(code("localhost", "verify-ca", "stranger") != nil)
        #expect(code("localhost", "verify-full", "missing") != nil)
    }

    @Test("where the URL asks for TLS and the server has none, the connection fails")
    func plainServer() throws {
        let server = try PostgresServer(listening: true)
        for (mode, isFine) in [("require", false), ("verify-full", false), ("disable", true)] {
            let url = server.url(host: "127.0.0.1", "postgres", "sslmode=\(mode)")
            let code = storeErrorCode { try PostgresStore.open(url, create: true).close() }
            #expect((code == nil) == isFine, "\(mode)")
        }
    }

    // MARK: - Migrations

    @Test(
        "ten processes that bring an empty database or an old store up to date at once do it once", arguments: [0, 1])
    func tenProcesses(version: Int64) throws {
        let server = try PostgresServer.shared
        let name = try server.database()
        if version == 1 {
            let script = try #require(Schema.migrations.first { $0.version == 1 }?.script)
            try server.execute(
                Dialect.postgresFunctions + (try Dialect.postgres.rendered(schema: script))
                    + "CREATE TABLE moonshelf_schema (version BIGINT NOT NULL); INSERT INTO moonshelf_schema VALUES (1)",
                in: name)
        }
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let program = URL(filePath: tests).deletingLastPathComponent().appending(path: "moonshelf")
        let processes = try (0..<10).map { _ in
            let process = Process()
            process.executableURL = program
            process.arguments = ["--store", server.url(name), "init"]
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            return process
        }
        for process in processes {
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
        }
        #expect(try server.execute("SELECT version FROM moonshelf_schema", in: name) == [["\(Schema.version)"]])
        let store = try PostgresStore.open(server.url(name))
        defer { try? store.close() }
        #expect(try store.read { try $0.integrity.findings() } == [])
        // What the first of them wrote into a fresh store is there once.
        #expect(try store.read { try $0.settings.branches().count } == 1)
    }

    // MARK: - Readers of events

    @Test("a reader is never shown an event whose commit could still be lost, and skips none in flight")
    func readers() throws {
        try withDatabase { (url) throws in
            let writers = try (0..<4).map { _ in try PostgresStore.open(url) }
            let reader = try PostgresStore.open(url)
            defer { for store in writers + [reader] { try? store.close() } }
            let done = DispatchGroup()
            for (number, writer) in writers.enumerated() {
                done.enter()
                Thread {
                    for round in 0..<25 {
                        _ = try? writer.write { (transaction) throws in
                            for part in 0..<3 { _ = try transaction.events.insert(event("\(number)-\(round)-\(part)")) }
                            // A number that is taken and given up leaves a gap, which nobody waits for.
                            if round % 5 == 0 { throw StoreError.storeClosed }
                        }
                    }
                    done.leave()
                }.start()
            }
            var seen: [Int64] = []
            var isOver = false
            while true {
                let page = try reader.read { try $0.events.page(after: seen.last ?? 0, limit: 7).map(\.sequence) }
                seen += page
                if page.isEmpty && isOver { break }
                isOver = done.wait(timeout: .now()) == .success
            }
            #expect(seen.count == 4 * 20 * 3 && seen == seen.sorted())
            #expect(try reader.read { try $0.events.page(limit: .max).map(\.sequence) } == seen)
        }
    }
}
