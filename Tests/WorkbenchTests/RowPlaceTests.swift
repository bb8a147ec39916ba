import Circulation
import LuaSyntax
import Scripting
import Testing
import TextFormats
import Workbench

@Suite("Rows of any file, built by any code, have their own file and line")
struct RowPlaceTests {
    private func parsed(_ main: String, _ modules: [String: String] = [:]) throws -> ParsedPolicy {
        try ParsedPolicy(name: "main.lua", source: main) { modules[$0] }
    }

    private func places(_ main: String, _ modules: [String: String] = [:]) throws -> [String] {
        try LuaPolicy(parsed(main, modules)).tables.source.rules.map { "\($0.place.file):\($0.place.line)" }
    }

    @Test(
        "however a row comes into the list",
        arguments: [
            // A list that a module returns.
            (
                "return policy { rules = require 'rows' }", "return {\n{ loan = days(1) },\n\n{ loan = days(2) } }",
                "rows.lua:2 rows.lua:4"
            ),
            // A function of a module, called with and without parentheses.
            (
                "local row = require 'rows'\nreturn policy { rules = { row('a', 1),\n row('b', 2) } }",
                "return function(category, count)\n return { category = category,\n loan = days(count) } end",
                "rows.lua:2 rows.lua:2"
            ),
            (
                "local row = require 'rows'\nlocal p = { rules = { row { loan = days(1) },\n row { loan = days(2) } } }\nreturn policy(p)",
                "return function(row) row.renewals = 2 return row end", "main.lua:2 main.lua:3"
            ),
            // A loop over what a module has, beside rows of one's own.
            (
                "local rules = { { category = 'x', loan = days(9) } }\nfor _, row in ipairs(require 'rows') do\n"
                    + "table.insert(rules, row)\nend\ntable.insert(rules, { loan = days(1) })\nreturn policy { rules = rules }",
                "local rows = {}\nfor i = 1, 2 do\nrows[i] = { category = tostring(i), loan = days(i) }\nend\nreturn rows",
                "main.lua:1 rows.lua:3 rows.lua:3 main.lua:5"
            ),
            // A table that is filled field by field.
            (
                "return policy { rules = require 'rows' }",
                "local row = {}\nrow.loan = days(1)\nreturn { row }", "rows.lua:1"
            ),
        ])
    func places(main: String, rows: String, places: String) throws {
        #expect(try self.places(main, ["rows.lua": rows]) == places.split(separator: " ").map(String.init))
    }

    @Test("what is marked to find them stays what it was for the policy itself, also where tests count what runs")
    func sameValues() throws {
        let source = """
            local flag = true
            local other = flag and { loan = days(3) } or { loan = days(4) }
            local function first(row) return row end
            return policy {
                rules = { first { category = "a", loan = days(2) }, (other) },
                checkout = function(case) return deny("x", ({ word = "y" }).word) end,
            }
            """
        let policy = try parsed(source)
        let probes = PolicyProbes(policy)
        for policy in [try LuaPolicy(policy), try LuaPolicy(policy, probes: probes)] {
            #expect(policy.tables.source.rules.map(\.place.line) == [5, 2])
            #expect(policy.tables.source.rules[1].fields == ["loan": .period(.days(3))])
            #expect(policy.decide(try Case(json: [:])).refusal?.message == "y")
        }
        #expect(probes.sites.contains { $0.kind == .branch && $0.range.start.line == 2 })
    }

    private static let modules = [
        "adults.lua":
            "return {\n    { category = 'adult', loan = days(28) },\n    { category = 'adult', loan = days(14) },\n}",
        "all.lua": "local rows = {}\nfor _, category in ipairs { 'child', 'adult' } do\n"
            + "    rows[#rows + 1] = { category = category, loan = days(7) }\nend\nreturn rows",
    ]
    private static let main = """
        local rules = {}
        for _, part in ipairs { require "adults", require "all" } do
            for _, row in ipairs(part) do rules[#rules + 1] = row end
        end
        return policy { rules = rules }
        """

    @Test("findings of a check name them, and the row of the other file that goes before")
    func check() throws {
        let report = PolicyCheck.check(try parsed(Self.main, Self.modules))
        let said = report.findings.map { "\($0.file):\($0.position.line):\($0.position.column) \($0.message)" }
        #expect(
            said == [
                "adults.lua:3:5 rules row 2 can never win: row 1, line 2, matches all that it would match and goes before it",
                "all.lua:3:23 rules row 4 can never win: row 1, line 2 of adults.lua, matches all that it would match and"
                    + " goes before it",
            ])
    }

    @Test("a value of the wrong kind and an unknown field are found in the module's row")
    func wrongValues() throws {
        let rows = "return {\n    { loan = days(1) },\n    { loan = 5 }, { laon = days(2) },\n}"
        let report = PolicyCheck.check(try parsed("return policy { rules = require 'rows' }", ["rows.lua": rows]))
        let places = report.findings.map { "\($0.file):\($0.position.line):\($0.position.column) \($0.code)" }
        #expect(places == ["rows.lua:3:14 wrong_type", "rows.lua:3:21 unknown_rule_field"])
    }

    @Test("explanations, the matrix and coverage name file, line and number")
    func elsewhere() throws {
        let policy = try parsed(Self.main, Self.modules)
        let explanation = try PolicyExplanation(policy, question: try Case(json: ["patron": ["category": "child"]]))
        #expect(explanation.json["fields"]?["loan"]?["row"] == 3)
        #expect(explanation.text.contains("rules row 3, all.lua:3"))
        #expect(explanation.text.contains("rules row 1, adults.lua:2"))
        let losing = try PolicyMatrix(policy).losing.map { "\($0.row) \($0.place.file):\($0.place.line)" }
        #expect(losing == ["2 adults.lua:3", "4 all.lua:3"])
        let tests = "test('a', function() expect(given { patron = { category = 'child' } }, { answer = 'allow' }) end)"
        let report = try PolicyTestRun.run(
            policy, tests: tests, file: "main_test.lua", options: PolicyTestOptions(workers: 1))
        let rows = report.coverage.places.filter { $0.kind == .row }.map { "\($0.file):\($0.line) \($0.count)" }
        #expect(rows == ["adults.lua:2 0", "adults.lua:3 0", "all.lua:3 1", "all.lua:3 0"])
    }

    @Test("a file of more than 64 KB may have rows without end, but not branches")
    func branches() throws {
        let rows = (1...1_000).map {
            "{ category = 'c\($0)', item_type = 'type', branch = 'north', loan = days(\($0)) },\n"
        }
        let large = "return policy { rules = {\n" + rows.joined() + "} }"
        #expect(large.utf8.count > 65_536)
        #expect(try LuaPolicy(parsed(large)).tables.source.rules.last?.place.line == 1_001)
        let arms = (1...4_100).map { "elseif x == \($0) then y = \($0)\n" }
        let long = "local x, y = 0, 0\nif x == 0 then\n" + arms.joined() + "end\nreturn policy {}"
        #expect(long.utf8.count > 65_536)
        let problems = #expect(throws: PolicyProblems.self) { try LuaPolicy(parsed(long)) }
        #expect(problems?.findings.map(\.code) == ["too_large"])
    }
}
