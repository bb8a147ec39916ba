import LuaSyntax
import Testing

@Suite("Unknown keys of a policy and fields of its rows are found")
struct PolicyKeysTests {
    private func findings(_ source: String) throws -> [Finding] {
        let outline = try #require(PolicyOutline(try LuaParser.parse(source, chunk: "test")))
        let keys = PolicyKeys(
            topLevel: ["api", "name", "limits", "rules", "notices", "checkout", "due"],
            rowFields: [
                "limits": .init(["category", "item_type", "max"]),
                "rules": .init(
                    ["category", "item_type", "loan", "renewals", "lend", "reason", "when"], allowsOthers: true),
            ], file: "test.lua")
        return keys.findings(in: outline)
    }

    @Test("a misspelt key is found with the nearest one")
    func keys() throws {
        let found = try findings("return policy { nmae = 'x', cehckout = function() end, zzz = 1 }")
        #expect(found.map(\.code) == ["unknown_point", "unknown_point", "unknown_point"])
        #expect(found.map(\.suggestion) == ["name", "checkout", nil])
        #expect(found.map(\.position.column) == [17, 29, 56])
        #expect(found.map(\.endColumn) == [21, 37, 59])
    }

    @Test("a field that rows do not have is an error")
    func closedRows() throws {
        let found = try findings("return policy { limits = { { max = 1 }, { mxa = 2, other = 3 } } }")
        #expect(found.map(\.code) == ["unknown_rule_field", "unknown_rule_field"])
        #expect(found.map(\.severity) == [.error, .error])
        #expect(found.map(\.suggestion) == ["max", nil])
    }

    @Test("where a library may add fields, only what looks misspelt is a warning")
    func openRows() throws {
        let found = try findings(
            "return policy { rules = { { laon = 1, shelf_mark = 2 } }, notices = { { any = 1 } } }")
        #expect(found.map(\.severity) == [.warning])
        #expect(found.map(\.suggestion) == ["loan"])
    }

    @Test("where a library declares its fields, others are errors, with what was meant")
    func declaredFields() throws {
        let outline = try #require(
            PolicyOutline(
                try LuaParser.parse(
                    "return policy { rules = { { shelf = 1, loan_period = 2, age = 3, mark = 4, lown = 5, items = 6 } } }",
                    chunk: "test")))
        let fields = PolicyKeys.RowFields(
            ["loan", "item_type"], allowsOthers: true, declared: ["shelf"], read: ["mark", "lown"],
            askable: ["age": "case.patron.age"])
        let found = PolicyKeys(topLevel: ["rules"], rowFields: ["rules": fields], file: "test.lua").findings(
            in: outline)
        #expect(found.map(\.severity) == [.error, .error, .warning, .error])
        #expect(found.map(\.suggestion) == ["loan", nil, "loan", "item_type"])
        #expect(found[1].message.contains("'case.patron.age' can be asked in 'when'"))
        #expect(found[1].message.contains("fields = { \"age\" }"))
    }

    @Test("the example of the policy language is in order")
    func university() throws {
        #expect(try findings(PolicyFixtures.university) == [])
    }
}
