import Circulation
import LuaSyntax
import Prover
import Scripting
import Testing
import TextFormats

@testable import Workbench

/// What is said, proved and tried of rows that ask for a location or leave out claimed loans.
@Suite("Rows for a location, and limits without claimed loans")
struct LimitWordTests {
    private static let policy = """
        return policy {
            api = 1,
            limits = { { item_type = "dvd", max = 2, claimed = "not counted" }, { max = 3, claimed = "not counted" }, { max = 5 } },
            rules = {
                { location = "reference", lend = false },
                { location = { "new", "shelf" }, loan = days(14) },
                { loan = days(28) },
            },
        }
        """

    private func parsed(_ source: String = policy) throws -> ParsedPolicy {
        try ParsedPolicy(name: "policy.lua", source: source)
    }

    private func statuses(_ properties: String) throws -> [ProofReport.Status] {
        var proof = PolicyProof(try parsed(), tests: (properties, "policy_test.lua"), codes: .init())
        proof.withBuiltIn = false
        return try proof.report().results.map(\.status)
    }

    @Test("the check has nothing to say of such a policy, and names words that are none")
    func check() throws {
        #expect(PolicyCheck.check(try parsed()).findings == [])
        let wrong = "return policy { limits = { { max = 2, claimed = 'not count' } }, rules = { { loan = days(1) } } }"
        #expect(PolicyCheck.check(try parsed(wrong)).findings.map(\.suggestion).contains("\"not counted\""))
    }

    @Test("a limit is idle behind a stricter one only where that counts claimed loans as well")
    func idle() throws {
        func codes(_ first: String, _ second: String) throws -> [String] {
            let rows = "{ max = 2, claimed = '\(first)' }, { max = 5, claimed = '\(second)' }"
            let source = "return policy { limits = { \(rows) }, rules = { { loan = days(1) } } }"
            return PolicyCheck.check(try parsed(source)).findings.map(\.code)
        }
        #expect(try codes("counted", "not counted") == ["unreachable_row"])
        #expect(try codes("not counted", "not counted") == ["unreachable_row"])
        #expect(try codes("not counted", "counted") == [])
    }

    @Test("the explanation says what a row leaves out, and where a copy stands that is not lent")
    func explanation() throws {
        let loans = #"[{"claimed":true},{"claimed":true},{}]"#
        let full = try Case(
            json: JSONParser.parse(#"{"patron":{"loans":\#(loans)},"copy":{"location":"reference"}}"#))
        let explanation = try PolicyExplanation(parsed(), question: full)
        #expect(
            explanation.text.contains(
                "limits row 2, policy.lua:3: 1 of at most 3 in all, 2 claimed to be returned not counted"),
            "\(explanation.text)")
        #expect(explanation.json["limits"]?.arrayValue?.map { $0["claimed_left_out"] } == [0, 2, 0])
        #expect(explanation.json["refusal"]?["code"] == "not_lent")
        let other = try PolicyExplanation(parsed(), question: Case(json: [:]))
        #expect(
            other.text.contains("rules row 1, policy.lua:5: the copy has no location, the row wants reference"),
            "\(other.text)")
    }

    @Test("proofs tell claimed loans and places apart")
    func proofs() throws {
        let found = try statuses(
            """
            never("no reference work is lent", "checkout", function(case, decision)
                return case.copy ~= nil and case.copy.location == "reference" and decision.answer == "allow"
            end)
            never("all else may be", "checkout", function(case, decision)
                return case.copy ~= nil and case.copy.location ~= "reference" and decision.code == "not_lent"
            end)
            never("three loans fill it", "checkout", function(case, decision)
                return #case.patron.loans >= 3 and decision.answer == "allow"
            end)
            never("five loans fill it", "checkout", function(case, decision)
                return #case.patron.loans >= 5 and decision.answer == "allow"
            end)
            never("one film is no hindrance", "checkout", function(case, decision)
                return #case.patron.loans == 1 and #case.request.granted == 0 and decision.code == "limit"
            end)
            """)
        #expect(found == [.proved, .proved, .refuted, .proved, .proved])
    }

    @Test("comparing finds the case in which a word of a limit matters")
    func comparing() throws {
        func rows(_ claimed: String) -> String {
            "return policy { limits = { { max = 2, claimed = '\(claimed)' } }, rules = { { loan = days(1) } } }"
        }
        func report(_ one: String, _ other: String) throws -> ComparisonReport {
            var compared = ComparedPolicies(try parsed(rows(one)), try parsed(rows(other)))
            compared.points = [.checkout]
            return try compared.report()
        }
        #expect(try report("counted", "counted").isEqual)
        let report = try report("counted", "not counted")
        let region = try #require(report.points.flatMap(\.regions).first)
        #expect(!report.isEqual && report.unknown == 0)
        let question = try Case(json: .object(region.question))
        #expect(question.patron.loans.map(\.isClaimed).contains(true), "\(region.question)")
    }

    @Test("random cases come to where such rows decide")
    func fuzz() throws {
        let vocabulary = CaseVocabulary(try parsed(), tables: try LuaPolicy(parsed()).tables)
        var maker = CaseMaker(vocabulary, seed: 7)
        var (places, claimed): (Set<String>, Int) = ([], 0)
        for _ in 0..<400 {
            let question = try Case(json: .object(maker.make(.checkout)))
            if let location = question.copy?.location { places.insert(location) }
            claimed += question.patron.loans.count(where: \.isClaimed)
        }
        #expect(places.isSuperset(of: ["reference", "new", "shelf", "other"]))
        #expect(claimed > 50)
    }

    @Test("so do loans of the past, where a row looks back")
    func fuzzOfThePast() throws {
        let source = try parsed(
            """
            return policy {
                limits = { { location = "new", max = 2, within = weeks(4), claimed = "not counted" } },
                rules = { { loan = days(28) } },
            }
            """)
        var maker = CaseMaker(CaseVocabulary(source, tables: try LuaPolicy(source).tables), seed: 7)
        let past = try (0..<400).flatMap { _ in
            try Case(json: .object(maker.make(.checkout))).patron.history.map(\.loan)
        }
        #expect(past.count { $0.location == "new" } > 50 && past.count { $0.location == nil } > 50)
        #expect(past.count(where: \.isClaimed) > 50)
    }
}
