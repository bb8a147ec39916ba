import Circulation
import Desk
import Testing

@Suite("Charges that a policy answers", .everyStore)
struct ChargeTests {
    /// Charges at a point, more for each day of lateness.
    private func library(_ point: DecisionPoint) throws -> Library {
        let spec = PolicySpec(tables: Library.tables(fields: ["fine": .none])) { question, decision in
            guard question.point == point else { return decision }
            var charged = decision
            let amount = Money(minorUnits: 100 * question.daysOverdue, currency: .eur)
            for key in ["letter", "letter", "handling"] {
                charged.effects.append(.charge(PlannedCharge(key: key, amount: amount, label: key)))
            }
            return charged
        }
        return try Library(policy: spec)
    }

    private func lines(_ library: Library) throws -> [String] {
        try library.desk.read { try $0.fees.ledger(of: .username("ada")) }.map { "\($0.label) \($0.amount)" }.sorted()
    }

    @Test("a key is charged once a loan; a later answer with another amount changes nothing")
    func overdue() throws {
        let library = try library(.overdue)
        _ = try library.lend("ada", 1).get()
        try library.pass(days: 16)
        for _ in 0..<3 {
            _ = try library.desk.sweep()
            try library.pass(days: 1)
        }
        #expect(try lines(library) == ["handling 2.00 EUR", "letter 2.00 EUR"])
        try library.expectSound()
    }

    @Test("a key of one loan is not that of another")
    func eachLoan() throws {
        let library = try library(.overdue)
        _ = try library.lend("ada", 1, 2).get()
        try library.pass(days: 15)
        _ = try library.desk.sweep()
        #expect(try lines(library).count == 4)
    }

    @Test("a return charges too, and not again what was charged under that key")
    func checkin() throws {
        let library = try library(.checkin)
        let loan = try library.lend("ada", 1).get()[0]
        try library.pass(days: 17)
        let back = try library.desk.write { try $0.loans.checkin(.id(loan.id)) }.get()
        #expect(back.posted.count == 2)
        #expect(try lines(library) == ["handling 3.00 EUR", "letter 3.00 EUR"])
        try library.expectSound()
    }
}
