import LuaSyntax
import Testing

@Suite("Sources made to break a checker do not")
struct HostileSourceTests {
    /// Runs every analysis there is.
    private func analyse(_ source: String) throws -> [Finding] {
        let chunk = try LuaParser.parse(source, chunk: "test")
        let fields = FieldUse(
            caseFields: { _ in PolicyFixtures.caseFields }, ruleFields: PolicyFixtures.ruleFields, file: "test.lua")
        let keys = PolicyKeys(topLevel: ["rules"], rowFields: ["rules": .init(["loan"])], file: "test.lua")
        return PolicyRestrictions.findings(in: chunk, file: "test.lua")
            + GlobalUse(known: PolicyFixtures.known, file: "test.lua").findings(in: chunk)
            + fields.findings(in: chunk) + (PolicyOutline(chunk).map(keys.findings(in:)) ?? [])
            + CapabilityDeclaration(chunk, file: "test.lua").findings
    }

    private static func nested(_ count: Int, _ opening: String, _ middle: String, _ closing: String) -> String {
        String(repeating: opening, count: count) + middle + String(repeating: closing, count: count)
    }

    @Test(
        "the deepest nesting the parser takes is analysed",
        arguments: [
            nested(190, "{", "1", "}"), nested(190, "(", "1", ")"), nested(95, "function() return ", "1", " end"),
            nested(190, "f(", "1", ")"), nested(190, "a[", "1", "]"), nested(190, "not ", "x", ""),
            nested(190, "x .. ", "x", ""),
            nested(45, "function() if x then x = f { ", "1", "} end end"),
        ])
    func deep(expression: String) throws {
        let source =
            "return policy { rules = { { loan = \(expression) } }, checkout = function(case) return \(expression) end }"
        #expect(try !analyse(source).isEmpty)
    }

    @Test("long chains of variables that stand for one another are followed in little time")
    func aliases() throws {
        var lines = ["local a0 = case.patron.loans"]
        for index in 1..<190 { lines.append("local a\(index) = a\(index - 1)\(String(repeating: ".x", count: 60))") }
        lines += (0..<3000).map { _ in "f(a189.y)" }
        #expect(
            try analyse(PolicyFixtures.checkout(lines.joined(separator: "\n"))).contains { $0.code == "unknown_field" })
        lines.append("a189.y = 1")
        let found = try analyse(PolicyFixtures.checkout(lines.joined(separator: "\n")))
        #expect(found.filter { $0.code == "writes_case" }.count == 1)
    }

    @Test("long chains of fields, calls and operators are analysed without exhausting the stack")
    func chains() throws {
        for link in [".x", "[1]", "()", ":m()", " + 1", " or 1"] {
            let chain = "case" + String(repeating: link, count: 10_000)
            _ = try analyse(PolicyFixtures.checkout("x = \(chain)"))
        }
    }

    @Test("many functions that call one another are followed in little time")
    func calls() throws {
        let functions = (1..<150).map { "local function f\($0)(c) return f\($0 - 1)(c), f\($0 - 1)(c) end" }
        let before = "local function f0(c) return c.nothing end\n" + functions.joined(separator: "\n")
        #expect(try analyse(PolicyFixtures.checkout("return f10(case)", before: before)).isEmpty == false)
    }

    @Test("a name as long as a file suggests nothing and takes no time")
    func longName() throws {
        let name = String(repeating: "category", count: 8000)
        let findings = try analyse(PolicyFixtures.checkout("return case.\(name)"))
        #expect(findings.filter { $0.code == "unknown_field" }.map(\.suggestion) == [nil])
    }

    @Test("whatever is found in a damaged policy stands in its text", arguments: 1...4)
    func mutants(seed: Int) throws {
        let policies = [
            PolicyFixtures.university,
            PolicyFixtures.checkout("local p = case.patron seen[p.id] = p.agee", before: "local seen = {}"),
            PolicyFixtures.checkout(
                "for _, l in ipairs(case.patron.loans) do l.due = dyas(1) table.insert(rule, l) end"),
        ].map { Array($0.utf8) }
        var mutator = SourceMutator(seed: UInt64(seed))
        var analysed = 0
        for index in 0..<450 {
            let mutant = mutator.mutate(policies[index % policies.count], borrowingFrom: policies)
            guard let chunk = try? LuaParser.parse(mutant, chunk: "test") else { continue }
            analysed += 1
            for finding in try analyse(String(decoding: mutant, as: UTF8.self)) {
                #expect(finding.excerpt(from: chunk.source) != nil)
                #expect(finding.endColumn.map { $0 >= finding.position.column } ?? true)
            }
            for use in ScopeAnalysis(chunk).uses {
                #expect(chunk.source[use.variable.range] == use.variable.name)
                #expect(chunk.source.position(atOffset: use.variable.range.start.offset) == use.variable.range.start)
            }
        }
        #expect(analysed > 25)
    }
}
