import Circulation
import LuaSyntax
import Prover
import Scripting
import Testing
import TextFormats

@testable import Workbench

@Suite("Windows and debts in the workbench")
struct HistoryToolTests {
    private static let policy = """
        return policy {
            limits = {
                { item_type = "pass", within = weeks(4), per = "title", max = 1 },
                { owed_for = days(60), max = 0 },
                { max = 5 },
            },
            rules = { { loan = days(14) } },
        }
        """

    private func parsed(_ source: String = Self.policy) throws -> ParsedPolicy {
        try ParsedPolicy(name: "main.lua", source: source)
    }

    @Test("an explanation says what is counted, what is full and from when on there is room again")
    func explained() throws {
        let question = try Case(json: [
            "copy": ["item_type": "pass"],
            "patron": ["history": [["item_type": "pass", "title": 1, "lent_at": "2026-01-02T10:00"]]],
        ])
        let explanation = try PolicyExplanation(parsed(), question: question)
        #expect(
            explanation.sentence
                == "Refused: Only 1 loan for item type pass of this title within 4 weeks is allowed; "
                + "possible again from 2026-01-30. (limits row 1, main.lua:3)")
        #expect(
            explanation.text.contains(
                "1 of at most 1 with item type pass, of this title within 4 weeks: full, room again from 2026-01-30"))
        #expect(explanation.text.contains("does not apply, nothing is owed, the row wants 60 days"))
        #expect(explanation.json["limits"]?.arrayValue?.first?["possible_from"] == "2026-01-30")
    }

    @Test("the check finds functions that look back without a window, and no fault in rows of their own kind")
    func check() throws {
        #expect(try PolicyCheck.check(parsed()).findings.isEmpty)
        let reading =
            "return policy { rules = { { loan = days(1) } }, checkout = function(case)\n"
            + "if #case.patron.history > 3 or case.title.times_lent > 3 then return deny('a', 'b') end end }"
        let findings = try PolicyCheck.check(parsed(reading)).findings
        #expect(findings.map(\.code) == ["no_window", "no_window"] && findings.allSatisfy { $0.position.line == 2 })
        let windows = reading.replacing("rules", with: "history = { patron = days(9), title = days(9) }, rules")
        #expect(try PolicyCheck.check(parsed(windows)).findings.isEmpty)
    }

    @Test("a stricter row makes another idle only where it counts all that the other does")
    func idle() throws {
        func codes(_ rows: String) throws -> [String] {
            try PolicyCheck.check(parsed("return policy { limits = { \(rows) }, rules = { { loan = days(1) } } }"))
                .findings.map(\.code)
        }
        #expect(try codes("{ max = 1 }, { max = 3, within = days(30) }").isEmpty)
        #expect(try codes("{ max = 1, owed_for = days(9) }, { max = 3 }").isEmpty)
        #expect(try codes("{ max = 1, per = 'title' }, { max = 3 }").isEmpty)
        #expect(try codes("{ max = unlimited, owed_for = days(9) }, { max = 3 }").isEmpty)
        #expect(
            try codes("{ max = 1, within = days(30) }, { max = 3, within = days(30), per = 'title' }")
                == ["unreachable_row"])
    }

    @Test("a matrix names limits of windows beside the others, and when debts refuse")
    func matrix() throws {
        let matrix = try PolicyMatrix(parsed())
        let cells = try #require(matrix.json["cells"]?.arrayValue)
        let pass = try #require(cells.first { $0["item_type"] == "pass" })
        #expect(pass["answer"] == "allow" && pass["fields"]?["max_within"] == "1 of this title within 4 weeks")
        #expect(pass["fields"]?["limits"]?.arrayValue?.first == "1 of this title within 4 weeks")
        let refusals = pass["outcomes"]?.arrayValue ?? []
        #expect(refusals.contains { $0["code"] == "fees_owed" })
    }

    @Test("random cases come to windows and debts and find no fault in a sound policy")
    func fuzz() throws {
        let report = try PolicyFuzz(parsed(), seed: 3, time: .seconds(60), maximumCases: 800).report()
        #expect(report.findings.isEmpty)
        var maker = CaseMaker(
            CaseVocabulary(try parsed(), tables: try LuaPolicy(parsed()).tables), points: [.checkout], seed: 5)
        let made = (0..<300).map { _ in maker.make() }
        let policy = try LuaPolicy(parsed())
        let codes = try made.reduce(into: Set<String>()) { codes, object in
            codes.formUnion(try policy.decide(Case(json: .object(object))).refusal?.reasons.map(\.code) ?? [])
        }
        #expect(codes.isSuperset(of: ["limit", "fees_owed"]))
    }

    @Test("tests of policies give loans of the past and debts as cases have them")
    func tests() throws {
        let report = try PolicyTestRun.run(
            parsed(),
            tests: """
                test("a pass once in four weeks", function()
                    local lent = { item_type = "pass", title = 1, lent_at = date "2026-01-02", returned_at = date "2026-01-05" }
                    local again = { patron = { history = { lent } }, copy = { item_type = "pass" } }
                    expect(given(again), { answer = "deny", code = "limit" })
                    again.now = date "2026-01-30"
                    expect(given(again), { answer = "allow" })
                end)
                test("old debts", function()
                    local patron = { fees_owed = money "1.00", owed_since = date "2025-11-16" }
                    expect(given { patron = patron }, { answer = "deny", code = "fees_owed" })
                    patron.owed_since = date "2025-11-17"
                    expect(given { patron = patron }, { answer = "allow" })
                end)
                """, file: "main_test.lua")
        #expect(report.isOK, "\(report.text)")
    }

    @Test("a proof knows that debts and windows refuse, and shows a case in which they do")
    func proof() throws {
        func status(_ property: String) throws -> [ProofReport.Status] {
            var proof = PolicyProof(try parsed(), tests: (property, "policy_test.lua"), codes: .init())
            proof.withBuiltIn = false
            return try proof.report().results.map(\.status)
        }
        func never(_ condition: String) -> String {
            "never(\"p\", \"checkout\", function(case, decision) return \(condition) end)"
        }
        let owing =
            "case.patron.fees_owed > money \"0.00\" and case.patron.owed_since"
            + " and case.patron.owed_since + days(60) <= case.now"
        #expect(try status(never("decision.answer == \"allow\" and \(owing)")) == [.proved])
        #expect(try status(never("decision.code == \"fees_owed\"")) == [.refuted])
        #expect(
            try status(
                never(
                    "decision.code == \"limit\" and case.copy and case.copy.item_type == \"pass\""
                        + " and #case.patron.loans == 0 and #case.request.granted == 0")) == [.refuted])
    }
}
