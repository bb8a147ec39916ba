import Circulation
import Scripting
import Testing
import TextFormats

@Suite("What policies say about prices and publications")
struct PolicyMarketTests {
    private static let rules =
        "rules = { { item_type = 'laptop', loan = days(3), rental = money '2.00', rental_per = days(1) }, "
        + "{ loan = days(14) } }"

    private func decide(_ body: String, _ question: JSON) throws -> Decision {
        try PolicySupport.policy(body: Self.rules + ",\n" + body).decide(Case(json: question))
    }

    private static func price(_ lines: JSON = [["kind": "buy", "label": "Calculus", "quantity": 2, "price": "12.50"]])
        -> JSON
    {
        ["point": "price", "lines": lines]
    }

    private static func total(_ decision: Decision) throws -> String? {
        try decision.lines.map { try PriceLine.total(of: $0, in: .eur).amountText }
    }

    @Test(
        "price answers nothing, an amount or labelled lines",
        arguments: [
            ("return nil", "2 x Calculus 25.00"), ("", "2 x Calculus 25.00"),
            ("return money '20.00'", "2 x Calculus 20.00"), ("return money '0.00'", "2 x Calculus 0.00"),
            ("return {}", ""), ("return standard(case, rule)", "2 x Calculus 25.00"),
            (
                """
                local lines = standard(case, rule)
                lines[#lines + 1] = { label = 'Taxes', amount = lines[1].amount * percent '6.62' }
                return lines
                """, "2 x Calculus 25.00, Taxes 1.66"
            ),
            (
                "return { { label = 'Books', amount = case.lines[1].amount }, { label = 'Off', amount = -money '5.00' } }",
                "Books 25.00, Off -5.00"
            ),
            ("return case.lines[1].price * case.lines[1].quantity", "2 x Calculus 25.00"),
        ])
    func prices(body: String, expected: String) throws {
        let decision = try decide("price = function(case, rule) \(body) end", Self.price())
        #expect(decision.answer == .allow, "\(decision.failure?.message ?? "")")
        let lines = decision.lines?.map { "\($0.label) \($0.amount.amountText)" }.joined(separator: ", ")
        #expect(lines == expected)
    }

    @Test(
        "whatever is no price makes the policy fail",
        arguments: [
            "return 5", "return 'free'", "return -money '1.00'", "return { money '1.00' }", "return { label = 'x' }",
            "return { { label = 'x' } }", "return { { label = '', amount = money '1.00' } }",
            "return { { label = 'x', amount = 1 } }", "return { { label = 'x', amount = money '1.00', tax = true } }",
            "return { { label = 'x', amount = -money '0.01' } }",
            "return { { label = 'x', amount = money '1.00', to = 'ada' } }",
            "return { { label = 'x', amount = money '1.00', to = 5 } }",
            "local l = { label = 'x', amount = money '90000000000000000.00' } return { l, l }",
            "local t = {} for i = 1, 1001 do t[i] = { label = 'x', amount = money '1.00' } end return t",
            "return case.lines[1].cost", "error('no')",
        ])
    func failures(body: String) throws {
        let decision = try decide("price = function(case, rule) \(body) end", Self.price())
        #expect(decision.answer == .failed)
        #expect(decision.refusal?.code == "policy_failed")
        #expect(decision.lines == nil)
        #expect(decision.failure?.line != nil)
    }

    @Test("a line says to whom it is owed")
    func recipients() throws {
        let decision = try decide(
            """
            price = function(case, rule)
                local lines = standard(case, rule)
                lines[#lines + 1] = { label = 'Stand', amount = money '0.50', to = 'library' }
                lines[#lines + 1] = { label = 'Wrapping', amount = money '0.10', to = 'seller' }
                return lines
            end
            """, Self.price())
        #expect(decision.lines?.map(\.isForLibrary) == [false, true, false], "\(decision.failure?.message ?? "")")
        #expect(decision.json()["lines"]?.arrayValue?.map { $0["to"] } == [nil, "library", nil])
    }

    @Test("without a function several things cost their sum, a line each")
    func sum() throws {
        let decision = try decide(
            "",
            Self.price([
                ["label": "A", "price": "1.10"], ["kind": "rent", "label": "B", "price": "0.30", "periods": 5],
                ["kind": "loan", "label": "C"],
            ]))
        #expect(decision.lines?.map(\.label) == ["A", "B"])
        #expect(try Self.total(decision) == "2.60")
    }

    @Test(
        "a loan costs what its row says, or what the function says of it",
        arguments: [
            ("", "laptop", "6.00"), ("", "book", "0.00"),
            ("price = function(case) if case.loan then return money '1.50' end end", "book", "1.50"),
            ("price = function(case, rule) return standard(case, rule)[1].amount / 2 end", "laptop", "3.00"),
            ("price = function(case, rule) return rule.rental end", "laptop", "2.00"),
        ])
    func loans(body: String, itemType: String, total: String) throws {
        let question: JSON = [
            "point": "price", "now": "2026-01-15", "copy": ["item_type": .string(itemType)],
            "loan": ["lent_at": "2026-01-15", "due_at": "2026-01-18"],
        ]
        let decision = try decide(body, question)
        #expect(try Self.total(decision) == total)
    }

    @Test(
        "publish allows, refuses or leaves it to staff",
        arguments: [
            ("return allow()", "allow", nil as String?), ("return review()", "review", ""),
            ("return review('Staff look at prices over 50.')", "review", "Staff look at prices over 50."),
            ("return deny('many', 'You offer too much.')", "deny", nil),
            ("return standard(case, rule)", "allow", nil),
            ("if case.listing.price > money '5.00' then return review('dear') end return allow()", "review", "dear"),
            ("if case.listing.kind == 'sell' and case.title then return allow() end return review()", "allow", nil),
            ("return nil", "failed", nil), ("", "failed", nil), ("return true", "failed", nil),
            ("return allow { despite = { 'limit' } }", "failed", nil), ("return confirm('a', 'b')", "failed", nil),
            ("return { answer = 'review' }", "review", ""), ("return case.listing.prize", "failed", nil),
            ("return review(5)", "failed", nil),
        ])
    func publications(body: String, answer: String, message: String?) throws {
        let decision = try decide("publish = function(case, rule) \(body) end", ["point": "publish"])
        #expect(decision.answer.rawValue == answer)
        #expect(decision.message == message)
        #expect((decision.refusal != nil) == (answer == "deny" || answer == "failed"))
    }

    @Test(
        "without a function a title that the catalogue lacks is reviewed",
        arguments: [
            (#"{"point": "publish"}"#, "allow"), (#"{"point": "publish", "title": false}"#, "review"),
            (#"{"point": "publish", "suggestion": {"courses": ["MATH101"]}}"#, "review"),
        ])
    func unknownTitles(text: String, answer: String) throws {
        let question = try JSONParser.parse(text)
        #expect(try decide("", question).answer.rawValue == answer)
        #expect(
            try decide("publish = function(case, rule) return standard(case, rule) end", question).answer.rawValue
                == answer)
    }

    @Test("a suggestion's facts can be read")
    func suggestions() throws {
        let body = """
            publish = function(case)
                if not case.suggestion then return allow() end
                if case.suggestion.others >= 3 then return deny('many', 'Three at once are enough.') end
                if case.suggestion.isbn and case.suggestion.courses[1] then return allow() end
                return review()
            end
            """
        let question: (JSONObject) -> JSON = { ["point": "publish", "suggestion": .object($0)] }
        #expect(try decide(body, question(["others": 3])).refusal?.code == "many")
        #expect(try decide(body, question(["isbn": true, "courses": ["A"]])).answer == .allow)
        #expect(try decide(body, question([:])).answer == .review)
    }

    @Test("the decision on a price as JSON has its lines and total")
    func json() throws {
        let json = try decide("", Self.price()).json()
        #expect(json["total"]?.stringValue == "25.00 EUR")
        #expect(json["lines"]?.arrayValue?.first?["label"]?.stringValue == "2 x Calculus")
        let review = try decide("publish = function() return review('why') end", ["point": "publish"]).json()
        #expect(review["answer"]?.stringValue == "review")
        #expect(review["message"]?.stringValue == "why")
    }
}
