import Scripting
import Testing

@Suite("Arguments of scripts, before they run")
struct ScriptArgumentsTests {
    private static let declaration = """
        needs { "loans.write" }
        local given = report.params {
            span = { type = "period", default = "this_year" }, branch = "text", dry = "boolean",
            order = { choices = { "title", "year" } }, ["most"] = { type = "integer", required = true },
        }
        """

    private func fault(_ words: [String], _ text: String = declaration) throws -> String? {
        try ScriptRunner.fault(of: words, for: ScriptSource(text: text, name: "a.lua"))
    }

    @Test(
        "what a script takes is taken, as it is when it runs",
        arguments: [
            ["--most", "3"], ["--most=3", "--no-dry", "x", "--branch", "--odd"], ["--most", "x", "--order", "year"],
            ["--most", "3", "--", "--whatever"],
        ])
    func taken(words: [String]) throws {
        #expect(try fault(words) == nil)
    }

    @Test(
        "what it does not take is told, in the words that it has when it runs",
        arguments: [
            (["--most", "3", "--spam", "x"], "there is no argument --spam, did you mean --span?"),
            ([], "the argument --most is missing"), (["--most"], "--most needs a value"),
            (["--most", "3", "--order", "size"], "--order: \"size\" is not one of title, year"),
        ])
    func refused(words: [String], message: String) throws {
        #expect(try fault(words) == message)
    }

    @Test(
        "nothing is said of what the text does not tell",
        arguments: ["print(args[1])", "report.params(make())", "if true then report.params { a = 'text' } end"])
    func unknown(text: String) throws {
        #expect(try fault(["--spam"], text) == nil)
    }
}
