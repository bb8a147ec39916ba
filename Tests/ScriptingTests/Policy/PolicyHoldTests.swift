import Circulation
import Scripting
import Testing
import TextFormats

@Suite("What policies say about holds")
struct PolicyHoldTests {
    private static let rules = "rules = { { loan = days(14), holds = 3, holds_per_day = 2, hold_shelf = days(6) } }"

    private func decide(_ body: String, _ question: JSON) throws -> Decision {
        try PolicySupport.policy(body: Self.rules + ",\n" + body).decide(Case(json: question))
    }

    private static func hold(_ patron: JSONObject = [:], _ hold: JSONObject = [:]) -> JSON {
        ["point": "hold", "patron": .object(patron), "hold": .object(hold)]
    }

    @Test(
        "the limits of the row hold, and the refusal names it",
        arguments: [
            (hold(), Decision.Answer.allow, nil as String?), (hold(["holds": 2]), .allow, nil),
            (hold(["holds": 3]), .deny, "holds"), (hold([:], ["placed_today": 2]), .deny, "holds_per_day"),
        ])
    func limits(question: JSON, answer: Decision.Answer, field: String?) throws {
        let decision = try decide("", question)
        #expect(decision.answer == answer)
        #expect(decision.refusal?.code == field.map { _ in "limit" })
        #expect(decision.refusal?.origin?.field == field)
        #expect(decision.refusal?.origin?.line == field.map { _ in 2 })
    }

    @Test(
        "hold allows, orders, refuses or asks",
        arguments: [
            ("return nil", "allow", nil as Int64?), ("return allow()", "allow", nil),
            ("return allow { priority = 5 }", "allow", 5), ("return allow { priority = -1 }", "allow", -1),
            ("return deny('course', 'Not now.')", "deny", nil), ("return confirm('sure', 'Sure?')", "confirm", nil),
            ("return standard(case, rule)", "allow", nil),
            ("if case.hold.pickup_branch == 'main' then return deny('here', 'Not here.') end", "deny", nil),
            ("if case.hold.position > 1 or case.hold.for_copy then return deny('x', 'X') end", "allow", nil),
            ("return allow { priority = 'high' }", "failed", nil), ("return allow { due = case.now }", "failed", nil),
            ("return allow { despite = { 'renewals' } }", "failed", nil), ("return case.hold.nothing", "failed", nil),
        ])
    func answers(body: String, answer: String, priority: Int64?) throws {
        let decision = try decide("hold = function(case, rule) \(body) end", Self.hold())
        #expect(decision.answer.rawValue == answer)
        #expect(decision.priority == priority)
    }

    @Test("a function may allow in spite of a limit")
    func despite() throws {
        let body = "hold = function(case) return allow { despite = { 'limit' }, priority = 2 } end"
        let decision = try decide(body, Self.hold(["holds": 3]))
        #expect(decision.answer == .allow && decision.priority == 2)
    }

    @Test(
        "recall answers an earlier due time or none",
        arguments: [
            ("return nil", nil as String?), ("return case.now + days(3)", "2026-01-18"),
            ("if case.hold.category == 'staff' then return date '2026-01-20' end", "2026-01-20"),
            ("return exact(case.now + hours(5))", "2026-01-15"),
        ])
    func recall(body: String, due: String?) throws {
        let question: JSON = ["point": "recall", "hold": ["category": "staff"]]
        let decision = try decide("recall = function(case) \(body) end", question)
        #expect(decision.answer == .allow)
        #expect(decision.due?.date.description == due)
    }

    @Test(
        "a recall that is not earlier, or lies in the past, is no answer",
        arguments: ["return case.loan.due_at", "return case.now + days(60)", "return date '2026-01-01'", "return 5"])
    func noRecall(body: String) throws {
        let decision = try decide("recall = function(case) \(body) end", ["point": "recall"])
        #expect(decision.answer == .failed)
        #expect(decision.failure?.line == 3)
    }

    @Test("a notice is worded by notify, left to the desk, or not sent at all")
    func notify() throws {
        let own = "return notice { channel = 'sms', subject = '', body = 'Fetch {{title.title}}' }"
        let question: JSON = ["point": "notify", "event": "hold_ready"]
        for (body, channels) in [("return nil", ["email"]), (own, ["sms"]), ("return {}", [])] {
            let decision = try decide("notify = function(case) \(body) end", question)
            #expect(decision.answer == .allow)
            #expect(
                decision.effects.compactMap { effect in
                    if case .notice(let order) = effect, order.stage == "hold_ready" { order.channel } else { nil }
                } == channels)
        }
        let asked = "notify = function(case) if case.event == 'recalled' then return {} end end"
        #expect(try decide(asked, ["point": "notify", "event": "recalled"]).effects.isEmpty)
        #expect(try decide(asked, ["point": "notify", "event": "renewed"]).effects.count == 1)
        #expect(try decide("notify = function() return 7 end", question).answer == .failed)
    }

    @Test("a case about a hold reads back as it was written")
    func roundTrip() throws {
        let json: JSON = [
            "point": "hold", "event": "recalled",
            "hold": [
                "id": 4, "category": "staff", "pickup_branch": "north", "placed_at": "2026-01-02T03:04:05Z",
                "expires_on": "2026-02-01", "for_copy": true, "priority": 3, "position": 2, "placed_today": 1,
            ],
        ]
        let question = try Case(json: json)
        #expect(try Case(json: question.json) == question)
        #expect(question.hold?.isForCopy == true && question.hold?.placedToday == 1)
        #expect(throws: CaseError.self) { try Case(json: ["hold": ["pickup": "north"]]) }
    }

    @Test("a renewal is refused while others wait, unless the function allows it")
    func renewal() throws {
        let question: JSON = [
            "point": "renew", "title": ["holds_waiting": 1], "loan": ["due_at": "2026-01-16T18:00:00Z"],
        ]
        let rules = "rules = { { loan = days(14), renewals = 2 } }"
        let plain = try PolicySupport.policy(body: rules).decide(Case(json: question))
        #expect(plain.refusal?.code == "holds_waiting")
        let allowing = try PolicySupport.policy(body: rules + ", renew = function() return allow() end")
        #expect(try allowing.decide(Case(json: question)).due?.date.description == "2026-01-29")
    }
}
