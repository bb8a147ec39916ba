import Circulation
import Desk
import Storage
import Testing
import TextFormats

@Suite("Replaying what was decided, with the facts as they were", .everyStore)
struct RecordedReplayTests {
    private static let eur = Currency.eur

    /// Three loans of Ada's, one refused for a limit of three, one return in time and one five days late.
    private func history() throws -> Library {
        let library = try Library(policy: PolicySpec(tables: Library.tables(limit: 3)))
        _ = try library.lend("ada", 1, 2).get()
        try library.pass(days: 1)
        _ = try library.lend("ada", 3).get()
        #expect(try library.lend("ada", 1).refusal?.code == "limit")
        try library.pass(days: 9)
        _ = try library.desk.write { try $0.loans.checkin(.id(1)).get() }
        try library.pass(days: 9)
        _ = try library.desk.write { try $0.notices.sweep() }
        _ = try library.desk.write { try $0.loans.checkin(.id(2)).get() }
        return library
    }

    @Test("a lower limit refuses each loan beyond it, and nothing else changes")
    func lowerLimit() throws {
        let (witness, summary) = try history().replay(PolicySpec(tables: Library.tables(limit: 2)))
        #expect(summary.requests == 6)
        let changed = try #require(witness.differences.first)
        #expect(witness.differences.count == 1)
        #expect(changed.kind == "loan.made" && changed.loan == 3)
        #expect(changed.before.answer == "allow" && changed.before.due != nil)
        #expect(changed.after.answer == "deny" && changed.after.code == "limit" && changed.after.due == nil)
        #expect(witness.moved == [] && witness.contradictions == [])
    }

    @Test("a limit of one refuses the second title of a request by what the request was granted before it")
    func withinRequest() throws {
        let (witness, _) = try history().replay(PolicySpec(tables: Library.tables(limit: 1)))
        #expect(witness.differences.compactMap(\.loan) == [2, 3])
    }

    @Test("a higher limit grants what was refused")
    func higherLimit() throws {
        let (witness, _) = try history().replay(PolicySpec(tables: Library.tables(limit: 4)))
        let changed = try #require(witness.differences.first)
        #expect(witness.differences.count == 1)
        #expect(changed.kind == "request.refused" && changed.before.code == "limit")
        #expect(changed.after.answer == "allow" && changed.after.due != nil)
    }

    @Test("what a policy would lend and the shelf does not have stays refused")
    func stock() throws {
        let library = try Library()
        _ = try library.lend("ada", 2).get()
        #expect(try library.lend("bob", 2).refusal?.code == "no_copies")
        let (same, _) = try library.replay(Library.standard)
        #expect(same.differences == [] && same.decisions.last?.before.code == "no_copies")
        let (none, _) = try library.replay(PolicySpec(tables: Library.tables(limit: 0)))
        #expect(none.differences.map(\.after.code) == ["limit", "limit"])
    }

    @Test("longer loans are due later, and a dearer day moves the fines of those that were late")
    func dueAndFines() throws {
        let dearer: [String: RuleValue] = [
            "loan": .period(.days(21)), "fine": .money(Money(minorUnits: 50, currency: Self.eur)),
        ]
        let (witness, _) = try history().replay(PolicySpec(tables: Library.tables(limit: 3, fields: dearer)))
        #expect(witness.differences.count == 3)
        #expect(
            witness.differences.allSatisfy { change in
                guard let before = change.before.due, let after = change.after.due else { return false }
                return after.microseconds - before.microseconds == 7 * 86_400 * 1_000_000
            })
        let fees = witness.moved.flatMap(\.fees)
        #expect(fees.map(\.kind) == [.fine, .fine])
        #expect(fees.map(\.before) == [100, 80] && fees.map(\.after) == [250, 200])
    }

    @Test("notices that a policy adds, drops and sends otherwise are distinguished")
    func notices() throws {
        let old = [
            Library.notice("soon", before: .days(2)), Library.notice("late", after: .days(1), charge: 100),
            Library.notice("gone", after: .days(4)),
        ]
        let library = try Library(policy: PolicySpec(tables: Library.tables(notices: old)))
        _ = try library.lend("ada", 1).get()
        for _ in 0..<20 {
            try library.pass(days: 1)
            _ = try library.desk.write { try $0.notices.sweep() }
        }
        let new = [
            Library.notice("soon", before: .days(2), channel: "letter"),
            Library.notice("late", after: .days(1), charge: 300), Library.notice("more", after: .days(2)),
        ]
        let (witness, _) = try library.replay(PolicySpec(tables: Library.tables(notices: new)))
        let changes = witness.loans.flatMap(\.notices).map { "\($0.stage) \($0.change)" }
        #expect(Set(changes) == ["soon changed", "late same", "more added", "gone dropped"])
        let fee = try #require(witness.loans.flatMap(\.fees).first { $0.kind == .notice })
        #expect(fee.before == 100 && fee.after == 300)
    }

    @Test("a span of time asks what lies in it, with the facts that came before it")
    func span() throws {
        let library = try history()
        let day = try Instant(parsing: "2026-03-03T00:00:00Z")
        let plan = ReplayPlan(from: day, until: try Instant(parsing: "2026-03-04T00:00:00Z"))
        let (witness, summary) = try library.replay(PolicySpec(tables: Library.tables(limit: 2)), plan)
        #expect(summary.requests == 2)
        #expect(witness.differences.compactMap(\.loan) == [3])
    }

    @Test("a sample asks as many as it says, the same ones for the same seed", arguments: [1, 2] as [UInt64])
    func sample(seed: UInt64) throws {
        let library = try history()
        let plan = ReplayPlan(sample: 3, seed: seed)
        let (one, summary) = try library.replay(Library.standard, plan)
        let (other, _) = try library.replay(Library.standard, plan)
        #expect(summary.requests == 3)
        #expect(one.decisions == other.decisions)
    }

    @Test("staff who went on in spite of a refusal did not grant by the policy, then or now")
    func overridden() throws {
        let library = try Library(
            policy: PolicySpec(answer: { question, standard in
                guard question.point == .checkout else { return standard }
                var decision = standard
                decision.answer = .deny
                decision.refusal = Refusal(reasons: [.init(code: "exam", message: "Exams")], mayBeOverridden: true)
                return decision
            }))
        _ = try library.desk.write { session in
            try session.loans.checkout(
                CheckoutRequest(
                    patron: .username("ada"), wanted: .titles([.id(1), .id(2)]), override: true, reason: "Professor")
            ).get()
        }
        let (same, _) = try library.replay(
            PolicySpec(answer: { question, standard in
                guard question.point == .checkout else { return standard }
                var decision = standard
                decision.answer = .deny
                decision.refusal = Refusal(reasons: [.init(code: "exam", message: "Exams")], mayBeOverridden: true)
                return decision
            }))
        #expect(same.differences == [] && same.contradictions == [] && same.decisions.count == 2)
        let (freer, _) = try library.replay(Library.standard)
        #expect(freer.differences.map(\.after.answer) == ["allow", "allow"])
    }

    // MARK: - What is stored is not trusted

    private func alter(
        _ library: Library, _ point: DecisionPoint, _ change: (inout DecisionRecord) -> Void
    ) throws {
        try library.store.write { transaction in
            try transaction.decisions.forEach { record in
                guard record.point == point.rawValue else { return true }
                var record = record
                change(&record)
                try transaction.decisions.replaceTexts(by: record)
                return false
            }
        }
    }

    @Test("a stored answer that was altered is seen as a difference and as a contradiction")
    func alteredAnswer() throws {
        let library = try history()
        try alter(library, .checkout) {
            $0.decisionJSON = $0.decisionJSON.replacing("\"answer\":\"allow\"", with: "\"answer\":\"deny\"")
        }
        let (witness, _) = try library.replay(PolicySpec(tables: Library.tables(limit: 3)))
        #expect(witness.differences.count == 1)
        #expect(!witness.contradictions.isEmpty)
    }

    @Test("a stored due time that was altered is seen as a difference and as a contradiction")
    func alteredDue() throws {
        let library = try history()
        try alter(library, .checkout) {
            $0.decisionJSON = $0.decisionJSON.replacing("\"due\":\"2026-03-1", with: "\"due\":\"2026-04-1")
        }
        let (witness, _) = try library.replay(PolicySpec(tables: Library.tables(limit: 3)))
        #expect(witness.differences.count == 1)
        #expect(witness.contradictions.count == 1)
    }

    @Test("facts of a stored case that the events do not bear out are named, and the events decide")
    func alteredCase() throws {
        let library = try history()
        try alter(library, .checkout) {
            $0.caseJSON = $0.caseJSON.replacing("\"fees_owed\":\"0.00 EUR\"", with: "\"fees_owed\":\"90.00 EUR\"")
        }
        let strict = PolicySpec(tables: Library.tables(limit: 3)) { question, standard in
            guard question.patron.feesOwed.minorUnits > 0, question.point == .checkout else { return standard }
            return Decision(point: .checkout, answer: .deny, refusal: Refusal(code: "fees_owed", message: "Pay."))
        }
        let (witness, _) = try library.replay(strict)
        #expect(witness.differences == [])
        let contradiction = try #require(witness.contradictions.first)
        #expect(contradiction.message.contains("patron.fees_owed"))
    }

    @Test(
        "a damaged case is told of, where it is asked about and where nothing is compared with it", arguments: [0, 1])
    func damagedCase(ordinal: Int64) throws {
        let library = try history()
        if ordinal == 0 {
            try alter(library, .checkout) {
                $0.caseJSON = $0.caseJSON.replacing("\"fees_owed\":\"0.00 EUR\"", with: "\"fees_owed\":[]")
            }
        } else {
            let lent = try #require(try library.events(.loanMade).first)
            let sale = DecisionRecord(
                event: lent.sequence, ordinal: ordinal, point: "price", policy: nil, answer: "allow", caseJSON: "{",
                decisionJSON: "{}")
            try library.store.write { try $0.decisions.insert(sale) }
        }
        let (witness, _) = try library.replay(PolicySpec(tables: Library.tables(limit: 3)))
        #expect(witness.differences == [])
        #expect(witness.contradictions.map { $0.message.hasPrefix("The stored case cannot be read") } == [true])
    }
}

extension PolicySpec {
    fileprivate init(answer: @escaping @Sendable (Case, Decision) -> Decision) {
        self.init(tables: Library.tables(), answer: answer)
    }

    fileprivate init(tables: PolicyTables, _ answer: @escaping @Sendable (Case, Decision) -> Decision) {
        self.init(tables: tables, answer: answer)
    }
}
