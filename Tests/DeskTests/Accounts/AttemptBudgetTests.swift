import Circulation
import Desk
import DeskSupport
import Secrets
import Storage
import Synchronization
import Testing

@Suite("The budget of tries")
struct AttemptBudgetTests {
    /// A clock that is set by hand.
    private final class Hand: Sendable {
        private let passed = Mutex(Duration.zero)
        private let start = ContinuousClock.now

        var now: ContinuousClock.Instant { start + passed.withLock { $0 } }

        func move(_ duration: Duration) { passed.withLock { $0 += duration } }
    }

    private let hand = Hand()
    private let clock: ManualClock
    private let desk: Desk
    private let accounts: AccountManager
    private static let password = "correct horse battery"

    init() throws {
        let library = try Library(policy: nil)
        clock = library.clock
        let budget = AttemptBudget(now: { [hand] in hand.now })
        desk = Desk(
            store: library.store, policies: library.loader, clock: library.clock, actor: .desk, extensions: [],
            outside: ExternalServices(budget: budget))
        accounts = try AccountManager(desk, cost: .least)
        for (name, email) in [("ann", "ann@example.org"), ("ben", "ben@example.org")] {
            let patron = Patron(username: name, email: email, category: "patron", homeBranch: "main")
            _ = try #require(try accounts.signUp(patron, password: Self.password, from: .console).value)
        }
    }

    private static func at(_ address: String) -> AttemptOrigin { .address(ClientAddress(address)) }

    /// Whether a password was looked at; false: it was refused without.
    private func guess(_ username: String, _ password: String = "wrong", from address: String) throws -> Bool {
        do {
            _ = try accounts.verify(username, password: password, from: Self.at(address))
            return true
        } catch is AttemptBudget.Exhausted {
            return false
        }
    }

    /// Moves the clock that never is set back and the one on the wall.
    private func move(_ seconds: Int64) throws {
        hand.move(.seconds(seconds))
        clock.set(Instant(microseconds: clock.now().microseconds + seconds * 1_000_000))
    }

    @Test("an account cannot be guessed at more than a hundred times an hour, however many addresses there are")
    func attacker() throws {
        #expect(AttemptBudget.Settings().mostGuessesInAnHour <= 100)
        for home in ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.5"] {
            _ = try #require(try accounts.logIn("ann", password: Self.password, from: Self.at(home)))
        }
        var looked = 0
        let names = ["ann", "ANN ", " ann", "\u{FF41}nn", "a\u{200B}nn"]
        for second in 0..<3_600 {
            try move(1)
            let address = second % 3 == 0 ? "192.0.2.\(second % 5 + 1)" : "198.51.\(second / 250).\(second % 250)"
            if try guess(names[second % names.count], from: address) { looked += 1 }
        }
        #expect(looked <= 100 && looked > 40, "\(looked)")
    }

    @Test("an owner logs in from where they did before while others guess, and from elsewhere after a mailed link")
    func owner() throws {
        _ = try #require(try accounts.logIn("ann", password: Self.password, from: Self.at("192.0.2.1")))
        for number in 0..<300 { _ = try guess("ann", from: "198.51.100.\(number % 250)") }
        #expect(throws: AttemptBudget.Exhausted.self) {
            try accounts.logIn("ann", password: Self.password, from: Self.at("203.0.113.9"))
        }
        #expect(try accounts.logIn("ann", password: Self.password, from: Self.at("192.0.2.1")) != nil)
        let link = try #require(try accounts.forgot("ann", from: Self.at("203.0.113.9")))
        let set = try accounts.reset(link.token.text, password: "another good one", from: Self.at("203.0.113.9"))
        _ = try #require(set.value)
        #expect(try accounts.logIn("ann", password: "another good one", from: Self.at("203.0.113.9")) != nil)
        #expect(try accounts.logIn("ben", password: Self.password, from: Self.at("203.0.113.9")) != nil)
    }

    @Test("of many who guess at once no more are looked at than of those who guess one after the other")
    func parallel() async throws {
        let looked = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<100 {
                group.addTask { try guess("ann", from: "198.51.100.\(number)") }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(looked == 20)
    }

    @Test("one network is one sender, however its addresses are written")
    func networks() throws {
        let forms = [
            "2001:db8:1:2::", "[2001:db8:1:2::1]:80", "2001:db8:1:2:ffff::%eth0", "\"[2001:db8:1:2::9]\"",
        ]
        #expect(Set(forms.map { ClientAddress($0).key }).count == 1)
        let mapped = ["192.0.2.1", "192.0.2.1:4711", "::ffff:192.0.2.1", " 192.0.2.1 ", "[::ffff:c000:201]:1"]
        #expect(Set(mapped.map { ClientAddress($0).key }) == ["192.0.2.1"])
        #expect(!ClientAddress("unknown").isNumeric && !ClientAddress("1.2.3").isNumeric)
        var looked = 0
        for number in 0..<60 where try guess("user\(number)", from: "2001:db8:1:2::\(String(number, radix: 16))") {
            looked += 1
        }
        #expect(looked == 20)
        #expect(try guess("zoe", from: "2001:db8:1:3::1"))
    }

    @Test("accounts and mails are counted although they came about")
    func made() throws {
        var made = 0
        for number in 0..<60 {
            let patron = Patron(username: "new\(number)", category: "patron", homeBranch: "main")
            do {
                _ = try accounts.signUp(patron, password: Self.password, from: Self.at("192.0.2.1"))
                made += 1
            } catch is AttemptBudget.Exhausted {}
        }
        #expect(made == 20)
        var links: [AccountManager.Entry] = []
        for number in 0..<120 {
            if let link = try accounts.forgot("ben", from: Self.at("198.51.100.\(number)")) { links.append(link) }
        }
        #expect(links.count == 1)
        let first = try #require(links.first)
        #expect(try accounts.reset(first.token.text, password: "a third good one", from: .console).value != nil)
    }

    @Test("failures and log-ins are events without what was typed, and no more than so many")
    func events() throws {
        for number in 0..<20 { _ = try guess("nobody\(number)", "secret-guess", from: "192.0.2.1") }
        _ = try guess("ann", from: "192.0.2.2")
        _ = try accounts.logIn("ann", password: Self.password, from: Self.at("192.0.2.3"))
        for number in 0..<400 { _ = try guess("any\(number)", from: "198.51.\(number / 250).\(number % 250)") }
        let texts = try desk.read { try $0.events.list(EventQuery()) }
            .filter { $0.kind == EventKind.accountChanged.name }.map(\.payload)
        let failures = texts.filter { $0.contains("log_in_failed") }
        #expect(failures.count == 100 && texts.contains { $0.contains("logged_in") })
        #expect(!texts.contains { $0.contains("nobody") || $0.contains("secret") || $0.contains("192.0") })
    }

    @Test("a new address counts once it is confirmed, and the links of before are good no more")
    func email() throws {
        let ann = try #require(try desk.read { try $0.patrons.get(.username("ann")) })
        let reset = try #require(try accounts.forgot("ann", from: .console))
        let wrong = try accounts.askEmail("new@example.org", of: ann, password: "wrong", from: .console)
        #expect(wrong.refusal?.code == "wrong_log_in")
        let wish = try accounts.askEmail("new@example.org", of: ann, password: Self.password, from: .console).value
        guard case .asked(let entry, "new@example.org")? = wish else { throw Unexpected() }
        #expect(try desk.read { try $0.patrons.get(.username("ann")) }?.email == "ann@example.org")
        let changed = try #require(try accounts.confirmEmail(entry.token.text, from: .console).value)
        #expect(changed.before.email == "ann@example.org" && changed.after.email == "new@example.org")
        #expect(try accounts.confirmEmail(entry.token.text, from: .console).refusal?.code == "invalid_token")
        let late = try accounts.reset(reset.token.text, password: "another good one", from: .console)
        #expect(late.refusal?.code == "invalid_token")
        let own = desk.acting(as: Actor(name: "patron:\(ann.id)", role: .patron, channel: .web))
        let refused = try own.write { try $0.patrons.update(.id(ann.id)) { $0.email = "x@example.org" } }
        #expect(refused.refusal?.code == "password_needed")
    }

    private struct Unexpected: Error {}

    @Test("a key ends after now, and within a year")
    func keys() throws {
        for (hours, isGood) in [(-1, false), (0, false), (1, true), (24 * 366, true), (24 * 366 + 1, false)] {
            let ends = try clock.now().adding(hours: Int64(hours))
            let order = AccountManager.KeyRequest(label: "shelf", expiresAt: ends)
            let made = try? accounts.issueKey(to: .username("ann"), order)
            #expect((made?.value != nil) == isGood, "\(hours)")
        }
    }

    @Test("names that look the same are one, and what cannot be seen is in none")
    func names() throws {
        for name in ["Ann", "\u{430}nn", "\u{FF21}NN", "\u{1D41A}nn"] {
            let patron = Patron(username: name, category: "patron", homeBranch: "main")
            let outcome = try? desk.write { try $0.patrons.add(patron) }
            #expect(outcome?.value == nil, "\(name)")
        }
        for name in [
            "ann ", " ann", "a\u{200B}nn", "ann\u{AD}", "ann\u{2800}", "\u{202E}nna", "a\u{300}\u{301}\u{302}nn",
        ] {
            #expect(Username.problem(of: name) != nil, "\(name.unicodeScalars)")
        }
        for name in ["josé", "Иван", "王芳", "anne-marie", "s1001", "ann@example.org", "יעל", "Ann Smith"] {
            #expect(Username.problem(of: name) == nil, "\(name)")
        }
        #expect(Username.folded("\u{430}\u{441}\u{435}") == Username.folded("ACE"))
    }

    @Test(
        "a name with digits or capitals for letters that look like them is the other one's",
        arguments: [
            ("root", "r00t"), ("admin7", "adm1n7"), ("alice", "AIice"), ("alice", "a1ice"), ("Bob.Smith", "b0b.sm1th"),
            ("steve", "5t3ve"), ("r00t", "root"), ("ann0", "anno"), ("ann1", "annl"), ("l33t", "leet"),
            ("Tabea", "7abea"),
        ])
    func likeNames(name: String, other: String) throws {
        #expect(Username.areAlike(name, other) && Username.areAlike(other, name))
        #expect(Username.key(name) == Username.key(other))
        func add(_ name: String) throws -> Outcome<Patron> {
            let patron = Patron(username: name, category: "patron", homeBranch: "main")
            return try desk.write { try $0.patrons.add(patron) }
        }
        #expect(try add(name).value != nil)
        #expect(try add(other).refusal?.code == "exists")
    }

    @Test(
        "names that readers tell apart are two",
        arguments: [
            ("neil", "nell"), ("ann3", "anne"), ("ann1", "anni"), ("max5", "maxs"), ("elia", "ella"), ("1001", "1007"),
            ("s1001", "s1004"), ("reader10", "reader11"), ("ab", "abc"), ("ann1", "ann7"),
        ])
    func otherNames(name: String, other: String) throws {
        #expect(!Username.areAlike(name, other) && !Username.areAlike(other, name))
        for name in [name, other] {
            let patron = Patron(username: name, category: "patron", homeBranch: "main")
            #expect(try desk.write { try $0.patrons.add(patron) }.value != nil, "\(name)")
        }
    }

    @Test(
        "numbers are the library's to give as usernames",
        arguments: ["62", "21234000123456", "12 34", "1234-5678", "４２"])
    func numbers(name: String) throws {
        let patron = Patron(username: name, category: "patron", homeBranch: "main")
        let signedUp = try accounts.signUp(patron, password: Self.password, from: .console)
        #expect(signedUp.refusal?.code == "reserved_username")
        let ann = try #require(try desk.read { try $0.patrons.get(.username("ann")) })
        let own = desk.acting(as: Actor(name: "patron:\(ann.id)", role: .patron, channel: .web))
        let renamed = try own.write { try $0.patrons.update(.id(ann.id)) { $0.username = name } }
        #expect(renamed.refusal?.code == "reserved_username")
        #expect(try desk.write { try $0.patrons.add(patron) }.value?.username == name)
    }

    @Test("blanks are nobody's name", arguments: [" ", "  ", "\t", "\u{A0}", "\u{3000}\u{2003}", "\n", "\u{115F}"])
    func blanks(name: String) throws {
        let patron = Patron(username: name, category: "patron", homeBranch: "main")
        #expect((try? accounts.signUp(patron, password: Self.password, from: .console))?.value == nil)
        #expect((try? desk.write { try $0.patrons.add(patron) })?.value == nil)
        #expect((try? desk.write { try $0.patrons.update(.username("ann")) { $0.username = name } })?.value == nil)
        if case .added = try? desk.write({ try $0.imports.patron(patron) }) { Issue.record("it was taken in") }
    }
}
