import Circulation
import Scripting
import Testing
import Workbench

@Suite("Codes that a policy names and a library does not have")
struct UndeclaredCodesTests {
    @Test("they are found in rows and in functions, of each kind, once each")
    func found() throws {
        let source = """
            return policy { api = 1, name = "a",
                limits = { { category = "child", item_type = { "dvd", "film" }, max = 2 } },
                rules = { { category = "child", loan = days(1) }, { branch = "attic", loan = days(2) }, { loan = days(3) } },
                checkout = function(case)
                    if case.patron.category == "guest" then return deny("guest", "No.") end
                    if has(case.patron.categories, "staff") then return deny("staff", "No.") end
                end,
            }
            """
        let policy = try ParsedPolicy(name: "a.lua", source: source)
        let none = DeclaredValues(categories: [], itemTypes: [], branches: [])
        let all = UndeclaredCodes(in: policy, declared: none)
        #expect(all.categories == ["child", "guest", "staff"])
        #expect(all.itemTypes == ["dvd", "film"] && all.branches == ["attic"] && !all.isEmpty)
        let some = UndeclaredCodes(
            in: policy,
            declared: DeclaredValues(
                categories: ["child", "guest", "staff"].map { Category(code: $0, name: $0) },
                itemTypes: [ItemType(code: "dvd", name: "DVD")], branches: [Branch(code: "attic", name: "Attic")]))
        #expect(some.categories.isEmpty && some.itemTypes == ["film"] && some.branches.isEmpty)
    }
}
