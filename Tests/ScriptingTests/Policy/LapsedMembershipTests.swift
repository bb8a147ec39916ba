import Circulation
import Scripting
import Testing

@Suite("Lending after the end of a membership")
struct LapsedMembershipTests {
    private static let body = """
        rules = { { loan = days(14) } },
        request = function(case)
            local ended = case.patron.expires_on
            if ended and ended + days(30) >= date(case.now) then return allow { despite = { "expired" } } end
        end,
        """

    /// The answer to a request of someone whose membership ended so many days ago.
    private func request(_ body: String, endedAgo days: Int64, blocked: Bool = false) throws -> Decision {
        var question = PolicySupport.question(.request)
        question.patron.expiresOn = try question.today.adding(days: -days)
        if blocked {
            question.patron.blocks = [BlockFacts(kind: "manual", ends: nil, actions: [.borrow])]
        }
        return try PolicySupport.policy(body: body).decide(question)
    }

    @Test("a policy may lend for a while after it, and no longer, and never despite what it does not name")
    func forAWhile() throws {
        #expect(try request(Self.body, endedAgo: 1).answer == .allow)
        #expect(try request(Self.body, endedAgo: 30).answer == .allow)
        #expect(try request(Self.body, endedAgo: 31).refusal?.code == "expired")
        #expect(try request(Self.body, endedAgo: 1, blocked: true).refusal?.code == "blocked")
        #expect(try request("rules = { { loan = days(14) } }", endedAgo: 1).refusal?.code == "expired")
    }

    @Test("the loan is due after it begins: an end that has passed bounds nothing, one to come does")
    func due() throws {
        let policy = try PolicySupport.policy(body: Self.body)
        var question = PolicySupport.question(.checkout)
        question.patron.expiresOn = try question.today.adding(days: -5)
        #expect(policy.decide(question).due?.date == (try question.today.adding(days: 14)))
        question.patron.expiresOn = try question.today.adding(days: 5)
        #expect(policy.decide(question).due?.date == question.patron.expiresOn)
    }

    @Test("other codes are no answer to a request, and say so")
    func codes() throws {
        let decision = try request(
            #"rules = { { loan = days(14) } }, request = function() return allow { despite = { "limit" } } end"#,
            endedAgo: 1)
        #expect(decision.failure?.message.contains("can allow despite expired, blocked, suspended") == true)
    }
}
