import Circulation
import Desk
import Testing

@Suite("Copies that came back before they were scanned", .everyStore)
struct BackDatedTests {
    private static let notices = [
        Library.notice("first", after: .days(1)), Library.notice("second", after: .days(5), charge: 215),
    ]

    private func back(_ library: Library, _ loan: Loan, days: Int64) throws -> Checkin {
        try library.desk.write { session in
            try session.loans.checkin(.id(loan.id), at: loan.lentAt.adding(hours: 24 * days)).get()
        }
    }

    @Test("the fine and the charges of notices end with the moment of the return, and no reminder is sent any more")
    func charges() throws {
        let library = try Library(policy: PolicySpec(tables: Library.tables(notices: Self.notices)))
        let loan = try library.lend("ada", 2).get()[0]
        for _ in 0..<4 {
            try library.pass(days: 6)
            _ = try library.desk.sweep()
        }
        #expect(try library.owed("ada") == 200 + 215)
        let returned = try back(library, loan, days: 16)
        #expect(returned.posted.map(\.amount.minorUnits) == [-160, -215])
        #expect(returned.loan?.returnedAt == (try loan.lentAt.adding(hours: 24 * 16)))
        #expect(try library.owed("ada") == 40)
        #expect(try library.desk.read { try $0.notices.outbox() }.isEmpty)
        try library.expectSound()
    }

    @Test("what staff charged for the loan stays")
    func byHand() throws {
        let library = try Library()
        let loan = try library.lend("ada", 2).get()[0]
        try library.pass(days: 10)
        _ = try library.desk.write { session in
            try session.fees.charge(
                .username("ada"), amount: Money(minorUnits: 500, currency: .eur), label: "Torn page", loan: loan.id
            ).get()
        }
        #expect(try back(library, loan, days: 9).posted.isEmpty)
        #expect(try library.owed("ada") == 500)
    }

    @Test("a return before the renewal takes off what the old due time was fined for since then")
    func beforeRenewal() throws {
        let library = try Library()
        let loan = try library.lend("ada", 2).get()[0]
        try library.pass(days: 16)
        _ = try library.desk.sweep()
        try library.pass(days: 2)
        _ = try library.desk.write { try $0.loans.renew(.id(loan.id)) }.get()
        #expect(try library.owed("ada") == 80)
        let returned = try back(library, loan, days: 17)
        #expect(returned.posted.map(\.amount.minorUnits) == [-40])
        #expect(try library.owed("ada") == 40)
        try library.expectSound()
    }

    @Test("a suspension counts the days until the return, from the day of the return")
    func suspension() throws {
        let library = try Library(policy: PolicySpec(tables: Library.tables(fields: ["suspension": .period(.days(3))])))
        let loan = try library.lend("ada", 2).get()[0]
        try library.pass(days: 19)
        let returned = try back(library, loan, days: 16)
        // Two days late on 18 March: six days.
        #expect(returned.suspension?.ends?.description == "2026-03-24")
        try library.expectSound()
    }

    @Test("who waits gets the copy now, with the whole time to fetch it")
    func hold() throws {
        let library = try Library(policy: PolicySpec(tables: Library.tables(fields: ["hold_shelf": .period(.days(3))])))
        let loan = try library.lend("ada", 2).get()[0]
        try library.pass(days: 10)
        _ = try library.desk.write { session in
            try session.holds.place(HoldRequest(patron: .username("bob"), wanted: .title(.id(2)))).get()
        }
        let hold = try #require(try back(library, loan, days: 2).hold)
        #expect(hold.state == .shelf && hold.shelvedAt == library.clock.now())
        #expect(try #require(hold.shelfUntil) > library.clock.now())
        try library.expectSound()
    }
}
