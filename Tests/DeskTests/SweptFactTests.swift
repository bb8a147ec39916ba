import Circulation
import Desk
import Synchronization
import Testing

@Suite("What a sweep looks at", .everyStore)
struct SweptFactTests {
    /// What a policy was shown of a patron's open loans, point by point.
    private final class Witness: Sendable {
        private let seen = Mutex<[DecisionPoint: [String]]>([:])

        func note(_ question: Case) {
            let patron = question.patron
            seen.withLock { seen in
                seen[question.point, default: []].append("\(patron.loans.count) \(patron.overdue) \(patron.lost)")
            }
        }

        subscript(point: DecisionPoint) -> [String] { seen.withLock { $0[point] ?? [] } }
    }

    private func library(
        reading points: Set<DecisionPoint>, losingAfter days: Int64 = 30, _ witness: Witness
    ) throws -> Library {
        let fee = Money(minorUnits: 2500, currency: .eur)
        let tables = Library.tables(
            fields: days == 0 ? [:] : ["lost_after": .period(.days(days)), "lost_fee": .money(fee)],
            notices: [Library.notice("first", after: .days(1))])
        let spec = PolicySpec(
            tables: tables,
            answer: { question, decision in
                witness.note(question)
                return decision
            }, openLoanPoints: points)
        let library = try Library(policy: spec)
        _ = try library.lend("ada", 1, 2).get()
        return library
    }

    @Test("a policy that reads a patron's open loans is shown them, loan by loan, with those lost a moment ago")
    func all() throws {
        let witness = Witness()
        let library = try library(reading: Set(DecisionPoint.allCases), witness)
        try library.pass(days: 60)
        #expect(try library.desk.sweep().lost == 2)
        #expect(witness[.overdue] == ["2 2 0", "2 2 1"])
        #expect(witness[.fine] == ["2 2 0", "2 2 1"])
        #expect(witness[.lost] == ["2 2 0", "2 2 1"])
    }

    @Test("a policy that reads them nowhere in a sweep is shown them only where its answer is kept")
    func none() throws {
        let witness = Witness()
        let keeping = try library(reading: [], losingAfter: 0, witness)
        try keeping.pass(days: 60)
        #expect(try keeping.desk.sweep().notices == 2)
        #expect(witness[.overdue] == ["0 0 0", "0 0 0"] && witness[.fine] == ["0 0 0", "0 0 0"])
        let losing = try library(reading: [], witness)
        try losing.pass(days: 60)
        #expect(try losing.desk.sweep().lost == 2)
        #expect(witness[.lost] == ["2 2 0", "2 2 1"])
        try losing.expectSound()
    }

    @Test("a policy that reads them for fines alone is shown them there")
    func fines() throws {
        let witness = Witness()
        let library = try library(reading: [.fine], losingAfter: 0, witness)
        try library.pass(days: 20)
        _ = try library.desk.sweep()
        #expect(witness[.overdue].first == "0 0 0")
        #expect(witness[.fine] == ["2 2 0", "2 2 0"])
    }

    @Test(
        "a loan enters the sweep when a notice may concern it, at the local midnight and not days before",
        arguments: ["Europe/Berlin", "Pacific/Auckland", "America/Los_Angeles", "Australia/Lord_Howe"])
    func entering(name: String) throws {
        let zone = try Zone(named: name)
        let tables = Library.tables(notices: [Library.notice("soon", before: .days(2))])
        let library = try Library(policy: PolicySpec(tables: tables))
        _ = try library.desk.write { try $0.settings.updateBranch("main") { $0.zone = zone }.get() }
        // Clocks change on 4 October, 25 October or 1 November.
        for day in ["2026-09-22", "2026-10-12", "2026-10-19"] {
            library.clock.set(try Instant(parsing: "\(day)T12:00:00Z"))
            let loan = try library.lend("ada", 2).get()[0]
            let due = try #require(loan.due)
            library.clock.set(try due.instant.adding(hours: -24 * 4))
            #expect(try library.desk.sweep().loans == 0)
            let midnight = try zone.startOfDay(due.date.adding(days: -2))
            library.clock.set(try midnight.adding(microseconds: -1))
            #expect(try library.desk.sweep().notices == 0)
            library.clock.set(midnight)
            #expect(try library.desk.sweep().notices == 1)
            library.clock.set(due.instant)
            _ = try library.desk.write { try $0.loans.checkin(.id(loan.id)).get() }
        }
    }
}
