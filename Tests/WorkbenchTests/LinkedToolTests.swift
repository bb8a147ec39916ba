import Circulation
import LuaSyntax
import Prover
import Scripting
import Testing
import TextFormats

@testable import Workbench

@Suite("Households and guardians in the workbench")
struct LinkedToolTests {
    private static let policy = """
        return policy {
            limits = {
                { of = "household", max = 10 },
                { of = "guardians", owed = money "10.00", max = 0 },
                { max = 5 },
            },
            rules = { { loan = days(14) } },
        }
        """

    private func parsed(_ source: String = Self.policy) throws -> ParsedPolicy {
        try ParsedPolicy(name: "main.lua", source: source)
    }

    @Test("an explanation says what the household has, and why a row does not apply")
    func explained() throws {
        let question = try Case(json: ["patron": ["household": ["people": 4, "loans": 10]]])
        let explanation = try PolicyExplanation(parsed(), question: question)
        #expect(
            explanation.sentence
                == "Refused: 10 of 10 allowed loans of the household have been used. (limits row 1, main.lua:3)")
        #expect(explanation.text.contains("10 of at most 10 with of the household: full"), "\(explanation.text)")
        #expect(explanation.text.contains("does not apply, 0.00 EUR is owed, the row wants 10.00 EUR"))
    }

    @Test("the check finds no fault, knows the fields, and what a stricter row makes idle")
    func check() throws {
        func findings(_ source: String) throws -> [String] {
            try PolicyCheck.check(parsed(source)).findings.map { "\($0)" }
        }
        #expect(try findings(Self.policy) == [])
        func codes(_ rows: String) throws -> [String] {
            try PolicyCheck.check(parsed("return policy { limits = { \(rows) }, rules = { { loan = days(1) } } }"))
                .findings.map(\.code)
        }
        #expect(try codes("{ max = 1, of = 'household' }, { max = 3 }").isEmpty)
        #expect(try codes("{ max = 1 }, { max = 3, of = 'household' }").isEmpty)
        #expect(try codes("{ max = unlimited, owed = money '3.00' }, { max = 3 }").isEmpty)
        #expect(try codes("{ max = 1, of = 'household' }, { max = 3, of = 'household' }") == ["unreachable_row"])
        let misspelt =
            "return policy { rules = { { loan = days(1) } }, checkout = function(case)\n"
            + "if case.patron.houshold.loans > 3 or case.patron.guardians.owd then return deny('a', 'b') end end }"
        let found = try findings(misspelt)
        #expect(found.contains { $0.contains("household") } && found.contains { $0.contains("owed") }, "\(found)")
        let row = try findings("return policy { limits = { { owes = money '1.00', max = 0 } } }")
        #expect(row.contains { $0.contains("\"owed\"") }, "\(row)")
    }

    @Test("rows of a household's title and claims: check, fuzz, matrix, explanation and proofs say what they do")
    func titlesAndClaims() throws {
        let source = """
            return policy {
                limits = {
                    { of = "household", per = "title", max = 1 },
                    { of = "household", claimed = "not counted", max = 3 },
                    { max = 5 },
                },
                rules = { { loan = days(14) } },
            }
            """
        let policy = try parsed(source)
        #expect(PolicyCheck.check(policy).findings.isEmpty)
        #expect(try PolicyFuzz(policy, seed: 4, time: .seconds(60), maximumCases: 400).report().findings.isEmpty)
        let lua = try LuaPolicy(policy)
        #expect(lua.needs(at: .checkout).linkedTitle && lua.needs(at: .checkout).linkedClaims)
        func code(_ household: String) throws -> String? {
            let text = #"{"point":"checkout","title":{"id":1},"patron":{"household":{\#(household)}}}"#
            return try lua.decide(Case(json: JSONParser.parse(text))).refusal?.code
        }
        #expect(try code(#""people":2,"loans":3,"claimed":1,"same_title":0"#) == nil)
        #expect(try code(#""people":2,"loans":3,"claimed":0,"same_title":0"#) == "limit")
        #expect(try code(#""people":2,"loans":1,"claimed":0,"same_title":1"#) == "limit")
        let cell = try #require(try PolicyMatrix(policy).json["cells"]?.arrayValue?.first)
        let words = cell["fields"]?["max_within"]?.stringValue ?? ""
        #expect(words.contains("1 of this title of the household"), "\(cell)")
    }

    @Test("a matrix names limits of households beside the others, and when debts refuse")
    func matrix() throws {
        let matrix = try PolicyMatrix(parsed())
        let cell = try #require(matrix.json["cells"]?.arrayValue?.first)
        #expect(cell["fields"]?["max"] == 5 || cell["fields"]?["max"] != nil)
        #expect(cell["fields"]?["max_within"]?.stringValue?.contains("10 of the household") == true, "\(cell)")
        let refusals = cell["outcomes"]?.arrayValue ?? []
        #expect(refusals.contains { $0["code"] == "fees_owed" }, "\(cell)")
    }

    @Test("random cases come to households and guardians' debts and find no fault in a sound policy")
    func fuzz() throws {
        let report = try PolicyFuzz(parsed(), seed: 3, time: .seconds(60), maximumCases: 800).report()
        #expect(report.findings.isEmpty)
        var maker = CaseMaker(
            CaseVocabulary(try parsed(), tables: try LuaPolicy(parsed()).tables), points: [.checkout], seed: 5)
        let policy = try LuaPolicy(parsed())
        var messages: Set<String> = []
        for _ in 0..<300 {
            let decision = try policy.decide(Case(json: .object(maker.make())))
            messages.formUnion(decision.refusal?.reasons.map(\.message) ?? [])
        }
        #expect(messages.contains { $0.contains("of the household") })
        #expect(messages.contains("The guardians owe 10.00 EUR or more."))
    }

    @Test("tests of policies say what groups have and owe as cases have it")
    func tests() throws {
        let report = try PolicyTestRun.run(
            parsed(),
            tests: """
                test("ten in a household", function()
                    expect(given { patron = { household = { people = 3, loans = 9 } } }, { answer = "allow" })
                    expect(given { patron = { household = { people = 3, loans = 10 } } }, { answer = "deny", code = "limit" })
                end)
                test("the guardian owes", function()
                    local patron = { guardians = { people = 1, owed = money "10.00" } }
                    expect(given { patron = patron }, { answer = "deny", code = "fees_owed" })
                    patron.guardians.owed = money "9.99"
                    expect(given { patron = patron }, { answer = "allow" })
                end)
                """, file: "main_test.lua")
        #expect(report.isOK, "\(report.text)")
    }

    @Test("a proof knows that households and guardians' debts refuse, and shows a case in which they do")
    func proof() throws {
        func status(_ condition: String) throws -> [ProofReport.Status] {
            let property = "never(\"p\", \"checkout\", function(case, decision) return \(condition) end)"
            var proof = PolicyProof(try parsed(), tests: (property, "policy_test.lua"), codes: .init())
            proof.withBuiltIn = false
            return try proof.report().results.map(\.status)
        }
        #expect(
            try status("decision.answer == \"allow\" and case.patron.guardians.owed >= money \"10.00\"") == [.proved])
        #expect(try status("decision.answer == \"allow\" and case.patron.household.loans >= 10") == [.proved])
        #expect(try status("decision.answer == \"allow\" and case.patron.household.loans == 9") == [.refuted])
        #expect(try status("decision.code == \"fees_owed\"") == [.refuted])
        // A household has the patron in it, with what the patron has.
        #expect(try status("case.patron.household.people < 1") == [.proved])
        #expect(try status("case.patron.household.loans < #case.patron.loans") == [.proved])
        #expect(try status("case.patron.guardians.people < 1") == [.refuted])
    }

    @Test("a comparison shows that another limit of households, or another amount, matters")
    func compared() throws {
        for (old, new) in [("max = 10", "max = 11"), ("10.00", "12.00"), ("guardians", "family")] {
            let other = Self.policy.replacing(old, with: new)
            var compared = try ComparedPolicies(parsed(), parsed(other))
            compared.points = [.checkout]
            let report = try compared.report()
            #expect(!report.isEqual, "\(new)")
        }
    }
}
