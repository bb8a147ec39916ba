import Foundation
import TestSupport
import Testing
import TextFormats

@Suite("Answers that help")
struct AnswerTests {
    // MARK: - Slips on the command line

    static let slips: [(words: [String], suggestion: String?)] = [
        (["polcy"], "moonshelf policy"), (["chek"], "moonshelf policy check"), (["exprot", "x"], "moonshelf export"),
        (["policy", "chek", "x.lua"], "moonshelf policy check"), (["notices", "lst"], "moonshelf notices list"),
        (["account", "ad", "x"], "moonshelf account add"), (["sweep"], "moonshelf notices sweep"),
        (["policy", "doctor"], "moonshelf doctor"), (["xyzzyx"], nil), (["policy", "xyzzyx"], nil),
        (["serve", "--port", "80"], "--http"), (["eval", "--formt", "json", "1"], "--format"),
        (["--stor", "x", "init"], "--store"), (["init", "--xyzzy"], nil), (["serve", "--p"], nil),
        (["export", "--typ", "x", "y"], nil), (["doctor", "--database", "x"], "--store"),
    ]

    @Test("a misspelt name is reported with the nearest one, or with none where none is near", arguments: slips)
    func suggestion(words: [String], suggestion: String?) throws {
        let folder = try TemporaryFolder()
        let result = try folder.command.run(words)
        #expect(result.status == 2 && result.output.isEmpty, "\(result)")
        if let suggestion {
            #expect(result.error.contains("Did you mean '\(suggestion)'?"), "\(result)")
        } else {
            #expect(!result.error.contains("Did you mean"), "\(result)")
        }
    }

    // MARK: - Files that are not there

    static let readers: [[String]] = [
        ["policy", "check", "nope.lua"], ["policy", "check", "--json", "nope.lua"], ["policy", "test", "nope.lua"],
        ["policy", "use", "nope.lua"], ["policy", "fuzz", "nope.lua"], ["policy", "matrix", "nope.lua"],
        ["policy", "explain", "--case", "nope.json"], ["policy", "replay", "--candidate", "nope.lua"],
        ["policy", "diff", "nope.lua"], ["policy", "new", "own", "--from", "nope.lua"], ["run", "nope.lua"],
        ["import", "nope.csv"], ["import", "--mapping", "nope.json", "data/titles.csv"], ["restore", "nope.db"],
        ["--config", "nope.toml", "schedule", "list"], ["--policy", "nope.lua", "eval", "1"],
        ["--policy", "nope.lua", "notices", "sweep", "--dry-run"], ["init", "--sample", "--data", "nope"],
    ]

    @Test("every command that is given a file which is not there ends alike", arguments: readers)
    func missing(words: [String]) throws {
        let library = try SmallLibrary()
        let result = try library.command.run(words)
        #expect(result.status == 2, "\(result)")
        // Of several files that are checked, each has its findings.
        #expect(result.output.isEmpty || words[1] == "check", "\(result)")
    }

    // MARK: - For programs

    /// Commands whose answer no program reads, and why.
    static let withoutJSON = [
        "repl": "a session", "serve": "it runs until it is ended", "schedule watch": "it runs until it is ended",
        "schedule units": "it writes files for systemd", "manual": "it writes the manual",
        "make-report": "the server reads its answer", "picture": "the program that starts it reads its answer",
        "help": "words for people",
    ]

    @Test("every command answers in JSON, but for those that have a reason")
    func json() throws {
        let folder = try TemporaryFolder()
        let tree = try folder.command.run(["--experimental-dump-help"]).json()
        var without: [String] = []
        func visit(_ command: JSON, _ path: [String]) {
            let inner = command["subcommands"]?.arrayValue ?? []
            for next in inner { visit(next, path + [next["commandName"]?.stringValue ?? ""]) }
            guard inner.allSatisfy({ $0["commandName"]?.stringValue == "help" }) else { return }
            let names = (command["arguments"]?.arrayValue ?? []).flatMap { $0["names"]?.arrayValue ?? [] }
                .compactMap { $0["name"]?.stringValue }
            let isMarked = names.contains("json") || path == ["run"] || path == ["eval"]
            if !isMarked { without.append(path.joined(separator: " ")) }
        }
        let program = try #require(tree["command"])
        visit(program, [])
        #expect(Set(without).subtracting(Self.withoutJSON.keys) == [])
    }

    static let values: [(line: String, json: String)] = [
        ("1 + 1", "2"), ("'a'", "\"a\""), ("nil", "null"), ("x = 1", "null"), ("1, nil, 'a'", "[1,null,\"a\"]"),
        ("{ a = { 1, 2 }, b = { c = true } }", #"{"a":[1,2],"b":{"c":true}}"#), ("{ 1, { 2 } }", "[1,[2]]"),
        ("{ { a = 1 }, { a = 2 } }", #"[{"a":1},{"a":2}]"#), ("money '1.50'", "\"1.50 EUR\""), ("1.5", "1.5"),
        ("date '2026-12-24'", "\"2026-12-24\""), ("days(14)", "\"P14D\""), ("false", "false"), ("print('x')", "null"),
        ("patrons.get('p1').username", "\"p1\""), ("patrons.get('p1').extra", "{}"),
    ]

    @Test("eval gives the value itself as JSON", arguments: values)
    func value(line: String, json: String) throws {
        let library = try SmallLibrary()
        let result = try library.run("eval", "--format", "json", line)
        #expect(result.status == 0, "\(result)")
        #expect(try result.json() == JSONParser.parse(json), "\(result)")
        #expect(try library.run("eval", "--output", "value.json", line).status == 0)
        let written = try String(contentsOf: library.folder.url.appending(path: "value.json"), encoding: .utf8)
        #expect(try JSONParser.parse(written) == JSONParser.parse(json))
    }

    // MARK: - Names of files

    static let names: [(words: [String], name: String, holds: String?)] = [
        (["eval", "--output"], "r.html", "<!DOCTYPE html>"), (["eval", "--output"], "r.csv", "\n1\r\n"),
        (["eval", "--output"], "r.JSON", "a"), (["eval", "--output"], "r.txt", "a"), (["eval", "--output"], "r", "a"),
        (["eval", "--output"], "r.md", "|"), (["eval", "--output"], "r.xyz", nil),
        (["eval", "--output"], "r.xlsx", nil),
        (["eval", "--format", "csv", "--output"], "r.html", nil),
        (["eval", "--format", "csv", "--output"], "r.dat", "1"),
        (["eval", "--format", "json", "--output"], "r.pdf", nil),
    ]

    @Test("the ending of a name chooses the form, or is refused", arguments: names)
    func ending(words: [String], name: String, holds: String?) throws {
        let library = try SmallLibrary()
        let result = try library.command.run(words + [name, "{ { a = 1 } }"])
        let file = library.folder.url.appending(path: name)
        if let holds {
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(result.status == 0 && text.contains(holds), "\(result) \(text)")
        } else {
            #expect(result.status == 2 && result.error.contains(name), "\(result)")
            #expect(!FileManager.default.fileExists(atPath: file.path()))
        }
    }

    @Test(
        "an export, a page and a backup stand in no file whose name promises something else",
        arguments: [
            ["export", "x.pdf"], ["export", "x.html"], ["export", "x.txt"], ["export", "x.xyz"],
            ["export", "--format", "json", "x.csv"], ["export", "--format", "csv", "--kind", "titles", "x.jsonl"],
            ["backup", "x.json"], ["backup", "x.csv"],
            ["policy", "matrix", "policies/university.lua", "--html", "x.json"],
            ["policy", "test", "policies/university.lua", "--html", "x.txt"],
            ["policy", "explain", "--patron", "p1", "--html", "x.pdf"],
            ["policy", "replay", "--candidate", "current", "--html", "x.csv"], ["run", "--output", "x.gz", "-"],
        ])
    func refused(words: [String]) throws {
        let library = try SmallLibrary()
        let result = try library.command.run(words)
        #expect(result.status == 2 && result.error.contains("x."), "\(result)")
        let names = try FileManager.default.contentsOfDirectory(atPath: library.folder.url.path(percentEncoded: false))
        #expect(!names.contains { $0.hasPrefix("x.") })
    }

    @Test("an export says in JSON what it wrote")
    func exported() throws {
        let library = try SmallLibrary()
        let result = try library.run("export", "--kind", "titles", "--json", "titles.csv")
        let json = try result.json()
        #expect(json["format"]?.stringValue == "csv" && json["kind"]?.stringValue == "titles", "\(result)")
        #expect((json["files"]?.arrayValue?.first?["bytes"]?.integerValue ?? 0) > 50)
        let folder = try library.run("export", "--format", "bitbooks", "--json", "tables").json()
        #expect((folder["files"]?.arrayValue?.count ?? 0) > 2)
    }

    // MARK: - The rest

    @Test("runs of an unknown job are refused, and those of one that has not run are none")
    func job() throws {
        let library = try SmallLibrary()
        let unknown = try library.run("schedule", "log", "--job", "Nope")
        #expect(unknown.status == 1 && unknown.error.contains("No job is called 'Nope'."), "\(unknown)")
        #expect(try library.run("schedule", "log").status == 0)
        try library.folder.write(
            "[[jobs]]\nname = \"Own\"\ncron = \"0 3 * * *\"\ncommand = [\"notices\", \"sweep\"]\n", to: "moonshelf.toml"
        )
        let known = try library.run("schedule", "log", "--job", "Own")
        #expect(known.status == 0, "\(known)")
    }

    @Test(
        "what speaks against an account is said before a password is asked for",
        arguments: [
            ["add", "p1"], ["add", "new", "--category", "nope"], ["add", "new", "--role", "king"],
            ["password", "nope"],
        ])
    func account(words: [String]) throws {
        let library = try SmallLibrary()
        // Nothing is typed: whatever asks for a password says so.
        let result = try library.command.run(["account"] + words, input: "")
        #expect(result.status != 0 && !result.error.contains("password is expected"), "\(result)")
    }

    @Test("a dry run fits onto a page, and is to the letter in JSON")
    func dryRun() throws {
        let library = try SmallLibrary()
        let line =
            "loans.checkout{ patron = 'p1', isbn = '\(SmallLibrary.odyssey)' }, patrons.add{ username = 'new', name = 'N' }, "
            + "loans.checkout{ patron = 'p1', isbn = '9780000000002' }"
        let result = try library.run("eval", "--dry-run", "--allow", "loans.write,patrons.write", line)
        #expect(result.status == 0 && result.output.contains("What would change"), "\(result)")
        let changes = result.output.components(separatedBy: "What would change")[1]
        for row in changes.split(separator: "\n") { #expect(row.count <= 100) }
        for word in ["loan.made", "patron.added", "p1 (1)", "new"] { #expect(changes.contains(word), "\(changes)") }
        let json = try library.run(
            "eval", "--dry-run", "--format", "json", "--allow", "patrons.write", "patrons.add{ username = 'x' }")
        let rows = try json.json()["tables"]?.arrayValue?.last?["rows"]?.arrayValue
        let details = try #require(rows?.first?["details"]?.stringValue)
        #expect(try JSONParser.parse(details)["category"]?.stringValue == "patron")
    }

    static let policyTypos: [(source: String, hint: String)] = [
        ("return policy { api = 1, rules = { { loan = \"3 weeks\" } } }", "weeks(3)"),
        (
            "return policy { api = 1, rules = { { item_type = dvd, loan = days(1) } } }",
            "a text stands in quotation marks: \"dvd\""
        ),
        (
            "return policy { api = 1, rules = { { loan = days(1) renewals = 2 } } }",
            "a comma is missing before 'renewals'"
        ),
        ("return policy { api = 1, rules = { { loan = null } } }", "nil"),
        (
            "return policy { api = 1, checkout = function(c) if c.patron.age = 3 then return deny('a', 'b') end end }",
            "=="
        ),
    ]

    @Test("a beginner's mistake in a policy is reported with what was meant", arguments: policyTypos)
    func policy(source: String, hint: String) throws {
        let library = try SmallLibrary()
        try library.folder.write(source, to: "own.lua")
        let result = try library.run("policy", "check", "own.lua")
        #expect(result.status == 1 && result.output.contains(hint), "\(result)")
    }

    @Test("scripts, lines and sessions get the same messages")
    func everywhere() throws {
        let library = try SmallLibrary()
        try library.folder.write("if x != 1 then end\n", to: "own.lua")
        for result in [
            try library.run("run", "own.lua"), try library.run("eval", "if x != 1 then end"),
            try library.command.run(["repl"], input: "if x != 1 then end\n"),
        ] {
            #expect(result.status == 3 && result.error.contains("'not equal' is written '~='"), "\(result)")
        }
    }
}
