import Circulation
import Desk
import Testing

@Suite("Loans that are due", .everyStore)
struct LoanMilestoneTests {
    private func library() throws -> Library { try Library(policy: PolicySpec(tables: Library.tables())) }

    private func loans(_ kind: EventKind<Loan>, _ library: Library) throws -> [Int64?] {
        try library.events(kind).map { try PublicEvent($0).values.first.flatMap(\.id) }
    }

    @Test("each due time is said to be near once, and to be past once, however often the sweep runs")
    func once() throws {
        let library = try library()
        let loan = try library.lend("ada", 1).get()[0]
        for _ in 0..<17 {
            _ = try library.desk.sweep()
            _ = try library.desk.write { try $0.notices.sweep() }
            try library.pass(days: 1)
        }
        #expect(try loans(.loanDueSoon, library) == [loan.id])
        #expect(try loans(.loanOverdue, library) == [loan.id])
        let soon = try #require(try library.events(.loanDueSoon).first)
        let due = try #require(loan.due?.instant)
        #expect(due.seconds - soon.at.seconds <= 3 * 86_400)
        #expect(soon.loan == loan.id && soon.patron == loan.patron && soon.copy == loan.copy)

        // A new due time is said anew.
        let date = try Zone.utc.date(of: library.clock.now()).adding(days: 10)
        _ = try library.desk.write { try $0.loans.setDue(.id(loan.id), date: date, reason: "holidays").get() }
        for _ in 0..<15 {
            _ = try library.desk.sweep()
            try library.pass(days: 1)
        }
        #expect(try loans(.loanDueSoon, library) == [loan.id, loan.id])
        #expect(try loans(.loanOverdue, library) == [loan.id, loan.id])
        try library.expectSound()
    }

    @Test("what is returned, lost or claimed is not overdue, and short pages leave nothing out")
    func pages() throws {
        let library = try library()
        let loans = try [("ada", 1), ("ada", 2), ("ada", 3), ("bob", 1)].map { patron, title in
            try library.lend(patron, Int64(title)).get()[0]
        }
        try library.desk.write { session in
            _ = try session.loans.checkin(.id(loans[0].id))
            _ = try session.loans.claimReturned(.id(loans[1].id))
        }
        try library.pass(days: 30)
        _ = try library.desk.sweep(pageSize: 1)
        #expect(try self.loans(.loanOverdue, library) == [loans[2].id, loans[3].id])
        #expect(try self.loans(.loanDueSoon, library) == [])
    }

    @Test("a sweep that is ended between pages says the rest later, and nothing twice")
    func ended() throws {
        struct Killed: Error {}
        let library = try library()
        for title in 1...3 { _ = try library.lend("ada", Int64(title)).get() }
        try library.pass(days: 30)
        #expect(throws: Killed.self) { try library.desk.sweep(pageSize: 1) { _ in throw Killed() } }
        _ = try library.desk.sweep(pageSize: 2)
        #expect(Set(try loans(.loanOverdue, library)).count == 3)
        #expect(try library.events(.loanOverdue).count == 3)
    }

    @Test("an hour of the schedule is written down once, missed ones as one")
    func ticks() throws {
        let library = try library()
        func tick() throws { try library.desk.write { try $0.jobs.tick() } }
        try tick()
        try tick()
        #expect(try library.events(.scheduleTick).count == 1)
        try library.pass(days: 2)
        #expect(try library.desk.read { try $0.jobs.hasToTick() })
        try tick()
        let events = try library.events(.scheduleTick).map { try PublicEvent($0) }
        #expect(events.count == 2)
        #expect(events[0].value("since")?.isAbsent == true)
        #expect(events[1].value("since") == events[0].value("hour"))
        #expect(try !library.desk.read { try $0.jobs.hasToTick() })
    }
}

extension EventValue {
    fileprivate var id: Int64? { if case .plain(.integer(let id)) = self { id } else { nil } }
}
