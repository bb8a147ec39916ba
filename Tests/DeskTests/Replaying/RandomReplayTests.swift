import Circulation
import Desk
import Storage
import TestSupport
import Testing

@Suite("Replays of random operations", .everyStore)
struct RandomReplayTests {
    private static let policy = PolicySpec(
        tables: Library.tables(
            limit: 3,
            fields: [
                "suspension": .period(.days(1)), "lost_after": .period(.days(12)),
                "lost_refund_within": .period(.days(8)), "lost_fee": .money(Money(minorUnits: 700, currency: .eur)),
                "rental": .money(Money(minorUnits: 50, currency: .eur)), "rental_per": .period(.weeks(1)),
            ],
            notices: [
                Library.notice("soon", before: .days(2)), Library.notice("late", after: .days(3), charge: 100),
            ]))

    /// Some that found something: a claim of an earlier return, a due time set by hand, a lost copy that its patron asked for.
    private static let seeds = Array(1...8) + [11, 13, 18, 20, 25] as [UInt64]

    @Test("the policy that decided says the same again, whatever was done in whatever order", arguments: seeds)
    func nothingChanges(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let library = try Library(policy: Self.policy)
        for step in 0..<120 { try step % 8 == 7 ? library.alter(&random) : library.perform(&random) }
        let (witness, summary) = try library.replay(Self.policy)
        #expect(witness.contradictions == [], "seed \(seed)")
        #expect(witness.differences == [], "seed \(seed)")
        #expect(witness.moved == [], "seed \(seed)")
        // A replay that asks nothing would prove nothing.
        #expect(summary.requests > 20)
        #expect(summary.requests == Int64(witness.decisions.count))
        #expect(summary.unanswerable == 0)
    }

    @Test("it also leads to the same past when it happens once more", arguments: seeds)
    func happensAgain(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let library = try Library(policy: Self.policy)
        for _ in 0..<120 { try library.perform(&random) }
        let (witness, summary) = try library.replay(Self.policy, ReplayPlan(mode: .candidate))
        #expect(witness.contradictions == [], "seed \(seed)")
        #expect(witness.differences == [], "seed \(seed)")
        #expect(witness.moved == [], "seed \(seed)")
        #expect(summary.void == 0 && summary.requests > 20, "seed \(seed)")
    }
}
