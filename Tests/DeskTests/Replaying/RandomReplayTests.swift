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
        for step in 0..<120 { try step % 8 == 7 ? alter(library, &random) : perform(library, &random) }
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
        for _ in 0..<120 { try perform(library, &random) }
        let (witness, summary) = try library.replay(Self.policy, ReplayPlan(mode: .candidate))
        #expect(witness.contradictions == [], "seed \(seed)")
        #expect(witness.differences == [], "seed \(seed)")
        #expect(witness.moved == [], "seed \(seed)")
        #expect(summary.void == 0 && summary.requests > 20, "seed \(seed)")
    }

    private func perform(_ library: Library, _ random: inout SplitMix) throws {
        let patron = PatronKey.id(Int64.random(in: 1...5, using: &random))
        let title = TitleKey.id(Int64.random(in: 1...4, using: &random))
        let other = TitleKey.id(Int64.random(in: 1...3, using: &random))
        let loan = LoanKey.id(Int64.random(in: 1...30, using: &random))
        let choice = Int.random(in: 0..<22, using: &random)
        let days = Int64.random(in: 0...6, using: &random)
        let cents = Money(minorUnits: Int64.random(in: 1...300, using: &random), currency: .eur)
        if choice > 19 { try library.pass(days: days) }
        try library.desk.write { session in
            switch choice {
            case 0...2: _ = try session.loans.checkout(CheckoutRequest(patron: patron, wanted: .titles([title])))
            case 3, 4:
                _ = try session.loans.checkout(CheckoutRequest(patron: patron, wanted: .titles([title, other])))
            case 5:
                _ = try session.loans.checkout(
                    CheckoutRequest(patron: patron, wanted: .barcode("00000001000\(days % 3)")))
            case 6...8: _ = try session.loans.checkin(loan)
            case 9: _ = try session.loans.checkin(loan, at: session.now.adding(hours: -24 * days))
            case 10, 11: _ = try session.loans.renew(loan)
            case 12:
                _ = try session.holds.place(
                    HoldRequest(patron: patron, wanted: .title(title), pickupBranch: days < 3 ? "main" : "north"))
            case 13: _ = try session.catalogue.addCopies(of: title, count: 1)
            case 14: _ = try session.patrons.add(Library.patron("extra\(days)"))
            case 15: _ = try session.fees.pay(patron, amount: cents)
            case 16: _ = try session.loans.markLost(loan)
            case 17: _ = try session.loans.markFound(loan)
            case 18: _ = try session.loans.claimReturned(loan, at: session.now.adding(hours: -24 * days))
            case 19: _ = try session.patrons.unblock(patron)
            default: _ = try session.notices.sweep()
            }
        }
    }

    /// Changes what facts are made of, beside lending.
    private func alter(_ library: Library, _ random: inout SplitMix) throws {
        let patron = PatronKey.id(Int64.random(in: 1...5, using: &random))
        let title = TitleKey.id(Int64.random(in: 1...4, using: &random))
        let loan = LoanKey.id(Int64.random(in: 1...30, using: &random))
        let choice = Int.random(in: 0..<5, using: &random)
        let days = Int64.random(in: 0...6, using: &random)
        try library.desk.write { session in
            switch choice {
            case 0:
                let date = try Zone.utc.date(of: session.now).adding(days: days)
                _ = try session.loans.setDue(loan, date: date, reason: "asked for")
            case 1: _ = try session.catalogue.update(title) { $0.genres = days < 3 ? ["novel"] : [] }
            case 2: _ = try session.catalogue.updateCopy(barcode: "00000001000\(days % 3)") { $0.branch = "north" }
            case 3: _ = try session.patrons.block(patron, kind: "manual", ends: days < 3 ? .latest : nil)
            default:
                _ = try session.fees.charge(
                    patron, amount: Money(minorUnits: days + 1, currency: .eur), label: "Copies")
            }
        }
    }
}
