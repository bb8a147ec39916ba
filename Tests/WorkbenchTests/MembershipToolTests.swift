import Circulation
import LuaSyntax
import Prover
import Scripting
import Testing
import TextFormats

@testable import Workbench

/// What is said, proved, compared and tried of rows that say when memberships end.
@Suite("Tools and the end of a membership")
struct MembershipToolTests {
    private static let rows = """
        membership = {
            { category = "child", lasts = years(1), until_age = 16 },
            { category = "student", until_day = "09-30", at_least = days(60) },
            { category = "staff", lasts = unlimited },
            { lasts = days(365) },
        }
        """

    private func policy(_ members: String = rows, _ others: String = "") -> String {
        "return policy {\n    api = 1,\n    rules = { { loan = days(14) } },\n\(members),\n\(others)\n}\n"
    }

    private func parsed(_ members: String = rows, _ others: String = "") throws -> ParsedPolicy {
        try ParsedPolicy(name: "policy.lua", source: policy(members, others))
    }

    private func findings(_ rows: String, _ others: String = "") throws -> [Finding] {
        PolicyCheck.check(try parsed("membership = { \(rows) }", others)).findings
    }

    private func statuses(_ property: String, _ policy: ParsedPolicy) throws -> [ProofReport.Status] {
        var proof = PolicyProof(policy, tests: (property, "policy_test.lua"), codes: .init())
        proof.withBuiltIn = false
        return try proof.report().results.map(\.status)
    }

    private func never(_ condition: String) -> String {
        "never(\"p\", \"expiry\", function(case, decision) return \(condition) end)"
    }

    @Test("the check has nothing to say of a sound policy")
    func sound() throws {
        let expiry =
            "expiry = function(case) if case.patron.category == \"guest\" then return case.now + days(3) end end"
        #expect(PolicyCheck.check(try parsed(Self.rows, expiry)).findings == [])
    }

    @Test("the check names fields that are none, and says what was meant")
    func words() throws {
        let wrong = try findings("{ length = years(1) }")
        #expect(wrong.map(\.code).contains("unknown_rule_field") && wrong.compactMap(\.suggestion).contains("lasts"))
        #expect(try findings("{ lasts = years(1), item_type = \"book\" }").map(\.code).contains("unknown_rule_field"))
        let typed = try findings("{ lasts = 90 }")
        #expect(typed.map(\.code) == ["wrong_type"] && typed[0].suggestion == "days(90)", "\(typed)")
        let renewed = try findings("{ lasts = years(1), renew_from = \"nov\" }")
        #expect(renewed.compactMap(\.suggestion) == ["\"now\""])
    }

    @Test("rows that can never win are found, alone and together")
    func unreachable() throws {
        #expect(
            try findings("{ lasts = years(1) }, { category = \"child\", lasts = years(2) }").map(\.code) == [
                "unreachable_row"
            ])
        #expect(try findings("{ from_age = 18, lasts = years(1) }, { lasts = years(2) }").isEmpty)
        #expect(
            try findings("{ category = \"a\", lasts = years(1) }, { category = { \"a\", \"b\" }, lasts = years(2) }")
                .isEmpty)
        let together = try findings(
            "{ category = \"a\", lasts = years(1) }, { category = \"b\", lasts = years(1) },"
                + " { category = { \"a\", \"b\" }, lasts = years(2) }")
        #expect(together.map(\.code) == ["unreachable_row"], "\(together)")
    }

    @Test(
        "rows and fields that do nothing are found",
        arguments: [
            ("from_age = 18, until_age = 16", "unreachable_row"),
            ("from_age = 18, under_age = 18, lasts = years(1)", "unreachable_row"),
            ("lasts = unlimited, until_age = 16", "unreachable_field"),
            ("under_age = 16, until_age = 16", "unreachable_field"),
            ("until_date = date \"2027-01-01\", renew_from = \"now\"", "unreachable_field"),
            ("until_day = \"09-30\", renew_from = \"now\"", nil), ("from_age = 15, until_age = 16", nil),
            ("under_age = 12, until_age = 16", nil),
        ])
    func idle(row: String, code: String?) throws {
        #expect(try findings("{ \(row) }").map(\.code) == (code.map { [$0] } ?? []))
    }

    @Test(
        "the check knows what may be answered at `expiry`, and what a case has there",
        arguments: [
            ("return days(3)", "wrong_type"), ("return deny(\"no\", \"No.\")", "wrong_type"),
            ("return money \"1.00\"", "wrong_type"), ("return unlimited", nil), ("return date \"2099-01-01\"", nil),
            ("if case.copy.item_type == \"dvd\" then return unlimited end", "unknown_field"),
        ])
    func answers(body: String, code: String?) throws {
        let found = try findings("{ lasts = years(1) }", "expiry = function(case) \(body) end").map(\.code)
        #expect(found == (code.map { [$0] } ?? []))
    }

    @Test("the explanation says which row decided and why others were passed over")
    func explanation() throws {
        let question = try Case(
            json: [
                "point": "expiry", "now": "2026-11-27", "patron": ["category": "student", "birth_date": "2004-01-01"],
            ])
        let explanation = try PolicyExplanation(parsed(), question: question)
        #expect(
            explanation.text.hasPrefix("The membership ends on 2027-09-30 (membership row 2, policy.lua:6)."),
            "\(explanation.text)")
        #expect(
            explanation.text.contains(
                "membership row 1, policy.lua:5: 12 months, at most until the age of 16, not: the age of 16 is reached")
        )
        #expect(
            explanation.text.contains(
                "membership row 2, policy.lua:6: until 09-30 in 60 days at the soonest: ends on 2027-09-30"),
            "\(explanation.text)")
        #expect(explanation.json["expires_on"] == "2027-09-30")
        #expect(explanation.json["membership"]?.arrayValue?.map { $0["applies"] } == [false, true, false, false])
        #expect(explanation.html.contains("ends on 2027-09-30"))
        let none = try PolicyExplanation(
            parsed("membership = { { category = \"x\", lasts = years(1) } }"), question: question)
        #expect(none.sentence == "The policy says no end.")
    }

    @Test("a matrix has when memberships end, with for whom")
    func matrix() throws {
        let matrix = try PolicyMatrix(parsed())
        let cells = try #require(matrix.json["cells"]?.arrayValue)
        func said(_ category: String) -> JSON? {
            cells.first { $0["category"] == .string(category) }?["fields"]?["membership"]
        }
        #expect(said("student") == "until 09-30 in 60 days at the soonest")
        #expect(said("staff") == "unlimited")
        #expect(said("other") == "365 days")
        #expect(said("child")?.text().contains("12 months, at most until the age of 16") == true, "\(cells[0])")
        #expect(said("child")?.text().contains("the age is less than 16") == true)
        #expect(matrix.isSound)
        let changed = try PolicyMatrix(parsed(Self.rows.replacing("days(365)", with: "days(730)")))
        #expect(matrix.dimensions == changed.dimensions)
        #expect(
            try PolicyMatrix(parsed("membership = {}")).json["cells"]?.arrayValue?[0]["fields"]?["membership"] == nil)
    }

    @Test("tests of policies expect an end")
    func tests() throws {
        let report = try PolicyTestRun.run(
            parsed(),
            tests: """
                test("a child", function()
                    local child = { category = "child", birth_date = date "2015-05-20" }
                    expect(given { point = "expiry", patron = child }, { expires_on = date "2027-01-15" })
                    child.birth_date = date "2010-02-03"
                    expect(given { point = "expiry", patron = child },
                        { expires_on = date "2026-02-02", where = { table = "membership", row = 1 } })
                end)
                test("staff", function()
                    expect(given { point = "expiry", patron = { category = "staff" } }, { expires_on = unlimited })
                end)
                test("a desk", function()
                    local library = desk { now = date "2026-03-02", patrons = { kim = { category = "student" } } }
                    expect(library ~= nil, true)
                end)
                """, file: "main_test.lua")
        #expect(report.isOK, "\(report.text)")
        let wrong = try PolicyTestRun.run(
            parsed(),
            tests: "test(\"x\", function() expect(given { point = \"expiry\" }, { expires_in = days(1) }) end)",
            file: "main_test.lua")
        #expect(wrong.text.contains("did you mean 'expires_on'?"), "\(wrong.text)")
    }

    @Test("random cases come to all rows and find no fault in them")
    func fuzz() throws {
        let report = try PolicyFuzz(parsed(), seed: 3, time: .seconds(60), maximumCases: 800).report()
        #expect(report.findings.isEmpty)
        let policy = try LuaPolicy(parsed())
        var maker = CaseMaker(CaseVocabulary(try parsed(), tables: policy.tables), points: [.expiry], seed: 5)
        var (rows, renewed): (Set<Int>, Int) = ([], 0)
        for _ in 0..<300 {
            let question = try Case(json: .object(maker.make()))
            if question.patron.expiresOn != nil { renewed += 1 }
            #expect(question.title == nil && question.copy == nil)
            if let row = policy.decide(question).membership?.origin?.row { rows.insert(row) }
        }
        #expect(rows == [1, 2, 3, 4] && renewed > 50)
        let faulty = try parsed(
            Self.rows, "expiry = function(case) if case.patron.age then return date \"2020-01-01\" end end")
        let found = try PolicyFuzz(faulty, seed: 3, time: .seconds(60), maximumCases: 800).report().findings
        #expect(!found.isEmpty)
    }

    @Test("comparing finds the patron whose membership ends on another day", arguments: [false, true])
    func comparing(hasManyRows: Bool) throws {
        let many = (0..<70).map { "{ category = \"c\($0)\", loan = days(\($0 + 1)) }" }.joined(separator: ", ")
        func policy(_ rows: String) throws -> ParsedPolicy {
            let rules = hasManyRows ? "rules = { \(many), { loan = days(14) } }" : "rules = { { loan = days(14) } }"
            return try ParsedPolicy(name: "p.lua", source: "return policy { \(rules), membership = { \(rows) } }")
        }
        func report(_ one: String, _ other: String, _ judgement: PolicyJudgement = .differs) throws -> ComparisonReport
        {
            var compared = ComparedPolicies(try policy(one), try policy(other))
            (compared.points, compared.judgement) = ([.expiry], judgement)
            return try compared.report()
        }
        let children = "{ category = \"child\", lasts = days(30) }"
        #expect(try report("\(children), { lasts = days(9) }", "\(children), { lasts = days(9) }").isEqual)
        let differs = try report("\(children), { lasts = days(9) }", "\(children), { lasts = days(10) }")
        let region = try #require(differs.points.flatMap(\.regions).first)
        #expect(!differs.isEqual && differs.unknown == 0 && region.change.aspect == .expiresOn)
        let longer = try report("{ lasts = days(9) }", "{ lasts = days(10) }", .loosens)
        #expect(longer.regions == 1)
        #expect(try report("{ lasts = days(10) }", "{ lasts = days(9) }", .loosens).regions == 0)
        let ages = try report("{ until_age = 16 }, { lasts = days(9) }", "{ lasts = days(9) }")
        let child = try #require(ages.points.flatMap(\.regions).first)
        #expect(try Case(json: .object(child.question)).patron.age.map { $0 < 16 } == true, "\(child.question)")
    }

    @Test("a proof follows ends that are reckoned by days, and knows that none lies before today")
    func proofs() throws {
        let days = try parsed(
            """
            membership = { { category = "child", under_age = 16, lasts = days(30) }, { lasts = days(90) } }
            """, "expiry = function(case) if case.patron.category == \"staff\" then return unlimited end end")
        let later = "decision.expires_on ~= unlimited and decision.expires_on < date(case.now) + days(30)"
        #expect(try statuses(never(later), days) == [.proved])
        #expect(
            try statuses(
                never("decision.expires_on ~= unlimited and decision.expires_on < date(case.now) + days(31)"), days)
                == [.refuted])
        #expect(
            try statuses(never("decision.expires_on == unlimited and case.patron.category == \"x\""), days) == [.proved]
        )
        #expect(try statuses(never("decision.expires_on == nil"), days) == [.proved])
        func short(_ ages: String) -> String {
            never(
                "case.patron.age and case.patron.age \(ages) and decision.expires_on ~= unlimited"
                    + " and decision.expires_on < date(case.now) + days(90)")
        }
        #expect(try statuses(short(">= 16"), days) == [.proved])
        #expect(try statuses(short(">= 15"), days) == [.refuted])
        let all = try parsed()
        #expect(
            try statuses(
                never(
                    "decision.expires_on and decision.expires_on ~= unlimited and decision.expires_on < date(case.now)"),
                all) == [.proved])
        // Months are not reckoned: what a case would show stays unknown, and says why.
        var proof = PolicyProof(
            try parsed("membership = { { lasts = months(1) } }"),
            tests: (never("decision.expires_on > date(case.now) + days(40)"), "policy_test.lua"), codes: .init())
        proof.withBuiltIn = false
        let result = try #require(try proof.report().results.first)
        #expect(result.status == .unknown, "\(result)")
    }

    @Test("what every policy promises holds at `expiry` too, and is refuted by a function that breaks it")
    func builtIn() throws {
        func report(_ body: String) throws -> [ProofReport.Status] {
            let policy = try parsed(Self.rows, "expiry = function(case) \(body) end")
            return try PolicyProof(policy, tests: nil, codes: .init()).report().results.map(\.status)
        }
        #expect(try Set(report("if case.patron.category == \"x\" then return unlimited end")) == [.proved])
        #expect(try report("return case.patron.expires_on").contains(.refuted))
        #expect(try report("return case.patron.age + 1").contains(.refuted))
    }

    @Test("a row that no patron reaches is found by a proof, and one that random cases miss is not taken for one")
    func reach() throws {
        func status(_ rows: String) throws -> [ProofReport.Status] {
            let report = try PolicyProof(try parsed("membership = { \(rows) }"), tests: nil, codes: .init()).report()
            return report.results.filter { $0.name.contains("is reached") }.map(\.status)
        }
        #expect(try status("{ category = \"a\", lasts = years(1) }, { lasts = years(2) }") == [.proved])
        #expect(
            try status("{ category = \"a\", lasts = years(1) }, { category = \"a\", lasts = years(2) }") == [.refuted])
        // No random patron is so old.
        #expect(try status("{ from_age = 120, lasts = years(2) }, { lasts = years(1) }") == [.proved])
    }

    @Test("tests that run only some rows leave the others uncovered")
    func coverage() throws {
        let report = try PolicyTestRun.run(
            parsed(), tests: "test(\"x\", function() given { point = \"expiry\" } end)", file: "main_test.lua")
        let rows = report.coverage.places.filter { $0.row?.table == .membership }
        #expect(rows.map(\.count) == [0, 0, 0, 1])
    }
}
