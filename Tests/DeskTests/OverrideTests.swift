import Circulation
import Desk
import Testing
import TextFormats

@Suite("Overrides", .everyStore)
struct OverrideTests {
    /// A policy that refuses checkouts by its own code, to be overridden or not.
    private func library(overridable: Bool, actor: Actor = .desk) throws -> Library {
        let spec = PolicySpec(tables: Library.tables()) { question, decision in
            guard question.point == .checkout else { return decision }
            var refusal = Refusal(code: "fees_owed", message: "Settle your fees first.")
            refusal.mayBeOverridden = overridable
            return Decision(point: .checkout, answer: .deny, refusal: refusal)
        }
        return try Library(policy: spec, actor: actor)
    }

    private let request = CheckoutRequest(
        patron: .username("ada"), wanted: .titles([.id(1)]), override: true, reason: "Ada Adasson pays tomorrow")

    @Test("staff override a refusal where that is allowed, and the reason is an event without names")
    func overridden() throws {
        let library = try library(overridable: true)
        let loan = try library.desk.write { try $0.loans.checkout(request) }.get()[0]
        #expect(loan.due?.date.description == "2026-03-16")
        let event = try #require(try library.events(.policyOverridden).first)
        guard let override = try event.body()[.policyOverridden] else { throw DeskError.input(nil, event.kind) }
        #expect(override.codes == ["fees_owed"])
        #expect(override.loan == loan.id)
        #expect(override.reason.hasSuffix("pays tomorrow"))
        #expect(!event.payload.contains("Ada"))
        try library.expectSound()
    }

    @Test("a refusal that may not be overridden stands")
    func stands() throws {
        let library = try library(overridable: false)
        #expect(try library.desk.write { try $0.loans.checkout(request) }.refusal?.code == "fees_owed")
    }

    @Test("a policy's request may refuse a checkout of no titles, and an override of that makes no loans")
    func noTitles() throws {
        let spec = PolicySpec(tables: Library.tables()) { question, decision in
            guard question.point == .request, question.request?.size == 0 else { return decision }
            var refusal = Refusal(code: "nothing", message: "Nothing was asked for.")
            refusal.mayBeOverridden = true
            return Decision(point: .request, answer: .deny, refusal: refusal)
        }
        let library = try Library(policy: spec)
        var request = CheckoutRequest(patron: .username("ada"), wanted: .titles([]))
        #expect(try library.desk.write { try $0.loans.checkout(request) }.refusal?.code == "nothing")
        request.override = true
        request.reason = "to see what happens"
        #expect(try library.desk.write { try $0.loans.checkout(request) }.value?.isEmpty == true)
        #expect(try library.events(.policyOverridden).isEmpty)
        try library.expectSound()
    }

    @Test(
        "self-service and jobs are refused",
        arguments: [
            Actor(name: "patron:1", role: .patron, channel: .self), Actor(name: "job:x", role: .job, channel: .job),
        ])
    func selfService(actor: Actor) throws {
        let library = try library(overridable: true, actor: actor)
        let refusal = try #require(try library.desk.write { try $0.loans.checkout(request) }.refusal)
        #expect(refusal.code == "fees_owed")
        #expect(refusal.mayBeOverridden)
    }

    @Test("without the override the refusal says that it may be overridden")
    func offered() throws {
        let library = try library(overridable: true)
        #expect(try library.lend("ada", 1).refusal?.mayBeOverridden == true)
    }

    /// What one request of each kind comes to.
    private func ask(
        _ library: Library, _ point: DecisionPoint, override: Bool, reason: String? = "Her thesis is due"
    ) throws -> Refusal? {
        try library.desk.write { session in
            switch point {
            case .renew:
                return try session.loans.renew(.id(1), override: override, reason: reason).refusal
            case .hold:
                var request = HoldRequest(patron: .username("ada"), wanted: .title(.id(1)))
                (request.override, request.reason) = (override, reason)
                return try session.holds.place(request).refusal
            default:
                var request = CheckoutRequest(patron: .username("ada"), wanted: .titles([.id(1)]))
                (request.override, request.reason) = (override, reason)
                return try session.loans.checkout(request).refusal
            }
        }
    }

    private func library(_ point: DecisionPoint, _ answer: Decision.Answer, overridable: Bool = false) throws -> Library
    {
        let library = try Library()
        if point == .renew { _ = try library.lend("ada", 1).get() }
        let spec = PolicySpec(tables: Library.tables()) { question, decision in
            guard question.point == point else { return decision }
            return Decision(
                point: point, answer: answer,
                refusal: Refusal(
                    reasons: [Refusal.Reason(code: "look", message: "Look at it.")], mayBeOverridden: overridable))
        }
        try library.use(spec, "asking")
        return library
    }

    @Test(
        "a question and an overridable refusal stand without an override, and staff with a reason go on",
        arguments: [DecisionPoint.request, .checkout, .renew, .hold], [Decision.Answer.confirm, .deny])
    func everyPoint(point: DecisionPoint, answer: Decision.Answer) throws {
        let library = try library(point, answer, overridable: answer == .deny)
        let refusal = try #require(try ask(library, point, override: false))
        #expect(refusal.code == "look" && refusal.mayBeOverridden)
        #expect(refusal.isQuestion == (answer == .confirm))
        #expect(refusal.json["details"]?["override"] == true)
        #expect(refusal.json["details"]?["confirm"] == (answer == .confirm ? true : nil))
        #expect(try library.refusals().last?.refusal == refusal)
        #expect(try ask(library, point, override: true) == nil)
        let events = try library.events(.policyOverridden)
        #expect(events.count == 1)
        guard let override = try events.first?.body()[.policyOverridden] else {
            Issue.record("no override is on record")
            return
        }
        #expect(override.codes == ["look"] && override.reason == "Her thesis is due")
        #expect(override.patron == (try library.id("ada")) && override.policy.count == 64)
        try library.expectSound()
    }

    @Test(
        "a refusal that nobody may override stands at each point",
        arguments: [DecisionPoint.request, .checkout, .renew, .hold])
    func neverAtAnyPoint(point: DecisionPoint) throws {
        let library = try library(point, .deny)
        #expect(try ask(library, point, override: true)?.mayBeOverridden == false)
        #expect(try library.events(.policyOverridden).isEmpty)
    }

    @Test(
        "an override without a reason makes no sense",
        arguments: [DecisionPoint.checkout, .renew, .hold], [nil, "", " \n"])
    func withoutReason(point: DecisionPoint, reason: String?) throws {
        let library = try library(point, .confirm)
        #expect(throws: DeskError.self) { try ask(library, point, override: true, reason: reason) }
    }

    @Test("a loan that renews by itself does not where the policy asks")
    func automatic() throws {
        let tables = Library.tables(fields: ["auto_renew": .boolean(true)])
        let library = try Library(policy: PolicySpec(tables: tables))
        let loan = try library.lend("ada", 1).get()[0]
        try library.use(
            PolicySpec(tables: tables) { question, decision in
                guard question.point == .renew else { return decision }
                return Decision(
                    point: .renew, answer: .confirm, refusal: Refusal(code: "look", message: "Look."),
                    rule: decision.rule)
            }, "asking")
        try library.pass(days: 14)
        #expect(try library.desk.sweep().renewed == 0)
        #expect(try library.desk.read { try $0.loans.get(.id(loan.id)) }?.renewals == 0)
    }

    @Test("a confirmation that the policy asks for is given by an override")
    func confirmed() throws {
        let tables = Library.tables(fields: ["same_title": .text("confirm")])
        let library = try Library(policy: PolicySpec(tables: tables))
        _ = try library.lend("ada", 1).get()
        #expect(try library.lend("ada", 1).refusal?.code == "same_title")
        #expect(try library.desk.write { try $0.loans.checkout(request) }.value?.count == 1)
    }
}
