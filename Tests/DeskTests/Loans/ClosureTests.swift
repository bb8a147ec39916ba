import Circulation
import Desk
import Testing

@Suite("Closures entered after the loan", .everyStore)
struct ClosureTests {
    private func close(
        _ library: Library, _ first: String, _ last: String? = nil, branch: String = "main", movingDue: Bool = true
    ) throws -> Outcome<Int> {
        let closure = try OpeningCalendar.Closure(
            CivilDate(parsing: first), through: last.map { try CivilDate(parsing: $0) }, reason: "Flood")
        return try library.desk.write { try $0.settings.close(branch, closure, movingDue: movingDue) }
    }

    private func due(_ library: Library, _ loan: Loan) throws -> String? {
        try library.desk.read { try $0.loans.get(.id(loan.id))?.due?.date.description }
    }

    private func messages(_ library: Library, _ kind: String) throws -> [Notice] {
        try library.desk.read { try $0.notices.list(NoticeQuery()) }.filter { $0.kind == kind }
    }

    @Test("loans due on closed days move to the next open day, once and with one message a loan")
    func moved() throws {
        let library = try Library()
        let loan = try library.lend("ada", 2).get()[0]
        #expect(try close(library, "2026-03-10", "2026-03-12").get() == 0)
        #expect(try close(library, "2026-03-15", "2026-03-17").get() == 1)
        #expect(try close(library, "2026-03-15", "2026-03-17").get() == 0)
        #expect(try due(library, loan) == "2026-03-18")
        #expect(try messages(library, "due_moved").count == 1)
        #expect(try library.events(.loanDueSet).count == 1)
        #expect(try library.desk.read { try $0.settings.branch("main")?.calendar.closed.count } == 2)
        try library.expectSound()
    }

    @Test("a closure entered without moving anything is moved for by entering it again")
    func later() throws {
        let library = try Library()
        let loan = try library.lend("ada", 2).get()[0]
        #expect(try close(library, "2026-03-16", movingDue: false).get() == 0)
        #expect(try due(library, loan) == "2026-03-16")
        #expect(try close(library, "2026-03-16").get() == 1)
        #expect(try due(library, loan) == "2026-03-17")
    }

    @Test("a replay has taken off what a closure took off", arguments: [ReplayPlan.Mode.recorded, .candidate])
    func replayed(mode: ReplayPlan.Mode) throws {
        let notice = Library.notice("first", after: .days(1), charge: 100)
        let policy = PolicySpec(tables: Library.tables(notices: [notice]))
        let library = try Library(policy: policy)
        _ = try library.lend("ada", 2).get()
        try library.pass(days: 15)
        _ = try library.desk.sweep()
        #expect(try close(library, "2026-03-16").get() == 1)
        try library.pass(days: 3)
        _ = try library.desk.sweep()
        let (witness, _) = try library.replay(policy, ReplayPlan(mode: mode))
        #expect(witness.moved == [])
    }

    @Test("what a closure took off is not taken off once more when the copy turns out to have come back earlier")
    func takenOffOnce() throws {
        let library = try Library()
        let loan = try library.lend("ada", 2).get()[0]
        try library.pass(days: 15)
        _ = try library.desk.sweep()
        #expect(try library.owed("ada") == 20)
        #expect(try close(library, "2026-03-16").get() == 1)
        #expect(try library.owed("ada") == 0)
        _ = try library.desk.write { session in
            try session.loans.checkin(.id(loan.id), at: session.now.adding(hours: -48)).get()
        }
        #expect(try library.owed("ada") == 0)
        try library.expectSound()
    }

    @Test("another branch's loans, lost ones and claimed ones stay where they are")
    func untouched() throws {
        let library = try Library()
        let loans = try library.lend("ada", 1, 2, 3).get()
        _ = try library.desk.write { session in
            _ = try session.loans.markLost(.id(loans[0].id)).get()
            _ = try session.loans.claimReturned(.id(loans[1].id)).get()
        }
        #expect(try close(library, "2026-03-16", branch: "north").get() == 0)
        #expect(try close(library, "2026-03-16").get() == 1)
        #expect(try loans.map { try due(library, $0) } == ["2026-03-16", "2026-03-16", "2026-03-17"])
        #expect(try close(library, "2026-03-16", branch: "south").refusal?.code == "unknown_branch")
        try library.expectSound()
    }

    @Test("a closure entered late takes off the fines for a day on which the copy could not be returned")
    func snow() throws {
        let notices = [Library.notice("first", after: .days(1), charge: 100)]
        let library = try Library(policy: PolicySpec(tables: Library.tables(notices: notices)))
        let loan = try library.lend("ada", 2).get()[0]
        try library.pass(days: 15)
        _ = try library.desk.sweep()
        #expect(try library.owed("ada") == 120)
        #expect(try close(library, "2026-03-16", "2026-03-17").get() == 1)
        #expect(try due(library, loan) == "2026-03-18")
        #expect(try library.owed("ada") == 0)
        #expect(try messages(library, "overdue").map(\.state) == [.superseded])
        try library.pass(days: 3)
        _ = try library.desk.sweep()
        let owed = try library.owed("ada")
        #expect(owed == 2 * 20 + 100)
        try library.expectSound()
    }

    @Test("an exact due time keeps its hour, within the opening hours of the next open day")
    func exact() throws {
        let library = try Library()
        let hours = [try OpeningHours(CivilTime(hour: 9, minute: 0), to: CivilTime(hour: 18, minute: 0))]
        let saturday = [try OpeningHours(CivilTime(hour: 10, minute: 0), to: CivilTime(hour: 13, minute: 0))]
        _ = try library.desk.write { session in
            try session.settings.changeCalendar(of: "main") { calendar in
                calendar = try OpeningCalendar(weekly: Array(repeating: hours, count: 5) + [saturday, []])
            }.get()
        }
        let loans = try library.lend("ada", 1, 2).get()
        for (loan, time) in zip(loans, ["2026-03-06T08:00:00Z", "2026-03-06T17:00:00Z"]) {
            _ = try library.desk.write { session in
                try session.loans.setDue(.id(loan.id), instant: Instant(parsing: time), reason: "").get()
            }
        }
        #expect(try close(library, "2026-03-06").get() == 2)
        let moved = try library.desk.read { session in
            try loans.map { try session.loans.get(.id($0.id))?.due?.instant.description }
        }
        #expect(moved == ["2026-03-07T10:00:00Z", "2026-03-07T13:00:00Z"])
        try library.expectSound()
    }

    @Test("a due date on a day that is closed every week was meant, and stays")
    func weekly() throws {
        let tables = Library.tables(fields: ["closed": .text("keep")])
        let library = try Library(policy: PolicySpec(tables: tables))
        _ = try library.desk.write { session in
            try session.settings.changeCalendar(of: "main") { calendar in
                calendar = try OpeningCalendar(weekly: [[]] + Array(repeating: [.wholeDay], count: 6))
            }.get()
        }
        let loan = try library.lend("ada", 2).get()[0]
        #expect(try close(library, "2026-03-14", "2026-03-18").get() == 0)
        #expect(try due(library, loan) == "2026-03-16")
    }

    @Test("a copy stays on the hold shelf over a closure, and its patron gets the new date")
    func shelf() throws {
        let library = try Library(policy: PolicySpec(tables: Library.tables(fields: ["hold_shelf": .period(.days(3))])))
        let hold = try library.desk.write { session in
            let placed = try session.holds.place(HoldRequest(patron: .username("bob"), wanted: .title(.id(2)))).get()
            _ = try session.loans.checkin(.barcode("000000020001")).get()
            return placed.hold
        }
        let before = try #require(try library.desk.read { try $0.holds.get(hold.id) }?.hold.shelfUntil)
        let day = Zone.utc.date(of: before)
        #expect(try close(library, day.description).get() == 0)
        let after = try #require(try library.desk.read { try $0.holds.get(hold.id) }?.hold.shelfUntil)
        #expect(Zone.utc.date(of: after) == (try day.adding(days: 1)))
        #expect(try messages(library, "hold_ready").count == 2)
        #expect(try close(library, day.description).get() == 0)
        #expect(try library.events(.hold(.shelfExtended)).count == 1)
        try library.expectSound()
    }

    @Test("a closure without end moves nothing and changes nothing")
    func endless() throws {
        let library = try Library()
        _ = try library.lend("ada", 2).get()
        #expect(throws: (any Error).self) { try close(library, "2026-03-10", "9999-12-31") }
        #expect(try library.desk.read { try $0.settings.branch("main")?.calendar.closed.isEmpty } == true)
        try library.expectSound()
    }
}
