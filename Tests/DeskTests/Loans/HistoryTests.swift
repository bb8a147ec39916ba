import Circulation
import Desk
import Storage
import TestSupport
import Testing
import TextFormats

@Suite("Loans of a window, and the age of debts", .everyStore)
struct HistoryTests {
    private static func policy(_ rows: [LimitRow] = [], history: Period? = nil, title: Period? = nil) -> PolicySpec {
        var tables = Library.tables()
        tables.limits += rows
        tables.patronHistory = history
        tables.titleHistory = title
        return PolicySpec(tables: tables)
    }

    private static func row(
        max: Int64, within: Period? = nil, perTitle: Bool = false, owedFor: Period? = nil
    ) -> LimitRow {
        LimitRow(
            conditions: RowConditions(), maximum: max, within: within, isPerTitle: perTitle, owedFor: owedFor,
            place: SourcePlace(file: "policy.lua", line: 4))
    }

    private static let onePass = policy([row(max: 1, within: .weeks(4), perTitle: true)])

    @Test("a title that was returned counts until its window is over, and others do not")
    func onePerTitle() throws {
        let library = try Library(policy: Self.onePass)
        let loan = try #require(try library.lend("ada", 1).get().first)
        try library.pass(days: 2)
        _ = try library.desk.write { try $0.loans.checkin(.id(loan.id)).get() }
        let refusal = try #require(try library.lend("ada", 1).refusal)
        #expect(refusal.code == "limit")
        #expect(
            refusal.message == "Only 1 loan of this title within 4 weeks is allowed; possible again from 2026-03-30.")
        #expect(refusal.json["details"]?["possible_from"] == "2026-03-30")
        _ = try library.lend("ada", 2).get()
        _ = try library.lend("bob", 1).get()
        try library.pass(days: 26)
        _ = try library.lend("ada", 1).get()
        try library.expectSound()
    }

    @Test("a window counts loans by where their copies stand, and leaves out claimed ones where its row says so")
    func placedAndClaimed() throws {
        let place = SourcePlace(file: "policy.lua", line: 4)
        let rows = [
            LimitRow(
                conditions: RowConditions(locations: ["new"]), maximum: 1, within: .weeks(4), countsClaimed: false,
                place: place)
        ]
        let library = try Library(policy: Self.policy(rows))
        try library.desk.write { session in
            for title in [1, 2] as [Int64] {
                for copy in try session.catalogue.copies(of: .id(title)) {
                    _ = try session.catalogue.updateCopy(barcode: copy.barcode) { $0.location = "new" }.get()
                }
            }
        }
        // One of another location does not count.
        _ = try library.lend("ada", 3).get()
        let loan = try #require(try library.lend("ada", 1).get().first)
        #expect(try library.lend("ada", 2).refusal?.code == "limit")
        _ = try library.desk.write { try $0.loans.claimReturned(.id(loan.id)).get() }
        let second = try #require(try library.lend("ada", 2).get().first)
        // Once they have come back, nothing is claimed any more, and both count.
        for returned in [loan, second] { _ = try library.desk.write { try $0.loans.checkin(.id(returned.id)).get() } }
        #expect(try library.lend("ada", 1).refusal?.code == "limit")
        let cases = try library.desk.read { try $0.transaction.decisions.page(after: 0, limit: 20).map(\.caseJSON) }
        #expect(cases.contains { $0.contains("\"location\":\"new\"") && $0.contains("\"claimed\":true") })
        try library.expectSound()
    }

    @Test("a request for two counts the first of them")
    func withinRequest() throws {
        let library = try Library(policy: Self.policy([Self.row(max: 1, within: .weeks(4))]))
        #expect(try library.lend("ada", 1, 2).refusal?.code == "limit")
        #expect(try library.lend("ada", 1, 1).refusal?.code == "limit")
        _ = try library.lend("ada", 1).get()
    }

    @Test("the log of decisions has what was read, and a replay finds it again to the byte")
    func replayed() throws {
        let policy = Self.policy([Self.row(max: 2, within: .weeks(4)), Self.row(max: 0, owedFor: .days(60))])
        let library = try Library(policy: policy)
        for title in [1, 2, 3] as [Int64] {
            let loan = try library.lend("ada", title).value?.first
            try library.pass(days: 3)
            if let loan { _ = try library.desk.write { try $0.loans.checkin(.id(loan.id)).get() } }
        }
        let amount = Money(minorUnits: 500, currency: .eur)
        _ = try library.desk.write { try $0.fees.charge(.username("ada"), amount: amount, label: "Card").get() }
        try library.pass(days: 30)
        _ = try library.lend("ada", 3).get()
        try library.pass(days: 31)
        #expect(try library.lend("ada", 1).refusal?.code == "fees_owed")
        let cases = try library.desk.read { try $0.transaction.decisions.page(after: 0, limit: 20).map(\.caseJSON) }
        #expect(cases.contains { $0.contains("\"history\"") && $0.contains("\"history_since\"") })
        #expect(cases.contains { $0.contains("\"owed_since\"") })
        let (same, _) = try library.replay(policy)
        #expect(same.contradictions == [] && same.differences == [] && same.decisions.count >= 7)
        let (other, _) = try library.replay(Self.policy([Self.row(max: 1, within: .weeks(8))]))
        #expect(other.contradictions == [])
        #expect(other.differences.map(\.after.code) == ["limit", "limit", "limit"])
        let (plain, _) = try library.replay(Library.standard)
        #expect(plain.contradictions == [] && plain.differences.map(\.before.code) == ["limit", "fees_owed"])
        let (candidate, _) = try library.replay(policy, ReplayPlan(mode: .candidate))
        #expect(candidate.contradictions == [] && candidate.differences == [])
    }

    @Test("a log from before, of a policy that read none of it, is replayed by one that does")
    func olderLog() throws {
        let library = try Library()
        let loan = try #require(try library.lend("ada", 1).get().first)
        _ = try library.desk.write { try $0.loans.checkin(.id(loan.id)).get() }
        try library.pass(days: 1)
        _ = try library.lend("ada", 1).get()
        let (witness, _) = try library.replay(Self.onePass)
        #expect(witness.contradictions == [])
        #expect(witness.differences.map(\.after.code) == ["limit"])
    }

    @Test("the oldest debt is the oldest charge that payments have not reached")
    func oldestDebt() throws {
        let library = try Library(policy: nil)
        let ada = PatronKey.username("ada")
        func since() throws -> Instant? {
            let (patron, owed) = try (library.id("ada"), library.owed("ada"))
            return try library.desk.read { try $0.transaction.ledger.oldestDebt(patron: patron, owed: owed) }
        }
        func change(_ body: (DeskSession) throws -> Outcome<LedgerEntry>) throws -> LedgerEntry {
            try library.pass(days: 1)
            return try library.desk.write { try body($0).get() }
        }
        func euros(_ count: Int64) -> Money { Money(minorUnits: 100 * count, currency: .eur) }
        #expect(try since() == nil)
        let first = try change { try $0.fees.charge(ada, amount: euros(5), label: "First") }
        let second = try change { try $0.fees.charge(ada, amount: euros(3), label: "Second") }
        #expect(try since() == first.at)
        _ = try change { try $0.fees.pay(ada, amount: euros(2)) }
        #expect(try since() == first.at)
        _ = try change { try $0.fees.pay(ada, amount: euros(3)) }
        #expect(try since() == second.at)
        let third = try change { try $0.fees.charge(ada, amount: euros(4), label: "Third") }
        _ = try change { try $0.fees.waive(ada, entry: second.id) }
        #expect(try since() == third.at)
        _ = try change { try $0.fees.pay(ada, amount: euros(4)) }
        #expect(try since() == nil)
        let fourth = try change { try $0.fees.charge(ada, amount: euros(1), label: "Fourth") }
        let fifth = try change { try $0.fees.charge(ada, amount: euros(1), label: "Fifth") }
        _ = try change { try $0.fees.waive(ada, entry: fifth.id) }
        #expect(try since() == fourth.at)
        let sixth = try change { try $0.fees.charge(ada, amount: euros(2), label: "Sixth") }
        _ = try change { try $0.fees.waive(ada, amount: euros(1)) }
        #expect(try since() == sixth.at)
    }

    @Test("of 2,000 loans those of the window are looked at, and the 500 that were returned last where it has more")
    func manyLoans() throws {
        let library = try Library(policy: nil)
        let ada = try library.id("ada")
        let start = try Instant(parsing: Library.start)
        let copies = try library.desk.read { try $0.catalogue.copies(of: .id(1)) }
        func lent(_ number: Int64, days: Int64) throws -> Loan {
            let lentAt = try start.adding(hours: -24 * days)
            var loan = Loan(
                copy: copies[0].id, title: 1, patron: ada, category: "patron", itemType: "book", branch: "main",
                lentAt: lentAt)
            loan.returnedAt = try lentAt.adding(hours: 1)
            return loan
        }
        try library.desk.write { session in
            for number in 0..<2_000 {
                _ = try session.transaction.loans.insert(lent(Int64(number), days: 1 + Int64(number) / 4))
            }
        }
        func facts(days: Int64) throws -> PatronFacts {
            try library.desk.read { session in
                let found = try session.transaction.facts.patron(
                    ada, now: start, today: CivilDate(year: 2026, month: 3, day: 2))
                var facts = try #require(found)
                try session.transaction.facts.addHistory(
                    to: &facts, from: start.adding(hours: -24 * days), to: start)
                return facts
            }
        }
        let month = try facts(days: 30)
        #expect(month.history.count == 120)
        #expect(try month.historySince == start.adding(hours: -24 * 30))
        #expect(month.history == month.history.sorted { $1.lentAt < $0.lentAt })
        let all = try facts(days: 400)
        #expect(all.history.count == 500)
        #expect(try #require(all.historySince) > start.adding(hours: -24 * 127))
        let counts = try library.desk.read { session in
            try [10, 400].map { days in
                try session.transaction.facts.timesLent(title: 1, from: start.adding(hours: -24 * days), to: start)
            }
        }
        #expect(counts == [40, 1_000])
    }
}

@Suite("What policies pay for")
struct GatheredFactTests {
    /// The statements of a checkout, without the times of the day.
    private func statements(_ policy: PolicySpec) throws -> [String] {
        let folder = try ScratchFolder()
        let recorder = StatementRecorder()
        let store = try SQLiteStore.open(.file(folder.path + "/desk.db"), create: true, recorder: recorder)
        defer { try? store.close() }
        let library = try Library(store: store, policy: policy)
        _ = try library.lend("ada", 1).get()
        let amount = Money(minorUnits: 500, currency: .eur)
        _ = try library.desk.write { try $0.fees.charge(.username("ada"), amount: amount, label: "Card").get() }
        _ = recorder.take()
        _ = try library.lend("ada", 2).get()
        return recorder.take().map(\.text)
    }

    @Test("a checkout asks one question more for a window, one for debts, and none where the policy reads neither")
    func statements() throws {
        var rows = Library.tables()
        let plain = try statements(PolicySpec(tables: rows))
        #expect(!plain.contains { $0.contains("returned_loans") || $0.contains("entry_key, loan, kind") })
        let place = SourcePlace(file: "policy.lua", line: 4)
        rows.limits.append(LimitRow(conditions: RowConditions(), maximum: 9, within: .days(30), place: place))
        #expect(try statements(PolicySpec(tables: rows)).count == plain.count + 1)
        rows.limits.append(LimitRow(conditions: RowConditions(), maximum: 9, owedFor: .days(30), place: place))
        #expect(try statements(PolicySpec(tables: rows)).count == plain.count + 2)
    }
}
