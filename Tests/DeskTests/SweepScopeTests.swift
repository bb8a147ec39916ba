import Circulation
import Desk
import Storage
import TestSupport
import Testing

@Suite("What a sweep leaves out", .everyStore)
struct SweepScopeTests {
    private static let fields: [String: RuleValue] = [
        "suspension": .period(.days(1)), "lost_after": .period(.hours(60)),
        "lost_fee": .money(Money(minorUnits: 700, currency: .eur)), "per": .period(.hours(5)),
        "grace": .period(.hours(2)),
    ]
    private static let notices = [
        Library.notice("soon", before: .days(2)), Library.notice("hour", before: .hours(7)),
        Library.notice("late", after: .hours(3), charge: 100), Library.notice("later", after: .days(1)),
    ]

    private static func spec(isKnown: Bool = true) -> PolicySpec {
        PolicySpec(
            tables: Library.tables(limit: 4, fields: fields, notices: notices),
            answer: { question, decision in
                // Who owes much, waits for nothing or has many loans is asked for something more.
                guard question.point == .overdue, question.isPastDue else { return decision }
                var own = decision
                if question.patron.feesOwed.minorUnits > 300 || question.patron.overdue > 1 {
                    let amount = Money(minorUnits: 50, currency: .eur)
                    own.effects.append(
                        .charge(PlannedCharge(key: "much\(question.patron.overdue)", amount: amount, label: "Much")))
                }
                if (question.title?.holdsWaiting ?? 0) > 0, (question.title?.available ?? 0) == 0 {
                    let amount = Money(minorUnits: 30, currency: .eur)
                    own.effects.append(.charge(PlannedCharge(key: "wanted", amount: amount, label: "Wanted")))
                }
                return own
            }, isReckonedByTables: isKnown)
    }

    @Test(
        "whatever happens between sweeps, they write the same as sweeps that look at all loans",
        arguments: [1, 2, 3, 4, 5] as [UInt64])
    func anyOrder(seed: UInt64) throws {
        let one = try Self.large(Self.spec())
        let other = try Self.large(Self.spec(isKnown: false))
        var (random, same) = (SplitMix(seed: seed), SplitMix(seed: seed))
        var (looked, all) = (Int64(0), Int64(0))
        for step in 0..<120 {
            try perform(step, one, &random)
            try perform(step, other, &same)
            if step % 3 > 0 { continue }
            let swept = try one.desk.sweep()
            // Nothing is kept of the policy's turns, and nothing is left out.
            try other.store.write { try $0.sweeps.forget() }
            let whole = try other.desk.sweep()
            (looked, all) = (looked + swept.loans, all + whole.loans)
            let (mine, theirs) = (try written(one), try written(other))
            #expect(mine == theirs, "seed \(seed), step \(step)")
            guard mine == theirs else { return }
            if step % 12 > 0 { continue }
            let report = try one.desk.examine()
            #expect(report.broken.isEmpty, "seed \(seed), step \(step)")
        }
        #expect(looked < all * 9 / 10, "\(looked) of \(all)")
    }

    /// What events say, apart from the salts.
    private func written(_ library: Library) throws -> [String] {
        try library.store.read { transaction in
            try transaction.events.page(limit: 100_000).map { "\($0.at) \($0.kind) \($0.payload)" }
        }
    }

    /// Twelve more patrons and titles, with loans that were made one after the other and begin to fall due.
    private static func large(_ spec: PolicySpec) throws -> Library {
        let library = try Library(policy: spec)
        for number in 1...12 {
            try library.desk.write { session in
                _ = try session.patrons.add(Library.patron("reader\(number)")).get()
                let title = try session.catalogue.add(Title(title: "Title \(number)")).get()
                _ = try session.catalogue.addCopies(of: .id(title.id), count: 2).get()
            }
        }
        for number in 1...12 {
            _ = try library.lend("reader\(number)", Int64(3 + number), Int64(3 + number % 12 + 1)).get()
            try library.clock.advance(microseconds: 6 * 3_600_000_000)
        }
        try library.pass(days: 10)
        return library
    }

    private func perform(_ step: Int, _ library: Library, _ random: inout SplitMix) throws {
        let patron = PatronKey.id(Int64.random(in: 1...15, using: &random))
        let title = TitleKey.id(Int64.random(in: 1...15, using: &random))
        let loan = LoanKey.id(Int64.random(in: 1...30, using: &random))
        let choice = Int.random(in: 0..<24, using: &random)
        let number = Int64.random(in: 1...9, using: &random)
        let cents = Money(minorUnits: number * 30, currency: .eur)
        // Most of the time goes by within a day.
        let minutes = choice < 21 ? number * 11 : number * 97
        try library.clock.advance(microseconds: minutes * 60_000_000)
        try library.desk.write { session in
            switch choice {
            case 0...5:
                _ = try session.loans.checkout(CheckoutRequest(patron: patron, wanted: .titles([title])))
            case 6: _ = try session.loans.checkin(loan)
            case 7: _ = try session.loans.renew(loan)
            case 8:
                _ = try session.loans.setDue(loan, instant: session.now.adding(hours: number), reason: "A test.")
            case 9: _ = try session.fees.charge(patron, amount: cents, label: "Test")
            case 10: _ = try session.fees.pay(patron, amount: cents)
            case 11: _ = try session.holds.place(HoldRequest(patron: patron, wanted: .title(title)))
            case 12: _ = try session.loans.claimReturned(loan)
            case 13: _ = try session.loans.markFound(loan)
            case 14: _ = try session.catalogue.addCopies(of: title, count: 1)
            case 15 where number == 1:
                let closure = try OpeningCalendar.Closure(Zone.utc.date(of: session.now))
                _ = try session.settings.close("main", closure)
            default: break
            }
        }
    }

    @Test("a sweep of the same day looks at nothing where nothing happened")
    func idle() throws {
        let library = try Library(policy: Self.spec())
        _ = try library.lend("ada", 1).get()
        _ = try library.lend("bob", 2).get()
        try library.pass(days: 30)
        #expect(try library.desk.sweep().loans == 2)
        // What the first one wrote changed what their patrons owe.
        _ = try library.desk.sweep()
        _ = try library.desk.sweep()
        #expect(try library.desk.sweep().loans == 0)
        _ = try library.desk.write { try $0.fees.pay(.username("ada"), amount: Money(minorUnits: 20, currency: .eur)) }
        #expect(try library.desk.sweep().loans == 0)
        try library.expectSound()
    }

    @Test("a sweep that is killed leaves nothing out of the next one")
    func killed() throws {
        struct Killed: Error {}
        let library = try Library(policy: Self.spec())
        for name in ["ada", "bob", "cyd"] { _ = try library.lend(name, 3).get() }
        try library.pass(days: 16)
        #expect(throws: Killed.self) { try library.desk.sweep(pageSize: 1) { _ in throw Killed() } }
        #expect(try library.desk.sweep().loans == 3)
    }

    @Test("another policy, other settings, another actor and a clock set back have all loans looked at")
    func anew() throws {
        let library = try Library(policy: Self.spec())
        _ = try library.lend("ada", 1).get()
        try library.pass(days: 13)
        func settle() throws {
            while try library.desk.sweep().loans > 0 {}
        }
        try settle()
        try library.use(Self.spec(), "another")
        #expect(try library.desk.sweep().loans == 1)
        try settle()
        _ = try library.desk.write { try $0.settings.updateBranch("main") { $0.name = "Main" }.get() }
        #expect(try library.desk.sweep().loans == 1)
        try settle()
        let job = library.desk.acting(as: Actor(name: "job", role: .job, channel: .job, isOperator: true))
        #expect(try job.sweep().loans == 1)
        try settle()
        library.clock.set(try library.clock.now().adding(microseconds: -1))
        #expect(try library.desk.sweep().loans == 1)
    }

    @Test("a policy that fails is asked each time, and so is one that may look at the clock at any time")
    func always() throws {
        for spec in [PolicySpec(tables: Library.tables(), failing: [.overdue]), Self.spec(isKnown: false)] {
            let library = try Library(policy: spec)
            _ = try library.lend("ada", 1).get()
            try library.pass(days: 15)
            for _ in 0..<4 { #expect(try library.desk.sweep().loans == 1) }
        }
    }

    @Test("the doctor names a loan that a sweep would leave out though there is something to say of it")
    func doctor() throws {
        let library = try Library(policy: Self.spec())
        _ = try library.lend("ada", 1).get()
        try library.pass(days: 14)
        _ = try library.desk.sweep()
        _ = try library.desk.sweep()
        #expect(try library.desk.examine().isSound)
        // The notice of seven hours is to come at five in the evening.
        try library.clock.advance(microseconds: 9 * 3_600_000_000)
        #expect(try library.desk.examine().isSound)
        try library.store.write { try $0.sweeps.setTurns([:], ofLoans: [1], isFirst: false) }
        let broken = try library.desk.examine().broken
        #expect(broken.map(\.invariant) == ["sweep"] && broken.first?.id == "1")
    }
}
