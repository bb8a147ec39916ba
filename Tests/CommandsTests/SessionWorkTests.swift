import Foundation
import Testing

@Suite("Asking, measuring and keeping in a session")
struct SessionWorkTests {
    private static func session(
        _ lines: [String], in library: borrowing SmallLibrary, _ options: String...
    ) throws -> BuiltCommand.Result {
        try library.command.run(
            ["--now", "2026-10-07T10:00:00Z", "repl"] + options, input: lines.joined(separator: "\n") + "\n")
    }

    @Test(":sql answers as a table, whose rows are the last result")
    func sql() throws {
        let library = try SmallLibrary()
        let result = try Self.session(
            [":sql select isbn, title from report_titles order by title;", "#_, _[1].isbn"], in: library)
        #expect(result.status == 0, "\(result)")
        #expect(result.output.contains("isbn           title\n-------------  "))
        #expect(result.output.hasSuffix("\n3\n\(SmallLibrary.emma)\n"))
        let refused = try Self.session([":sql select * from patrons"], in: library)
        #expect(refused.status == 3 && refused.error.contains("':schema' lists the views"), "\(refused)")
        let wrong = try Self.session([":sql delete from report_titles"], in: library)
        #expect(wrong.status == 3, "\(wrong)")
    }

    @Test(":schema lists the views, the columns of one, and the nearest name to an unknown one")
    func schema() throws {
        let library = try SmallLibrary()
        let result = try Self.session([":schema", ":schema report_titles"], in: library)
        #expect(result.output.contains("report_loans") && result.output.contains("isbn, title"), "\(result)")
        let unknown = try Self.session([":schema report_title"], in: library)
        #expect(unknown.status == 3 && unknown.error.contains("did you mean 'report_titles'?"), "\(unknown)")
    }

    @Test(":profile shows how often each function was called")
    func profile() throws {
        let library = try SmallLibrary()
        let result = try Self.session(
            [":profile for title in catalogue.each{} do catalogue.copies(title) end"], in: library)
        #expect(result.output.contains("catalogue.copies") && result.output.contains("Lua itself"), "\(result)")
        let line = result.output.split(separator: "\n").first { $0.hasPrefix("catalogue.copies") }
        #expect(line?.split(separator: " ").dropFirst().first == "3")
    }

    @Test(":now lets the clock stand, from a pipe as at a terminal, and lets it go again")
    func now() throws {
        let library = try SmallLibrary()
        let lines = ["today()", ":now +30", "today()", ":now 2027-01-02T08:30", "now()", ":now", "today()"]
        let result = try Self.session(lines, in: library)
        #expect(result.output == "2026-10-07\n2026-11-06\n2027-01-02 08:30\n2026-10-07\n", "\(result)")
        let wrong = try Self.session([":now tomorrow"], in: library)
        #expect(wrong.status == 3 && wrong.error.contains("A moment is '2026-12-24'"), "\(wrong)")
    }

    @Test(":as asks as a patron, who sees what is theirs and no more")
    func actingAs() throws {
        let library = try SmallLibrary()
        let result = try Self.session(
            [":as p1", "loans.checkout{ patron = 'p2', isbn = '\(SmallLibrary.emma)' }"], in: library, "--write")
        #expect(result.output.hasPrefix("refused (not_owner)"), "\(result)")
        let back = try Self.session([":as p1", ":as", "#loans.active{ patron = 'p2' }"], in: library)
        #expect(back.output == "0\n" && back.status == 0, "\(back)")
        let nobody = try Self.session([":as nobody"], in: library)
        #expect(nobody.status == 3 && nobody.error.contains("There is no patron 'nobody'."), "\(nobody)")
    }

    @Test(":save writes what went well as a script that runs, and overwrites no file")
    func save() throws {
        let library = try SmallLibrary()
        let lines = [
            "local ok = 1", "copies = catalogue.get('\(SmallLibrary.emma)').copies", "6 * 7",
            "loans.checkout{ patron = 'p1', isbn = '\(SmallLibrary.odyssey)' }", ":save tomorrow.lua",
            ":save tomorrow.lua",
        ]
        let saved = try Self.session(lines, in: library, "--write")
        #expect(saved.status == 0 && saved.output.contains("4 statements are in tomorrow.lua."), "\(saved)")
        let script = try String(contentsOf: library.folder.url.appending(path: "tomorrow.lua"), encoding: .utf8)
        #expect(script.hasPrefix("needs { \"loans.write\" }\n"))
        #expect(script.contains("print(6 * 7)\n"))
        let run = try library.run("run", "--allow", "loans.write", "tomorrow.lua")
        #expect(run.status == 0 && run.output.contains("42"), "\(run)")
        let again = try Self.session(["1", ":save tomorrow.lua"], in: library)
        #expect(again.status == 3 && again.error.contains("is there already"), "\(again)")
    }

    @Test("a statement from a pipe that fails ends the session with its line and the status of a failed script")
    func pipe() throws {
        let library = try SmallLibrary()
        let result = try Self.session(["1", "for i = 1, 2 do", "  error('no')", "end", "2"], in: library)
        #expect(result.status == 3 && result.output == "1\n", "\(result)")
        #expect(result.error.contains("standard input:3: no"))
    }
}
