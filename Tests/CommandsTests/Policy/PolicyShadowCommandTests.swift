import Testing
import TextFormats

/// `moonshelf policy shadow`
@Suite("A policy beside the one in force, by command")
struct PolicyShadowCommandTests {
    @Test("what the desk lends is put to it, and shown with both answers and their places, as text and as JSON")
    func shows() throws {
        let library = try SmallLibrary()
        let command = library.folder.command
        try library.folder.write(
            "return policy { api = 1, name = 'strict', limits = { { max = 0 } }, rules = { { loan = days(7) } } }",
            to: "strict.lua")
        #expect(try command.run("policy", "shadow").status == 1)
        let begun = try command.run("policy", "shadow", "strict.lua", "--note", "to see")
        #expect(begun.status == 0 && begun.output.hasPrefix("beside the one in force: "))
        let lent = try command.run(
            "eval", "--allow", "loans.write", "loans.checkout{ patron = 'p1', isbn = '\(SmallLibrary.odyssey)' }")
        #expect(lent.status == 0, "\(lent.error)")
        let shown = try command.run("policy", "shadow", "--show")
        #expect(shown.status == 0 && shown.output.contains(" -> limit, limits row 1, strict.lua:1"), "\(shown.output)")
        #expect(shown.output.contains("(to see): 1 decisions, 1 otherwise, none failed"))
        let json = try command.run("policy", "shadow", "--json").json()
        #expect(json["differences"]?.arrayValue?.first?["after"]?["code"] == "limit")
        #expect(json["differences"]?.arrayValue?.first?["before"]?["answer"] == "allow")
        #expect(try command.run("policy", "shadow", "--stop").status == 0)
        #expect(try command.run("policy", "shadow", "--show", "--json").output == "null\n")
    }
}
