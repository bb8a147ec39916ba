import LuaSyntax
import Testing

@Suite("Unknown globals and members are found")
struct GlobalUseTests {
    private func findings(_ source: String, known: KnownNames = PolicyFixtures.known) throws -> [String] {
        let chunk = try LuaParser.parse(source, chunk: "test")
        return GlobalUse(known: known, file: "test.lua").findings(in: chunk).map { finding in
            "\(finding.code) \(finding.position.column) \(finding.suggestion ?? "-")"
        }
    }

    @Test(
        "what is unknown is found with the nearest name",
        arguments: [
            ("x = dyas(3)", ["unknown_global 5 days"]), ("return catalgoue.get(1)", ["unknown_global 8 catalogue"]),
            ("catalogue.serch{}", ["unknown_api 11 search"]), ("return catalogue.gte", ["unknown_api 18 get"]),
            ("local c = catalogue c.serach()", ["unknown_api 23 search"]),
            ("catalogue:serch()", ["unknown_api 11 search"]),
            ("catalogue['serch']()", ["unknown_api 11 search"]),
            ("local f = catalogue.serch f() f.x()", ["unknown_api 21 search"]),
            ("return zzzzzz", ["unknown_global 8 -"]), ("return tabel.insert", ["unknown_global 8 table"]),
            ("f(nmae)", ["unknown_global 1 -", "unknown_global 3 -"]),
            ("(catalogue).serch()", ["unknown_api 13 search"]),
        ])
    func unknown(source: String, expected: [String]) throws {
        #expect(try findings(source) == expected)
    }

    @Test(
        "what is known, local, or defined by the chunk itself is not",
        arguments: [
            "return days(3) + catalogue.get(1).title.anything", "local dyas = 1 return dyas",
            "total = 1 return total, total.x",
            "function helper() return other() end function other() end", "catalogue.mine = 1 return catalogue.mine",
            "function catalogue.extra() end catalogue.extra()", "local name return catalogue[name]",
            "return days.anything",
            "local c = catalogue c.more = 1 return c.more.x", "return ('x'):anything()", "goto x ::x::",
        ])
    func known(source: String) throws {
        #expect(try findings(source) == [])
    }

    @Test("an open table may have any member")
    func open() throws {
        let known = KnownNames(["args": KnownNames(["name": .leaf], isOpen: true)])
        #expect(try findings("return args.anything, args.name", known: known) == [])
        #expect(try findings("return anything", known: KnownNames(isOpen: true)) == [])
    }
}
