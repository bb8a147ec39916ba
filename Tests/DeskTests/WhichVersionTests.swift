import Circulation
import Desk
import Synchronization
import Testing

@Suite("Which version is asked", .everyStore)
struct WhichVersionTests {
    /// What was asked of which policy.
    private final class Record: Sendable {
        private let asked = Mutex<[String]>([])

        func note(_ policy: String, _ point: DecisionPoint) {
            asked.withLock { $0.append("\(policy) \(point.rawValue)") }
        }

        /// What was asked since the last time, each once and in order.
        func take() -> [String] {
            asked.withLock { asked in
                defer { asked = [] }
                var seen: Set<String> = []
                return asked.filter { seen.insert($0).inserted }
            }
        }
    }

    private let record = Record()

    /// - Parameter fine: in cents a day.
    private func policy(_ name: String, fine: Int64 = 20) -> PolicySpec {
        let tables = Library.tables(
            fields: [
                "fine": .money(Money(minorUnits: fine, currency: .eur)), "suspension": .period(.days(1)),
            ], notices: [Library.notice("first", after: .days(1))])
        return PolicySpec(name: name, tables: tables) { [record] question, decision in
            record.note(name, question.point)
            return decision
        }
    }

    /// A loan that the old policy decided, with the new one in force.
    private func library(fine: Int64 = 30, retroactive: Bool = false) throws -> Library {
        let library = try Library(policy: policy("old"))
        _ = try library.lend("ada", 2).get()
        try library.pass(days: 1)
        let bundle = library.loader.bundle(policy("new", fine: fine), "new")
        _ = try library.desk.write { try $0.policies.activate(bundle, retroactive: retroactive).get() }
        _ = record.take()
        return library
    }

    private func renew(_ library: Library) throws {
        _ = try library.desk.write { try $0.loans.renew(.id(1)).get() }
        _ = record.take()
    }

    private func asked(_ library: Library, at point: DecisionPoint) throws -> [String] {
        switch point {
        case .renew: _ = try library.desk.write { try $0.loans.renew(.id(1)).get() }
        case .recall, .hold, .notify:
            _ = try library.place("bob").get()
            if point == .notify {
                _ = try library.desk.write { try $0.loans.checkin(.id(1)).get() }
            }
        case .overdue, .fine:
            try library.pass(days: 40)
            _ = try library.desk.sweep()
        case .checkin:
            try library.pass(days: 40)
            _ = try library.desk.write { try $0.loans.checkin(.id(1)).get() }
        default: _ = try library.lend("bob", 1).get()
        }
        return record.take().filter { $0.hasSuffix(" \(point.rawValue)") }
    }

    @Test(
        "the version in force decides what is new and what is told",
        arguments: [
            DecisionPoint.request, .checkout, .renew, .hold, .recall, .overdue, .notify,
        ], [false, true])
    func inForce(point: DecisionPoint, retroactive: Bool) throws {
        #expect(try asked(library(retroactive: retroactive), at: point) == ["new \(point.rawValue)"])
    }

    @Test(
        "the loan's own version decides what its lateness costs and its return leads to",
        arguments: [DecisionPoint.fine, .checkin])
    func ownVersion(point: DecisionPoint) throws {
        #expect(try asked(library(), at: point) == ["old \(point.rawValue)"])
    }

    @Test("after a renewal that is the version of the renewal", arguments: [DecisionPoint.fine, .checkin])
    func renewed(point: DecisionPoint) throws {
        let library = try library()
        try renew(library)
        #expect(try asked(library, at: point) == ["new \(point.rawValue)"])
    }

    @Test("or a later one that reaches back", arguments: [DecisionPoint.fine, .checkin])
    func retroactive(point: DecisionPoint) throws {
        #expect(try asked(library(retroactive: true), at: point) == ["new \(point.rawValue)"])
    }

    @Test("a version that reaches back leaves later loans, and those renewed since, to theirs")
    func laterLoans() throws {
        let library = try library(retroactive: true)
        try library.pass(days: 1)
        try library.use(policy("third"), "third")
        _ = try library.lend("bob", 1).get()
        try renew(library)
        try library.pass(days: 40)
        _ = try library.desk.sweep()
        #expect(record.take().filter { $0.hasSuffix("fine") } == ["third fine"])
    }

    @Test("a version that is to reach back later does so from its day on")
    func later() throws {
        let library = try Library(policy: policy("old"))
        _ = try library.lend("ada", 2).get()
        let bundle = library.loader.bundle(policy("new"), "new")
        let from = try library.clock.now().adding(hours: 24 * 20)
        _ = try library.desk.write { try $0.policies.activate(bundle, from: from, retroactive: true).get() }
        try library.pass(days: 19)
        _ = try library.desk.sweep()
        #expect(record.take().filter { $0.hasSuffix("fine") } == ["old fine"])
        try library.pass(days: 1)
        _ = try library.desk.sweep()
        #expect(record.take().filter { $0.hasSuffix("fine") } == ["new fine"])
        try library.expectSound()
    }

    @Test("no due time moves, and the loan keeps the name of the version that decided it")
    func noDueMoves() throws {
        let library = try library(retroactive: true)
        let loan = try #require(try library.desk.read { try $0.loans.get(.id(1)) })
        #expect(loan.due?.date.description == "2026-03-16")
        #expect(loan.policy == (try library.desk.read { try $0.policies.history().last }?.policy))
        let event = try #require(try library.events(.policyActivated).last)
        guard let activation = try event.body()[.policyActivated]?.activation else {
            throw DeskError.input(nil, event.kind)
        }
        #expect(activation.isRetroactive)
        try library.expectSound()
    }

    @Test(
        "a lower fine under the new version takes off what was charged too much, once",
        arguments: [10, 20, 30] as [Int64])
    func anotherFine(fine: Int64) throws {
        let library = try Library(policy: policy("old"))
        _ = try library.lend("ada", 2).get()
        try library.pass(days: 24)
        _ = try library.desk.sweep()
        #expect(try library.owed("ada") == 10 * 20)
        let bundle = library.loader.bundle(policy("new", fine: fine), "new")
        let effect = try library.desk.read { try $0.policies.retroactiveEffect(of: bundle) }
        #expect(effect.loans == 1 && effect.fined == (fine == 20 ? 0 : 1) && effect.failed == 0)
        #expect(effect.before == 200 && effect.after == 10 * fine)
        _ = try library.desk.write { try $0.policies.activate(bundle, retroactive: true).get() }
        #expect(try library.owed("ada") == 200)
        for _ in 0..<2 {
            #expect(try library.desk.sweep().failed == 0)
            #expect(try library.owed("ada") == 10 * fine)
        }
        try library.pass(days: 1)
        #expect(try library.desk.sweep().failed == 0)
        #expect(try library.owed("ada") == 11 * fine)
        try library.expectSound()
    }

    @Test("what would change is reckoned without writing anything, and versions that fail are counted")
    func effect() throws {
        let library = try Library(policy: policy("old"))
        _ = try library.lend("ada", 1, 2).get()
        _ = try library.lend("bob", 3).get()
        try library.pass(days: 15)
        var broken = policy("broken")
        broken.failing = [.fine]
        let bundle = library.loader.bundle(broken, "broken")
        let before = try library.desk.read { try $0.events.list(EventQuery()) }.count
        let effect = try library.desk.read { try $0.policies.retroactiveEffect(of: bundle) }
        #expect(effect.loans == 3 && effect.failed == 3 && effect.before == 0 && effect.after == 0)
        #expect(try library.desk.read { try $0.events.list(EventQuery()) }.count == before)
        let own = try #require(try library.desk.read { try $0.policies.bundle($0.policies.inForce()?.policy ?? "") })
        #expect(try library.desk.read { try $0.policies.retroactiveEffect(of: own) } == RetroactiveEffect())
    }

    /// An imported loan: when it was made and last renewed, in days from the first policy on, the version that it names
    /// and the one that it keeps.
    struct Imported: Sendable, CustomTestStringConvertible {
        var lent: Int64
        var renewed: Int64?
        var names: String
        var keeps: Bool
        var testDescription: String { "\(names) on day \(lent), renewed \(renewed.map(String.init) ?? "never")" }
    }

    // The old policy is in force from day 0, the new one from day 10, and one that was planned from day 40.
    @Test(
        "an imported loan was decided by a version only if that was in force when it was made, or renewed last",
        arguments: [
            Imported(lent: -1, names: "old", keeps: false), Imported(lent: 0, names: "old", keeps: true),
            Imported(lent: 5, names: "old", keeps: true), Imported(lent: 10, names: "old", keeps: true),
            Imported(lent: 11, names: "old", keeps: false), Imported(lent: 5, names: "new", keeps: false),
            Imported(lent: 10, names: "new", keeps: true), Imported(lent: 12, names: "new", keeps: true),
            Imported(lent: 5, renewed: 12, names: "new", keeps: true),
            Imported(lent: 5, renewed: 12, names: "old", keeps: false),
            Imported(lent: 12, names: "planned", keeps: false), Imported(lent: 12, names: "unknown", keeps: false),
        ])
    func imported(_ example: Imported) throws {
        let library = try Library(policy: policy("old"))
        let start = library.clock.now()
        let day = { (count: Int64) in try start.adding(hours: 24 * count) }
        var versions = ["old": try #require(try library.desk.read { try $0.policies.inForce() }).policy]
        try library.pass(days: 10)
        for (name, from) in [("new", nil as Instant?), ("planned", try day(40))] {
            let bundle = library.loader.bundle(policy(name), name)
            versions[name] = bundle.sha256
            _ = try library.desk.write { try $0.policies.activate(bundle, from: from).get() }
        }
        try library.pass(days: 20)
        let named = versions[example.names] ?? String(repeating: "0", count: 64)
        let copy = try #require(try library.desk.read { try $0.catalogue.copies(of: .id(2)) }.first)
        let due = try day(example.lent + 14)
        var loan = Loan(
            copy: copy.id, patron: try library.id("ada"), branch: "main", lentAt: try day(example.lent),
            due: DueTime(instant: due, date: Zone.utc.date(of: due), isExact: false), policy: named, importKey: "k")
        loan.renewedAt = try example.renewed.map(day)
        loan.renewals = example.renewed == nil ? 0 : 1
        let imported = loan
        let stored = try library.desk.write { session -> Loan? in
            guard case .added(let added) = try session.imports.loan(imported) else { return nil }
            return added
        }
        #expect(stored?.policy == (example.keeps ? named : nil))
        // What no version decided is fined by none, until it is renewed here.
        _ = record.take()
        _ = try library.desk.sweep()
        let fined = record.take().filter { $0.hasSuffix(" fine") }
        let now = library.clock.now()
        #expect(fined == (example.keeps && due < now ? ["\(example.names) fine"] : []))
        let id = try #require(stored).id
        let explained = try library.desk.read { try $0.loans.questions(about: .id(id)) }.get()
        let fine = explained.first { $0.question.point == .fine }
        #expect((fine?.version).map { $0 == named } ?? (fined.isEmpty))
        #expect(explained.filter { $0.question.point != .fine }.allSatisfy { $0.version == versions["new"] })
        try library.expectSound()
    }

    @Test(
        "a return of the past is for the version that decided about the loan then, not for one that reaches back since")
    func backdatedReturn() throws {
        let library = try Library(policy: policy("old"))
        _ = try library.lend("ada", 2).get()
        let back = try library.clock.now().adding(hours: 24 * 18)
        try library.pass(days: 20)
        let bundle = library.loader.bundle(policy("new", fine: 50), "new")
        _ = try library.desk.write { try $0.policies.activate(bundle, retroactive: true).get() }
        try library.pass(days: 3)
        _ = try library.desk.sweep()
        #expect(try library.owed("ada") == 9 * 50)
        _ = record.take()
        _ = try library.desk.write { try $0.loans.checkin(.id(1), at: back).get() }
        #expect(
            record.take().filter { $0.hasSuffix("fine") || $0.hasSuffix("checkin") } == ["old fine", "old checkin"])
        #expect(try library.owed("ada") == 4 * 20)
        try library.expectSound()
    }
}
