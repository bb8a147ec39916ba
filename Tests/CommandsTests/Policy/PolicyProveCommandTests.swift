import Foundation
import Storage
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
        #expect(
            refused.status == 1
                && refused.error.contains("A promise is broken by a case; nothing was changed.")
        )
        try folder.write(Self.kept, to: "p_test.lua")
        let used = try folder.command.run("policy", "use", "p.lua", "--require-proof", "--json")
        #expect(used.status == 0)
        #expect(try used.json()["promises"] == ["proved": 1, "refuted": 0, "unknown": 0])
        let store = try SQLiteStore.open(.file(folder.path("moonshelf.db")), mode: .readOnly)
        defer { try? store.close() }
        let known = try #require(try store.read { try $0.settings.value("policy.promises") })
        let policy = try used.json()["policy"]
        let of = try JSONParser.parse(known).arrayValue?.first { $0["policy"] == policy }
        #expect(of?["promises"]?.arrayValue?.map { $0["status"] } == ["proved"], "\(known)")
    }

    private static let asTown = """
        same("it lends like the town", "checkout", policy_file "town.lua")
        test("two weeks", function() expect(given {}, { answer = "allow" }) end)
        """

    @Test(
        "a policy that promises to decide as another one comes into force only if it does; the other is named, and not kept"
    )
    func same() throws {
        let folder = try Self.folder(Self.asTown)
        #expect(try folder.command.run("init").status == 0)
        let missing = try folder.command.run("policy", "use", "p.lua")
        #expect(
            missing.status != 0 && missing.error.contains("p_test.lua:1: same: there is no town.lua beside the tests"))
        try folder.write(Self.policy.replacing("days(14)", with: "days(7)"), to: "town.lua")
        let refused = try folder.command.run("policy", "use", "p.lua")
        #expect(refused.status == 1 && refused.error.contains("by town.lua: allow"), "\(refused)")
        try folder.write("-- For the whole town.\n" + Self.policy, to: "town.lua")
        let used = try folder.command.run("policy", "use", "p.lua", "--require-proof")
        #expect(used.status == 0 && used.error.contains("note: it was held against town.lua as it is now"), "\(used)")
        try folder.write(
            Self.asTown.replacing("\"town.lua\"", with: "\"town.lua\", { branch = \"nowhere\" }"), to: "p_test.lua")
        let nowhere = try folder.command.run("policy", "use", "p.lua")
        #expect(nowhere.status != 0 && nowhere.error.contains("the library has no 'nowhere' for branch"), "\(nowhere)")
        try folder.write(Self.asTown, to: "p_test.lua")
        let json = try folder.command.run("policy", "use", "p.lua", "--json").json()
        #expect(json["held_against"]?.arrayValue?.first?["file"] == "town.lua")
    }

    @Test("the check of the tests finds what is wrong with a promise")
    func check() throws {
        let folder = try Self.folder(
            """
            never("a", "chekout", function() end)
            same("b", "fine", policy_file "town.lua", { patron = { categroy = "child" } })
            same("c", "fine", "town.lua")
            """)
        let found = try folder.command.run("policy", "check", "p_test.lua")
        for part in [
            "p_test.lua:1:12: error: never: there is no decision point 'chekout'", "did you mean 'checkout'?",
            "p_test.lua:2:31: error: same: there is no town.lua beside the tests",
            "same: 'patron' has no 'categroy'", "did you mean 'category'?",
            "same: argument 3 is policy_file \"town.lua\"",
        ] {
            #expect((found.output + found.error).contains(part), "\(part)\n\(found)")
        }
    }

    @Test("some promises can be chosen by their words and their point; what is not promised is no answer")
    func chosen() throws {
        let folder = try Self.folder(Self.kept)
        let fine = try folder.command.run(
            "policy", "prove", "p.lua", "--point", "fine", "--promise", "at most", "--json")
        #expect(try fine.json()["properties"]?.arrayValue?.map { $0["name"] } == ["a fine is at most ten"])
        #expect(try folder.command.run("policy", "prove", "p.lua", "--promise", "nothing like it").status == 2)
    }

    @Test("the page shows each promise, the case that breaks one and what was answered, and names library and policy")
    func page() throws {
        let folder = try Self.folder(Self.kept + "\n" + Self.broken)
        #expect(try folder.command.run("init").status == 0)
        let proved = try folder.command.run(
            "policy", "prove", "p.lua", "--store", "sqlite:moonshelf.db", "--point", "fine", "--html", "p.html")
        #expect(proved.status == 1, "\(proved)")
        let page = try String(contentsOfFile: folder.path("p.html"), encoding: .utf8)
        for part in [
            "<dt>Library</dt>", "One promise is broken; ",
            "Always: a fine is at most ten.</td><td>fine</td><td><span class=\"badge proved\">",
            "<h2>Broken: Always: a fine is at most five.</h2>", "<th scope=\"row\">loan, due at</th>",
            "<p class=\"answer no\">Fine ", "p_test.lua, line 3", "What “every case” means",
        ] {
            #expect(page.contains(part), "\(part)")
        }
    }
}
