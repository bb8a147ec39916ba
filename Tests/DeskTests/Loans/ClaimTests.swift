import Circulation
import Desk
import Storage
import Testing

@Suite("Claims to have returned a copy", .everyStore)
struct ClaimTests {
    private static let notices = [
        Library.notice("soon", before: .days(2)), Library.notice("first", after: .days(1)),
        Library.notice("second", after: .days(5), charge: 215),
    ]

    private func library() throws -> Library {
        let tables = Library.tables(
            fields: [
                "lost_after": .period(.days(30)), "lost_fee": .money(Money(minorUnits: 2500, currency: .eur)),
                "auto_renew": .boolean(true), "renewals": .integer(0),
            ], notices: Self.notices)
        return try Library(policy: PolicySpec(tables: tables))
    }

    private func claim(_ library: Library, _ loan: Loan, at: Instant? = nil) throws -> Outcome<StoppedLoan> {
        try library.desk.write { try $0.loans.claimReturned(.id(loan.id), at: at) }
    }

    private func facts(_ library: Library) throws -> PatronFacts {
        let ada = try library.id("ada")
        let now = library.clock.now()
        return try #require(
            try library.store.read { try $0.facts.patron(ada, now: now, today: Zone.utc.date(of: now)) })
    }

    @Test("from the claim on nothing is fined, noticed or lost, and the patron is not overdue by it")
    func stops() throws {
        let library = try library()
        let loan = try library.lend("ada", 2).get()[0]
        try library.pass(days: 16)
        _ = try library.desk.sweep()
        let claimed = try claim(library, loan).get()
        #expect(claimed.loan.claimedAt == library.clock.now() && claimed.copy.status == .onLoan)
        #expect(claimed.posted.isEmpty)
        for _ in 0..<4 {
            try library.pass(days: 10)
            let report = try library.desk.sweep()
            #expect(report.loans == 0 && report.charges == 0 && report.notices == 0 && report.lost == 0)
        }
        #expect(try library.owed("ada") == 40)
        let facts = try facts(library)
        #expect(facts.overdue == 0 && facts.claims == 1 && facts.loans.count == 1)
        #expect(try library.desk.write { try $0.loans.renew(.id(loan.id)) }.refusal?.code == "claimed")
        try library.expectSound()
    }

    @Test("what was charged for the time after the claimed moment is taken off, and reminders leave the queue")
    func backDated() throws {
        let library = try library()
        let loan = try library.lend("ada", 2).get()[0]
        for _ in 0..<4 {
            try library.pass(days: 5)
            _ = try library.desk.sweep()
        }
        #expect(try library.owed("ada") == 6 * 20 + 215)
        let claimed = try claim(library, loan, at: loan.lentAt.adding(hours: 24 * 15)).get()
        #expect(claimed.posted.map(\.amount.minorUnits) == [-100, -215])
        #expect(try library.owed("ada") == 20)
        let queued = try library.desk.read { try $0.notices.list(NoticeQuery(states: [.queued])) }
        #expect(queued.isEmpty)
        #expect(try claim(library, loan).get().posted.isEmpty)
        // The patron remembers better: one day earlier.
        let earlier = try claim(library, loan, at: loan.lentAt.adding(hours: 24 * 14)).get()
        #expect(earlier.posted.map(\.amount.minorUnits) == [-20])
        #expect(try library.events(.loanClaimed).count == 2)
        try library.expectSound()
    }

    @Test("a claim in the future, before the loan, or of a loan that has ended is refused")
    func impossible() throws {
        let library = try library()
        let loan = try library.lend("ada", 2).get()[0]
        let (before, after) = (try loan.lentAt.adding(hours: -1), try loan.lentAt.adding(hours: 1))
        #expect(try claim(library, loan, at: after).refusal?.code == "future")
        #expect(try claim(library, loan, at: before).refusal?.code == "before_lent")
        _ = try library.desk.write { try $0.loans.checkin(.id(loan.id)).get() }
        #expect(try claim(library, loan).refusal?.code == "returned")
        #expect(try facts(library).claims == 0)
    }

    @Test("the library's own mistake: the copy is on the shelf, checked in at the claimed moment")
    func right() throws {
        let library = try library()
        let loan = try library.lend("ada", 2).get()[0]
        try library.pass(days: 15)
        let claimed = try claim(library, loan).get().loan
        try library.pass(days: 30)
        let back = try library.desk.write { try $0.loans.checkin(.id(loan.id), at: claimed.claimedAt) }.get()
        #expect(back.posted.isEmpty && back.loan?.returnedAt == claimed.claimedAt && back.copy?.status == .available)
        #expect(try library.owed("ada") == 20)
        #expect(try facts(library).claims == 1)
        try library.expectSound()
    }

    @Test("a copy that the patron brings after all is late until then")
    func wrong() throws {
        let library = try library()
        let loan = try library.lend("ada", 2).get()[0]
        try library.pass(days: 15)
        _ = try claim(library, loan).get()
        try library.pass(days: 10)
        let back = try library.desk.write { try $0.loans.checkin(.id(loan.id)) }.get()
        #expect(back.posted.map(\.amount.minorUnits) == [200])
        #expect(try library.owed("ada") == 220)
        try library.expectSound()
    }

    @Test("staff give a claimed copy up as lost: the fine stays where the claim stopped it")
    func lost() throws {
        let library = try library()
        let loan = try library.lend("ada", 2).get()[0]
        try library.pass(days: 15)
        _ = try claim(library, loan).get()
        try library.pass(days: 20)
        let lost = try library.desk.write { try $0.loans.markLost(.id(loan.id)) }.get()
        #expect(lost.posted.map(\.amount.minorUnits) == [2500])
        #expect(lost.loan.claimedAt != nil && lost.loan.lostAt == library.clock.now())
        let facts = try facts(library)
        #expect(facts.lost == 1 && facts.claims == 1 && facts.overdue == 0)
        let found = try library.desk.write { try $0.loans.markFound(.id(loan.id)) }.get()
        #expect(found.posted.isEmpty)
        #expect(try library.owed("ada") == 2520)
        try library.expectSound()
    }
}
