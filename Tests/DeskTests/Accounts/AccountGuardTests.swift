import Circulation
import Desk
import DeskSupport
import Market
import Secrets
import Storage
import Testing

@Suite("Who may touch whose account", .everyStore)
struct AccountGuardTests {
    private let library: Library
    private let accounts: AccountManager

    /// Bob is staff, Cyd an administrator, Ada and Dee are patrons; all have a password.
    init() throws {
        library = try Library()
        accounts = try AccountManager(library.desk, cost: .least)
        try library.desk.write { session in
            _ = try session.patrons.add(Library.patron("dee")).get()
            for (name, role) in [("bob", Patron.Role.staff), ("cyd", .admin)] {
                _ = try session.patrons.update(.username(name)) { $0.role = role }.get()
            }
        }
        for name in ["ada", "bob", "cyd", "dee"] {
            _ = try accounts.setPassword(password(of: name), of: .username(name)).get()
        }
    }

    private func password(of name: String) -> String { "the password of \(name)" }

    private func acting(as name: String, _ role: ActorFacts.Role) throws -> Desk {
        library.desk.acting(
            as: Actor(name: "patron:\(try library.id(name))", role: role, channel: role == .patron ? .web : .desk))
    }

    private func token(of name: String) throws -> SecretToken {
        try #require(try accounts.logIn(name, password: password(of: name))).token
    }

    /// What is asked of an account, by name.
    private static let requests: [(name: String, ask: @Sendable (DeskSession, PatronKey) throws -> Refusal?)] = [
        ("e-mail", { try $0.patrons.update($1) { $0.email = "mine@example.org" }.refusal }),
        ("username", { try $0.patrons.update($1) { $0.username = "renamed" }.refusal }),
        ("category", { try $0.patrons.update($1) { $0.expiresOn = try CivilDate(parsing: "2027-06-01") }.refusal }),
        ("block", { try $0.patrons.block($1, kind: "card").refusal }),
        ("remove", { try $0.patrons.remove($1).refusal }),
        ("merge away", { try $0.patrons.merge($1, into: .username("dee")).refusal }),
        ("merge into", { try $0.patrons.merge(.username("dee"), into: $1).refusal }),
        ("link", { try $0.patrons.link($1, to: .username("dee"), as: .guardian).refusal }),
        ("link to", { try $0.patrons.link(.username("dee"), to: $1, as: .household).refusal }),
        ("rating", { try $0.ratings.rate(.id(1), stars: 3, review: "", by: $1).refusal }),
        ("list", { try $0.lists.make("To read \($0.now.microseconds)", for: $1).refusal }),
        ("favourite", { try $0.favourites.add(.title(.id(1)), of: $1).refusal }),
    ]

    @Test("staff change what is a patron's and nothing that is an administrator's")
    func matrix() throws {
        for (name, ask) in Self.requests {
            for (actor, role, target, isAllowed) in [
                ("bob", ActorFacts.Role.staff, "ada", true), ("bob", .staff, "bob", true),
                ("bob", .staff, "cyd", false),
                ("cyd", .admin, "bob", true), ("cyd", .admin, "cyd", true), ("bob", .job, "cyd", false),
            ] {
                // One's own e-mail changes with the password alone.
                let isAllowed = isAllowed && !(name == "e-mail" && actor == target)
                let code = actor == target ? "password_needed" : "not_allowed"
                let before = try library.desk.read { try $0.patrons.get(.username(target)) }
                let refusal = try acting(as: actor, role).rehearse { try ask($0, .username(target)) }
                #expect(
                    (refusal == nil) == isAllowed, "\(name) of \(target) by \(actor): \(String(describing: refusal))")
                if !isAllowed { #expect(refusal?.code == code, "\(name) of \(target)") }
                #expect(try library.desk.read { try $0.patrons.get(.username(target)) } == before)
            }
        }
    }

    @Test("neither passwords nor keys, sessions and blocks of an administrator are for staff, whatever way they come")
    func credentials() throws {
        let shown = try token(of: "cyd")
        let staff = try acting(as: "bob", .staff)
        let cyd = try library.id("cyd")
        let held = try #require(try accounts.holder(of: shown.text)).token
        #expect(
            try accounts.acting(as: staff.actor).setPassword("taken over by me", of: .id(cyd)).refusal?.code
                == "not_allowed")
        #expect(
            try accounts.acting(as: staff.actor).issueKey(to: .id(cyd), label: "").refusal?.code == "not_allowed")
        #expect(try staff.write { try $0.accounts.revoke(held.id, of: cyd) }.refusal?.code == "not_allowed")
        let block = try library.desk.write { try $0.patrons.block(.id(cyd), kind: "card") }.get()
        #expect(try staff.write { try $0.patrons.unblock(.id(cyd), block: block.id) }.refusal?.code == "not_allowed")
        #expect(try accounts.holder(of: shown.text)?.patron.id == cyd)
        #expect(try accounts.verify("cyd", password: password(of: "cyd")) != nil)
        try library.expectSound()
    }

    @Test("imported records change no account above the importer's role, and give no role")
    func imports() throws {
        let staff = try acting(as: "bob", .staff)
        var cyd = try #require(try library.desk.read { try $0.patrons.get(.username("cyd")) })
        cyd.email = "mine@example.org"
        var ada = try #require(try library.desk.read { try $0.patrons.get(.username("ada")) })
        ada.role = .admin
        for patron in [cyd, ada] {
            guard case .rejected(let refusal) = try staff.write({ try $0.imports.patron(patron) }) else {
                Issue.record("\(patron.username) was taken in")
                continue
            }
            #expect(refusal.code == "not_allowed")
        }
        let block = PatronBlock(
            patron: cyd.id, kind: "x", reason: "", actions: [.borrow], createdAt: library.clock.now())
        guard case .rejected = try staff.write({ try $0.imports.block(block) }) else {
            Issue.record("the block was taken in")
            return
        }
        guard case .updated = try library.desk.write({ try $0.imports.patron(ada) }) else {
            Issue.record("the operator was refused")
            return
        }
        try library.expectSound()
    }

    @Test("staff still serve administrators: what follows from returning a copy late is not a change of theirs")
    func served() throws {
        let staff = try acting(as: "bob", .staff)
        let cyd = PatronKey.username("cyd")
        let loans = try staff.write { session in
            try session.loans.checkout(CheckoutRequest(patron: cyd, wanted: .titles([.id(1)])))
        }.get()
        _ = try staff.write { session in
            _ = try session.fees.charge(cyd, amount: Money(minorUnits: 100, currency: .eur), label: "Card").get()
            return try session.loans.checkin(.id(loans[0].id))
        }.get()
        try library.expectSound()
    }

    @Test("of two records that become one, the survivor's password lets in, and no session, key or link of either")
    func merged() throws {
        let (ada, dee) = (PatronKey.username("ada"), PatronKey.username("dee"))
        let shown = try [token(of: "ada"), token(of: "dee")]
        let keys = try [ada, dee].map { try accounts.issueKey(to: $0, label: "shelf").get() }
        _ = try library.desk.write { try $0.patrons.update(dee) { $0.email = "dee@example.org" } }.get()
        let link = try #require(try accounts.forgot("dee")).token
        let merged = try library.desk.write { try $0.patrons.merge(ada, into: dee) }.get()
        #expect(merged.patron.username == "dee" && merged.patron.role == .patron)
        for token in shown + keys { #expect(try accounts.holder(of: token.text) == nil) }
        #expect(try accounts.reset(link.text, password: "entirely another one").refusal?.code == "invalid_token")
        #expect(try accounts.verify("dee", password: password(of: "dee")) != nil)
        #expect(try accounts.verify("dee", password: password(of: "ada")) == nil)
        #expect(try accounts.verify("ada", password: password(of: "ada")) == nil)
        try library.expectSound()
    }

    @Test("merging gives no higher role and no password to a record that has none")
    func mergedRoles() throws {
        _ = try library.desk.write { try $0.patrons.add(Library.patron("eve")) }.get()
        let merged = try acting(as: "cyd", .admin).write { session in
            try session.patrons.merge(.username("bob"), into: .username("eve"))
        }.get()
        #expect(merged.patron.role == .patron)
        #expect(try accounts.verify("eve", password: password(of: "bob")) == nil)
        try library.expectSound()
    }
}
