import Circulation
import LuaRuntime
import Scripting
import Testing

@Suite("Decisions of policies in Lua")
struct PolicyDecisionTests {
    private func due(_ source: String, _ question: Case = PolicySupport.question()) throws -> String? {
        let decision = try PolicySupport.policy(body: source).decide(question)
        return decision.due.map { $0.isExact ? $0.instant.description : $0.date.description }
    }

    @Test("a policy of tables alone never enters Lua")
    func tablesOnly() throws {
        let policy = try PolicySupport.policy(body: "rules = { { loan = days(14) } }")
        #expect(!policy.hasFunctions)
        let decision = policy.decide(PolicySupport.question())
        #expect(decision.answer == .allow)
        #expect(decision.due?.date.description == "2026-01-29")
    }

    @Test("a function that answers nothing changes nothing", arguments: ["staff", "guest"], [0, 3])
    func sameAsTables(category: String, loans: Int) throws {
        let tables =
            "limits = { { category = 'guest', max = 3 } }, rules = { { category = 'staff', loan = weeks(8) }, { loan = days(14), renewals = 1 } },"
        let functions = """
            request = function(case) end, checkout = function(case, rule) end, due = function(case, rule) end,
            renew = function(case, rule) return standard(case, rule) end, overdue = function(case) end,
            fine = function(case, rule) return standard(case, rule) end, checkin = function(case) end
            """
        let pure = try PolicySupport.policy(body: tables)
        let lua = try PolicySupport.policy(body: tables + functions)
        for point in [DecisionPoint.request, .checkout, .due] {
            let question = PolicySupport.question(point, category: category, loans: loans)
            #expect(summary(pure.decide(question)) == summary(lua.decide(question)))
        }
        for point in [DecisionPoint.renew, .overdue, .fine, .checkin] {
            var question = PolicySupport.late(point, days: 3)
            question.patron.category = category
            #expect(summary(pure.decide(question)) == summary(lua.decide(question)))
        }
    }

    private func summary(_ decision: Decision) -> String {
        "\(decision.answer) \(decision.due.map { "\($0)" } ?? "-") \(decision.refusal?.reasons.map(\.code) ?? []) "
            + "\(decision.refusal?.origin?.line ?? 0) \(decision.effects.count)"
    }

    @Test("deny refuses with code, message, the function's place and whether staff may override")
    func deny() throws {
        let policy = try PolicySupport.policy(
            """
            return policy {
                rules = { { loan = days(14) } },
                checkout = function(case, rule)
                    if case.patron.fees_owed >= money "25.00" then
                        return deny("fees_owed", "Please settle your fees first.", { override = true })
                    end
                end,
            }
            """)
        #expect(policy.decide(PolicySupport.question(fees: 2499)).answer == .allow)
        let decision = policy.decide(PolicySupport.question(fees: 2500))
        let refusal = try #require(decision.refusal)
        #expect(decision.answer == .deny)
        #expect(refusal.code == "fees_owed")
        #expect(refusal.message == "Please settle your fees first.")
        #expect(refusal.mayBeOverridden)
        #expect(refusal.origin == RuleOrigin(field: "checkout", file: "main.lua", line: 3))
        #expect(refusal.policy == policy.version)
        #expect(decision.due != nil)
    }

    @Test("all reasons are given, those of the tables first")
    func allReasons() throws {
        let policy = try PolicySupport.policy(
            body:
                "limits = { { max = 2 } }, rules = { { loan = days(14) } }, checkout = function() return deny('mood', 'Not today.') end"
        )
        let decision = policy.decide(PolicySupport.question(loans: 2))
        #expect(decision.refusal?.reasons.map(\.code) == ["limit", "mood"])
        #expect(decision.refusal?.origin?.table == .limits)
        #expect(decision.refusal?.mayBeOverridden == false)
    }

    @Test("allow despite a standard check lets it pass, and nothing else")
    func despite() throws {
        let body =
            "limits = { { max = 2 } }, rules = { { item_type = 'map', lend = false }, { loan = days(14) } }, checkout = function() return allow { despite = { 'limit' } } end"
        let policy = try PolicySupport.policy(body: body)
        #expect(policy.decide(PolicySupport.question(loans: 2)).answer == .allow)
        let decision = policy.decide(PolicySupport.question(itemType: "map", loans: 2))
        #expect(decision.refusal?.reasons.map(\.code) == ["not_lent"])
    }

    @Test("confirm asks staff; with a reason against it, it refuses")
    func confirm() throws {
        let policy = try PolicySupport.policy(
            body:
                "limits = { { max = 2 } }, rules = { { loan = days(14) } }, checkout = function() return confirm('fragile', 'Look at it.') end"
        )
        #expect(policy.decide(PolicySupport.question()).answer == .confirm)
        #expect(policy.decide(PolicySupport.question()).due != nil)
        #expect(policy.decide(PolicySupport.question(loans: 2)).answer == .deny)
    }

    @Test(
        "due answers a date, an instant or an exact time",
        arguments: [
            ("return case.now + days(7)", "2026-01-22"), ("return date '2026-02-01'", "2026-02-01"),
            ("return case.now + hours(3)", "2026-01-15T15:00:00Z"),
            ("return exact(case.now + days(1))", "2026-01-16T12:00:00Z"),
            ("return case.calendar:next_open(case.now + days(2))", "2026-01-17"),
            ("return case.calendar.add_open_days(date(case.now), 3)", "2026-01-18"),
            ("return nil", "2026-01-29"), ("return standard(case, rule) + days(1)", "2026-01-30"),
        ])
    func dueAnswers(body: String, expected: String) throws {
        let source = "rules = { { loan = days(14) } }, due = function(case, rule) \(body) end"
        #expect(try due(source) == expected)
    }

    @Test("a row's when is asked for the cases its other conditions let pass")
    func when() throws {
        let source = """
            rules = {
                { category = "staff", when = function(case) return case.title.holds_waiting > 3 end, loan = days(7) },
                { category = "guest", when = function(case) return case.nothing end, loan = days(1) },
                { loan = days(14) },
            }
            """
        var question = PolicySupport.question()
        #expect(try due(source, question) == "2026-01-29")
        question.title?.holdsWaiting = 4
        #expect(try due(source, question) == "2026-01-22")
    }

    @Test("a renewal can be refused, or allowed to another date though others wait")
    func renew() throws {
        let tables = "rules = { { loan = days(14), renewals = 2 } },"
        var question = PolicySupport.late(.renew, days: 0)
        question.title?.holdsWaiting = 1
        let standard = try PolicySupport.policy(body: tables).decide(question)
        #expect(standard.refusal?.code == "holds_waiting")
        let allows = try PolicySupport.policy(
            body: tables + "renew = function(case) return allow { due = date '2026-01-20' } end")
        #expect(allows.decide(question).due?.date.description == "2026-01-20")
        let bare = try PolicySupport.policy(body: tables + "renew = function(case) return allow() end")
        #expect(bare.decide(question).due?.date.description == "2026-01-29")
        let refuses = try PolicySupport.policy(body: tables + "renew = function() return deny('no', 'No.') end")
        #expect(refuses.decide(question).refusal?.reasons.map(\.code) == ["holds_waiting", "no"])
    }

    @Test(
        "a renewal that a function allows until no later than the loan is due is refused at its line",
        arguments: ["case.loan.due_at", "exact(case.loan.due_at)", "exact(case.loan.due_at - hours(1))"])
    func renewalOfNoLength(due: String) throws {
        var question = PolicySupport.late(.renew, days: 0)
        question.now = try #require(question.loan).lentAt
        let policy = try PolicySupport.policy(
            body: "rules = { { loan = days(14), renewals = 2 } }, "
                + "renew = function(case) return allow { due = \(due) } end")
        let decision = policy.decide(question)
        #expect(decision.answer == .deny && decision.due == nil, "\(decision)")
        #expect(decision.refusal?.reasons.map(\.code) == ["too_soon"])
        #expect(decision.refusal?.reasons.first?.origin?.line != nil)
    }

    @Test(
        "a due time that a function answers lies after now, or the policy fails",
        arguments: ["case.now", "exact(case.now)", "case.now + hours(0)", "case.now - minutes(1)"])
    func dueNow(answer: String) throws {
        let policy = try PolicySupport.policy(
            body: "rules = { { loan = days(14) } }, due = function(case) return \(answer) end")
        let decision = policy.decide(PolicySupport.question())
        #expect(decision.answer == .failed && decision.failure?.code == "bad_answer", "\(decision)")
    }

    @Test("the sweep's functions answer notices, charges and fines")
    func sweep() throws {
        let policy = try PolicySupport.policy(
            body: """
                rules = { { loan = days(14), fine = money "0.20" } },
                notices = { { stage = "first", after = days(1), channel = "email", subject = "s", body = "b" } },
                overdue = function(case, rule)
                    if case.loan.days_overdue >= 10 then
                        return notice { stage = "last", channel = "letter", subject = "s", body = "b", charge = money "5.00" },
                            charge { key = "letter", amount = money "1.00", label = "Postage" }
                    end
                end,
                fine = function(case, rule) if case.loan.days_overdue >= 10 then return rule.fine * 2 end end,
                """)
        let early = policy.decide(PolicySupport.late(.overdue, days: 3))
        #expect(early.effects.count == 1)
        let late = policy.decide(PolicySupport.late(.overdue, days: 10))
        #expect(late.effects.count == 2)
        guard case .notice(let order)? = late.effects.first else { return #expect(Bool(false), "no notice") }
        #expect(order.stage == "last")
        #expect(order.charge == Money(minorUnits: 500, currency: .eur))
        #expect(policy.decide(PolicySupport.late(.fine, days: 3)).effects.first == fine(60, field: "fine", row: 1))
        guard case .fine(let fine, _)? = policy.decide(PolicySupport.late(.fine, days: 10)).effects.first else {
            return #expect(Bool(false), "no fine")
        }
        #expect(fine.minorUnits == 40)
    }

    private func fine(_ cents: Int64, field: String, row: Int) -> Decision.Effect {
        .fine(
            Money(minorUnits: cents, currency: .eur),
            origin: RuleOrigin(table: .rules, row: row, field: field, file: "main.lua", line: 2))
    }

    @Test("a return can suspend the patron")
    func checkin() throws {
        let policy = try PolicySupport.policy(
            body:
                "rules = { { loan = days(14) } }, checkin = function(case) return suspend(days(case.loan.days_overdue * 2)) end"
        )
        let decision = policy.decide(PolicySupport.late(.checkin, days: 3))
        guard case .suspend(let end, _)? = decision.effects.first else {
            return #expect(Bool(false), "no suspension")
        }
        #expect(end.description == "2026-01-21")
    }

    @Test("the rule has its defaults: unlimited above every number, none and unset as nothing")
    func ruleRecord() throws {
        let policy = try PolicySupport.policy(
            body: """
                rules = { { loan = days(14), shelf = "red" }, { category = "never", room = 5 } },
                checkout = function(case, rule)
                    assert(rule.unseen_renewals > 1000000 and rule.renewals == 0 and rule.closed == "next_open")
                    assert(rule.fine == nil and rule.room == nil and rule.shelf == "red" and rule.loan == days(14))
                    return deny("seen", "ok")
                end
                """)
        #expect(policy.decide(PolicySupport.question()).refusal?.code == "seen")
    }

    @Test("a case in another currency is decided in that currency")
    func otherCurrency() throws {
        let policy = try PolicySupport.policy(
            body:
                "rules = { { loan = days(14), fine = money '0.20' } }, checkout = function(case) if case.patron.fees_owed > money '1.00' then return deny('fees', 'Fees.') end end"
        )
        let dollars = try Currency(named: "USD")
        var question = PolicySupport.question()
        question.currency = dollars
        question.patron.feesOwed = Money(minorUnits: 200, currency: dollars)
        #expect(policy.decide(question).refusal?.code == "fees")
        #expect(policy.decide(PolicySupport.question(fees: 50)).answer == .allow)
        let yen = try Currency(named: "JPY")
        question.currency = yen
        question.patron.feesOwed = .zero(yen)
        #expect(policy.decide(question).answer == .failed)
        #expect(policy.decide(PolicySupport.question(fees: 50)).answer == .allow)
    }
}
