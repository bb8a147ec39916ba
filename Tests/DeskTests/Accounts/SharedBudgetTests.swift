import Circulation
import DeskSupport
import Secrets
import Storage
import TestSupport
import Testing

@testable import Desk

@Suite("Tries that several processes count together", .everyStore)
struct SharedBudgetTests {
    private let library: Library
    private static let password = "correct horse battery"

    init() throws {
        library = try Library(policy: nil)
        for (name, email) in [("ann", "ann@example.org"), ("ben", "ben@example.org")] {
            let patron = Patron(username: name, email: email, category: "patron", homeBranch: "main")
            _ = try #require(try process().signUp(patron, password: Self.password).value)
        }
    }

    /// A server as it starts, with nothing in its memory.
    private func process() throws -> AccountManager {
        try AccountManager(
            Desk(
                store: library.store, policies: library.loader, clock: library.clock, actor: .desk, extensions: [],
                outside: ExternalServices(budget: AttemptBudget())), cost: .least)
    }

    private static func at(_ address: String) -> AttemptOrigin { .address(ClientAddress(address)) }

    /// Whether a password was looked at; false: it was refused without.
    private func guess(_ username: String, _ accounts: AccountManager, from address: String) throws -> Bool {
        do {
            #expect(try accounts.verify(username, password: "wrong", from: Self.at(address)) == nil)
            return true
        } catch is AttemptBudget.Exhausted {
            return false
        }
    }

    private func move(_ seconds: Int64) throws {
        let now = library.clock.now()
        library.clock.set(Instant(microseconds: now.microseconds + seconds * 1_000_000))
    }

    @Test("servers that start anew with each guess look at no more than a hundred within an hour")
    func restarts() throws {
        for home in 1...4 {
            _ = try #require(try process().logIn("ann", password: Self.password, from: Self.at("192.0.2.\(home)")))
        }
        var looked = 0
        let names = ["ann", "ANN ", "\u{FF41}nn"]
        for second in 0..<720 {
            try move(5)
            let address = second % 3 == 0 ? "192.0.2.\(second % 4 + 1)" : "198.51.100.\(second % 250)"
            if try guess(names[second % 3], try process(), from: address) { looked += 1 }
        }
        #expect(looked <= 100 && looked > 40, "\(looked)")
        #expect(try guess("ben", try process(), from: "198.51.100.1"))
    }

    @Test("no name that others choose spends what an owner's place or mailbox has")
    func collisions() throws {
        let rate = AttemptBudget.Settings().guesses
        let chosen = (0..<2_000).map { SharedBudget(guessesAt: "name \($0)", rate).key }
        #expect(chosen.allSatisfy { (0..<1 << 24).contains($0) })
        let owned = (0..<2_000).flatMap { number in
            [SharedBudget("known \(number) 7", rate).key, SharedBudget("mail \(number)@example.org", rate).key]
        }
        #expect(owned.allSatisfy { $0 >= 1 << 56 } && Set(owned).count == owned.count)
    }

    @Test("several servers at once look at no more than one, and each says how long to wait")
    func atOnce() async throws {
        let processes = try (0..<5).map { _ in try process() }
        let looked = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<100 {
                group.addTask {
                    try guess("ann", processes[number % 5], from: "198.51.\(number).1")
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(looked == 20)
        let refused = #expect(throws: AttemptBudget.Exhausted.self) {
            try process().verify("ann", password: "wrong", from: Self.at("203.0.113.1"))
        }
        let seconds = try #require(refused?.seconds)
        #expect(seconds > 0 && seconds <= 90)
        try move(Int64(seconds))
        #expect(try guess("ann", try process(), from: "203.0.113.1"))
        #expect(try !guess("ann", try process(), from: "203.0.113.2"))
    }

    @Test("its owner logs in from where they did before, and a password that was right costs nothing")
    func owner() throws {
        _ = try #require(try process().logIn("ann", password: Self.password, from: Self.at("192.0.2.1")))
        for number in 0..<60 { _ = try guess("ann", try process(), from: "198.51.100.\(number)") }
        for _ in 0..<30 {
            #expect(try process().logIn("ann", password: Self.password, from: Self.at("192.0.2.1")) != nil)
        }
        for _ in 0..<60 {
            #expect(try process().verify("ben", password: Self.password, from: Self.at("203.0.113.9")) != nil)
        }
    }

    @Test("a clock that was set back locks no account out for longer than an empty budget takes")
    func clock() throws {
        for number in 0..<20 { _ = try guess("ann", try process(), from: "198.51.100.\(number)") }
        try move(-1_000_000)
        #expect(try !guess("ann", try process(), from: "203.0.113.1"))
        try move(90)
        #expect(try guess("ann", try process(), from: "203.0.113.1"))
    }

    @Test("a mailbox gets as many mails of all servers as of one")
    func mails() throws {
        var sent = 0
        for _ in 0..<8 {
            try move(601)
            if try process().forgot("ann", from: Self.at("203.0.113.1")) != nil { sent += 1 }
        }
        #expect((3...5).contains(sent), "\(sent)")
    }

    @Test("of many names that are tried the store keeps rows for an hour, and no event for each")
    func size() throws {
        let events = try library.desk.read { try $0.events.last() }
        let accounts = try process()
        for number in 0..<300 { _ = try guess("nobody\(number)", accounts, from: "198.51.\(number).1") }
        #expect(try library.desk.read { try $0.events.last() } - events <= 101)
        #expect(try library.desk.examine().isSound)
    }
}
