import Circulation
import LuaSyntax
import Prover
import Scripting
import Testing
import TextFormats

@testable import Workbench

/// What is said, proved and tried of requests that ask for a shorter loan.
@Suite("Shorter loans in the workbench")
struct WantedUntilToolTests {
    private static let plain = """
        return policy { api = 1, rules = { { loan = days(14), closed = "keep", due_expiry = false } } }
        """
    private static let reading = """
        return policy {
            api = 1,
            rules = { { loan = days(14), closed = "keep", due_expiry = false } },
            checkout = function(case)
                local wanted = case.request.wanted_until
                if wanted and wanted < date(case.now) + days(2) then return deny("short", "Two days at least.") end
            end,
        }
        """

    private func parsed(_ source: String = plain) throws -> ParsedPolicy {
        try ParsedPolicy(name: "policy.lua", source: source)
    }

    private func statuses(_ properties: String, _ source: String = plain) throws -> [ProofReport.Status] {
        var proof = PolicyProof(try parsed(source), tests: (properties, "policy_test.lua"), codes: .init())
        proof.withBuiltIn = false
        return try proof.report().results.map(\.status)
    }

    @Test("the check knows the field, and names one that was misspelt")
    func check() throws {
        #expect(PolicyCheck.check(try parsed(Self.reading)).findings == [])
        let wrong = Self.reading.replacing("case.request.wanted_until", with: "case.request.wanted_untill")
        #expect(PolicyCheck.check(try parsed(wrong)).findings.map(\.suggestion).contains("wanted_until"))
    }

    @Test(
        "the explanation says what was asked for and what the rule allows",
        arguments: [
            ("2026-01-20", "Allowed, due 2026-01-20. Asked until 2026-01-20, the rule allows until 2026-01-29."),
            ("2026-03-20", "Allowed, due 2026-01-29. Asked until 2026-03-20, the rule allows until 2026-01-29."),
        ])
    func explanation(until: String, sentence: String) throws {
        let question = try Case(json: ["request": ["wanted_until": .string(until)]])
        let explanation = try PolicyExplanation(parsed(), question: question)
        #expect(explanation.sentence == sentence)
        #expect(explanation.json["explanation"]?.stringValue == sentence && explanation.text.hasPrefix(sentence))
    }

    @Test("the explanation of a loan that is as long as the policy has it says nothing of it")
    func unasked() throws {
        #expect(try PolicyExplanation(parsed(), question: Case(json: [:])).sentence == "Allowed, due 2026-01-29.")
        let refused = try PolicyExplanation(
            parsed(Self.reading), question: Case(json: ["request": ["wanted_until": "2026-01-15"]]))
        #expect(refused.sentence.hasPrefix("Refused: Two days at least."))
    }

    @Test("tests of policies ask for a day")
    func policyTests() throws {
        let tests = """
            test("a shorter loan", function()
                expect(given { request = { wanted_until = date "2026-01-20" } }, { answer = "allow", due = date "2026-01-20" })
                expect(given { request = { wanted_until = date "2026-02-20" } }, { due = date "2026-01-29" })
                expect(given { request = { wanted_until = "2026-01-15" } }, { code = "short" })
                expect(given {}, { due = date "2026-01-29" })
            end)
            test("no day", function()
                expect(given { request = { wanted_until = "soon" } }, { answer = "allow" })
            end)
            """
        let report = try PolicyTestRun(parsed(Self.reading), tests: tests, file: "policy_test.lua").run()
        #expect(report.tests.map(\.status) == [.pass, .error], "\(report.tests)")
        #expect(report.tests.last?.message?.contains("wanted_until") == true, "\(report.tests)")
    }

    @Test("proofs hold for every day that may be asked for")
    func proofs() throws {
        let found = try statuses(
            """
            always("two weeks at most", "checkout", function(case, decision)
                return decision.due == nil or decision.due <= date(case.now) + days(14)
            end)
            always("two weeks", "checkout", function(case, decision)
                return decision.due == nil or decision.due == date(case.now) + days(14)
            end)
            always("two weeks, unless less is asked for", "checkout", function(case, decision)
                return decision.due == nil or decision.due == date(case.now) + days(14)
                    or case.request.wanted_until ~= nil and decision.due < date(case.now) + days(14)
            end)
            always("no loan outlasts what is asked for by more than a day", "checkout", function(case, decision)
                local wanted = case.request.wanted_until
                return decision.due == nil or wanted == nil or wanted < date(case.now)
                    or decision.due <= wanted + days(1)
            end)
            """)
        #expect(found == [.proved, .refuted, .proved, .proved])
        #expect(
            try statuses(
                """
                never("a loan of a day", "checkout", function(case, decision)
                    return decision.answer == "allow" and decision.due ~= nil
                        and decision.due < date(case.now) + days(2)
                end)
                """, Self.reading) == [.proved])
    }

    @Test("policies that lend alike are equal whatever is asked for, others differ where it is long enough")
    func comparing() throws {
        func report(_ other: String) throws -> ComparisonReport {
            var compared = ComparedPolicies(try parsed(), try parsed(other))
            compared.points = [.checkout]
            return try compared.report()
        }
        #expect(try report(Self.plain).isEqual)
        let longer = try report(Self.plain.replacing("days(14)", with: "days(21)"))
        #expect(!longer.isEqual && longer.unknown == 0)
        let region = try #require(longer.points.flatMap(\.regions).first)
        #expect(try Case(json: .object(region.question)).request?.wantedUntil == nil, "\(region.question)")
    }

    @Test("random cases ask for days where the policy reads them, and otherwise stay as they were")
    func fuzz() throws {
        func days(_ source: String) throws -> [CivilDate] {
            let vocabulary = CaseVocabulary(try parsed(source), tables: try LuaPolicy(parsed(source)).tables)
            var maker = CaseMaker(vocabulary, seed: 7)
            return try (0..<400).compactMap { _ in
                try Case(json: .object(maker.make(.checkout))).request?.wantedUntil
            }
        }
        #expect(try days(Self.reading).count > 50)
        #expect(try days(Self.plain) == [])
    }
}
