import LuaSyntax
import Testing

@Suite("What a script needs is read without running it")
struct CapabilityDeclarationTests {
    private func declaration(_ source: String) throws -> CapabilityDeclaration {
        CapabilityDeclaration(try LuaParser.parse(source, chunk: "test"), file: "test.lua")
    }

    @Test(
        "the first statement names the capabilities",
        arguments: [
            ("needs { 'loans.write', \"sql\" } x = 1", ["loans.write", "sql"]), ("needs 'sql'", ["sql"]),
            ("needs {}", []),
            ("#!/usr/bin/moonshelf run\n-- overdue\n;needs { [[sql]]; }", ["sql"]), ("x = 1", []), ("", []),
            ("local needs = f needs { 'sql' }", []),
        ])
    func names(source: String, expected: [String]) throws {
        let declaration = try declaration(source)
        #expect(declaration.capabilities.map(\.name) == expected)
        #expect(declaration.findings == [])
    }

    @Test(
        "what cannot be read before running is found",
        arguments: [
            ("needs { name }", 9), ("needs { 'a', 'b' .. c }", 14), ("x = 1 needs { 'sql' }", 7), ("needs(list)", 7),
            ("needs { sql = 'sql' }", 15), ("if x then needs { 'sql' } end", 11), ("local n = needs", 11),
            ("needs { 'sql' } needs { 'x' }", 17),
            ("needs({ 'sql' }, 1)", 1),
        ])
    func computed(source: String, column: Int) throws {
        let findings = try declaration(source).findings
        #expect(findings.map(\.code) == ["capability"])
        #expect(findings.first?.position.column == column)
    }
}
