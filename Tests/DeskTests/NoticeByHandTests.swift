import Circulation
import Desk
import Testing

@Suite("Notices by hand, and of returns", .everyStore)
struct NoticeByHandTests {
    private static let notices = [
        Library.notice("soon", before: .days(2)), Library.notice("first", after: .days(1)),
        Library.notice("second", after: .days(5), charge: 215),
    ]

    private func library() throws -> (Library, Loan) {
        let library = try Library(policy: PolicySpec(tables: Library.tables(notices: Self.notices)))
        return (library, try library.lend("ada", 1).get()[0])
    }

    private func remind(
        _ library: Library, _ loan: Loan, _ stage: String? = nil, again: Bool = false
    ) throws -> Outcome<Notice> {
        try library.desk.write { try $0.notices.remind(.id(loan.id), stage: stage, again: again) }
    }

    private func all(_ library: Library) throws -> [Notice] {
        try library.desk.read { try $0.notices.list(NoticeQuery()) }
    }

    @Test("a stage that is reached is written at once, and the sweep does not say it again")
    func reached() throws {
        let (library, loan) = try library()
        try library.pass(days: 15)
        let notice = try remind(library, loan).get()
        #expect(notice.stage == "first" && notice.kind == "overdue" && notice.state == .queued)
        #expect(notice.subject == "first: Dune" && notice.body.contains("Dear Ada"))
        #expect(try library.desk.sweep().notices == 0)
        #expect(try all(library).map(\.stage) == ["first"])
        try library.pass(days: 5)
        #expect(try library.desk.sweep().notices == 1)
        #expect(try all(library).map(\.stage) == ["first", "second"])
        try library.expectSound()
    }

    @Test("before its time a stage is refused, and so is one that the policy does not have")
    func early() throws {
        let (library, loan) = try library()
        #expect(try remind(library, loan).refusal?.code == "not_due")
        #expect(try remind(library, loan, "first").refusal?.code == "not_due")
        #expect(try remind(library, loan, "third").refusal?.code == "unknown_stage")
        try library.pass(days: 12)
        #expect(try remind(library, loan, "first").refusal?.code == "not_due")
        #expect(try remind(library, loan).get().stage == "soon")
        #expect(try library.desk.sweep().notices == 0)
        _ = try library.desk.write { try $0.loans.checkin(.id(loan.id)) }.get()
        #expect(try remind(library, loan).refusal?.code == "returned")
        #expect(try all(library).count == 1)
        try library.expectSound()
    }

    @Test("what was said is said again only where that is asked for, and is charged once")
    func again() throws {
        let (library, loan) = try library()
        try library.pass(days: 20)
        #expect(try remind(library, loan, "second").get().repetition == 0)
        #expect(try library.owed("ada") == 215)
        #expect(try remind(library, loan).refusal?.code == "exists")
        let twice = try [remind(library, loan, again: true).get(), remind(library, loan, again: true).get()]
        #expect(
            twice.map(\.repetition) == [0, 1] && twice.allSatisfy { $0.state == .queued && $0.body.contains("Dune") })
        #expect(try library.owed("ada") == 215)
        // A stage that was passed over can be said all the same.
        #expect(try library.desk.sweep().superseded == 1)
        #expect(try library.owed("ada") == 215 + 6 * 20)
        #expect(try remind(library, loan, "first").get().stage == "first")
        #expect(try library.desk.sweep().notices == 0)
        // What was not sent is taken back with the copy.
        _ = try library.desk.write { try $0.loans.checkin(.id(loan.id)) }.get()
        #expect(try all(library).allSatisfy { $0.state == .superseded })
        try library.expectSound()
    }

    @Test("loans for which time stands still get no notice by hand, and without a policy none is written")
    func stopped() throws {
        let (library, loan) = try library()
        try library.pass(days: 20)
        _ = try library.desk.write { try $0.loans.claimReturned(.id(loan.id)) }.get()
        #expect(try remind(library, loan).refusal?.code == "claimed")
        let bare = try Library(policy: nil)
        #expect(try bare.desk.write { try $0.notices.remind(.id(1)) }.refusal?.code == "unknown_loan")
        let own = Actor(name: "patron:\(try library.id("ada"))", role: .patron, channel: .web)
        #expect(
            try library.desk.acting(as: own).write { try $0.notices.remind(.id(loan.id)) }.refusal?.code
                == "not_allowed")
    }

    @Test("a return is told of only where the policy names it, and several go in one mail")
    func returned() throws {
        for namesIt in [false, true] {
            var spec = PolicySpec(tables: Library.tables(notices: Self.notices))
            spec.namedEvents = namesIt ? [.returned] : []
            let library = try Library(policy: spec)
            try library.gather([.returned])
            let loans = try library.lend("ada", 1, 3).get()
            for loan in loans { _ = try library.desk.write { try $0.loans.checkin(.id(loan.id)) }.get() }
            let told = try all(library)
            #expect(told.map(\.kind) == (namesIt ? ["returned", "returned"] : []))
            #expect(told.map(\.subject) == (namesIt ? ["Returned: Dune", "Returned: Ulysses"] : []))
            let sender = TestSender()
            _ = try library.desk.deliver(by: sender)
            #expect(sender.consignments.map(\.notices.count) == (namesIt ? [2] : []))
            let subjects = sender.consignments.first?.gathered?.subjects ?? []
            #expect(
                subjects.map(\.name) == (namesIt ? ["Dune", "Ulysses"] : []) && subjects.allSatisfy { $0.date == nil })
            try library.expectSound()
        }
    }
}
