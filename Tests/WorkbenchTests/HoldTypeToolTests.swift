import Circulation
import LuaSyntax
import Prover
import Scripting
import Testing
import TextFormats

@testable import Workbench

@Suite("Holds by item type in the workbench")
struct HoldTypeToolTests {
    private static let policy = """
        return policy {
            rules = {
                { item_type = "film", loan = days(7), holds_of_item_type = 2 },
                { loan = days(14), holds = 5 },
            },
        }
        """

    private func parsed(_ source: String = Self.policy) throws -> ParsedPolicy {
        try ParsedPolicy(name: "main.lua", source: source)
    }

    @Test("an explanation says in text and in JSON how many holds of which type there are, and where the limit stands")
    func explained() throws {
        let question = try Case(json: [
            "point": "hold", "copy": ["item_type": ["dvd", "film"]], "hold": ["of_item_types": [0, 2]],
        ])
        let explanation = try PolicyExplanation(parsed(), question: question)
        #expect(
            explanation.sentence
                == "Refused: This account has 2 holds on items of type film; the limit is 2. (rules row 1, main.lua:3)")
        #expect(explanation.text.contains("holds_of_item_type"))
        #expect(explanation.json["fields"]?["holds_of_item_type"]?["value"] == 2)
        let reasons = explanation.json["refusal"]?["details"]?["reasons"]?.arrayValue ?? []
        #expect(reasons.contains { $0["item_type"] == "film" && $0["count"] == 2 && $0["limit"] == 2 })
    }

    @Test("the check knows the field of rows and those of the case, and corrects slips of both")
    func check() throws {
        #expect(try PolicyCheck.check(parsed()).findings.isEmpty)
        let reading =
            "return policy { rules = { { loan = days(1) } }, hold = function(case)\n"
            + "if case.hold.of_item_typ > 3 then return deny('a', 'b') end end }"
        let finding = try #require(try PolicyCheck.check(parsed(reading)).findings.first)
        #expect(finding.code == "unknown_field" && finding.suggestion?.contains("of_item_type") == true)
        let slip = Self.policy.replacing("holds_of_item_type", with: "holds_of_item_typ")
        let row = try #require(try PolicyCheck.check(parsed(slip)).findings.first)
        #expect(row.code == "unknown_rule_field" && row.suggestion?.contains("holds_of_item_type") == true)
    }

    @Test("a matrix has the limit beside the others")
    func matrix() throws {
        let cells = try #require(try PolicyMatrix(parsed()).json["cells"]?.arrayValue)
        let film = try #require(cells.first { $0["item_type"] == "film" })
        #expect(film["fields"]?["holds_of_item_type"] == 2)
    }

    @Test("random cases come to the limit and find no fault in a sound policy")
    func fuzz() throws {
        let report = try PolicyFuzz(parsed(), seed: 3, time: .seconds(60), maximumCases: 800).report()
        #expect(report.findings.isEmpty)
        var maker = CaseMaker(
            CaseVocabulary(try parsed(), tables: try LuaPolicy(parsed()).tables), points: [.hold], seed: 5)
        let policy = try LuaPolicy(parsed())
        let fields = try (0..<300).reduce(into: Set<String>()) { fields, _ in
            let decision = try policy.decide(Case(json: .object(maker.make())))
            fields.formUnion(decision.refusal?.reasons.compactMap(\.origin?.field) ?? [])
        }
        #expect(fields.isSuperset(of: ["holds", "holds_of_item_type"]))
    }

    @Test("a proof knows the limit, and shows a case in which it refuses")
    func proof() throws {
        func status(_ condition: String, _ source: String = Self.policy) throws -> [ProofReport.Status] {
            let property = "never(\"p\", \"hold\", function(case, decision) return \(condition) end)"
            var proof = PolicyProof(try parsed(source), tests: (property, "policy_test.lua"), codes: .init())
            proof.withBuiltIn = false
            return try proof.report().results.map(\.status)
        }
        let isFilm = "case.copy and case.copy.item_type == \"film\""
        #expect(
            try status("decision.answer == \"allow\" and \(isFilm) and case.hold.of_item_type >= 2") == [.proved])
        #expect(try status("decision.code == \"limit\" and \(isFilm) and case.patron.holds == 0") == [.refuted])
        let fewer = "case.patron.holds < 5 and case.hold.of_item_type < 2"
        #expect(try status("decision.code == \"limit\" and \(isFilm) and \(fewer)") == [.proved])
        let own = "return policy { rules = { { loan = days(7), holds_of_item_type = 3 } } }"
        #expect(try status("decision.code == \"limit\" and case.hold.of_item_type < 3", own) == [.proved])
        #expect(try status("decision.code == \"limit\"", own) == [.refuted])
    }

    @Test("tests of policies give the counts as cases have them")
    func tests() throws {
        let report = try PolicyTestRun.run(
            parsed(),
            tests: """
                test("two films", function()
                    local film = { point = "hold", copy = { item_type = "film" }, hold = { of_item_type = 2 } }
                    expect(given(film), { answer = "deny", code = "limit" })
                    film.hold.of_item_type = 1
                    expect(given(film), { answer = "allow" })
                end)
                """, file: "main_test.lua")
        #expect(report.isOK, "\(report.text)")
    }

    @Test("two policies that differ in the limit are compared by cases that reach one and not the other")
    func compared() throws {
        let (one, other) = try (terms(2), terms(3))
        let cases = QuestionVariants(one, other).cases(at: .hold)
        #expect(cases.compactMap { $0["hold"]?["of_item_type"]?.integerValue } == [2, 0, 3, 0])
    }

    @Test("rows of one limit that name different types are not taken for alike")
    func comparedTypes() throws {
        func comparison(_ one: String, _ other: String) throws -> PointComparison? {
            func source(_ type: String) -> String {
                "return policy { rules = { { item_type = \(type), loan = days(7), holds_of_item_type = 2 },"
                    + " { item_type = { 'film', 'dvd' }, loan = days(7), holds_of_item_type = 2 } } }"
            }
            var compared = ComparedPolicies(try parsed(source(one)), try parsed(source(other)))
            compared.points = [.hold]
            return try compared.report().points.first
        }
        let differing = try #require(try comparison("'film'", "'dvd'"))
        #expect(differing.unknown.map(\.message) == ["holds are counted by an item type above the copy's own"])
        let alike = try #require(try comparison("{ 'film', 'dvd' }", "{ 'dvd', 'film' }"))
        #expect(alike.regions.isEmpty && alike.unknown.isEmpty)
    }

    private func terms(_ most: Int64) throws -> RuleTerms {
        let place = SourcePlace(file: "main.lua", line: 1)
        let row = RuleRow(conditions: RowConditions(), fields: ["holds_of_item_type": .integer(most)], place: place)
        return try PolicyTables(rules: [row]).compiled().terms(ofRow: 0)
    }
}
