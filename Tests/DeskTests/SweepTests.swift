import Circulation
import Desk
import Testing

@Suite("Sweeps", .everyStore)
struct SweepTests {
    private struct Killed: Error {}

    private static let notices = [
        Library.notice("soon", before: .days(2)),
        Library.notice("first", after: .days(1)),
        Library.notice("second", after: .days(5), charge: 215),
    ]

    private func library(_ notices: [NoticeRow] = SweepTests.notices) throws -> Library {
        try Library(policy: PolicySpec(tables: Library.tables(notices: notices)))
    }

    private func stages(_ library: Library, _ states: Set<Notice.State>? = nil) throws -> [String] {
        try library.desk.read { try $0.notices.list(NoticeQuery(states: states)) }.map(\.stage)
    }

    @Test("each stage is noticed once, however often the sweep runs")
    func once() throws {
        let library = try library()
        _ = try library.lend("ada", 1).get()
        for _ in 0..<30 {
            _ = try library.desk.sweep()
            _ = try library.desk.sweep()
            try library.pass(days: 1)
        }
        #expect(try stages(library) == ["soon", "first", "second"])
        #expect(try library.owed("ada") == 15 * 20 + 215)
        try library.expectSound()
    }

    @Test("the texts are filled when the notice is decided")
    func texts() throws {
        let library = try library()
        _ = try library.lend("ada", 1).get()
        try library.pass(days: 12)
        let report = try library.desk.sweep()
        #expect(report.notices == 1 && report.loans == 1 && report.charges == 0)
        let notice = try #require(try library.desk.read { try $0.notices.outbox() }.first)
        #expect(notice.subject == "soon: Dune")
        #expect(notice.body == "Dear Ada, Dune is due on 2026-03-16.")
        #expect(notice.kind == "due_soon" && notice.state == .queued)
    }

    @Test("a sweep that missed days queues the latest stage only and records the ones before as superseded")
    func late() throws {
        let library = try library()
        _ = try library.lend("ada", 1).get()
        try library.pass(days: 24)
        let report = try library.desk.sweep()
        #expect(report.notices == 1 && report.superseded == 1)
        #expect(try stages(library, [.queued]) == ["second"])
        #expect(try stages(library, [.superseded]) == ["first"])
        #expect(try library.owed("ada") == 10 * 20 + 215)
        try library.expectSound()
    }

    @Test("a sweep killed between pages and run again posts nothing twice and leaves nothing out")
    func killed() throws {
        let library = try library()
        try library.use(PolicySpec(tables: Library.tables(limit: 50, notices: Self.notices)), "roomy")
        try library.desk.write { session in
            let title = try session.catalogue.add(Title(title: "Many")).get()
            _ = try session.catalogue.addCopies(of: .id(title.id), count: 12).get()
            let wanted = CheckoutRequest.Wanted.titles(Array(repeating: .id(title.id), count: 12))
            _ = try session.loans.checkout(CheckoutRequest(patron: .username("ada"), wanted: wanted)).get()
        }
        try library.pass(days: 15)
        var pages = 0
        #expect(throws: Killed.self) {
            try library.desk.sweep(pageSize: 5) { _ in
                pages += 1
                if pages == 2 { throw Killed() }
            }
        }
        #expect(try stages(library).count == 10)
        let rest = try library.desk.sweep(pageSize: 5)
        #expect(rest.loans == 12 && rest.notices == 2 && rest.charges == 2)
        #expect(try library.desk.sweep().notices == 0)
        #expect(try library.owed("ada") == 12 * 20)
        try library.expectSound()
    }

    @Test("a renewed loan that is late again is noticed again")
    func again() throws {
        let library = try library()
        let loan = try library.lend("ada", 1).get()[0]
        try library.pass(days: 15)
        _ = try library.desk.sweep()
        _ = try library.desk.write { try $0.loans.renew(.id(loan.id)) }.get()
        try library.pass(days: 15)
        _ = try library.desk.sweep()
        #expect(try stages(library) == ["first", "first"])
        try library.expectSound()
    }

    @Test("the inbox delivers at once, other channels queue")
    func inbox() throws {
        let library = try library([Library.notice("first", after: .days(1), channel: "inbox")])
        _ = try library.lend("ada", 1).get()
        try library.pass(days: 15)
        _ = try library.desk.sweep()
        let ada = try library.id("ada")
        let notice = try #require(try library.desk.read { try $0.notices.list(.unread(of: ada)) }.first)
        #expect(notice.state == .sent && notice.sentAt == library.clock.now())
        #expect(try library.desk.read { try $0.notices.outbox() }.isEmpty)
        let read = try library.desk.write { try $0.notices.markRead(notice.id) }.get()
        #expect(read.state == .read && read.readAt == library.clock.now())
        try library.expectSound()
    }

    @Test("a policy's own notices and charges are posted once under their keys")
    func ownEffects() throws {
        let spec = PolicySpec(tables: Library.tables()) { question, decision in
            guard question.point == .overdue, question.isPastDue else { return decision }
            var own = decision
            own.effects = [
                .notice(PlannedNotice(stage: "own", channel: "post", subject: "S", body: "B")),
                .charge(PlannedCharge(key: "admin", amount: Money(minorUnits: 150, currency: .eur), label: "Admin")),
            ]
            return own
        }
        let library = try Library(policy: spec)
        _ = try library.lend("ada", 1).get()
        try library.pass(days: 15)
        _ = try library.desk.sweep()
        try library.pass(days: 1)
        _ = try library.desk.sweep()
        #expect(try stages(library) == ["own"])
        #expect(try library.owed("ada") == 150 + 40)
        try library.expectSound()
    }

    @Test("without a policy a sweep says so and does nothing")
    func noPolicy() throws {
        let library = try Library(policy: nil)
        #expect(try library.desk.sweep().hasNoPolicy)
    }

    @Test("a sweep within a rehearsal counts and leaves nothing behind")
    func rehearsed() throws {
        let library = try library()
        _ = try library.lend("ada", 1).get()
        try library.pass(days: 16)
        #expect(try library.desk.rehearse { try $0.notices.sweep() }.notices == 1)
        #expect(try stages(library).isEmpty)
        #expect(try library.owed("ada") == 0)
    }

    @Test("messages are sent once a key, taken back while they wait, and tried again after they were given up")
    func outbox() throws {
        let library = try library()
        let send = { (session: DeskSession) in
            try session.notices.send(to: .username("ada"), channel: "email", subject: "Hi", body: "There", key: "k")
                .get()
        }
        let first = try library.desk.write(send)
        #expect(try library.desk.write(send) == first)
        #expect(try library.desk.write { try $0.notices.markFailed(first.id, givenUp: true) }.get().state == .failed)
        #expect(try library.desk.write { try $0.notices.retry(first.id) }.get().state == .queued)
        #expect(try library.desk.write { try $0.notices.cancel(first.id) }.get().state == .cancelled)
        #expect(try library.desk.write { try $0.notices.markSent(first.id) }.refusal?.code == "not_queued")
        #expect(try library.desk.write { try $0.notices.cancel(99) }.refusal?.code == "unknown_notice")
        try library.expectSound()
    }
}
