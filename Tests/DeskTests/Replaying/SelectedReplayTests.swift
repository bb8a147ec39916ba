import Circulation
import Desk
import Storage
import TestSupport
import Testing

@Suite("Replays that ask only what can differ", .everyStore)
struct SelectedReplayTests {
    /// Knows what differs by asking the policies; at one point it may be blind.
    private final class Oracle: ReplaySelection {
        private let versions: [String: TestPolicy]
        private let after: TestPolicy
        private let blind: DecisionPoint?
        /// Whether it says that sweeps are the same, where they are.
        private let sparesSweeps: Bool

        init(_ past: Past, _ after: PolicySpec, blind: DecisionPoint? = nil, sparesSweeps: Bool) throws {
            versions = try Dictionary(
                uniqueKeysWithValues: past.versions.map { ($0, try TestPolicy(version: $0, spec: $1)) })
            self.after = try TestPolicy(version: "after", spec: after)
            (self.blind, self.sparesSweeps) = (blind, sparesSweeps)
        }

        func haveSameNotices(_ version: String) -> Bool {
            guard sparesSweeps, let before = versions[version] else { return false }
            return blind == .overdue || before.spec.tables.notices == after.spec.tables.notices
        }

        func maySend(about question: Case, _ version: String) -> Bool {
            versions[version].map { !$0.decide(question).effects.isEmpty } ?? true
        }

        func mayDiffer(about question: Case, _ version: String) -> Bool {
            guard let before = versions[version] else { return true }
            // What is asked for the due time follows a checkout or a renewal.
            if question.point == blind || blind == .checkout && question.point == .due { return false }
            if question.point == .overdue, before.noticesFrom != after.noticesFrom { return true }
            return seen(before.decide(question)) != seen(after.decide(question))
        }

        private func seen(_ decision: Decision) -> Decision {
            var decision = decision
            decision.rule = nil
            decision.refusal = decision.refusal.map { Refusal(code: $0.code, message: "") }
            decision.effects = decision.effects.map { effect in
                guard case .notice(var notice) = effect else { return effect }
                notice.origin = nil
                return .notice(notice)
            }
            return decision
        }
    }

    private static func money(_ cents: Int64) -> RuleValue { .money(Money(minorUnits: cents, currency: .eur)) }

    private static let place = SourcePlace(file: "policy.lua", line: 3)
    private static let notices = [
        Library.notice("soon", before: .days(2)), Library.notice("late", after: .days(3), charge: 100),
    ]

    /// Staff and films have rows of their own.
    private static let tables: PolicyTables = {
        var tables = Library.tables(
            limit: 3,
            fields: [
                "suspension": .period(.days(1)), "lost_after": .period(.days(12)),
                "lost_refund_within": .period(.days(8)), "lost_fee": money(700), "rental": money(50),
                "rental_per": .period(.weeks(1)),
            ], notices: notices)
        let own: [(RowConditions, [String: RuleValue])] = [
            (
                RowConditions(categories: ["staff"]),
                ["loan": .period(.days(20)), "renewals": .integer(1), "fine": money(10)]
            ),
            (
                RowConditions(itemTypes: ["dvd"]),
                ["loan": .period(.days(7)), "renewals": .integer(1), "suspension": .period(.days(2))]
            ),
        ]
        tables.rules = own.map { RuleRow(conditions: $0, fields: $1, place: place) } + tables.rules
        tables.limits.insert(
            LimitRow(conditions: RowConditions(itemTypes: ["dvd"]), maximum: 1, place: place), at: 0)
        return tables
    }()

    /// Tables with a change in one row.
    private static func changed(_ tables: PolicyTables, _ random: inout SplitMix) -> PolicyTables {
        var tables = tables
        let row = Int.random(in: 0...2, using: &random)
        let days = Int64.random(in: 1...30, using: &random)
        switch Int.random(in: 0..<11, using: &random) {
        case 0, 1: tables.rules[row].fields["loan"] = .period(.days(days))
        case 2: tables.rules[row].fields["renewals"] = .integer(days % 3)
        case 3: tables.rules[row].fields["fine"] = money(days)
        case 4: tables.rules[2].fields["suspension"] = .period(.days(days))
        case 5: tables.rules[2].fields["rental"] = money(days)
        case 6: tables.limits[row % 2].maximum = days % 4
        case 7: tables.notices[1] = Library.notice("late", after: .days(days % 6), charge: days)
        case 8: tables.notices[row % 2].conditions = RowConditions(itemTypes: ["dvd"])
        case 9: tables.rules[2].fields["lend"] = .boolean(false)
        default:
            let fields: [String: RuleValue] = ["loan": .period(.days(days)), "fine": money(1)]
            let conditions = RowConditions(categories: ["staff"], itemTypes: ["dvd"])
            tables.rules.insert(RuleRow(conditions: conditions, fields: fields, place: place), at: 0)
        }
        return tables
    }

    /// What happened in a library, and the versions that decided it.
    private struct Past {
        let library: Library
        var versions: [String: PolicySpec] = [:]

        init(_ library: Library) { self.library = library }

        mutating func use(_ spec: PolicySpec, isRetroactive: Bool = false) throws {
            let bundle = library.loader.bundle(spec, "version \(versions.count)")
            versions[bundle.sha256] = spec
            _ = try library.desk.write {
                try $0.policies.activate(bundle, note: "", retroactive: isRetroactive).get()
            }
        }
    }

    private struct Stopped: Error {}

    /// - Parameter changes: how many other versions come into force on the way.
    private static func past(
        _ random: inout SplitMix, _ tables: PolicyTables = tables, changes: Int = 0, steps: Int = 120,
        stops: Bool = true
    ) throws -> Past {
        let library = try Library(policy: nil)
        var past = Past(library)
        try past.use(PolicySpec(tables: tables))
        try library.desk.write { session in
            var other = Library.patron("dee")
            other.category = "staff"
            _ = try session.patrons.add(other).get()
            _ = try session.catalogue.addCopies(of: .id(1), count: 1, itemType: "dvd").get()
            let film = try session.catalogue.add(Title(title: "Metropolis")).get()
            _ = try session.catalogue.addCopies(of: .id(film.id), count: 2, itemType: "dvd").get()
        }
        for step in 0..<steps {
            try step % 8 == 7 ? library.alter(&random) : library.perform(&random)
            if step % 30 == 29, step / 30 < changes {
                let other = PolicySpec(tables: changed(tables, &random))
                try past.use(other, isRetroactive: Bool.random(using: &random))
            }
            guard stops, step % 12 == 11, Bool.random(using: &random) else { continue }
            // One that ends at its first page.
            _ = try? library.desk.sweep(pageSize: 1) { _ in throw Stopped() }
        }
        return past
    }

    /// What a report is made of: where an answer stays, its place in the policy is none of it.
    private struct Told: Equatable {
        var decisions: [ReplayedDecision]
        var loans: [ReplayedLoan]
        var contradictions: [ReplayContradiction]
        var summary: ReplaySummary

        init(_ witness: ReplayWitness, _ summary: ReplaySummary) {
            decisions = witness.decisions.map { decision in
                guard !decision.isDifferent else { return decision }
                var decision = decision
                decision.after = decision.before
                return decision
            }
            loans = witness.loans.map { loan in
                var loan = loan
                loan.category = ""
                loan.notices.sort { ($0.stage, $0.repetition) < ($1.stage, $1.repetition) }
                return loan
            }
            contradictions = witness.contradictions
            self.summary = summary
            self.summary.effort = ReplayEffort()
        }
    }

    private static func told(
        _ library: Library, _ candidate: PolicySpec, _ plan: ReplayPlan, _ selection: (any ReplaySelection)?
    ) throws -> (told: Told, effort: ReplayEffort) {
        let bundle = library.loader.bundle(candidate, "candidate")
        func told(lookingAtSweeps: Bool) throws -> (told: Told, effort: ReplayEffort) {
            let witness = ReplayWitness()
            let summary = try library.desk.replay(
                bundle, plan, selecting: selection, lookingAtSweeps: lookingAtSweeps, telling: witness)
            return (Told(witness, summary), summary.effort)
        }
        do {
            return try told(lookingAtSweeps: false)
        } catch let doubt as ReplayDoubt where doubt.reason == .sweep {
            return try told(lookingAtSweeps: true)
        }
    }

    @Test(
        "the report of random operations under a changed row is that of asking everything",
        arguments: Array(1...24) as [UInt64])
    func sameReport(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        // The first are the past of one version, without sweeps that are broken off.
        let isPlain = seed <= 12
        let tables = isPlain || seed % 2 == 0 ? Self.tables : Self.changed(Self.tables, &random)
        let past = try Self.past(&random, tables, changes: isPlain ? 0 : Int(seed % 3), stops: !isPlain)
        var spared: Int64 = 0
        for _ in 0..<6 {
            let candidate = PolicySpec(tables: Self.changed(tables, &random))
            var plan = ReplayPlan()
            if Bool.random(using: &random) {
                plan.from = try Instant(parsing: "2026-03-10T00:00:00Z")
                plan.until = try Instant(parsing: "2026-05-20T00:00:00Z")
            }
            if Bool.random(using: &random) { plan.sample = 20 }
            let sparesSweeps = candidate.tables.notices == tables.notices && Bool.random(using: &random)
            let oracle = try Oracle(past, candidate, sparesSweeps: sparesSweeps)
            let (whole, everything) = try Self.told(past.library, candidate, plan, nil)
            let (selected, effort) = try Self.told(past.library, candidate, plan, oracle)
            #expect(Self.differences(whole, selected) == [], "seed \(seed), \(plan)")
            #expect(effort.requests.all == everything.requests.all && everything.requests.spared == 0)
            spared += effort.requests.spared
        }
        #expect(spared > 10)
    }

    @Test("the version that decided says the same again", arguments: Array(1...16) as [UInt64])
    func nothingChanges(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let past = try Self.past(&random, stops: false)
        let (witness, _) = try past.library.replay(PolicySpec(tables: Self.tables))
        #expect(witness.contradictions == [] && witness.differences == [] && witness.moved == [], "seed \(seed)")
    }

    /// Where two reports are not the same, in short.
    private static func differences(_ one: Told, _ other: Told) -> [String] {
        let decisions = one.decisions == other.decisions ? [] : ["decisions"]
        let loans = (one.loans + other.loans).filter { !one.loans.contains($0) || !other.loans.contains($0) }
        let rest =
            one.contradictions == other.contradictions && one.summary == other.summary ? [] : ["summary"]
        return decisions + loans.map { "\($0)" } + rest
    }

    @Test(
        "a selection that is blind at one point gives another report",
        arguments: [.checkout, .renew, .fine, .checkin, .hold, .overdue] as [DecisionPoint])
    func blind(point: DecisionPoint) throws {
        var tables = Self.tables
        for row in tables.rules.indices {
            tables.rules[row].fields["suspension"] = .period(.days(9))
            tables.rules[row].fields["fine"] = Self.money(333)
            tables.rules[row].fields["renewals"] = .integer(0)
            tables.rules[row].fields["holds"] = .integer(0)
            if point == .checkout { tables.rules[row].fields["loan"] = .period(.days(3)) }
        }
        tables.notices[1] = Library.notice("late", after: .days(1), charge: 300)
        let candidate = PolicySpec(tables: tables)
        var isFound = false
        for seed in 1...6 as ClosedRange<UInt64> where !isFound {
            var random = SplitMix(seed: seed)
            let past = try Self.past(&random)
            let oracle = try Oracle(past, candidate, blind: point, sparesSweeps: point == .overdue)
            let whole = try Self.told(past.library, candidate, ReplayPlan(), nil).told
            isFound = try Self.told(past.library, candidate, ReplayPlan(), oracle).told != whole
        }
        #expect(isFound)
    }

    @Test("one answer in a thousand of those that are known is asked all the same, so that an altered log is noticed")
    func doubt() throws {
        let library = try Library(policy: nil)
        var past = Past(library)
        try past.use(PolicySpec(tables: Library.tables(limit: 5)))
        // So that the thousandth is a loan.
        _ = try library.lend("bob", 1).get()
        for _ in 0..<510 {
            let loan = try #require(try library.lend("ada", 3).get().first)
            _ = try library.desk.write { try $0.loans.checkin(.id(loan.id)).get() }
        }
        let spec = PolicySpec(tables: Library.tables(limit: 5))
        let shorter = PolicySpec(tables: Library.tables(limit: 5, fields: ["loan": .period(.days(3))]))
        let blind = try Oracle(past, spec, sparesSweeps: true)
        #expect(throws: ReplayDoubt.self) { try Self.told(library, shorter, ReplayPlan(), blind) }
        let (told, effort) = try Self.told(library, spec, ReplayPlan(), blind)
        #expect(told.decisions.count == 1_021 && effort.requests.spared == 1_021 && effort.requests.asked == 0)
    }

}
