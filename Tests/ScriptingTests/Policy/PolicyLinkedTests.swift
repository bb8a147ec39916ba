import Circulation
import Scripting
import Testing

@Suite("Policies that read households, guardians and dependents")
struct PolicyLinkedTests {
    @Test("rows of limits say whose loans count and how much is owed")
    func rows() throws {
        let policy = try PolicySupport.policy(
            body: """
                limits = { { of = "household", max = 10 }, { of = "guardians", owed = money "10.00", max = 0 },
                    { owed = money "5.00", item_type = "dvd", max = 0 } }
                """)
        let rows = policy.tables.source.limits
        #expect(rows.map(\.of) == [.household, .guardians, nil])
        #expect(rows.map { $0.owed?.minorUnits } == [nil, 1_000, 500])
        #expect(policy.needs(at: .checkout) == CaseNeeds(linked: true) && policy.needs(at: .renew) == .none)
    }

    @Test(
        "what is no group and no amount is refused with its row",
        arguments: [
            ("limits = { { of = 'parents', max = 1 } }", "limits row 1: of must be one of \"household\""),
            ("limits = { { of = 1, max = 1 } }", "limits row 1: of must be one of"),
            ("limits = { { owed = 10, max = 0 } }", "limits row 1: owed must be an amount"),
            ("limits = { { owed = money '0.00', max = 0 } }", "limits row 1: owed must be an amount"),
            ("limits = { { owed = money '-1.00', max = 0 } }", "limits row 1: owed must be an amount"),
            ("limits = { { of = 'family', max = unlimited } }", "limits row 1: where max is unlimited"),
            ("limits = { { of = 'family', within = days(3), max = 1 } }", "limits row 1: with of all open loans count"),
            (
                "limits = { { of = 'family', per = 'title', within = days(3), max = 1 } }",
                "none that were returned; leave out within"
            ),
            ("limits = { { of = 'family', item_type = 'dvd', max = 1 } }", "leave out item_type"),
            ("rules = { { of = 'family', loan = days(1) } }", "it belongs to rows of 'limits'"),
        ])
    func malformed(body: String, complaint: String) throws {
        let found = try PolicySupport.complaint("return policy { \(body) }")
        #expect(found?.contains(complaint) == true, "\(found ?? "none")")
    }

    @Test("functions see what each group has and owes together, and nothing is nil")
    func functions() throws {
        let policy = try PolicySupport.policy(
            body: """
                rules = { { loan = days(14) } },
                checkout = function(case)
                    local patron = case.patron
                    if patron.guardians.owed >= money "10.00" then return deny("guardian", "The guardian owes.") end
                    if patron.household.loans + #case.request.granted >= 10 then return deny("house", "Ten.") end
                    if patron.dependents.overdue > 0 and patron.family.people > 1 then return deny("late", "Late.") end
                end
                """)
        var question = PolicySupport.question()
        #expect(policy.decide(question).answer == .allow)
        var linked = LinkedFacts(alone: question.patron)
        func decided(_ group: PatronGroup, _ facts: GroupFacts) -> String? {
            question.patron.linked = linked
            question.patron.linked?[group] = facts
            return policy.decide(question).refusal?.code
        }
        let none = Money.zero(question.currency)
        for (cents, code) in [(1_000, "guardian"), (999, nil)] as [(Int64, String?)] {
            let owed = Money(minorUnits: cents, currency: question.currency)
            #expect(decided(.guardians, GroupFacts(owed: owed)) == code)
        }
        #expect(decided(.household, GroupFacts(people: 2, loans: 10, owed: none)) == "house")
        #expect(decided(.dependents, GroupFacts(people: 1, overdue: 1, owed: none)) == nil)
        linked[.family] = GroupFacts(people: 2, owed: none)
        #expect(decided(.dependents, GroupFacts(people: 1, overdue: 1, owed: none)) == "late")
    }

    @Test(
        "what those have to whom a patron is linked is gathered only where the policy reads it",
        arguments: [
            ("rules = { { loan = days(14) } }, limits = { { owed = money '3.00', max = 0 } }", [:]),
            (
                "renew = function(case) return case.patron.family.owed > money '1.00' and deny('a', 'b') or nil end",
                [.renew: CaseNeeds(linked: true)]
            ),
            (
                "hold = function(case) return case.patron.dependents.people > 3 and deny('a', 'b') or nil end",
                [.hold: CaseNeeds(linked: true)]
            ),
        ] as [(String, [DecisionPoint: CaseNeeds])])
    func needs(body: String, needs: [DecisionPoint: CaseNeeds]) throws {
        let policy = try PolicySupport.policy(body: body)
        for point in DecisionPoint.allCases { #expect(policy.needs(at: point) == needs[point] ?? .none) }
    }
}
