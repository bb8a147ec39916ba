import Circulation
import Scripting
import Testing

@Suite("Functions of a policy that read until when a loan is wanted")
struct PolicyWantedUntilTests {
    private func question(until days: Int64?) throws -> Case {
        var question = PolicySupport.question()
        let today = question.today
        question.request?.wantedUntil = try days.map { try today.adding(days: $0) }
        return question
    }

    @Test("without a function the earlier of the two days stands")
    func tables() throws {
        let policy = try PolicySupport.policy(body: "rules = { { loan = days(14) } }")
        for (days, due) in [(nil, 14), (3, 3), (14, 14), (40, 14), (0, 0)] as [(Int64?, Int64)] {
            let question = try question(until: days)
            #expect(try policy.decide(question).due?.date == question.today.adding(days: due))
        }
    }

    @Test("`due` is handed the shorter loan as the standard one, and decides what it likes")
    func due() throws {
        let policy = try PolicySupport.policy(
            body: """
                rules = { { loan = days(14) } },
                due = function(case, rule)
                    local wanted = case.request.wanted_until
                    if wanted == nil then return nil end
                    local today = date(case.now)
                    if wanted == today + days(2) then return standard(case, rule) + days(1) end
                    if wanted > today + days(30) then return today + days(21) end
                end
                """)
        for (days, due) in [(nil, 14), (2, 3), (5, 5), (20, 14), (31, 21)] as [(Int64?, Int64)] {
            let question = try question(until: days)
            let decision = policy.decide(question)
            #expect(try decision.due?.date == question.today.adding(days: due), "\(String(describing: decision))")
        }
    }

    @Test("`checkout` and `request` may refuse for it")
    func refusals() throws {
        let policy = try PolicySupport.policy(
            body: """
                rules = { { loan = days(14) } },
                request = function(case)
                    local wanted = case.request.wanted_until
                    if wanted and wanted < date(case.now) + days(1) then return deny("today", "Not for today alone.") end
                end,
                checkout = function(case)
                    local wanted = case.request.wanted_until
                    if wanted and wanted > date(case.now) + days(14) then return deny("too_long", "Fourteen days.") end
                end
                """)
        #expect(try policy.decide(question(until: 15)).refusal?.code == "too_long")
        #expect(try policy.decide(question(until: 14)).answer == .allow)
        var whole = try question(until: 0)
        whole.point = .request
        #expect(policy.decide(whole).refusal?.code == "today")
        whole.request?.wantedUntil = nil
        #expect(policy.decide(whole).answer == .allow)
    }

    @Test("a rental lasts, and costs, until the day that is asked for")
    func rental() throws {
        let policy = try PolicySupport.policy(
            body: #"rules = { { loan = days(14), rental = money "1.00", rental_per = days(1) } }"#)
        let whole = try policy.decide(question(until: nil))
        let short = try policy.decide(question(until: 3))
        #expect(whole.rental.map { $0.minorUnits > 1_000 } == true)
        #expect(short.rental.map { (300...400).contains($0.minorUnits) } == true, "\(String(describing: short.rental))")
    }
}
