import Circulation
import Desk
import Testing

@Suite("Check-in, renewal, due dates", .everyStore)
struct CheckinTests {
    private func checkin(_ library: Library, _ loan: Loan, at: Instant? = nil) throws -> Outcome<Checkin> {
        try library.desk.write { try $0.loans.checkin(.id(loan.id), at: at) }
    }

    @Test("a copy that comes back in time costs nothing and is available again")
    func inTime() throws {
        let library = try Library()
        let loan = try library.lend("ada", 2).get()[0]
        try library.pass(days: 14)
        let back = try library.desk.write { try $0.loans.checkin(.barcode("000000020001")) }.get()
        #expect(back.posted.isEmpty && back.suspension == nil && back.failures.isEmpty)
        #expect(back.loan?.id == loan.id && back.loan?.returnedAt == library.clock.now())
        #expect(try library.desk.read { try $0.catalogue.counts(of: 2) }.available == 1)
        #expect(try checkin(library, loan).refusal?.code == "returned")
        try library.expectSound()
    }

    @Test("lateness is charged once, whether a sweep or the return finds it first")
    func late() throws {
        let library = try Library()
        let loan = try library.lend("ada", 1).get()[0]
        try library.pass(days: 17)
        #expect(try library.desk.sweep().charged == 60)
        #expect(try library.desk.sweep().charged == 0)
        try library.pass(days: 1)
        #expect(try checkin(library, loan).get().posted.map(\.amount.minorUnits) == [20])
        #expect(try library.owed("ada") == 80)
        try library.expectSound()
    }

    @Test("a copy that came back before a sweep is charged to the moment it came back")
    func backDated() throws {
        let library = try Library()
        let loan = try library.lend("ada", 1).get()[0]
        try library.pass(days: 24)
        _ = try library.desk.sweep()
        #expect(try library.owed("ada") == 200)
        let back = try checkin(library, loan, at: try loan.lentAt.adding(hours: 24 * 16)).get()
        #expect(back.posted.map(\.kind) == [.adjustment])
        #expect(try library.owed("ada") == 40)
        try library.expectSound()
    }

    @Test("a return in the future or before the loan is refused")
    func impossible() throws {
        let library = try Library()
        let loan = try library.lend("ada", 1).get()[0]
        let (before, after) = (try loan.lentAt.adding(hours: -1), try loan.lentAt.adding(hours: 1))
        #expect(try checkin(library, loan, at: after).refusal?.code == "future")
        #expect(try checkin(library, loan, at: before).refusal?.code == "before_lent")
        #expect(
            try library.desk.write { try $0.loans.checkin(.barcode("000000030001")) }.refusal?.code == "not_on_loan")
        #expect(try library.desk.write { try $0.loans.checkin(.barcode("x")) }.refusal?.code == "unknown_copy")
        #expect(try library.desk.write { try $0.loans.checkin(.id(9)) }.refusal?.code == "unknown_loan")
    }

    @Test("the version that decided the loan says what its lateness costs, the one in force renews")
    func versions() throws {
        let library = try Library()
        let loans = try library.lend("ada", 1, 3).get()
        let dear = Library.tables(fields: [
            "fine": .money(Money(minorUnits: 100, currency: .eur)), "loan": .period(.days(7)),
        ])
        try library.pass(days: 10)
        try library.use(PolicySpec(tables: dear), "dear")
        let renewed = try library.desk.write { try $0.loans.renew(.id(loans[1].id)) }.get()
        #expect(renewed.due?.date.description == "2026-03-19")
        #expect(renewed.policy != loans[1].policy)
        try library.pass(days: 9)
        #expect(try checkin(library, loans[0]).get().posted.map(\.amount.minorUnits) == [100])
        #expect(try checkin(library, renewed).get().posted.map(\.amount.minorUnits) == [200])
        try library.expectSound()
    }

    @Test("the renewal of a late loan charges what it was late for first")
    func lateRenewal() throws {
        let library = try Library()
        let loan = try library.lend("ada", 1).get()[0]
        try library.pass(days: 16)
        let renewed = try library.desk.write { try $0.loans.renew(.id(loan.id)) }.get()
        #expect(renewed.renewals == 1 && renewed.due?.date.description == "2026-04-01")
        #expect(renewed.originalDueAt == loan.originalDueAt)
        #expect(try library.owed("ada") == 40)
        try library.pass(days: 16)
        _ = try library.desk.sweep()
        #expect(try library.owed("ada") == 80)
        try library.expectSound()
    }

    @Test("renewals end where the rule says, and a block stops them")
    func renewals() throws {
        let library = try Library()
        let loan = try library.lend("ada", 1).get()[0]
        for _ in 0..<2 {
            try library.pass(days: 1)
            _ = try library.desk.write { try $0.loans.renew(.id(loan.id)) }.get()
        }
        try library.pass(days: 1)
        #expect(try library.desk.write { try $0.loans.renew(.id(loan.id)) }.refusal?.code == "renewals")
        _ = try library.desk.write { try $0.patrons.block(.username("ada"), kind: "manual").get() }
        #expect(try library.desk.write { try $0.loans.renew(.id(loan.id)) }.refusal?.code == "blocked")
        try library.expectSound()
    }

    @Test("a suspension follows a late return and stops the next checkout until it ends")
    func suspension() throws {
        let tables = Library.tables(fields: ["suspension": .period(.days(2))])
        let library = try Library(policy: PolicySpec(tables: tables))
        let loan = try library.lend("ada", 1).get()[0]
        try library.pass(days: 17)
        let back = try checkin(library, loan).get()
        #expect(back.suspension?.ends?.description == "2026-03-25")
        #expect(try library.lend("ada", 1).refusal?.code == "suspended")
        try library.pass(days: 7)
        #expect(try library.lend("ada", 1).value?.count == 1)
        try library.expectSound()
    }

    @Test("a due date set by hand is due at closing time, an instant as it stands")
    func setDue() throws {
        let library = try Library()
        let loan = try library.lend("ada", 1).get()[0]
        let hours = [try OpeningHours(CivilTime(hour: 9, minute: 0), to: CivilTime(hour: 18, minute: 0))]
        _ = try library.desk.write { session in
            try session.settings.changeCalendar(of: "main") { calendar in
                calendar = try OpeningCalendar(weekly: Array(repeating: hours, count: 7))
            }.get()
        }
        let date = try CivilDate(year: 2026, month: 4, day: 1)
        let moved = try library.desk.write { try $0.loans.setDue(.id(loan.id), date: date, reason: "exam") }.get()
        #expect(moved.due?.instant.description == "2026-04-01T18:00:00Z")
        let instant = try Instant(parsing: "2026-04-02T10:30:00Z")
        let exact = try library.desk.write { try $0.loans.setDue(.id(loan.id), instant: instant, reason: "") }.get()
        #expect(exact.due?.isExact == true && exact.due?.instant == instant)
        #expect(exact.originalDueAt == loan.originalDueAt)
        try library.expectSound()
    }

    @Test("closing a branch moves the loans that fall due then, with one message each")
    func closing() throws {
        let library = try Library()
        _ = try library.lend("ada", 1, 2).get()
        let day = try CivilDate(year: 2026, month: 3, day: 16)
        let moved = try library.desk.write { session in
            try session.settings.close(
                "main", OpeningCalendar.Closure(day, through: day.adding(days: 2), reason: "move"), movingDue: true
            ).get()
        }
        #expect(moved == 2)
        let loans = try library.desk.read { try $0.loans.active(of: .username("ada")) }
        #expect(loans.allSatisfy { $0.due?.date.description == "2026-03-19" })
        let notices = try library.desk.read { try $0.notices.outbox() }
        #expect(notices.map(\.kind) == ["due_moved", "due_moved"])
        #expect(notices[0].body == "Main library will be closed. Dune is now due on 2026-03-19 instead.")
        try library.expectSound()
    }
}
