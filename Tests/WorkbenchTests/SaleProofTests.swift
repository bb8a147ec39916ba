import Prover
import Scripting
import Testing
import TextFormats

@testable import Workbench

/// Proofs about what is to be paid for.
@Suite("Proofs of prices")
struct SaleProofTests {
    struct Price: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: String
        var promise = "decision.total == nil or decision.total >= money \"0.00\""
        var status = ProofReport.Status.proved
    }

    /// A function that adds up what lines cost, and what is always so of it.
    private static func adding(
        _ what: String, _ each: String, _ promise: String? = nil, _ status: ProofReport.Status = .proved
    ) -> Price {
        var price = Price(
            testDescription: what,
            body: """
                local sum = money "0.00"
                for _, line in ipairs(case.lines or {}) do \(each) end
                return sum
                """)
        if let promise { price.promise = promise }
        price.status = status
        return price
    }

    static let prices: [Price] = [
        adding("a price so many times", "sum = sum + line.price * line.quantity"),
        adding("which is an amount", "sum = sum + line.price * line.quantity", "decision.answer ~= \"failed\""),
        adding("the factor before the price", "sum = sum + line.quantity * line.price"),
        adding("pieces and periods", "sum = sum + line.price * line.quantity * line.periods"),
        adding("pieces and periods first", "sum = sum + line.price * (line.quantity * line.periods)"),
        adding(
            "of some lines alone",
            "if line.kind == \"buy\" then sum = sum + line.price * line.quantity end"),
        adding("a discount of each", "sum = sum + line.price * line.quantity * percent \"90\""),
        adding(
            "one of one piece costs its price", "sum = sum + line.price * line.quantity",
            "#case.lines ~= 1 or case.lines[1].quantity ~= 1 or decision.total == case.lines[1].price"),
        adding(
            "two of one are dearer than one", "sum = sum + line.price * line.quantity",
            "#case.lines ~= 1 or case.lines[1].quantity < 2 or decision.total >= case.lines[1].price * 2"),
        adding(
            "but not always dearer", "sum = sum + line.price * line.quantity",
            "#case.lines ~= 1 or case.lines[1].quantity < 2 or decision.total > case.lines[1].price * 2", .refuted),
        adding(
            "less a fee for each", "sum = sum + line.price * line.quantity - money \"1.00\"",
            "decision.answer ~= \"failed\"", .refuted),
        adding(
            "a bulk discount that gives more back", "if line.quantity >= 10 then sum = sum - line.price end",
            "decision.answer ~= \"failed\"", .refuted),
    ]

    @Test("are proved where they hold and refuted where not", arguments: prices)
    func price(_ price: Price) throws {
        let policy =
            "return policy { api = 1, rules = { { loan = days(14) } }, price = function(case)\n\(price.body)\nend }"
        let property =
            "always(\"it\", \"price\", function(case, decision) return case.lines == nil or (\(price.promise)) end)"
        var proof = PolicyProof(
            try ParsedPolicy(name: "policy.lua", source: policy), tests: (property, "policy_test.lua"))
        proof.withBuiltIn = false
        let report = try proof.report()
        #expect(report.results.map(\.status) == [price.status], "\(report.text)")
    }
    /// What `publish` answers, and whether the desk takes it.
    static let publications: [(answer: String, isTaken: Bool)] = [
        ("deny(\"\", \"No.\")", false), ("deny(string.rep(\"c\", 65), \"No.\")", false), ("deny(\"no\", \"\")", true),
        ("allow { priority = 1 }", false), ("allow { despite = \"limit\" }", false), ("allow()", true),
        ("review()", true), ("confirm(\"sure\", \"Sure?\")", false),
    ]

    @Test("an answer to `publish` fails just where the desk does not take it", arguments: publications)
    func publish(_ answer: String, _ isTaken: Bool) throws {
        let report = try ListProofTests.report(
            "return policy { api = 1, publish = function(case) return \(answer) end }",
            """
            never("failed", "publish", function(case, decision) return decision.answer == "failed" end)
            always("failed", "publish", function(case, decision) return decision.answer == "failed" end)
            """)
        #expect(
            report.results.map(\.status) == (isTaken ? [.proved, .refuted] : [.refuted, .proved]), "\(report.text)")
    }
}
