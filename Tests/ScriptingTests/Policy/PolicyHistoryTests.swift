import Circulation
import Scripting
import Testing

@Suite("Policies that look back")
struct PolicyHistoryTests {
    private static let window = "history = { patron = days(90), title = days(30) },"

    @Test("rows of limits have a window, one title and debts")
    func rows() throws {
        let policy = try PolicySupport.policy(
            body: "limits = { { within = weeks(4), per = 'title', max = 1 }, { owed_for = days(60), max = 0 } }")
        let rows = policy.tables.source.limits
        #expect(rows[0].within == .weeks(4) && rows[0].isPerTitle && rows[0].owedFor == nil)
        #expect(rows[1].owedFor == .days(60) && rows[1].countsOpenLoans)
    }

    @Test(
        "what is no window is refused with its row",
        arguments: [
            ("limits = { { within = 28, max = 1 } }", "limits row 1: within must be a period"),
            ("limits = { { within = open_days(5), max = 1 } }", "limits row 1: within must be a period"),
            ("limits = { { within = days(0), max = 1 } }", "limits row 1: within must be a period"),
            ("limits = { { within = months(1201), max = 1 } }", "limits row 1: within must be a period"),
            ("limits = { { within = days(5), max = 501 } }", "limits row 1: max must be at most 500 with within"),
            ("limits = { { within = days(5), max = unlimited } }", "limits row 1: where max is unlimited"),
            ("limits = { { per = 'copy', max = 1 } }", "limits row 1: per must be \"title\""),
            ("limits = { { owed_for = hours(5), max = 1 } }", "limits row 1: owed_for must be a period"),
            ("rules = { { within = days(5), loan = days(1) } }", "it belongs to rows of 'limits'"),
            ("history = days(5)", "history must be periods by name"),
            ("history = { patron = 5 }", "history.patron must be a period"),
            ("history = { patrons = days(5) }", "history has no 'patrons'"),
        ])
    func malformed(body: String, complaint: String) throws {
        #expect(try PolicySupport.complaint("return policy { \(body) }")?.contains(complaint) == true)
    }

    @Test("functions see loans of the past, how often a title was lent and since when something is owed")
    func functions() throws {
        let policy = try PolicySupport.policy(
            body: """
                \(Self.window) rules = { { loan = days(14) } },
                due = function(case)
                    if case.title.times_lent > 10 then return case.now + days(7) end
                end,
                checkout = function(case)
                    local films = 0
                    for _, loan in ipairs(case.patron.history) do
                        if loan.item_type == "dvd" and loan.lent_at >= case.now - days(30)
                            and loan.returned_at then films = films + 1 end
                    end
                    if films >= 2 then return deny("films", "Two films within 30 days.") end
                    if case.patron.owed_since and case.patron.owed_since < case.now - days(60) then
                        return deny("debts", "Owed for long.")
                    end
                end
                """)
        var question = PolicySupport.question()
        #expect(policy.decide(question).due?.date.description == "2026-01-29")
        question.title?.timesLent = 11
        #expect(policy.decide(question).due?.date.description == "2026-01-22")
        let lent = Instant(seconds: PolicySupport.now.seconds - 5 * 86_400)
        let film = OpenLoanFacts(title: 3, itemTypes: ["dvd"], branch: "main")
        question.patron.history = [
            PastLoanFacts(loan: film, lentAt: lent, returnedAt: lent), PastLoanFacts(loan: film, lentAt: lent),
        ]
        #expect(policy.decide(question).answer == .allow)
        question.patron.history[1].returnedAt = lent
        #expect(policy.decide(question).refusal?.code == "films")
        question.patron.history = []
        question.patron.owedSince = try CivilDate(parsing: "2025-10-01")
        #expect(policy.decide(question).refusal?.code == "debts")
    }

    @Test(
        "only what the policy reads is gathered, and loans of the past only with a window",
        arguments: [
            ("rules = { { loan = days(14) } }, limits = { { max = 3 } }", [:]),
            (Self.window + "checkout = function(case) return nil end", [:]),
            ("checkout = function(case) return #case.patron.history > 3 and deny('a', 'b') or nil end", [:]),
            (
                Self.window + "renew = function(case) return #case.patron.history > 3 and deny('a', 'b') or nil end",
                [.renew: CaseNeeds(patronHistory: [.days(90)])]
            ),
            (
                Self.window + "due = function(case) return case.title.times_lent > 3 and case.now + days(1) or nil end",
                [.due: CaseNeeds(titleHistory: .days(30))]
            ),
            (
                "hold = function(case) return case.patron.owed_since and deny('a', 'b') or nil end",
                [.hold: CaseNeeds(owedSince: true)]
            ),
            (
                "limits = { { within = weeks(4), max = 1 }, { owed_for = days(9), max = 0 } }",
                [.checkout: CaseNeeds(patronHistory: [.weeks(4)], owedSince: true)]
            ),
        ] as [(String, [DecisionPoint: CaseNeeds])])
    func needs(body: String, needs: [DecisionPoint: CaseNeeds]) throws {
        let policy = try PolicySupport.policy(body: body)
        for point in DecisionPoint.allCases { #expect(policy.needs(at: point) == needs[point] ?? .none) }
    }

    @Test("a function that may read any field is taken to read all, of loans of the past within its window")
    func anything() throws {
        let body = "checkout = function(case) for k, v in pairs(case.patron) do if k == v then return end end end"
        let plain = CaseNeeds(
            owedSince: true, holdsByItemType: true, linked: true, linkedClaims: true, linkedTitle: true)
        #expect(try PolicySupport.policy(body: body).needs(at: .checkout) == plain)
        let all = CaseNeeds(
            patronHistory: [.days(90)], titleHistory: .days(30), owedSince: true, holdsByItemType: true, linked: true,
            linkedClaims: true, linkedTitle: true)
        #expect(try PolicySupport.policy(body: Self.window + body).needs(at: .checkout) == all)
    }
}
