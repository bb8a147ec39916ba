import Circulation
import Desk
import Testing

@Suite("Rental charges of loans", .everyStore)
struct RentalTests {
    private static func spec(_ fields: [String: RuleValue]) -> PolicySpec {
        let rental = RuleValue.money(Money(minorUnits: 50, currency: .eur))
        return PolicySpec(tables: Library.tables(fields: fields.merging(["rental": rental]) { first, _ in first }))
    }

    private func lines(_ library: Library) throws -> [LedgerEntry] {
        try library.desk.read { try $0.fees.ledger(of: .username("ada")) }
    }

    @Test(
        "a loan costs once, or for each started period until it is due",
        arguments: [
            (nil as Period?, 50), (.days(1), 700), (.weeks(1), 100), (.days(4), 200), (.months(1), 50),
            (.openDays(1), 700),
        ] as [(Period?, Int64)])
    func charged(per: Period?, amount: Int64) throws {
        let library = try Library(policy: Self.spec(per.map { ["rental_per": .period($0)] } ?? [:]))
        let may = try library.desk.read { session in
            try session.loans.mayCheckout(
                CheckoutRequest(patron: .username("ada"), wanted: .titles([.id(2)]))
            ).get()
        }
        #expect(may.map { $0.decision.rental?.minorUnits } == [amount])
        let loan = try library.lend("ada", 2).get()[0]
        #expect(try lines(library).map(\.key) == ["rental:\(loan.id):0:1"])
        #expect(try lines(library).map(\.label) == ["Rental"])
        #expect(try library.owed("ada") == amount)
        try library.expectSound()
    }

    @Test("closed days cost nothing where the rule says so", arguments: [true, false])
    func closedDays(areCharged: Bool) throws {
        let library = try Library(
            policy: Self.spec(["rental_per": .period(.days(1)), "rental_closed_days": .boolean(areCharged)]))
        let day = try CivilDate(year: 2026, month: 3, day: 5)
        _ = try library.desk.write { session in
            try session.settings.close("main", OpeningCalendar.Closure(day, through: day.adding(days: 1))).get()
        }
        _ = try library.lend("ada", 2).get()
        #expect(try library.owed("ada") == (areCharged ? 700 : 600))
    }

    @Test("a renewal costs for the time that it adds, and nothing where a loan costs once", arguments: [true, false])
    func renewed(byPeriod: Bool) throws {
        let library = try Library(policy: Self.spec(byPeriod ? ["rental_per": .period(.days(1))] : [:]))
        let loan = try library.lend("ada", 2).get()[0]
        try library.pass(days: 4)
        _ = try library.desk.write { try $0.loans.renew(.id(loan.id)) }.get()
        #expect(try library.owed("ada") == (byPeriod ? 700 + 200 : 50))
        // Two days late: they are fined, and the rental counts from today.
        try library.pass(days: 16)
        _ = try library.desk.write { try $0.loans.renew(.id(loan.id)) }.get()
        #expect(try library.owed("ada") == (byPeriod ? 900 + 40 + 700 : 50 + 40))
        #expect(Set(try lines(library).map(\.key)).count == (byPeriod ? 4 : 2))
        try library.expectSound()
    }

    @Test("a renewal after the copy had come back costs nothing in the end")
    func backDated() throws {
        let library = try Library(policy: Self.spec(["rental_per": .period(.days(1))]))
        let loan = try library.lend("ada", 2).get()[0]
        try library.pass(days: 10)
        _ = try library.desk.write { try $0.loans.renew(.id(loan.id)) }.get()
        #expect(try library.owed("ada") == 700 + 500)
        let back = try library.desk.write { session in
            try session.loans.checkin(.id(loan.id), at: loan.lentAt.adding(hours: 24 * 9)).get()
        }
        #expect(back.posted.map(\.kind) == [.adjustment] && back.posted.map(\.amount.minorUnits) == [-500])
        #expect(try library.owed("ada") == 700)
        try library.expectSound()
    }

    @Test("a checkout that is refused costs nothing")
    func refused() throws {
        let library = try Library(policy: Self.spec([:]))
        _ = try library.lend("bob", 2).get()
        #expect(try library.lend("ada", 2, 3).refusal?.code == "no_copies")
        #expect(try lines(library).isEmpty)
        try library.expectSound()
    }
}
