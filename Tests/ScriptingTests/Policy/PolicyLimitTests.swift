import Circulation
import Scripting
import Testing

@Suite("Rows of limits as a policy writes them")
struct PolicyLimitTests {
    private func question(claimed: Int, others: Int) -> Case {
        var question = PolicySupport.question(loans: claimed + others)
        for index in 0..<claimed { question.patron.loans[index].isClaimed = true }
        return question
    }

    @Test(
        "claimed loans count as the row says, and count where it says nothing",
        arguments: [("", false), ("claimed = 'counted', ", false), ("claimed = 'not counted', ", true)])
    func claimed(words: String, isAllowed: Bool) throws {
        let policy = try PolicySupport.policy(
            body: "limits = { { \(words)max = 2 } }, rules = { { loan = days(14) } }")
        let decision = policy.decide(question(claimed: 1, others: 1))
        #expect((decision.answer == .allow) == isAllowed)
        #expect(policy.decide(question(claimed: 0, others: 2)).refusal?.code == "limit")
    }

    @Test("functions see which loans are claimed")
    func functions() throws {
        let policy = try PolicySupport.policy(
            body: """
                rules = { { loan = days(14) } },
                checkout = function(case)
                    local claimed = 0
                    for _, loan in ipairs(case.patron.loans) do
                        if loan.claimed then claimed = claimed + 1 end
                    end
                    if claimed > 1 then return deny("claims", "Please talk to us about the claimed loans.") end
                end
                """)
        #expect(policy.decide(question(claimed: 1, others: 5)).answer == .allow)
        #expect(policy.decide(question(claimed: 2, others: 0)).refusal?.code == "claims")
    }

    @Test(
        "what is no word of a row is said, with the word that was meant",
        arguments: [
            ("claimed = 'uncounted'", "limits row 1: claimed must be \"counted\" or \"not counted\", not the text"),
            ("claimed = false", "limits row 1: claimed must be \"counted\" or \"not counted\", not false"),
            ("location = 3", "limits row 1: location must be a text or a list of texts, not the number 3"),
        ])
    func wrong(words: String, complaint: String) throws {
        let source = "return policy { limits = { { \(words), max = 2 } } }"
        #expect(try PolicySupport.complaint(source)?.contains(complaint) == true)
    }

    @Test("rows and functions know where a copy stands and since when the library has it")
    func location() throws {
        let policy = try PolicySupport.policy(
            body: """
                rules = {
                    { location = "reference", lend = false, reason = "It stays here." },
                    { when = function(case)
                        local acquired = case.copy and case.copy.acquired_on
                        return acquired ~= nil and acquired > date(case.now) - days(90)
                    end, loan = days(7) },
                    { loan = days(28) },
                },
                checkout = function(case)
                    if case.copy.location == "vault" then return deny("vault", "Ask in the reading room.") end
                end
                """)
        var question = PolicySupport.question()
        func due() -> CivilDate? { policy.decide(question).due?.date }
        let today = question.today
        #expect(try due() == today.adding(days: 28))
        question.copy?.acquiredOn = try today.adding(days: -89)
        #expect(try due() == today.adding(days: 7))
        question.copy?.acquiredOn = try today.adding(days: -90)
        #expect(try due() == today.adding(days: 28))
        question.copy?.location = "vault"
        #expect(policy.decide(question).refusal?.code == "vault")
        question.copy?.location = "reference"
        #expect(policy.decide(question).refusal?.message == "It stays here.")
    }
}
