import Circulation
import Testing

@Suite("What something costs")
struct PriceTests {
    private static func euros(_ text: String) throws -> Money { try Money(parsing: text, currency: .eur) }

    /// A loan at a library that is closed on Thursdays.
    private static func question(from start: String, to end: String) throws -> Case {
        var question = try Sample.checkout(zone: "Etc/UTC")
        question.point = .price
        question.calendar = try Sample.calendar(
            #"{"mon":H,"tue":H,"wed":H,"fri":H,"sat":H,"sun":H}"#, hours: #"[["00:00","24:00"]]"#)
        let (lent, due) = (try Instant(parsing: start), try Instant(parsing: end))
        question.now = lent
        question.loan = LoanFacts(id: 1, lentAt: lent, dueAt: due, originalDueAt: due)
        return question
    }

    private func rental(_ fields: [String: RuleValue], _ question: Case) throws -> [PriceLine] {
        let rule = try MatchedRule(fields: fields)
        return try CompiledTables.empty.standardPrice(for: question, rule: rule)
    }

    @Test(
        "a loan costs the rule's rental for each started period, the closed days among them where the rule says so",
        arguments: [
            // Koha, Circulation.t and Koha/Charges/Fees.t: FIN-041, FIN-045, FIN-043, FIN-046.
            ("1.00", Period.days(1), "2026-05-18T12:00:00Z", "2026-05-25T12:00:00Z", false, "6.00"),
            ("1.00", Period.days(1), "2026-05-18T12:00:00Z", "2026-05-24T12:00:00Z", false, "5.00"),
            ("1.00", Period.days(1), "2026-05-18T12:00:00Z", "2026-05-25T12:00:00Z", true, "7.00"),
            ("0.25", Period.hours(1), "2026-05-18T12:00:00Z", "2026-05-22T12:00:00Z", true, "24.00"),
            ("0.25", Period.hours(1), "2026-05-18T12:00:00Z", "2026-05-25T12:00:00Z", false, "36.00"),
            ("5.00", Period.weeks(1), "2026-05-18T12:00:00Z", "2026-05-26T12:00:00Z", true, "10.00"),
            ("5.00", Period.months(1), "2026-01-31T12:00:00Z", "2026-02-28T12:00:00Z", true, "5.00"),
            // The same day is a started one.
            ("1.00", Period.days(1), "2026-05-18T09:00:00Z", "2026-05-18T17:00:00Z", true, "1.00"),
        ])
    func rentals(
        rental: String, per: Period, start: String, end: String, countsClosedDays: Bool, total: String
    ) throws {
        let question = try Self.question(from: start, to: end)
        let lines = try self.rental(
            [
                "rental": .money(Self.euros(rental)), "rental_per": .period(per),
                "rental_closed_days": .boolean(countsClosedDays),
            ], question)
        #expect(lines.map(\.label) == ["Rental"])
        #expect(lines.map(\.amount) == [try Self.euros(total)])
        #expect(lines.first?.origin?.field == "rental")
    }

    @Test("without rental_per a loan costs once, and without rental nothing")
    func once() throws {
        let question = try Self.question(from: "2026-05-18T12:00:00Z", to: "2026-06-25T12:00:00Z")
        #expect(try rental(["rental": .money(Self.euros("2.50"))], question).map(\.amount) == [Self.euros("2.50")])
        #expect(try rental([:], question).isEmpty)
        #expect(try rental(["rental": .none], question).isEmpty)
        #expect(try rental(["rental": .money(.zero(.eur))], question).isEmpty)
    }

    @Test("a rental beyond 64 bits is the policy's failure, with the row's place")
    func overflow() throws {
        let question = try Self.question(from: "2026-05-18T12:00:00Z", to: "2026-06-25T12:00:00Z")
        let most = Money(minorUnits: .max, currency: .eur)
        let failure = #expect(throws: PolicyFailure.self) {
            try rental(["rental": .money(most), "rental_per": .period(.days(1))], question)
        }
        #expect(failure?.code == "bad_answer" && failure?.file == "policy.lua")
    }

    @Test("anything else costs price times quantity times periods, a line each; loans in a cart cost nothing here")
    func lines() throws {
        var question = try Sample.checkout()
        question.lines = [
            SaleLine(kind: .buy, label: "Calculus", quantity: 3, price: try Self.euros("12.50")),
            SaleLine(kind: .loan, label: "Odyssey", price: .zero(.eur)),
            SaleLine(
                kind: .rent, label: "Optics", price: try Self.euros("2.00"), periods: 4,
                ends: try Sample.date("2026-07-31")),
        ]
        let lines = try CompiledTables.empty.standardPrice(for: question, rule: MatchedRule())
        #expect(lines.map(\.label) == ["3 x Calculus", "Optics, until 2026-07-31"])
        #expect(lines.map(\.amount) == [try Self.euros("37.50"), try Self.euros("8.00")])
        #expect(try PriceLine.total(of: lines, in: .eur) == Self.euros("45.50"))
    }

    @Test("an amount beyond 64 bits is an error, never a wrong figure", arguments: [(Int64.max, 2, 1), (3, .max, 2)])
    func tooMuch(price: Int64, quantity: Int64, periods: Int64) {
        let line = SaleLine(
            kind: .rent, label: "x", quantity: quantity, price: Money(minorUnits: price, currency: .eur),
            periods: periods)
        #expect(throws: MoneyError.self) { try line.amount() }
        #expect(throws: MoneyError.self) { try PriceLine.standard(for: [line]) }
    }
}
