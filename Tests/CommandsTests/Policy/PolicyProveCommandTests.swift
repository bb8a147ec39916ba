import Testing
import TextFormats

/// `moonshelf policy prove`, and what `policy use` makes of promises.
@Suite("Proving policies by command")
struct PolicyProveCommandTests {
    private static let policy = """
        return policy {
            api = 1,
            rules = { { loan = days(14), fine = money "0.20", fine_cap = money "10.00" } },
        }
        """
    private static let kept = """
        always("a fine is at most ten", "fine", function(case, decision) return decision.fine <= money "10.00" end)
        test("two weeks", function() expect(given {}, { answer = "allow" }) end)
        """
    private static let broken = """
        always("a fine is at most five", "fine", function(case, decision) return decision.fine <= money "5.00" end)
        """

    private static func folder(_ tests: String) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(policy, to: "p.lua")
        try folder.write(tests, to: "p_test.lua")
        return folder
    }

    @Test("a promise that holds is proved, and exit status and JSON say so")
    func proved() throws {
        let folder = try Self.folder(Self.kept)
        let text = try folder.command.run("policy", "prove", "p.lua")
        #expect(text.status == 0 && text.output.contains("proved   fine, always: a fine is at most ten"))
        let json = try folder.command.run("policy", "prove", "p.lua", "--json", "--require-proof")
        let properties = try json.json()["properties"]?.arrayValue ?? []
        #expect(properties.first?["status"] == "proved" && properties.first?["line"] == 1)
    }

    @Test("a promise that a case breaks ends with 1, the case and a test")
    func refuted() throws {
        let folder = try Self.folder(Self.broken)
        let outcome = try folder.command.run("policy", "prove", "p.lua")
        #expect(outcome.status == 1)
        for part in ["refuted  ", "p_test.lua:1: ", "the case: {", "test(\"not so: a fine is at most five\""] {
            #expect(outcome.output.contains(part), "\(part)")
        }
    }

    @Test("a policy whose promise is broken does not come into force")
    func use() throws {
        let folder = try Self.folder(Self.broken)
        #expect(try folder.command.run("init").status == 0)
        let refused = try folder.command.run("policy", "use", "p.lua")
        #expect(refused.status == 1 && refused.error.contains("A promise is broken by a case; nothing was changed."))
        try folder.write(Self.kept, to: "p_test.lua")
        let used = try folder.command.run("policy", "use", "p.lua", "--require-proof", "--json")
        #expect(used.status == 0)
        #expect(try used.json()["promises"] == ["proved": 1, "refuted": 0, "unknown": 0])
    }
}
