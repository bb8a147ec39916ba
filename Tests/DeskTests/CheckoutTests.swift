import Circulation
import Desk
import Storage
import Testing
import TextFormats

@Suite("Checkout", .everyStore)
struct CheckoutTests {
    @Test("a checkout of several titles lends each on a copy of its own")
    func several() throws {
        let library = try Library()
        let loans = try library.lend("ada", 1, 2).get()
        #expect(loans.map(\.title) == [1, 2])
        #expect(loans.allSatisfy { $0.due?.date.description == "2026-03-16" })
        #expect(loans.allSatisfy { $0.category == "patron" && $0.itemType == "book" && $0.branch == "main" })
        let counts = try library.desk.read { try $0.catalogue.counts(of: 1) }
        #expect(counts == CopyCounts(copies: 2, available: 1, onLoan: 1))
        try library.expectSound()
    }

    @Test("a checkout of several titles is all or nothing")
    func allOrNothing() throws {
        let library = try Library()
        _ = try library.lend("bob", 2).get()
        let refusal = try #require(try library.lend("ada", 1, 2, 3).refusal)
        #expect(refusal.code == "no_copies")
        #expect(refusal.reasons.map(\.title) == [2])
        #expect(try library.desk.read { try $0.loans.active(of: .username("ada")) }.isEmpty)
        #expect(try library.refusals().map(\.titles) == [[1, 2, 3]])
        try library.expectSound()
    }

    @Test("a checkout of no titles makes no loans and leaves no trace")
    func none() throws {
        let library = try Library()
        let last = try library.desk.read { try $0.events.last() }
        let request = CheckoutRequest(patron: .username("ada"), wanted: .titles([]))
        #expect(try library.desk.write { try $0.loans.checkout(request) }.value?.isEmpty == true)
        #expect(try library.desk.read { try $0.loans.mayCheckout(request) }.value?.isEmpty == true)
        #expect(try library.desk.read { try $0.events.last() } == last)
    }

    @Test("a title asked for twice takes two copies, or none if there is one")
    func twice() throws {
        let library = try Library()
        let loans = try library.lend("ada", 1, 1).get()
        #expect(Set(loans.map(\.copy)).count == 2)
        #expect(try library.lend("ada", 2, 2).refusal?.code == "no_copies")
        try library.expectSound()
    }

    @Test("the policy's reason comes before the shelf's")
    func stockLast() throws {
        let library = try Library()
        try library.use(PolicySpec(tables: Library.tables(limit: 0)), "none")
        _ = try library.desk.write { try $0.catalogue.withdrawCopy(barcode: "000000020001").get() }
        #expect(try library.lend("ada", 2).refusal?.code == "limit")
    }

    @Test(
        "checks run in the documented order",
        arguments: [
            (patron: "nobody", titles: [99], code: "unknown_patron"),
            (patron: "bob", titles: [99], code: "blocked"),
            (patron: "ada", titles: [99, 1], code: "unknown_title"),
            (patron: "ada", titles: [1, 99], code: "unknown_title"),
        ])
    func order(patron: String, titles: [Int64], code: String) throws {
        let library = try Library()
        _ = try library.desk.write { try $0.patrons.block(.username("bob"), kind: "manual").get() }
        let wanted = CheckoutRequest.Wanted.titles(titles.map { .id($0) })
        let outcome = try library.desk.write { session in
            try session.loans.checkout(CheckoutRequest(patron: .username(patron), wanted: wanted))
        }
        #expect(outcome.refusal?.code == code)
        let refused = try #require(try library.refusals().last)
        #expect(refused.refusal.code == code)
        #expect((refused.patron == nil) == (code == "unknown_patron"))
    }

    @Test("what this request was granted counts in its limits")
    func granted() throws {
        let library = try Library()
        try library.use(PolicySpec(tables: Library.tables(limit: 2)), "two")
        let refusal = try #require(try library.lend("ada", 1, 2, 3).refusal)
        #expect(refusal.code == "limit")
        #expect(refusal.reasons.first?.title == 3)
        #expect(refusal.policy?.count == 64)
        #expect(refusal.origin?.file == "policy.lua")
        #expect(refusal.origin?.row == 1)
    }

    @Test("the candidate is the first available copy of this branch, then by barcode")
    func candidate() throws {
        let library = try Library()
        let north = Actor(name: "nora", role: .staff, channel: .desk, branch: "north")
        _ = try library.desk.write { session in
            try session.catalogue.updateCopy(barcode: "000000030003") { $0.branch = "north" }.get()
        }
        let copies = try library.desk.acting(as: north).write { session in
            try (0..<2).map { _ in
                try session.loans.checkout(CheckoutRequest(patron: .username("ada"), wanted: .titles([.id(3)]))).get()[
                    0]
            }.map { loan in try session.catalogue.copy(id: try #require(loan.copy))?.barcode }
        }
        #expect(copies == ["000000030003", "000000030001"])
    }

    @Test("scanning a copy that the patron has is a renewal, another one's copy has no stock")
    func scanned() throws {
        let library = try Library()
        let request = CheckoutRequest(patron: .username("ada"), wanted: .barcode("000000020001"))
        let lent = try library.desk.write { try $0.loans.checkout(request).get() }
        try library.pass(days: 3)
        let renewed = try library.desk.write { try $0.loans.checkout(request).get() }
        #expect(renewed.map(\.id) == lent.map(\.id))
        #expect(renewed[0].renewals == 1)
        #expect(renewed[0].due?.date.description == "2026-03-19")
        var other = request
        other.patron = .username("bob")
        #expect(try library.desk.write { try $0.loans.checkout(other) }.refusal?.code == "no_copies")
        var unknown = request
        unknown.wanted = .barcode("nothing")
        #expect(try library.desk.write { try $0.loans.checkout(unknown) }.refusal?.code == "unknown_copy")
        try library.expectSound()
    }

    @Test(
        "a scan of a copy that the patron has renews it whatever the rule says of further copies, and the ISBN asks for one",
        arguments: [("allow", nil as String?), ("confirm", "same_title"), ("refuse", "same_title")])
    func sameTitle(rule: String, code: String?) throws {
        let library = try Library(policy: PolicySpec(tables: Library.tables(fields: ["same_title": .text(rule)])))
        let loan = try #require(try library.lend("ada", 1).get().first)
        try library.pass(days: 1)
        let copies = try library.copies(1)
        let barcode = try #require(copies.first { $0.id == loan.copy }).barcode
        let again = try library.desk.write { session in
            try session.loans.checkout(CheckoutRequest(patron: .username("ada"), wanted: .barcode(barcode))).get()
        }
        #expect(again.map(\.id) == [loan.id] && again.map(\.renewals) == [1])
        let second = try library.lend("ada", 1)
        #expect(second.refusal?.code == code)
        #expect(second.refusal?.mayBeOverridden == (rule == "confirm" ? true : code == nil ? nil : false))
        #expect(second.value?.first.map { $0.copy != loan.copy } == (code == nil ? true : nil))
    }

    @Test("without a policy nothing is lent, and the refusal says what to do")
    func noPolicy() throws {
        let library = try Library(policy: nil)
        let refusal = try #require(try library.lend("ada", 1).refusal)
        #expect(refusal.code == "no_rule")
        #expect(refusal.message.contains("moonshelf policy use"))
    }

    @Test("may_checkout decides like checkout and writes nothing")
    func mayCheckout() throws {
        let library = try Library()
        let before = try library.desk.read { try $0.events.last() }
        let request = CheckoutRequest(patron: .username("ada"), wanted: .titles([.id(1), .id(2)]))
        let asked = try library.desk.read { try $0.loans.mayCheckout(request) }.get()
        #expect(asked.map(\.decision.answer) == [.allow, .allow])
        #expect(asked.allSatisfy { $0.decision.due?.date.description == "2026-03-16" })
        let unknown = CheckoutRequest(patron: .id(77), wanted: .titles([.id(1)]))
        #expect(try library.desk.read { try $0.loans.mayCheckout(unknown) }.refusal?.code == "unknown_patron")
        #expect(try library.desk.read { try $0.events.last() } == before)
    }

    @Test(
        "a checkout that makes no sense is an error, not a refusal",
        arguments: [
            CheckoutRequest(patron: .id(1), wanted: .titles([.id(1)]), override: true),
            CheckoutRequest(patron: .id(1), wanted: .titles([.id(1)]), override: true, reason: "  "),
        ])
    func nonsense(request: CheckoutRequest) throws {
        let library = try Library()
        #expect(throws: DeskError.self) { try library.desk.write { try $0.loans.checkout(request) } }
    }

    @Test("a checkout of more than a thousand titles is an error, not a refusal")
    func tooMany() throws {
        let library = try Library()
        let request = CheckoutRequest(patron: .id(1), wanted: .titles(Array(repeating: .id(1), count: 1_001)))
        #expect(throws: DeskError.self) { try library.desk.write { try $0.loans.checkout(request) } }
    }

    @Test("the decision of a loan is on record, with its case and the rows that decided")
    func explained() throws {
        let library = try Library()
        let loan = try library.lend("ada", 1).get()[0]
        let decisions = try library.desk.read { try $0.loans.explain(.id(loan.id)) }
        let decision = try #require(decisions.first)
        #expect(decision.point == .checkout)
        #expect(decision.answer["answer"]?.stringValue == "allow")
        #expect(decision.answer["fields"]?["loan"]?["line"]?.integerValue == 3)
        #expect(decision.question["patron"]?["category"]?.stringValue == "patron")
        let read = try Case(json: decision.question)
        #expect(read.title?.id == 1)
    }
}
