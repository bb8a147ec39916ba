import Circulation
import Scripting
import Testing
import TextFormats

@Suite("Until when a policy says the same of a loan")
struct PolicyMomentTests {
    /// The points at which its answer may be another one at any time.
    private func points(_ policy: LuaPolicy) throws -> [DecisionPoint] {
        try [DecisionPoint.overdue, .fine, .lost].filter { point in
            let question = try Case(json: ["point": .string(point.rawValue), "loan": ["days_overdue": 3]])
            let decision = policy.decide(question)
            #expect(decision.answer == .allow)
            return policy.nextChange(of: decision, for: question) == question.now
        }
    }

    @Test(
        "tables and functions that look at days say the same for a day",
        arguments: [
            "rules = { { loan = days(14), fine = money '0.20', lost_after = days(30) } }",
            "fine = function(case, rule) return case.loan.days_overdue > 2 and standard(case, rule) or nil end",
            "overdue = function(case) if case.loan.open_days_overdue > 3 then return {} end return standard(case) end",
            "recall = function(case) return case.calendar.next_open(case.now + days(7)) end",
        ])
    func days(body: String) throws {
        #expect(try points(PolicySupport.policy(body: body)) == [])
    }

    @Test("a function that looks at the clock may say something else at any time, wherever it is reached")
    func clocks() throws {
        let overdue = "overdue = function(case) if case.now > case.loan.due_at + hours(3) then return {} end end"
        #expect(try points(PolicySupport.policy(body: overdue)) == [.overdue])
        let fine = "fine = function(case) return case.loan.hours_overdue > 3 and money '1.00' or nil end"
        #expect(try points(PolicySupport.policy(body: fine)) == [.fine])
        let row = "rules = { { when = function(case) return case.loan.hours_overdue > 3 end, loan = days(7) } }"
        #expect(try points(PolicySupport.policy(body: row)) == [.overdue, .fine, .lost])
    }

    @Test("a policy that fails is asked again at any time")
    func failing() throws {
        let policy = try PolicySupport.policy(body: "overdue = function(case) error('no') end")
        let question = try Case(json: ["point": "overdue", "loan": ["days_overdue": 3]])
        #expect(policy.nextChange(of: policy.decide(question), for: question) == question.now)
    }
}
