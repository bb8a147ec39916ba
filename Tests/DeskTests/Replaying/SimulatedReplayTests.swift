import Circulation
import Desk
import Storage
import Testing

@Suite("Replaying what people wanted, with the facts that the candidate leads to", .everyStore)
struct SimulatedReplayTests {
    private static let plan = ReplayPlan(mode: .candidate)

    private static func limit(_ limit: Int64) -> PolicySpec { PolicySpec(tables: Library.tables(limit: limit)) }

    @Test("a loan that is refused is not there: its return and its renewal are void, and it fills no limit")
    func void() throws {
        let library = try Library(policy: Self.limit(3))
        _ = try library.lend("ada", 1).get()
        _ = try library.lend("ada", 2).get()
        try library.pass(days: 2)
        _ = try library.desk.write { try $0.loans.renew(.id(2)).get() }
        _ = try library.desk.write { try $0.loans.checkin(.id(1)).get() }
        _ = try library.desk.write { try $0.loans.checkin(.id(2)).get() }
        _ = try library.lend("ada", 3).get()
        let (witness, summary) = try library.replay(Self.limit(1), Self.plan)
        #expect(witness.differences.compactMap(\.loan) == [2])
        #expect(witness.differences.first?.after.code == "limit")
        #expect(summary.void == 2)
        // Ada had brought the first one back, so that the third is granted.
        #expect(witness.decisions.last?.after.answer == "allow")
    }

    @Test("a refusal leaves the copy on the shelf for who asked in vain")
    func shelf() throws {
        let library = try Library(policy: Self.limit(3))
        _ = try library.lend("ada", 1).get()
        _ = try library.lend("ada", 2).get()
        #expect(try library.lend("bob", 2).refusal?.code == "no_copies")
        let (witness, _) = try library.replay(Self.limit(1), Self.plan)
        #expect(witness.differences.map(\.before.answer) == ["allow", "deny"])
        #expect(witness.differences.map(\.after.answer) == ["deny", "allow"])
    }

    @Test("a loan that the candidate alone grants holds its copy until its due time")
    func own() throws {
        let library = try Library(policy: Self.limit(1))
        _ = try library.lend("ada", 1).get()
        #expect(try library.lend("ada", 2).refusal?.code == "limit")
        _ = try library.lend("bob", 2).get()
        try library.pass(days: 5)
        _ = try library.desk.write { try $0.loans.checkin(.id(2)).get() }
        try library.pass(days: 20)
        _ = try library.lend("bob", 2).get()
        let (witness, summary) = try library.replay(Self.limit(2), Self.plan)
        // Ada has the only copy, so Bob goes without; three weeks later it is back.
        #expect(witness.differences.map(\.before.answer) == ["deny", "allow"])
        #expect(witness.differences.map(\.after.code) == [nil, "no_copies"])
        #expect(witness.decisions.last?.after.answer == "allow")
        #expect(summary.void == 1)
    }

    @Test("longer loans are late for less, and cost less")
    func fines() throws {
        let library = try Library(policy: Self.limit(3))
        _ = try library.lend("ada", 1).get()
        try library.pass(days: 20)
        _ = try library.desk.write { try $0.notices.sweep() }
        _ = try library.desk.write { try $0.loans.checkin(.id(1)).get() }
        let longer = PolicySpec(tables: Library.tables(limit: 3, fields: ["loan": .period(.days(18))]))
        let (witness, _) = try library.replay(longer, Self.plan)
        let fee = try #require(witness.loans.flatMap(\.fees).first)
        #expect(fee.kind == .fine && fee.before == 120 && fee.after == 40)
    }

    @Test("what came before the span is as it was, whatever the candidate says to it")
    func before() throws {
        let library = try Library(policy: Self.limit(3))
        _ = try library.lend("ada", 1).get()
        _ = try library.lend("ada", 2).get()
        try library.pass(days: 1)
        _ = try library.lend("ada", 3).get()
        let plan = ReplayPlan(mode: .candidate, from: try Instant(parsing: "2026-03-03T00:00:00Z"))
        let (witness, summary) = try library.replay(Self.limit(2), plan)
        #expect(summary.requests == 1)
        #expect(witness.differences.compactMap(\.loan) == [3])
    }
}
