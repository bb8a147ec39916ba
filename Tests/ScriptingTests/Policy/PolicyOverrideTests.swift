import Circulation
import Scripting
import Testing

@Suite("What staff may override")
struct PolicyOverrideTests {
    static let points: [DecisionPoint] = [.request, .checkout, .renew, .hold]

    private func decision(_ point: DecisionPoint, _ body: String, loans: Int = 0) throws -> Decision {
        let policy = try PolicySupport.policy(
            body: """
                limits = { { max = 2 } },
                rules = { { loan = days(14), renewals = 2, same_title = "confirm" } },
                \(point.rawValue) = function(case, rule) \(body) end
                """)
        if point == .renew { return policy.decide(PolicySupport.late(.renew, days: 0)) }
        var question = PolicySupport.question(point, loans: loans)
        if point == .hold {
            question.request = nil
            question.hold = HoldFacts(category: "staff", pickupBranch: "main", placedAt: PolicySupport.now, position: 1)
        }
        return policy.decide(question)
    }

    @Test("confirm asks, at each point that may refuse", arguments: points)
    func confirm(point: DecisionPoint) throws {
        let decision = try decision(point, "return confirm('look', 'Look at it.')")
        #expect(decision.answer == .confirm)
        #expect(decision.refusal?.mayBeOverridden == true)
        #expect(decision.refusal?.reasons.map(\.code) == ["look"])
    }

    @Test(
        "deny may be overridden only where it says so, at each point that may refuse", arguments: points, [false, true])
    func deny(point: DecisionPoint, override: Bool) throws {
        let decision = try decision(point, "return deny('no', 'No.', { override = \(override) })")
        #expect(decision.answer == .deny)
        #expect(decision.refusal?.mayBeOverridden == override)
    }

    @Test(
        "several reasons may be overridden if each of them may",
        arguments: [
            ("return confirm('look', 'Look.')", Decision.Answer.confirm, true),
            ("return deny('no', 'No.', { override = true })", .deny, true),
            ("return deny('no', 'No.')", .deny, false),
            ("return allow { despite = { 'same_title' } }", .allow, false),
        ])
    func withQuestion(body: String, answer: Decision.Answer, isOverridable: Bool) throws {
        let policy = try PolicySupport.policy(
            body: """
                rules = { { loan = days(14), same_title = "confirm" } },
                checkout = function(case, rule) \(body) end
                """)
        var question = PolicySupport.question()
        question.patron.loans = [OpenLoanFacts(title: 1, itemTypes: ["book"], branch: "main")]
        let decision = policy.decide(question)
        #expect(decision.answer == answer)
        #expect((decision.refusal?.mayBeOverridden ?? false) == isOverridable)
        #expect((decision.refusal?.reasons.first?.code ?? "same_title") == "same_title")
    }

    @Test(
        "a function says how much a standard reason weighs by handing it on",
        arguments: [
            ("", Decision.Answer.deny, false), ("return standard(case, rule)", .deny, false),
            ("local a = standard(case, rule) return deny(a.code, a.message, { override = true })", .deny, true),
            ("local a = standard(case, rule) return confirm(a.code, a.message)", .confirm, true),
            ("return confirm('look', 'Look.')", .deny, false),
        ])
    func handedOn(body: String, answer: Decision.Answer, isOverridable: Bool) throws {
        let decision = try decision(.checkout, body, loans: 2)
        #expect(decision.answer == answer)
        #expect(decision.refusal?.code == "limit")
        #expect(decision.refusal?.origin?.table == .limits)
        #expect(decision.refusal?.mayBeOverridden == isOverridable)
        #expect((decision.due != nil) == isOverridable)
    }

    @Test(
        "a renewal is allowed despite the checks that are named, and no others",
        arguments: [
            ("allow()", ["blocked"]), ("allow { despite = { 'blocked' } }", ["renewals", "holds_waiting"]),
            ("allow { despite = { 'renewals', 'holds_waiting' } }", ["blocked"]),
            ("allow { despite = { 'blocked', 'renewals', 'holds_waiting' } }", []),
            ("allow { despite = { 'blocked', 'renewals', 'holds_waiting' }, due = date '2026-03-01' }", []),
        ])
    func renewal(answer: String, left: [String]) throws {
        let policy = try PolicySupport.policy(
            body: "rules = { { loan = days(14), renewals = 0 } }, renew = function() return \(answer) end")
        var question = PolicySupport.late(.renew, days: 0)
        question.title?.holdsWaiting = 1
        question.patron.blocks = [BlockFacts(kind: "manual", actions: [.renew])]
        let decision = policy.decide(question)
        #expect(decision.refusal?.reasons.map(\.code) ?? [] == left)
        #expect((decision.due != nil) == left.isEmpty)
        if answer.contains("2026-03-01") { #expect(decision.due?.date.description == "2026-03-01") }
    }

    @Test("despite names standard checks of its point only")
    func unknownCodes() throws {
        let decision = try decision(.renew, "return allow { despite = { 'limit' } }")
        #expect(decision.answer == .failed)
        #expect(decision.failure?.message.contains("renewals, holds_waiting, too_soon") == true)
    }
}
