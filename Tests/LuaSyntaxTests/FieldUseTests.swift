import LuaSyntax
import Testing

@Suite("Unknown fields of the case and the rule are found")
struct FieldUseTests {
    private func findings(_ source: String) throws -> [String] {
        let chunk = try LuaParser.parse(source, chunk: "test")
        let use = FieldUse(
            caseFields: { $0 == "when" ? FieldTree(paths: ["patron.age"]) : PolicyFixtures.caseFields },
            ruleFields: PolicyFixtures.ruleFields, file: "test.lua")
        return use.findings(in: chunk).map { "\($0.message) \($0.suggestion ?? "-")" }
    }

    @Test(
        "a misspelt field is found with the nearest one",
        arguments: [
            ("return case.patron.catgory", "'case.patron' has no field 'catgory' category"),
            ("return case.patron.cateogry", "'case.patron' has no field 'cateogry' category"),
            ("return case.ptaron.category", "'case' has no field 'ptaron' patron"),
            ("local p = case.patron return p.agee", "'case.patron' has no field 'agee' age"),
            ("local p = case.patron local q = p return q.feesowed", "'case.patron' has no field 'feesowed' fees_owed"),
            ("return rule.renewal", "'rule' has no field 'renewal' renewals"),
            ("return case.patron.loans[1].titel", "'case.patron.loans[]' has no field 'titel' title"),
            ("for _, l in ipairs(case.patron.loans) do f(l.due) end", "'case.patron.loans[]' has no field 'due' -"),
            ("return case.calendar:is_opne(d)", "'case.calendar' has no field 'is_opne' is_open"),
            ("if case['patron']['agee'] then end", "'case.patron' has no field 'agee' age"),
            ("return function() return case.brnach end", "'case' has no field 'brnach' branch"),
            ("return case.patron.loans.count", "'case.patron.loans' has no field 'count' -"),
        ])
    func unknown(body: String, expected: String) throws {
        #expect(try findings(PolicyFixtures.checkout(body)) == [expected])
    }

    @Test(
        "fields that exist, or that cannot be known, are not",
        arguments: [
            "return case.patron.category, case.title.extra.shelf.x, case.now.year, case.title.genres[1]",
            "local case = f() return case.anything", "local p = case.patron p = f() return p.anything",
            "return other.patron.x",
            "return case[name].x", "return case.patron.blocks[i].kind, #case.patron.loans",
            "case = f() return case.anything",
            "for k, v in next, case.patron.loans do f(v.anything) end", "return rule.loan, rule.grace",
        ])
    func known(body: String) throws {
        #expect(try findings(PolicyFixtures.checkout(body)) == [])
    }

    @Test("a record is followed into local functions that are called with it, through several calls")
    func calls() throws {
        let helpers = """
            local function age(p) return p.agee end
            local function young(case) return age(case.patron) end
            """
        #expect(
            try findings(PolicyFixtures.checkout("return young(case)", before: helpers))
                == ["'p' has no field 'agee' age"])
    }

    @Test("a function that is also called with something else is not followed")
    func mixedCalls() throws {
        let helper = "local function age(p) return p.agee end"
        #expect(try findings(PolicyFixtures.checkout("return age(case.patron) or age({})", before: helper)) == [])
    }

    @Test("a function that serves several records may use the fields of each")
    func sharedFunction() throws {
        let helper = "local function f(x) return x.kind, x.title, x.none end"
        let body = "return f(case.patron.loans[1]) or f(case.patron.blocks[1])"
        #expect(
            try findings(PolicyFixtures.checkout(body, before: helper)).map { $0.prefix(24) } == [
                "'x' has no field 'none' "
            ])
    }

    @Test("each decision point has its own case, and when has one too")
    func points() throws {
        let source = """
            return policy {
                rules = { { when = function(c) return c.title end } },
                due = function(c) return c.title end,
            }
            """
        #expect(try findings(source) == ["'c' has no field 'title' -"])
    }

    @Test("recursive functions come to an end")
    func recursion() throws {
        let helper = "local function f(x) if x then return f(x.patron) end return f(x) end"
        #expect(try findings(PolicyFixtures.checkout("return f(case)", before: helper)).count <= 1)
    }

    @Test("paths make a tree, with lists and leaves")
    func tree() {
        let tree = FieldTree(paths: ["a.b", "a.c[].d", "e"])
        #expect(tree.fields["a"]?.fields.keys.sorted() == ["b", "c"])
        #expect(tree.fields["a"]?.fields["c"]?.element?.fields["d"] == .leaf)
        #expect(tree.fields["e"] == .leaf)
        #expect(
            tree == FieldTree(["a": FieldTree(["b": .leaf, "c": .list(of: FieldTree(["d": .leaf]))]), "e": .leaf]))
    }
}
