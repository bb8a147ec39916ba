import Circulation
import Foundation
import LuaRuntime
import Scripting
import TestSupport
import Testing
import TextFormats

@Suite("Policies that fail")
struct PolicyFailureTests {
    private func failure(_ body: String, _ point: DecisionPoint = .checkout) throws -> PolicyFailure? {
        let policy = try PolicySupport.policy(
            body: "rules = { { loan = days(14) } },\n\(point.rawValue) = function(case, rule) \(body) end")
        let question =
            [.request, .checkout, .due].contains(point)
            ? PolicySupport.question(point) : PolicySupport.late(point, days: 2)
        let decision = policy.decide(question)
        #expect(decision.answer == .failed)
        #expect(decision.refusal?.code == "policy_failed")
        return decision.failure
    }

    @Test("an error names its line")
    func runtimeError() throws {
        let failure = try failure("error('no')")
        #expect(failure?.code == "lua_error")
        #expect(failure?.line == 3)
        #expect(failure?.file == "main.lua")
    }

    @Test(
        "a misspelt field names the nearest",
        arguments: [
            ("return case.patron.catgeory", "category"), ("return case.ttile", "title"), ("return rule.loann", "loan"),
            ("return case.actor.chanel", "channel"), ("return case.calendar.nextopen", "next_open"),
        ])
    func unknownField(body: String, nearest: String) throws {
        let failure = try #require(try failure(body))
        #expect(failure.message.contains("did you mean '\(nearest)'"))
    }

    @Test(
        "an answer that makes no sense is a failure",
        arguments: [
            (DecisionPoint.checkout, "return 5"), (.checkout, "return true"), (.checkout, "return {}"),
            (.checkout, "return { answer = 'maybe' }"), (.checkout, "return deny('', 'x')"),
            (.checkout, "return allow { despite = { 'limt' } }"),
            (.checkout, "return allow { due = date '2026-05-01' }"),
            (.request, "return allow()"), (.due, "return 5"),
            (.due, "return date '2020-01-01'"), (.due, "return days(3)"), (.fine, "return 0.5"),
            (.fine, "return -money '1.00'"), (.fine, "return money '1.00 USD'"), (.overdue, "return 5"),
            (.overdue, "return suspend(days(1))"), (.overdue, "return notice { stage = 'a' }"),
            (.checkin, "return suspend(days(-1))"), (.checkin, "return notice { stage = 'a' }"),
            (.renew, "return allow { due = 5 }"),
        ])
    func nonsense(point: DecisionPoint, body: String) throws {
        #expect(try failure(body, point)?.code == "bad_answer")
    }

    @Test(
        "a wrong use of a word raises at the caller's line",
        arguments: [
            ("return deny(5, 'x')", "deny: argument 1"), ("return deny('a')", "deny: argument 2"),
            ("return deny('a', 'b', { overide = true })", "no field 'overide'"),
            ("return allow { dispite = {} }", "'dispite'"),
            ("return suspend(5)", "suspend: argument 1"), ("return charge { amont = 1 }", "'amont'"),
            ("return exact(5)", "exact: argument 1"),
            ("return case.calendar.next_open(5)", "must be a date or an instant"),
            ("return case.now + 5", "instant + number"), ("return case.patron.fees_owed > 5", "cannot be compared"),
        ])
    func wrongUse(body: String, message: String) throws {
        let failure = try #require(try failure(body))
        #expect(failure.message.contains(message))
        #expect(failure.line == 3)
    }

    @Test("a calendar without an open day is an error, not an endless search")
    func neverOpen() throws {
        var question = PolicySupport.question()
        question.calendar = try OpeningCalendar(json: ["weekly": [:]])
        let policy = try PolicySupport.policy(
            body:
                "rules = { { loan = days(14), closed = 'keep' } }, due = function(case) return case.calendar.next_open(case.now) end"
        )
        #expect(policy.decide(question).failure?.message.contains("no open day") == true)
    }

    @Test("a failure leaves the policy as good as before")
    func recovers() throws {
        let policy = try PolicySupport.policy(
            body:
                "rules = { { loan = days(14) } }, checkout = function(case) if #case.patron.loans > 0 then error('x') end end"
        )
        for _ in 0..<50 {
            #expect(policy.decide(PolicySupport.question(loans: 1)).answer == .failed)
            #expect(policy.decide(PolicySupport.question()).answer == .allow)
        }
    }

    @Test("an endless loop ends as time_limit, or as instruction_limit under a budget")
    func endless() throws {
        let body = "rules = { { loan = days(14) } }, checkout = function() while true do end end"
        #expect(try PolicySupport.policy(body: body).decide(PolicySupport.question()).failure?.code == "time_limit")
        let budget = LuaLimits(memory: 32 << 20, instructions: 100_000)
        let decision = try PolicySupport.policy(body: body, limits: budget).decide(PolicySupport.question())
        #expect(decision.failure?.code == "instruction_limit")
    }

    @Test(
        "a hostile body is refused when loaded, or ends within the limits",
        arguments: HostileScript.files)
    func hostileBodies(script: HostileScript) throws {
        let text = "return policy { rules = { { loan = days(14) } }, checkout = function(...)\n\(script.source)\nend }"
        let policy: LuaPolicy
        do {
            policy = try PolicySupport.policy(text)
        } catch is PolicyProblems {
            return
        } catch is PolicyFailure {
            return
        }
        let decision = try LuaThread.run { policy.decide(PolicySupport.question()) }
        #expect(decision.answer == .failed || decision.answer == .allow)
    }
}
