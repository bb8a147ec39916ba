import Circulation
import LuaSyntax
import Scripting
import TestSupport
import Testing
import TextFormats

@testable import Workbench

@Suite("Coverage of policies")
struct CoverageTests {
    private let policy = """
        local function young(case)
            return case.patron.age ~= nil and case.patron.age < 12
        end
        return policy {
            limits = {
                { category = "staff", max = unlimited },
                { max = 2 },
            },
            rules = {
                { item_type = "dvd", loan = days(7) },
                { loan = days(14), when = function(case) return case.patron.fees_owed < money "5.00" end },
                { loan = days(21) },
            },
            notices = {
                { stage = "late", after = days(1), channel = "email", subject = "Late", body = "Late." },
            },
            checkout = function(case)
                if young(case) then
                    return deny("young", "Too young.")
                elseif case.patron.holds > 9 then return deny("holds", "Too many holds.") end
            end,
        }
        """

    private func coverage(_ tests: String, workers: Int = 1) throws -> PolicyCoverage {
        let report = try PolicyTestRun.run(
            try ParsedPolicy(name: "main.lua", source: policy), tests: tests, file: "main_test.lua",
            options: PolicyTestOptions(workers: workers))
        #expect(report.isOK, "\(report.text)")
        return report.coverage
    }

    private func missing(_ coverage: PolicyCoverage) -> [String] {
        coverage.uncovered.map { "\($0.kind.rawValue) \($0.line)" }
    }

    @Test("without tests, what runs while the policy is loaded is covered and nothing else")
    func nothing() throws {
        let coverage = try coverage("")
        #expect(coverage.lines == .init(covered: 2, total: 7))
        #expect(coverage.branches == .init(covered: 0, total: 4))
        #expect(coverage.rows == .init(covered: 0, total: 6))
        #expect(
            missing(coverage) == [
                "branch 2", "line 2", "row 6", "row 7", "row 10", "line 11", "row 11", "row 12", "row 15", "branch 18",
                "line 18", "branch 19", "line 19", "branch 20", "line 20",
            ])
    }

    @Test("each test covers the statements, branches and rows that it makes run, and no other")
    func some() throws {
        let coverage = try coverage(
            """
            test("plain", function() expect(given { patron = { age = 30 } }, { due = date "2026-01-29" }) end)
            test("child", function() expect(given { patron = { age = 8 } }, { code = "young" }) end)
            """)
        #expect(
            missing(coverage) == ["row 6", "row 7", "row 10", "row 12", "row 15", "branch 20", "line 20"])
    }

    @Test("everything is covered when every arm was taken and every row decided")
    func all() throws {
        let coverage = try coverage(
            """
            test("staff", function() given { patron = { category = "staff", age = 8 }, copy = { item_type = "dvd" } } end)
            test("limit", function() expect(given { patron = { loans = 2 } }, { code = "limit" }) end)
            test("holds", function() expect(given { patron = { holds = 10 } }, { code = "holds" }) end)
            test("owing", function() given { patron = { fees_owed = money "5.00" } } end)
            test("late", function() given { point = "overdue", loan = { days_overdue = 2 } } end)
            """)
        #expect(missing(coverage) == [])
        #expect(coverage.leastPercent == 100)
    }

    @Test("what two workers saw is the same in either order, where two branches begin in one place too")
    func mergedPlaces() throws {
        let nested = """
            return policy { rules = { { loan = days(14) } }, checkout = function(case)
                if case.patron.age then
                    if case.patron.age > 60 then return deny("old", "Rest.") end
                end
            end }
            """
        func seen(_ age: String) throws -> PolicyCoverage {
            try PolicyTestRun.run(
                try ParsedPolicy(name: "main.lua", source: nested),
                tests: "test('one', function() given { \(age) } end)",
                file: "main_test.lua", options: PolicyTestOptions(workers: 1)
            ).coverage
        }
        let (without, young) = (try seen(""), try seen("patron = { age = 20 }"))
        #expect(young.branches.covered == 2 && without.branches.covered == 1)
        #expect(without.merged(with: young).branches.covered == 3)
        #expect(young.merged(with: without).branches.covered == 3)
    }

    @Test("the decisions of a desk in memory count as well")
    func desk() throws {
        let coverage = try coverage(
            """
            test("desk", function()
                local desk = desk { patrons = { ann = "staff" }, copies = { film = "dvd" } }
                desk.checkout("ann", "film")
            end)
            """)
        #expect(!missing(coverage).contains("row 6") && !missing(coverage).contains("row 10"))
    }

    @Test("marks change nothing: places of errors and refusals are those of the policy as written")
    func places() throws {
        let source = """
            return policy {
                rules = { { loan = days(1) } },
                checkout = function(case) local a = case.patron.age if a and a < 5 then
                    return deny("young", "No.") end
                    if case.patron.holds == 7 then return a + 1 end
                end,
            }
            """
        let bundle = try ParsedPolicy(name: "main.lua", source: source)
        let (plain, probed) = (try LuaPolicy(bundle), try LuaPolicy(bundle, probes: PolicyProbes(bundle)))
        for patron: JSON in [["age": 3], ["age": 9], ["holds": 7], [:]] {
            let question = try Case(json: ["patron": patron])
            let (one, other) = (plain.decide(question), probed.decide(question))
            #expect(one == other)
        }
        #expect(probed.decide(try Case(json: ["patron": ["holds": 7]])).failure?.line == 5)
    }

    @Test("the coverage in JSON has the fields that programs rely on, and a row says which")
    func json() throws {
        let json = try coverage("").json
        #expect(json.objectValue?.keys == ["lines", "branches", "rows", "uncovered"])
        #expect(json["lines"] == ["covered": 2, "total": 7])
        let row = json["uncovered"]?.arrayValue?.first { $0["kind"] == "row" }
        #expect(row == ["kind": "row", "file": "main.lua", "line": 6, "table": "limits", "row": 1])
    }

    @Test("the page shows each line of source with its colour, and escapes it")
    func page() throws {
        let report = PolicyTestReport(coverage: try coverage("test('a', function() given {} end)"))
        let html = CoveragePage(name: "<main>", sources: [("main.lua", SourceText(policy))], report: report).html
        #expect(html.contains("<title>Tests of &lt;main&gt;</title>"))
        #expect(TableMarkup.faults(in: html) == [])
        #expect(html.contains("<tr id=\"L19\" class=\"no\">"))
        #expect(html.contains("<tr id=\"L11\" class=\"yes\">"))
        #expect(html.contains("limits row 1 decides in no test"))
        #expect(html.contains("case.patron.age &lt; 12"))
    }
}
