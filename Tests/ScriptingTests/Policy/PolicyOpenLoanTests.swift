import Circulation
import Scripting
import Testing

@Suite("Which policies read a patron's open loans in a sweep")
struct PolicyOpenLoanTests {
    private func points(_ policy: LuaPolicy) -> [DecisionPoint] {
        [.overdue, .fine].filter { policy.readsOpenLoans(at: $0) }
    }

    @Test("where something is lent every policy reads them", arguments: [DecisionPoint.checkout, .renew, .hold, .lost])
    func lending(point: DecisionPoint) throws {
        #expect(try PolicySupport.policy(body: "rules = { { loan = days(14) } }").readsOpenLoans(at: point))
    }

    @Test(
        "neither tables nor functions of other points make it so",
        arguments: [
            "rules = { { loan = days(14), fine = money '0.20' } }, limits = { { max = 3 } }",
            "request = function(case) if case.patron.overdue > 3 then return deny('overdue', 'Late.') end end",
            "checkout = function(case) return #case.patron.loans > 9 and deny('many', 'Many.') or nil end, "
                + "overdue = function(case) return standard(case) end",
            "rules = { { when = function(case) return case.title.copies < 5 end, loan = days(7) } }, "
                + "renew = function(case) if case.patron.lost > 0 then return deny('lost', 'Lost.') end end",
        ])
    func unread(body: String) throws {
        #expect(try points(PolicySupport.policy(body: body)) == [])
    }

    @Test("a function of the point makes it so for that point")
    func ownFunction() throws {
        let overdue = "overdue = function(case) if #case.patron.loans > 3 then return {} end end"
        #expect(try points(PolicySupport.policy(body: overdue)) == [.overdue])
        let fine = "fine = function(case, rule) return case.patron.overdue > 3 and standard(case, rule) or nil end"
        #expect(try points(PolicySupport.policy(body: fine)) == [.fine])
    }

    @Test(
        "what may be reached from anywhere makes it so for both",
        arguments: [
            "return policy { rules = { { when = function(case) return case.patron.lost > 0 end, loan = days(7) } } }",
            "local function late(case) return case.patron['overdue'] > 0 end "
                + "return policy { request = late, overdue = function(case) late(case) end }",
            "local late = function(case) return case.patron.overdue > 0 end return policy { request = late }",
            "local p = {} p.request = function(case) return case.patron.overdue > 0 and deny('o', 'o') or nil end "
                + "p.overdue = function(case) p.request(case) end return policy(p)",
            "local p = { request = function(case) return case.patron.overdue > 0 and deny('o', 'o') or nil end } "
                + "p.fine = function(case) p.request(case) end return policy(p)",
            "local field = 'over' .. 'due' local late = function(case) return case.patron[field] > 0 end "
                + "return policy { rules = { { when = late, loan = days(7) } } }",
            "local p = { request = function(case) return case.patron.overdue > 0 and deny('o', 'o') or nil end } "
                + "p.fine = function(case) for _, f in pairs(p) do f(case) end end return policy(p)",
        ])
    func reached(source: String) throws {
        #expect(try points(PolicySupport.policy(source)) == [.overdue, .fine])
    }

    @Test("a file that is required counts as a whole")
    func required() throws {
        let parsed = try PolicySupport.parsed(
            "local late = require 'late' return policy { rules = { { when = late, loan = days(7) } } }",
            modules: ["late.lua": "return function(case) return case.patron.overdue == 0 end"])
        #expect(try points(LuaPolicy(parsed)) == [.overdue, .fine])
    }
}
