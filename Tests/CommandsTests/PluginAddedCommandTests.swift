import Foundation
import Testing
import TextFormats

@Suite("What plugins add to the command line")
struct PluginAddedCommandTests {
    private static let plugin = """
        return plugin {
            api = 1, name = "counter", version = "1", needs = { "patrons.write" },
            commands = {
                {
                    name = "mark", help = "mark patrons of a list",
                    parameters = {
                        list = { type = "file", required = true, help = "usernames" },
                        day = { type = "date", default = "today" }, kind = { choices = { "a", "b" }, default = "a" },
                    },
                    run = function(args)
                        local rows = {}
                        for name in args.list.lines() do
                            assert(patrons.block { patron = name, kind = args.kind, reason = tostring(args.day) })
                            state.set("last", name)
                            rows[#rows + 1] = { name = name }
                        end
                        print("marked")
                        report.table { rows = rows }
                    end,
                },
                { name = "refuse", run = function() return patrons.block { patron = "ghost", kind = "k", reason = "x" } end },
                { name = "overstep", run = function() catalogue["a" .. "dd"] { title = "x", authors = { "y" } } end },
            },
        }
        """

    private func use(_ source: String, as folder: String, in library: borrowing SmallLibrary) throws {
        try FileManager.default.createDirectory(
            at: library.folder.url.appending(path: folder), withIntermediateDirectories: true)
        try library.folder.write(source, to: "\(folder)/plugin.lua")
        let used = try library.run("plugin", "use", folder, "--allow", "patrons.write")
        try #require(used.status == 0, "\(used)")
    }

    @Test("a command takes what it declares, works as who asks within the plugin's rights, and answers as scripts do")
    func commands() throws {
        let library = try SmallLibrary()
        try use(Self.plugin, as: "counter", in: library)
        try library.folder.write("p1\np2\n", to: "list.txt")
        let help = try library.run("x", "mark", "--help")
        #expect(help.output.contains("mark patrons of a list\n\nArguments:\n  --list FILE"), "\(help)")
        #expect(try library.run("x").output.contains("mark  mark patrons of a list"))
        let listed = try library.run("x", "--json", "--help").json().arrayValue?.first
        #expect(listed?["plugin"] == "counter" && listed?["arguments"]?.arrayValue?.count == 3, "\(listed as JSON?)")
        let tried = try library.run("x", "--dry-run", "mark", "--list", "list.txt")
        #expect(tried.status == 0 && tried.output.contains("What would change"), "\(tried)")
        #expect(try library.eval("#patrons.blocks('p1')") == "0")
        let done = try library.run("x", "--json", "mark", "--list=list.txt", "--kind", "b", "--day", "2026-01-02")
        #expect(try done.json()["tables"]?.arrayValue?.first?["rows"]?.arrayValue?.count == 2, "\(done)")
        let block = try library.eval("local b = patrons.blocks('p2')[1] return b.kind .. ' ' .. b.reason")
        #expect(block == "b 2026-01-02")
        #expect(try library.eval("store.events{ kind = 'patron.blocked' }().actor") == "desk")
        for (words, status, message) in [
            (["mark"], Int32(2), "the argument --list is missing"),
            (["mark", "--lst", "x"], 2, "there is no argument --lst, did you mean --list?"),
            (["mark", "--list", "list.txt", "--kind", "c"], 2, "is not one of a, b"),
            (["mark", "--list", "none.txt"], 3, "none.txt"),
            (["marc"], 2, "did you mean 'mark'?"), (["overstep"], 3, "catalogue.write"), (["refuse"], 1, "moonshelf: "),
        ] {
            let wrong = try library.command.run(["x"] + words)
            #expect(wrong.status == status && wrong.error.contains(message), "\(words): \(wrong)")
        }
        let failed = try library.run("plugin", "failures", "--json").json().arrayValue ?? []
        #expect(
            failed.map { $0["kind"] } == ["command overstep", "command mark"] && failed[1]["line"] == 12, "\(failed)")
        try use(Self.plugin.replacing("\"counter\"", with: "\"other\""), as: "other", in: library)
        let both = try library.run("x", "mark", "--help")
        #expect(both.status == 2 && both.error.contains("counter:mark, other:mark"), "\(both)")
        #expect(try library.run("x", "other:mark", "--help").status == 0)
        let typed = ":x other:mark --list list.txt\n"
        let session = try library.command.run(["repl", "--allow", "patrons.write"], input: typed)
        #expect(session.output.contains("marked"), "\(session)")
        let reading = try library.command.run(["repl"], input: typed)
        #expect((reading.output + reading.error).contains("start with --allow patrons.write"), "\(reading)")
        let completed = try library.run("---completion", "x", "--", "words", "0", "0", "moonshelf", "x")
        #expect(completed.output.contains("mark"), "\(completed)")
    }
}
