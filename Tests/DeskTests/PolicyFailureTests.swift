import Circulation
import Desk
import Testing

@Suite("When a policy fails", .everyStore)
struct PolicyFailureTests {
    private func broken(_ point: DecisionPoint, _ tables: PolicyTables = Library.tables()) -> PolicySpec {
        PolicySpec(tables: tables, failing: [point])
    }

    @Test("request and checkout refuse with policy_failed", arguments: [DecisionPoint.request, .checkout])
    func refuses(point: DecisionPoint) throws {
        let library = try Library(policy: broken(point))
        #expect(try library.lend("ada", 1).refusal?.code == "policy_failed")
        let report = try library.desk.examine()
        #expect(report.isSound)
        #expect(report.failures.map(\.point) == [point.rawValue])
        #expect(report.failures.first?.message == "It broke. (p.lua:7)")
    }

    @Test(
        "renewals, holds and due times that the policy has to give are refused as well, and the doctor lists the failure",
        arguments: [DecisionPoint.due, .renew, .hold])
    func refusesElsewhere(point: DecisionPoint) throws {
        let library = try Library()
        let loan = try library.lend("ada", 1).get()[0]
        var spec = broken(point)
        if point == .due {
            spec.answer = { question, decision in
                guard question.point == .checkout else { return decision }
                let refusal = Refusal(
                    reasons: [Refusal.Reason(code: "look", message: "Look.")], mayBeOverridden: true)
                return Decision(point: .checkout, answer: .confirm, refusal: refusal)
            }
        }
        try library.use(spec, "broken")
        let refusal = try library.desk.write { session -> Refusal? in
            switch point {
            case .renew: return try session.loans.renew(.id(loan.id)).refusal
            case .hold: return try session.holds.place(.init(patron: .username("bob"), wanted: .title(.id(1)))).refusal
            default:
                var request = CheckoutRequest(patron: .username("bob"), wanted: .titles([.id(1)]))
                (request.override, request.reason) = (true, "to see")
                return try session.loans.checkout(request).refusal
            }
        }
        #expect(refusal?.code == "policy_failed")
        #expect(try library.events(.policyFailed).count == 1)
        #expect(try library.events(.policyOverridden).isEmpty)
        let report = try library.desk.examine()
        #expect(report.isSound)
        #expect(report.failures.map(\.point) == [point.rawValue])
    }

    @Test("an allowed checkout without a due time is a failure")
    func nonsense() throws {
        let spec = PolicySpec(tables: Library.tables()) { question, decision in
            var decision = decision
            decision.due = nil
            return decision
        }
        let library = try Library(policy: spec)
        #expect(try library.lend("ada", 1).refusal?.code == "policy_failed")
        #expect(try library.desk.examine().failures.first?.message == "The policy gave no due time.")
    }

    @Test("a renewal is refused and the loan stays as it is")
    func renewal() throws {
        let library = try Library()
        let loan = try library.lend("ada", 1).get()[0]
        try library.use(broken(.renew), "broken")
        #expect(try library.desk.write { try $0.loans.renew(.id(loan.id)) }.refusal?.code == "policy_failed")
        #expect(try library.desk.read { try $0.loans.get(.id(loan.id)) } == loan)
    }

    @Test("a check-in takes the copy all the same and records the failure", arguments: [DecisionPoint.checkin, .fine])
    func checkin(point: DecisionPoint) throws {
        let library = try Library(policy: broken(point, Library.tables(fields: ["suspension": .period(.days(1))])))
        let loan = try library.lend("ada", 1).get()[0]
        try library.pass(days: 20)
        let back = try library.desk.write { try $0.loans.checkin(.id(loan.id)) }.get()
        #expect(back.failures.map(\.code) == ["lua_error"])
        #expect((back.suspension == nil) == (point == .checkin))
        #expect(back.posted.isEmpty == (point == .fine))
        #expect(try library.desk.read { try $0.catalogue.counts(of: 1) }.available == 2)
        let report = try library.desk.examine()
        #expect(report.isSound && report.failures.map(\.point) == [point.rawValue])
    }

    @Test(
        "a sweep skips the loan, keeps what was posted, counts it and goes on",
        arguments: [DecisionPoint.overdue, .fine])
    func sweep(point: DecisionPoint) throws {
        let notices = [Library.notice("first", after: .days(1))]
        let spec = PolicySpec(tables: Library.tables(notices: notices)) { question, decision in
            guard question.point == point, question.title?.id == 1 else { return decision }
            return Decision(
                point: point, answer: .failed, failure: PolicyFailure(code: "time_limit", message: "Too long."))
        }
        let library = try Library(policy: spec)
        let loans = try library.lend("ada", 1, 2).get()
        try library.pass(days: 16)
        let report = try library.desk.sweep()
        #expect(report.failed == 1)
        #expect(report.failures.map(\.loan) == [loans[0].id])
        #expect(report.failures.map(\.point) == [point])
        #expect(report.notices == 1)
        #expect(report.charged == (point == .fine ? 40 : 80))
        let doctor = try library.desk.examine()
        #expect(doctor.isSound && doctor.failures.count == 1)
    }

    @Test("a fine below what was charged already is a failure, and what was charged stays")
    func shrinkingFine() throws {
        let spec = PolicySpec(tables: Library.tables()) { question, decision in
            guard question.point == .fine, question.daysOverdue > 3 else { return decision }
            var less = decision
            less.effects = [.fine(Money(minorUnits: 5, currency: .eur), origin: nil)]
            return less
        }
        let library = try Library(policy: spec)
        _ = try library.lend("ada", 1).get()
        try library.pass(days: 17)
        #expect(try library.desk.sweep().charged == 60)
        try library.pass(days: 3)
        let report = try library.desk.sweep()
        #expect(report.failed == 1 && report.charged == 0)
        #expect(try library.owed("ada") == 60)
        try library.expectSound()
    }

    @Test("a bundle that is not a policy is refused, and nothing changes")
    func notAPolicy() throws {
        let library = try Library()
        let files = [PolicyBundle.File(name: "policy.lua", source: "return 1")]
        let bundle = PolicyBundle(sha256: library.loader.digest(of: files), files: files)
        let before = try library.desk.read { try $0.policies.inForce() }
        #expect(try library.desk.write { try $0.policies.activate(bundle) }.refusal?.code == "policy_failed")
        #expect(try library.desk.read { try $0.policies.inForce() } == before)
        #expect(try library.desk.read { try $0.policies.bundle(bundle.sha256) } == nil)
        let renamed = PolicyBundle(sha256: String(repeating: "0", count: 64), files: files)
        #expect(throws: DeskError.self) { try library.desk.write { try $0.policies.activate(renamed) } }
    }

    @Test("a policy with a future beginning waits for it, and a rollback brings back the one before")
    func future() throws {
        let library = try Library()
        let later = library.loader.bundle(PolicySpec(tables: Library.tables(limit: 0)), "strict")
        let from = try library.clock.now().adding(hours: 48)
        _ = try library.desk.write { try $0.policies.activate(later, from: from, note: "term").get() }
        #expect(try library.lend("ada", 1).value != nil)
        try library.pass(days: 2)
        #expect(try library.lend("ada", 3).refusal?.code == "limit")
        let past = try library.clock.now().adding(hours: -1)
        #expect(try library.desk.write { try $0.policies.activate(later, from: past) }.refusal?.code == "past")
        _ = try library.desk.write { try $0.policies.rollback(note: "too strict").get() }
        #expect(try library.lend("ada", 3).value != nil)
        #expect(try library.desk.read { try $0.policies.history() }.count == 3)
        try library.expectSound()
    }
}
