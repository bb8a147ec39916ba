import LuaSyntax
import Testing

@Suite("The outline of a policy locates its parts")
struct PolicyOutlineTests {
    private func outline(_ source: String) throws -> PolicyOutline? {
        PolicyOutline(try LuaParser.parse(source, chunk: "test"))
    }

    private func university() throws -> PolicyOutline {
        try #require(try outline(PolicyFixtures.university))
    }

    @Test("top-level keys come in order, with their lines")
    func keys() throws {
        let outline = try university()
        #expect(outline.fields.map(\.name) == ["api", "name", "limits", "rules", "notices", "checkout", "due"])
        #expect(outline.fields.map(\.key.range.start.line) == [4, 5, 6, 11, 18, 21, 26])
        #expect(outline["name"]?.value.stringLiteral == "university")
        #expect(outline.range.start == SourcePosition(line: 3, column: 15, offset: outline.range.start.offset))
    }

    @Test("rows have their place in the list, their lines and their fields")
    func rows() throws {
        let outline = try university()
        #expect(outline.limits.map(\.line) == [7, 8, 9])
        #expect(outline.rules.map(\.line) == [12, 13, 15, 16])
        #expect(outline.rules.map(\.index) == [1, 2, 3, 4])
        #expect(outline.notices.map(\.line) == [19])
        let row = try #require(outline.row(4, of: "rules"))
        #expect(row.fields.map(\.name) == ["loan", "renewals"])
        #expect(row["renewals"]?.key.range.start.column == 28)
        #expect(row["renewals"]?.value.kind == .integer(1))
        #expect(row["lend"] == nil)
        #expect(outline.row(2, of: "rules")?.range.end.line == 14)
    }

    @Test("a row that is not a table has a place but no fields")
    func computedRow() throws {
        let row = try #require(try university().row(3, of: "rules"))
        #expect(!row.isLiteral)
        #expect(row.fields.isEmpty)
        #expect(row.range.start.column == 9)
    }

    @Test("decision functions and the functions of when have their ranges")
    func functions() throws {
        let source = SourceText(PolicyFixtures.university)
        let outline = try university()
        #expect(outline.functions.map(\.name) == ["checkout", "due"])
        #expect(outline.functions.map(\.range.start.line) == [21, 26])
        #expect(outline.functions.map(\.range.end.line) == [25, 29])
        let condition = try #require(outline.conditions.first)
        #expect(condition.table == "rules")
        #expect(condition.row == 2)
        #expect(source[condition.range] == "function(case) return case.patron.age < 12 end")
    }

    @Test(
        "the policy, its lists and its functions may come through local variables",
        arguments: [
            "local p = policy { rules = { { loan = 1 } }, due = function() end } return p",
            "local t = { rules = { { loan = 1 } }, due = function() end } return policy(t)",
            "local r = { { loan = 1 } } local function f() end return policy { rules = r, due = f }",
            "local p = policy local f = function() end return p { rules = ({ { loan = 1 } }), due = f }",
            "return (policy { ['rules'] = { [1] = { ['loan'] = 1 } }, due = function() end })",
        ])
    func indirect(source: String) throws {
        let outline = try #require(try outline(source))
        #expect(outline.rules.map { $0.fields.map(\.name) } == [["loan"]])
        #expect(outline.functions.map(\.name) == ["due"])
    }

    @Test(
        "keys may be added to the policy's variable one by one",
        arguments: [
            "local p = {} p.rules = { { loan = 1 } } function p.due(case) end return policy(p)",
            "local p = { rules = { { loan = 1 } } } p.due, p.x.y, q.z = function() end, 1, 2 return policy(p)",
            "local t = {} local p = t t.rules = { { loan = 1 } } p['due'] = function() end return (policy)(p)",
        ])
    func assigned(source: String) throws {
        let outline = try #require(try outline(source))
        #expect(outline.fields.map(\.name) == ["rules", "due"])
        #expect(outline.rules.map { $0.fields.map(\.name) } == [["loan"]])
        #expect(outline.functions.map(\.name) == ["due"])
    }

    @Test(
        "what returns no policy has no outline",
        arguments: [
            "", "return", "return {}", "return policy", "return policy()", "return policy({}, 1)",
            "policy { rules = {} }",
            "local policy = f return policy { rules = {} }", "local p = policy {} p = nil return p", "return other {}",
            "return x.policy {}", "do return policy {} end x = 1",
        ])
    func none(source: String) throws {
        #expect(try outline(source) == nil)
    }
}
