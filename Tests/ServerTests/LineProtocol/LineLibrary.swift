import Circulation
import Desk
import DeskSupport
import Foundation
import Interchange
import Market
import Scripting
import Secrets
import Server
import Storage
import Testing

/// A library of three titles under the lending rules of BitBooks, and its line protocol on a port of its own.
///
/// `Emma` has one copy, `Dune` three, `Ulysses` eight and no ISBN. `ada` and `bob` have accounts.
final class LineLibrary: Sendable {
    let desk: Desk
    let clock: ManualClock
    let accounts: AccountManager
    let lanes: WorkerLanes
    let server: BitBooksServer
    let port: Int
    private let running: Task<Void, any Error>
    let faults: Faults

    static let password = "correct-horse"
    static let emma = "9780141439587"
    static let dune = "9780441172719"
    static let unknown = "9783161484100"

    /// What the server reported.
    final class Faults: @unchecked Sendable {
        // Guarded by the lock.
        private var all: [String] = []
        private let lock = NSLock()

        func add(_ fault: LineFault) { lock.withLock { all.append("\(fault)") } }
        var list: [String] { lock.withLock { all } }
    }

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// - Parameters:
    ///   - policy: the text of another policy than BitBooks' own.
    ///   - copies: of each title.
    ///   - mostWaiting: how many commands may wait for a thread of the desk.
    ///   - budget: of tries; all clients come from one address.
    init(
        policy: String? = nil, copies: [Int] = [1, 3, 8], mostWaiting: Int = 2_000,
        budget: AttemptBudget = AttemptBudget(),
        settings change: (inout LineProtocolSettings) -> Void = { _ in }
    ) async throws {
        clock = ManualClock(try Instant(parsing: "2026-01-15T10:00:00Z"))
        desk = Desk(
            store: try SQLiteStore.memory(), policies: LuaPolicyLoader(), clock: clock,
            actor: .desk, extensions: [MarketExtension()], outside: ExternalServices(budget: budget))
        accounts = try AccountManager(desk, cost: .least)
        lanes = WorkerLanes(threads: 2, readers: 2, mostWaiting: mostWaiting)
        try Self.fill(desk, accounts, policy: policy, copies: copies)
        var settings = LineProtocolSettings()
        settings.port = 0
        // What is to end by silence says so; everything else must not, however slow the machine.
        settings.silence = .seconds(3_600)
        settings.timeForCommand = .seconds(3_600)
        change(&settings)
        let faults = Faults()
        self.faults = faults
        let server = BitBooksServer(desk: desk, accounts: accounts, lanes: lanes, settings: settings) {
            faults.add($0)
        }
        self.server = server
        let (ports, told) = AsyncStream.makeStream(of: Int.self)
        running = Task {
            defer { told.finish() }
            try await server.run { _, port in told.yield(port) }
        }
        var found: Int?
        for await port in ports {
            found = port
            break
        }
        port = try #require(found)
    }

    private static func fill(_ desk: Desk, _ accounts: AccountManager, policy: String?, copies: [Int]) throws {
        try desk.prepare()
        let bundle =
            try policy.map { try ParsedPolicy(name: "main.lua", source: $0) { _ in nil } }
            ?? ParsedPolicy(file: root.appending(path: "policies/bitbooks.lua").path)
        try desk.write { session in
            _ = try #require(try session.settings.setLibrary(zone: Zone(named: "Europe/Rome")).value)
            _ = try #require(try session.policies.activate(bundle.bundle, note: "test").value)
            let titles = [
                Title(
                    isbn: try ISBN(emma), title: "Emma", authors: ["Jane Austen"], genres: ["Novel"],
                    coverURL: "http://c/e.jpg"),
                Title(isbn: try ISBN(dune), title: "Dune", authors: ["Frank Herbert", "Brian \"B\" Herbert"]),
                Title(title: "Ulysses"),
            ]
            for (title, count) in zip(titles, copies) {
                let added = try #require(try session.catalogue.add(title).value)
                _ = try #require(try session.catalogue.addCopies(of: .id(added.id), count: count).value)
            }
        }
        for name in ["ada", "bob"] {
            let patron = Patron(
                username: name, name: name.capitalized, surname: "Byron", category: "patron", homeBranch: "main")
            _ = try #require(try accounts.signUp(patron, password: password).value)
        }
    }

    func client(buffer: Int32? = nil) throws -> LineClient {
        try LineClient(port: port, buffer: buffer)
    }

    /// A client that has logged in.
    func client(as username: String) throws -> LineClient {
        let client = try client()
        try client.expect([("LOGIN \(username) \(Self.password)", "Successfully logged")])
        return client
    }

    /// All that a client is answered who sends this and then ends its side.
    func answers(to text: String, as username: String? = nil) throws -> String {
        let client = try username.map { try self.client(as: $0) } ?? client()
        try client.send(text)
        client.finish()
        return try client.readAll()
    }

    func id(_ username: String) throws -> Int64 {
        try #require(try desk.read { try $0.patrons.get(.username(username)) }).id
    }

    func beginStop() { running.cancel() }

    /// Stops the server and waits until it has stopped.
    func stop() async throws {
        running.cancel()
        try await running.value
    }

    /// Stops, and expects the store to be sound and nothing to have failed.
    func stopSound(_ place: SourceLocation = #_sourceLocation) async throws {
        try await stop()
        #expect(try desk.examine().isSound, sourceLocation: place)
        #expect(faults.list == [], sourceLocation: place)
    }

    deinit {
        running.cancel()
        lanes.stop()
    }
}
