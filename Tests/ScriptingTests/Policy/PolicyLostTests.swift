import Circulation
import Scripting
import Testing
import TextFormats

@Suite("What policies say about lost copies and rentals")
struct PolicyLostTests {
    private static let rules = """
        rules = {
            { item_type = "dvd", lost_after = none, lost_fee = "replacement_price" },
            { loan = days(14), renewals = 2, lost_after = days(30), lost_fee = money "25.00", lost_refund_within = days(7) },
        }
        """

    private func decide(_ body: String, _ question: JSON, rules: String = PolicyLostTests.rules) throws -> Decision {
        try PolicySupport.policy(body: rules + ",\n" + body).decide(Case(json: question))
    }

    private static func late(_ days: Int64, _ loan: JSONObject = [:], itemType: String = "book") -> JSON {
        var given: JSONObject = ["days_overdue": .integer(days)]
        for entry in loan { given[entry.key] = entry.value }
        return [
            "point": "lost", "copy": ["item_type": .string(itemType), "replacement_price": "12.00"],
            "loan": .object(given),
        ]
    }

    /// `lost 25.00 EUR`, `lost`, `not lost`, and the charges.
    private func words(_ decision: Decision) -> String {
        guard decision.answer == .allow else { return decision.answer.rawValue }
        var words: [String] = []
        for effect in decision.effects {
            switch effect {
            case .lose(let fee, _): words.append("lost" + (fee.map { " \($0)" } ?? ""))
            case .charge(let order): words.append("\(order.key) \(order.amount)")
            default: words.append("?")
            }
        }
        return words.isEmpty ? "not lost" : words.joined(separator: ", ")
    }

    @Test(
        "the rule declares a copy lost on the day that lost_after reaches",
        arguments: [
            (late(29), "not lost"), (late(30), "lost 25.00 EUR"), (late(300), "lost 25.00 EUR"),
            (late(300, itemType: "dvd"), "not lost"),
        ])
    func byRule(question: JSON, answer: String) throws {
        let decision = try decide("", question)
        #expect(words(decision) == answer)
        for case .lose(_, let origin) in decision.effects {
            #expect(origin?.field == "lost_after" && origin?.line == 4)
        }
    }

    @Test("what staff declare lost costs what the rule says, however early it is")
    func byStaff() throws {
        let declared: JSONObject = ["lost_at": "2026-01-15T12:00:00Z"]
        #expect(words(try decide("", Self.late(0, declared))) == "lost 25.00 EUR")
        #expect(words(try decide("", Self.late(0, declared, itemType: "dvd"))) == "lost 12.00 EUR")
    }

    @Test(
        "lost waits, declares with a fee of its own, or charges beside it",
        arguments: [
            ("return nil", "lost 25.00 EUR"), ("return declare_lost()", "lost 25.00 EUR"),
            ("return declare_lost { fee = money '3.00' }", "lost 3.00 EUR"),
            ("return declare_lost { fee = none }", "lost"), ("return {}", "not lost"),
            ("return standard(case, rule)", "lost 25.00 EUR"),
            ("return charge { key = 'search', amount = money '2.00', label = 'Search' }", "search 2.00 EUR"),
            (
                "return { declare_lost(), charge { key = 'admin', amount = money '2.00', label = 'Admin' } }",
                "lost 25.00 EUR, admin 2.00 EUR"
            ),
            ("if case.patron.claims > 0 then return {} end", "lost 25.00 EUR"),
            ("return declare_lost { fee = case.copy.replacement_price * 2 }", "lost 24.00 EUR"),
            ("return declare_lost { fee = 5 }", "failed"), ("return declare_lost { fees = money '1.00' }", "failed"),
            ("return suspend(days(3))", "failed"), ("return true", "failed"), ("return case.loan.lost", "failed"),
        ])
    func answers(body: String, answer: String) throws {
        let decision = try decide("lost = function(case, rule) \(body) end", Self.late(30))
        #expect(words(decision) == answer, "\(decision.failure?.message ?? "")")
        if answer == "failed" { #expect(decision.failure?.line ?? 0 > 0) }
    }

    @Test("a function is not asked about a loan that is not late enough")
    func notAsked() throws {
        #expect(words(try decide("lost = function(case) error('asked') end", Self.late(29))) == "not lost")
    }

    @Test("the explanation lists the fields of the group with row and line, defaults among them")
    func explanation() throws {
        let policy = try PolicySupport.policy(body: Self.rules)
        let groups = try policy.explanation(of: Case(json: Self.late(30)))
        let group = try #require(groups.first { $0.group == .lost })
        #expect(group.origin?.row == 2)
        #expect(
            group.fields.map(\.name) == [
                "lost_after", "lost_fee", "lost_refund_within", "lost_refund", "lost_fine", "lost_found_fine",
            ])
        #expect(group.skipped.count == 1)
    }

    @Test(
        "a copy that comes back in fewer than lost_refund_within takes the fee back",
        arguments: [
            ("days(7)", 6, true), ("days(7)", 7, false), ("days(7)", 8, false), ("unlimited", 4000, true),
            ("none", 0, false), ("hours(24)", 0, true), ("open_days(2)", 1, true), ("open_days(2)", 2, false),
        ] as [(String, Int64, Bool)])
    func refund(within: String, days: Int64, isRefunded: Bool) throws {
        let policy = try PolicySupport.policy(
            body: "rules = { { loan = days(14), lost_fee = money '42.00', lost_refund_within = \(within) } }")
        var question = try Case(json: ["point": "checkin", "loan": ["days_overdue": 10]])
        question.loan?.lostAt = Instant(seconds: question.now.seconds - days * 86_400)
        let rule = try #require(policy.decide(question).rule)
        #expect(try rule.refundsLoss(question) == isRefunded)
    }

    @Test(
        "a fee that is no amount, or no period, is refused at loading",
        arguments: ["lost_fee = 5", "lost_fee = 'price'", "lost_after = unlimited", "lost_refund_within = 7"])
    func wrongTypes(field: String) throws {
        let complaint = try PolicySupport.complaint("return policy { rules = { { loan = days(1), \(field) } } }")
        #expect(complaint?.hasPrefix("1: rules row 1: lost_") == true, "\(complaint ?? "none")")
    }

    // MARK: - Rentals

    private func checkout(_ fields: String, _ body: String = "") throws -> Decision {
        try decide(
            body, ["point": "checkout", "copy": ["item_type": "dvd"], "calendar": ["closed": ["2026-01-20"]]],
            rules: "rules = { { loan = days(7), renewals = 1, \(fields) } }")
    }

    @Test(
        "what a loan costs comes with its due time",
        arguments: [
            ("rental = money '1.00'", "1.00 EUR"), ("rental = money '1.00', rental_per = days(1)", "7.00 EUR"),
            ("rental = money '1.00', rental_per = days(1), rental_closed_days = false", "6.00 EUR"),
            ("rental = money '1.00', rental_per = weeks(1)", "1.00 EUR"), ("rental = none", nil), ("", nil),
        ] as [(String, String?)])
    func rental(fields: String, amount: String?) throws {
        let decision = try checkout(fields.isEmpty ? "fine = none" : fields)
        #expect(decision.answer == .allow && decision.rental?.description == amount)
        if amount != nil, case .rental(_, let label, let origin)? = decision.effects.first {
            #expect(label == "Rental" && origin?.field == "rental")
        }
    }

    @Test("the policy's price has the last word on what a loan costs, and is asked where the rule charges at all")
    func price() throws {
        let price = """
            price = function(case, rule)
                if case.loan then return { { label = "DVD", amount = rule.rental * 3 }, { label = "Card", amount = money "-0.50" } } end
            end
            """
        let decision = try checkout("rental = money '1.00'", price)
        #expect(decision.rental?.description == "2.50 EUR" && decision.effects.count == 2)
        #expect(try checkout("fine = none", "price = function(case) error('asked') end").answer == .allow)
        let failed = try checkout("rental = money '1.00'", "price = function(case) return 'free' end")
        #expect(failed.answer == .failed && failed.failure?.message.contains("price") == true)
    }

    @Test("staff who may override a refusal read what the loan would cost")
    func overridable() throws {
        let body = "checkout = function(case) return confirm('sure', 'Sure?') end"
        let decision = try checkout("rental = money '1.00'", body)
        #expect(decision.answer == .confirm)
        #expect(decision.refusal?.reasons.first?.figures["rental"] == "1.00 EUR")
    }

    @Test("a renewal costs for the time that it adds, and nothing where a loan costs once")
    func renewal() throws {
        let byDay = try decide(
            "", ["point": "renew", "loan": ["due_at": "2026-01-17T23:59:59Z"]],
            rules: "rules = { { loan = days(7), renewals = 1, rental = money '1.00', rental_per = days(1) } }")
        #expect(byDay.rental?.description == "5.00 EUR")
        let once = try decide(
            "", ["point": "renew", "loan": ["due_at": "2026-01-17T23:59:59Z"]],
            rules: "rules = { { loan = days(7), renewals = 1, rental = money '1.00' } }")
        #expect(once.answer == .allow && once.rental == nil)
    }
}
