import Circulation
import Desk
import Storage
import TestSupport
import Testing
import TextFormats

@Suite("Policies that know to whom a patron is linked", .everyStore)
struct LinkedPolicyTests {
    private static func euros(_ cents: Int64) -> Money { Money(minorUnits: cents, currency: .eur) }

    private static func row(max: Int64, _ group: PatronGroup?, owed: Int64? = nil) -> LimitRow {
        LimitRow(
            conditions: RowConditions(), maximum: max, of: group, owed: owed.map(euros),
            place: SourcePlace(file: "policy.lua", line: 4))
    }

    private static func policy(_ rows: LimitRow...) -> PolicySpec {
        var tables = Library.tables()
        tables.limits += rows
        return PolicySpec(tables: tables)
    }

    private func link(_ patron: String, _ other: String, _ kind: PatronLink.Kind, _ library: Library) throws {
        _ = try library.desk.write { session in
            try session.patrons.link(.username(patron), to: .username(other), as: kind).get()
        }
    }

    private func charge(_ patron: String, _ cents: Int64, _ library: Library) throws {
        _ = try library.desk.write { session in
            try session.fees.charge(.username(patron), amount: Self.euros(cents), label: "Card").get()
        }
    }

    private func facts(_ patron: String, _ library: Library) throws -> LinkedFacts {
        let id = try library.id(patron)
        return try library.desk.read { session in
            let today = Zone.utc.date(of: session.now)
            let found = try session.transaction.facts.patron(id, now: session.now, today: today)
            return try session.transaction.facts.linked(to: #require(found), now: session.now)
        }
    }

    @Test("loans, lateness and debts are summed over each group, nobody twice, and credits pay no one else's debts")
    func sums() throws {
        let library = try Library()
        for name in ["dee", "eve"] { _ = try library.desk.write { try $0.patrons.add(Library.patron(name)) }.get() }
        // ada's guardians are bob and cyd, bob answers for dee too, and ada for eve; ada lives with bob and dee.
        for (patron, other) in [("ada", "bob"), ("ada", "cyd"), ("dee", "bob"), ("eve", "ada"), ("dee", "cyd")] {
            try link(patron, other, .guardian, library)
        }
        for (patron, other) in [("ada", "bob"), ("dee", "ada")] { try link(patron, other, .household, library) }
        _ = try library.lend("bob", 1, 3).get()
        _ = try library.lend("dee", 3).get()
        try library.pass(days: 15)
        _ = try library.lend("ada", 3).get()
        try charge("bob", 300, library)
        try charge("cyd", 200, library)
        try charge("eve", 50, library)
        _ = try library.desk.write { try $0.fees.pay(.username("dee"), amount: Self.euros(1_000)) }
        let facts = try facts("ada", library)
        #expect(facts[.guardians] == GroupFacts(people: 2, loans: 2, overdue: 2, owed: Self.euros(500)))
        #expect(facts[.dependents] == GroupFacts(people: 1, owed: Self.euros(50)))
        #expect(facts[.household] == GroupFacts(people: 3, loans: 4, overdue: 3, owed: Self.euros(300)))
        #expect(facts[.family] == GroupFacts(people: 5, loans: 4, overdue: 3, owed: Self.euros(550)))
        #expect(try self.facts("eve", library)[.guardians] == GroupFacts(people: 1, loans: 1, owed: Self.euros(0)))
        #expect(try self.facts("bob", library)[.household] == facts[.household])
        // What bob says to have returned is still a loan, and late no more.
        let bob = try library.id("bob")
        let loan = try library.desk.read { try $0.transaction.loans.open(patron: bob)[0].id }
        _ = try library.desk.write { try $0.loans.claimReturned(.id(loan)).get() }
        let claimed = try self.facts("ada", library)
        #expect(claimed[.guardians].loans == 2 && claimed[.guardians].overdue == 1)
        #expect(claimed[.family].loans == 4 && claimed[.family].overdue == 2)
    }

    @Test("who is linked to nobody is alone in the household and the family")
    func alone() throws {
        let library = try Library()
        _ = try library.lend("ada", 1).get()
        try charge("ada", 100, library)
        let facts = try facts("ada", library)
        let alone = GroupFacts(people: 1, loans: 1, owed: Self.euros(100))
        #expect(facts[.household] == alone && facts[.family] == alone)
        #expect(facts[.guardians].people == 0 && facts[.dependents].people == 0)
    }

    @Test("a household borrows three together, and a child nothing while the guardian owes 10 EUR")
    func refused() throws {
        let library = try Library(
            policy: Self.policy(Self.row(max: 3, .household), Self.row(max: 0, .guardians, owed: 1_000)))
        try link("bob", "ada", .household, library)
        try link("cyd", "ada", .guardian, library)
        _ = try library.lend("ada", 1, 3).get()
        _ = try library.lend("bob", 3).get()
        let refusal = try #require(try library.lend("bob", 1).refusal)
        #expect(refusal.code == "limit" && refusal.message == "3 of 3 allowed loans of the household have been used.")
        // Whoever is not of the household does not count.
        try charge("ada", 999, library)
        _ = try library.lend("cyd", 1).get()
        try charge("ada", 1, library)
        let owing = try #require(try library.lend("cyd", 2).refusal)
        #expect(owing.code == "fees_owed" && owing.message == "The guardians owe 10.00 EUR or more.")
        _ = try library.desk.write { try $0.fees.pay(.username("ada"), amount: Self.euros(1)) }
        _ = try library.lend("cyd", 2).get()
        try library.expectSound()
    }

    @Test("a household has one copy of a title, claims left out, and a replay finds both again")
    func titles() throws {
        var one = Self.row(max: 1, .household)
        one.isPerTitle = true
        var three = Self.row(max: 3, .household)
        three.countsClaimed = false
        let policy = Self.policy(one, three)
        let library = try Library(policy: policy)
        try link("bob", "ada", .household, library)
        let dune = try library.lend("ada", 1).get()[0]
        let refusal = try #require(try library.lend("bob", 1).refusal)
        #expect(refusal.code == "limit" && refusal.message == "Only 1 loan of this title of the household is allowed.")
        _ = try library.lend("bob", 2, 3).get()
        _ = try library.lend("cyd", 1).get()
        #expect(try library.lend("ada", 3).refusal?.code == "limit")
        _ = try library.desk.write { try $0.loans.claimReturned(.id(dune.id)).get() }
        // Of the title there is one all the same; of others there is room for one.
        let other = try library.desk.write { session in
            let title = try session.catalogue.add(Title(title: "Persuasion")).get()
            _ = try session.catalogue.addCopies(of: .id(title.id), count: 1).get()
            return title.id
        }
        #expect(try library.lend("bob", 1).refusal?.code == "limit")
        _ = try library.lend("bob", other).get()
        let (same, _) = try library.replay(policy)
        #expect(same.contradictions == [] && same.differences == [])
        try library.expectSound()
    }

    @Test("the log of decisions has what was read, and a replay finds it again to the byte")
    func replayed() throws {
        let policy = Self.policy(Self.row(max: 2, .household), Self.row(max: 0, .guardians, owed: 500))
        let library = try Library(policy: policy)
        _ = try library.lend("ada", 1).get()
        try link("bob", "ada", .household, library)
        _ = try library.lend("bob", 3).get()
        #expect(try library.lend("ada", 3).refusal?.code == "limit")
        try link("cyd", "ada", .guardian, library)
        try charge("ada", 500, library)
        #expect(try library.lend("cyd", 3).refusal?.code == "fees_owed")
        _ = try library.desk.write { try $0.patrons.unlink(.username("cyd"), from: .username("ada"), as: .guardian) }
        _ = try library.lend("cyd", 3).get()
        let cases = try library.desk.read { try $0.transaction.decisions.page(after: 0, limit: 20).map(\.caseJSON) }
        #expect(cases.contains { $0.contains(#""household":{"people":2,"loans":2"#) }, "\(cases)")
        let (same, _) = try library.replay(policy)
        #expect(same.contradictions == [] && same.differences == [] && same.decisions.count >= 5)
        let (plain, _) = try library.replay(Library.standard)
        #expect(plain.contradictions == [] && plain.differences.map(\.before.code) == ["limit", "fees_owed"])
        let (candidate, _) = try library.replay(policy, ReplayPlan(mode: .candidate))
        #expect(candidate.contradictions == [] && candidate.differences == [])
    }

    @Test("a log from before, of a policy that read none of it, is replayed by one that does")
    func olderLog() throws {
        let library = try Library()
        try link("bob", "ada", .household, library)
        _ = try library.lend("ada", 1).get()
        _ = try library.lend("bob", 3).get()
        let (witness, _) = try library.replay(Self.policy(Self.row(max: 1, .household)))
        #expect(witness.contradictions == [] && witness.differences.map(\.after.code) == ["limit"])
    }
}

@Suite("What policies pay for those to whom a patron is linked")
struct LinkedFactPaymentTests {
    private func statements(_ policy: PolicySpec) throws -> [String] {
        let folder = try ScratchFolder()
        let recorder = StatementRecorder()
        let store = try SQLiteStore.open(.file(folder.path + "/desk.db"), create: true, recorder: recorder)
        defer { try? store.close() }
        let library = try Library(store: store, policy: policy)
        _ = try library.desk.write { try $0.patrons.link(.username("ada"), to: .username("bob"), as: .household) }
        _ = try library.lend("ada", 1).get()
        _ = recorder.take()
        _ = try library.lend("ada", 2).get()
        return recorder.take().map(\.text)
    }

    @Test("a checkout asks one question more for all groups, and none where the policy reads none of them")
    func statements() throws {
        var tables = Library.tables()
        let plain = try statements(PolicySpec(tables: tables))
        #expect(!plain.contains { $0.contains("patron_links") })
        let place = SourcePlace(file: "policy.lua", line: 4)
        tables.limits.append(
            LimitRow(
                conditions: RowConditions(), maximum: 0, owed: Money(minorUnits: 900, currency: .eur), place: place))
        #expect(try statements(PolicySpec(tables: tables)).count == plain.count, "the patron's own debts are known")
        for group in PatronGroup.allCases {
            tables.limits.append(LimitRow(conditions: RowConditions(), maximum: 9, of: group, place: place))
        }
        let linked = try statements(PolicySpec(tables: tables))
        #expect(linked.count == plain.count + 1 && linked.count { $0.contains("patron_links") } == 1)
    }
}
