import Foundation
import TestSupport
import Testing
import TextFormats

@Suite("What commands write, and where")
struct OutputTests {
    @Test(
        "a failure ends with its status, and with --format json its code stands in the last line of standard error",
        arguments: [
            ("return 1 +", 3, "syntax"), ("error('x')", 3, "lua_error"), ("while true do end", 3, "time_limit"),
            ("local t = {} for i = 1, 1e9 do t[i] = ('x'):rep(1e6) .. i end", 3, "memory_limit"),
            ("loans.checkout{ patron = 'p1', isbn = '9780140449136' }", 3, "capability"),
            ("return loans.checkout{ patron = 'nobody', isbn = '9780140449136' }", 1, "unknown_patron"),
            ("return loans.checkout{ patron = 'p1', isbn = '9780306406157' }", 1, "unknown_title"),
        ])
    func failures(text: String, status: Int32, code: String) throws {
        let library = try SmallLibrary()
        let granted = code == "capability" ? [] : ["--allow", "loans.write"]
        let result = try library.command.run(
            ["eval", "--format", "json", "--time-limit", "300ms", "--memory-limit", "16M"] + granted + [text])
        #expect(result.status == status, "\(result)")
        let error = try #require(try result.failure()["error"]?.objectValue)
        #expect(error["code"]?.stringValue == code)
        #expect(error["message"]?.stringValue?.isEmpty == false)
        #expect(error.keys == ["code", "message", "file", "line"])
        let plain = try library.command.run(
            ["eval", "--time-limit", "300ms", "--memory-limit", "16M"] + granted + [text])
        #expect(plain.status == status)
        #expect(plain.error.hasPrefix("moonshelf: "))
    }

    @Test("an error in a script names its file and line")
    func scriptError() throws {
        let library = try SmallLibrary()
        try library.folder.write("-- A comment.\n\nerror('broken here')\n", to: "broken.lua")
        let result = try library.run("run", "--format", "json", "broken.lua")
        #expect(result.status == 3)
        let error = try #require(try result.failure()["error"])
        #expect(error["file"] == "broken.lua" && error["line"] == 3 && error["message"] == "broken here")
    }

    @Test("a refusal names the rule that decided, with file, line and row")
    func refusalPlace() throws {
        let library = try SmallLibrary()
        let five = "for i = 1, 5 do assert(loans.checkout{ patron = 'p1', isbn = '\(SmallLibrary.odyssey)' }) end"
        #expect(try library.run("eval", "--allow", "loans.write", five).status == 0)
        let result = try library.run(
            "eval", "--allow", "loans.write", "return loans.checkout{ patron = 'p1', isbn = '\(SmallLibrary.odyssey)' }"
        )
        #expect(result.status == 1)
        #expect(result.error.contains("university.lua:4, row 2 of limits"), "\(result)")
    }

    @Test("what a script prints stays out of the answer for a program")
    func printAndJSON() throws {
        let library = try SmallLibrary()
        let text = "print('aside') return { { a = 1, b = 'x' }, { a = 2, b = 'y' } }"
        let result = try library.run("eval", "--format", "json", text)
        #expect(result.status == 0)
        #expect(!result.output.contains("aside"))
        #expect(try result.json() == [["a": 1, "b": "x"], ["a": 2, "b": "y"]])
        try library.folder.write(text, to: "own.lua")
        let report = try library.run("run", "--format", "json", "own.lua").json()
        for member in ["title", "parameters", "tables", "metrics", "charts"] { #expect(report[member] != nil) }
        let table = try #require(report["tables"]?.arrayValue?.first)
        #expect(table["columns"] == [["name": "a", "type": "integer"], ["name": "b", "type": "text"]])
        #expect(table["rows"] == [["a": 1, "b": "x"], ["a": 2, "b": "y"]])
        #expect(try library.run("eval", text).output.contains("aside"))
    }

    @Test("what a line of Lua returns reaches a program too")
    func scalarAsJSON() throws {
        let library = try SmallLibrary()
        let result = try library.run("eval", "--format", "json", "return 6 * 7, 'text'")
        #expect(try result.json() == [42, "text"], "\(result)")
        try library.folder.write("return 6 * 7, 'text'", to: "own.lua")
        let script = try library.run("run", "--format", "json", "own.lua")
        #expect(try script.json()["texts"] == ["42", "text"], "\(script)")
    }

    @Test(
        "the clock is the one that was given, whatever the process's own zone is",
        arguments: ["Asia/Tokyo", "America/New_York", "nonsense"])
    func zoneOfTheProcess(zone: String) throws {
        let library = try SmallLibrary()
        var command = library.command
        command.environment["TZ"] = zone
        let result = try command.run(
            "--now", "2026-03-28T23:30:00Z", "eval", "--allow", "loans.write",
            "print(today()) return loans.checkout{ patron = 'p1', isbn = '\(SmallLibrary.odyssey)' }.due_on")
        // In Berlin it is the 29th already.
        #expect(result.status == 0, "\(result)")
        #expect(result.output.contains("2026-03-29"))
        #expect(result.output.contains("2026-04-12"))
    }

    @Test("nothing but text reaches a pipe, with and without NO_COLOR", arguments: [nil, "1"])
    func noColourInPipes(value: String?) throws {
        let library = try SmallLibrary()
        var command = library.command
        command.environment["NO_COLOR"] = value
        command.environment["TERM"] = "xterm-256color"
        for arguments in [["eval", "return catalogue.search{}"], ["eval", "nonsense("], ["notices", "sweep"]] {
            let result = try command.run(arguments)
            #expect(!result.output.contains("\u{1B}") && !result.error.contains("\u{1B}"))
        }
    }

    @Test("control characters of the data do not reach the output")
    func controlCharacters() throws {
        let library = try SmallLibrary()
        let named = #"patrons.add{ username = "evil", name = "\27[2J\27]0;x\7", surname = "a\226\128\174b" }"#
        for text in ["return \(named)", "return patrons.get('evil').name", "print(patrons.get('evil').name)"] {
            let result = try library.run("eval", "--allow", "patrons.write", text)
            let all = result.output + result.error
            #expect(
                !all.unicodeScalars.contains { $0.value == 0x1B || $0.value == 7 || $0.value == 0x202E }, "\(result)")
        }
    }

    @Test(
        "a full standard output is an error, not a silence",
        arguments: [["doctor"], ["eval", "return 1"], ["export", "-"], ["api"]])
    func fullOutput(arguments: [String]) throws {
        let library = try SmallLibrary()
        let result = try Shell.run(
            "exec \"$0\" \"$@\" > /dev/full", [BuiltCommand.executable.path(percentEncoded: false)] + arguments,
            in: library.folder.url)
        #expect(result.status == 73, "\(result)")
        #expect(!result.error.isEmpty)
    }

    @Test("a reader that goes away ends the command without a crash")
    func brokenPipe() throws {
        let library = try SmallLibrary()
        let result = try Shell.run(
            "{ \"$0\" export - ; echo $? > status; } | head -c 10 > /dev/null; cat status",
            [BuiltCommand.executable.path(percentEncoded: false)], in: library.folder.url)
        let status = Int32(result.output.trimmingCharacters(in: .whitespacesAndNewlines))
        // Ended by SIGPIPE as other programs are, or with an error of its own.
        #expect([0, 73, 141].contains(status), "\(result)")
        #expect(!result.error.contains("Fatal error"))
    }

    @Test("--output replaces a file as a whole and never a store")
    func outputFile() throws {
        let library = try SmallLibrary()
        try library.folder.write("old", to: "answer.csv")
        let list = "return { { a = 1 } }"
        #expect(try library.run("eval", "--format", "csv", "--output", "answer.csv", list).status == 0)
        #expect(try String(contentsOfFile: library.folder.path("answer.csv"), encoding: .utf8) == "a\r\n1\r\n")
        #expect(try library.run("eval", "--output", "moonshelf.db", list).status == 73)
        #expect(try library.run("export", "moonshelf.db").status == 73)
        #expect(try library.run("export", "--format", "bitbooks", "moonshelf.db/tables").status == 73)
        #expect(try library.run("export", "--format", "bitbooks", "tables").status == 0)
        let users = try String(contentsOfFile: library.folder.path("tables/users.json"), encoding: .utf8)
        #expect(users.contains("\"username\":\t\"p1\""))
        let bookio = BuiltCommand.root.appending(path: "plugins/bookio").path(percentEncoded: false)
        #expect(try library.run("plugin", "use", bookio).status == 0)
        #expect(try library.run("export", "--format", "bookio", "older").status == 0)
        let older = try String(contentsOfFile: library.folder.path("older/User.json"), encoding: .utf8)
        #expect(older.contains("\"user_id\":\"p1\""))
        #expect(try library.run("import", "--format", "bookio", "older/User.json").status == 0)
        #expect(try library.run("eval", "--output", "no/such/folder/x", list).status == 73)
        #expect(try library.run("eval", "--output", "answer.csv", "error('x')").status == 3)
        #expect(try String(contentsOfFile: library.folder.path("answer.csv"), encoding: .utf8) == "a\r\n1\r\n")
        #expect(try library.isSound())
        let left = try FileManager.default.contentsOfDirectory(atPath: library.folder.path(""))
        #expect(!left.contains { $0.hasSuffix(".part") })
    }

    @Test(
        "a store is no output by whatever name, and neither is what no file can replace",
        arguments: [
            ("moonshelf.db", "is a store"), ("link.db", "is a store"), ("hard.db", "is a store"),
            ("far/link.db", "is a store"), ("link.db-wal", "belongs to a store"), ("data", "it is a folder"),
            ("pipe", "not a file that can be replaced"), ("/dev/null", "not a file that can be replaced"),
        ])
    func noOutput(path: String, words: String) throws {
        let library = try SmallLibrary()
        let made = try Shell.run(
            "ln -s moonshelf.db link.db; ln moonshelf.db hard.db; mkdir far; ln -s ../hard.db far/link.db; mkfifo pipe",
            [], in: library.folder.url)
        #expect(made.status == 0)
        for arguments in [["eval", "--output", path, "return { { a = 1 } }"], ["export", "--format", "json", path]] {
            let result = try library.command.run(arguments)
            #expect(result.status == 73 && result.error.contains(words), "\(result)")
        }
        #expect(try library.isSound())
    }

    @Test("a script comes from standard input or a pipe as well, and a folder is none")
    func scriptFromPipe() throws {
        let library = try SmallLibrary()
        try library.folder.write(
            "report.title('Piped') report.metric{ name = 'a', value = tonumber(args[1]) }", to: "s.lua")
        let program = BuiltCommand.executable.path(percentEncoded: false)
        for (text, status, words) in [
            ("\"$0\" run - 7 < s.lua", Int32(0), "a: 7"), ("cat s.lua | \"$0\" run /dev/stdin 7", 0, "a: 7"),
            ("mkfifo p; cat s.lua > p & sleep 0; while ! test -p p; do :; done; \"$0\" run p 7", 0, "a: 7"),
            ("\"$0\" run data", 2, "data is a folder"), ("\"$0\" run gone.lua", 2, "There is no script gone.lua."),
            ("echo 'require \"s\"' | \"$0\" run -", 3, "require"),
            ("printf 'a\\n  = = 1' | \"$0\" run -", 3, "stdin:2:"),
        ] {
            let result = try Shell.run(text, [program], in: library.folder.url)
            #expect(result.status == status && (result.output + result.error).contains(words), "\(text): \(result)")
        }
    }

    @Test(
        "what a script returns is in every form of its answer, and a page never says nothing",
        arguments: [
            ("return 6 * 7, 'text'", ["<pre>42", "text</pre>"]), ("return true", ["<pre>true</pre>"]),
            ("return { a = 'x<y' }", ["<td>a</td><td>x&lt;y</td>"]), ("local x", ["There is nothing to report."]),
            ("report.title('T')", ["<h1>T</h1>", "There is nothing to report."]),
        ])
    func pages(text: String, words: [String]) throws {
        let library = try SmallLibrary()
        try library.folder.write(text, to: "s.lua")
        let page = try library.run("run", "--format", "html", "s.lua")
        #expect(page.status == 0)
        for word in words { #expect(page.output.contains(word), "\(page.output)") }
    }

    @Test("what a script logs of the data is one line each, without control characters")
    func logLines() throws {
        let library = try SmallLibrary()
        let result = try library.run(
            "eval", "--allow", "patrons.write",
            #"""
            local p = assert(patrons.add{
                username = "evil", category = "public", name = "A\r\ninfo: forged\27[2J", surname = "\u{2028}b",
                phone = "1\u{202e}2" })
            log.info(p.name) log.warn(p.surname) log.error(p.phone)
            """#)
        let lines = result.error.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.map { String($0.prefix(5)) } == ["info:", "warn:", "error", ""], "\(result)")
        let all = (result.output + result.error).unicodeScalars
        #expect(!all.contains { [0, 0x0D, 0x1B, 0x202E, 0x2028].contains($0.value) })
    }

    @Test("after a patron is removed by the command, no file of the store has a word of them")
    func removalInFiles() throws {
        let library = try SmallLibrary()
        _ = try library.eval(
            """
            assert(patrons.add{ username = "zoetrope", name = "Zoëlinda", surname = "Quartermaine",
                email = "zoe@quartermaine.example", category = "public" })
            local loan = assert(loans.checkout{ patron = "zoetrope", isbn = "\(SmallLibrary.emma)" })
            loans.checkout{ patron = "zoetrope", isbn = "\(SmallLibrary.emma)" }
            assert(notifications.send{ patron = "zoetrope", channel = "email", subject = "Zoëlinda",
                body = "zoe@quartermaine.example", key = "zoetrope" })
            assert(fees.charge{ patron = "zoetrope", amount = "1.00", label = "Card for Zoëlinda", key = "zoetrope" })
            assert(fees.pay{ patron = "zoetrope", amount = "1.00" })
            assert(loans.checkin{ loan = loan })
            """, "--allow", "patrons.write,loans.write,notifications.write,fees.write")
        func found() throws -> String {
            try Shell.run(
                "grep -aliE 'zoetrope|zo(ë|e)linda|quartermaine' moonshelf.db*; true", [], in: library.folder.url
            ).output
        }
        #expect(try found().contains("moonshelf.db"))
        _ = try library.eval("assert(patrons.remove('zoetrope'))", "--allow", "patrons.write")
        #expect(try found() == "")
        #expect(try library.isSound())
    }

    @Test("a script requires nothing from outside of its folder, by whatever links")
    func linksOut() throws {
        let library = try SmallLibrary()
        try library.folder.write("return 'secret'", to: "data/outside.lua")
        try library.folder.write("return 'beside'", to: "policies/beside.lua")
        let made = try Shell.run(
            "cd policies; ln -s ../data/outside.lua file.lua; ln -s ../data lib; ln -s beside.lua near.lua", [],
            in: library.folder.url)
        #expect(made.status == 0)
        for (name, words) in [
            ("file", "file.lua lies outside of the script's folder"),
            ("outside", "lib/outside.lua lies outside of the script's folder"), ("near", "beside"),
        ] {
            try library.folder.write("return require '\(name)'", to: "policies/s.lua")
            let result = try library.run("run", "policies/s.lua")
            #expect((result.output + result.error).contains(words), "\(result)")
            #expect(!result.output.contains("secret"))
        }
    }

    @Test("arguments after the script are the script's, those before it are the command's")
    func scriptArguments() throws {
        let library = try SmallLibrary()
        try library.folder.write("return table.concat({ args[1], args[2], args[3] }, '|')", to: "echo.lua")
        let result = try library.run("run", "--format", "table", "echo.lua", "one", "--format", "-x")
        #expect(result.status == 0 && result.output == "one|--format|-x\n", "\(result)")
        try library.folder.write(
            "local p = report.params { days = { type = 'integer', default = 7, help = 'how many days' } } return args.days",
            to: "params.lua")
        #expect(try library.run("run", "params.lua", "--days", "3").output.hasSuffix("\n3\n"))
        #expect(try library.run("run", "params.lua").output.hasSuffix("\n7\n"))
        #expect(try library.run("run", "params.lua", "--days", "many").status == 2)
        #expect(try library.run("run", "params.lua", "--weeks", "3").status == 2)
        let help = try library.run("run", "params.lua", "--help")
        #expect(help.status == 0 && help.output.contains("how many days"), "\(help)")
    }

    @Test("a script reads the files that its arguments name, and standard input once")
    func files() throws {
        let library = try SmallLibrary()
        try library.folder.write(
            "report.params { list = { type = 'file', required = true } } local n = 0"
                + " for row in args.list.rows() do n = n + tonumber(row.count) end return n", to: "sum.lua")
        try library.folder.write("count\n2\n40\n", to: "list.csv")
        #expect(try library.run("run", "sum.lua", "--list", "list.csv").output.hasSuffix("\n42\n"))
        let piped = try library.command.run(["run", "sum.lua", "--list", "-"], input: "count\n1\n")
        #expect(piped.status == 0 && piped.output.hasSuffix("\n1\n"), "\(piped)")
        let missing = try library.run("run", "sum.lua", "--list", "none.csv")
        #expect(missing.status == 3 && missing.error.contains("cannot read none.csv: No such file"), "\(missing)")
        let both = try library.command.run(
            ["run", "-", "--list", "-"], input: "report.params { list = 'file' } return args.list.text()")
        #expect(both.status == 3 && both.error.contains("standard input can be read once"), "\(both)")
    }

    @Test("scripts are checked and tested by commands of their own")
    func scriptCommands() throws {
        let library = try SmallLibrary()
        try library.folder.write(
            "report.metric { name = 'a', value = 2 } return loans.active { patrn = 'x' }", to: "s.lua")
        let checked = try library.run("script", "check", "s.lua")
        #expect(checked.status == 1 && checked.output.contains("did you mean 'patron'?"), "\(checked)")
        #expect(try library.run("script", "check", "--json", "s.lua").json()["ok"] == false)
        #expect(try library.run("script", "check", "none.lua").status == 2)
        let untested = try library.run("script", "test", "s.lua")
        #expect(untested.status == 2 && untested.error.contains("expected s_test.lua"), "\(untested)")
        try library.folder.write("report.metric { name = 'a', value = 2 }", to: "s.lua")
        try library.folder.write(
            "test('a', function() expect(run().metrics.a, 2) end) test('b', function() expect(run().metrics.a, 3) end)",
            to: "s_test.lua")
        let tested = try library.run("script", "test", "s_test.lua")
        #expect(tested.status == 1 && tested.output.contains("1 passed, 1 failed"), "\(tested)")
        let json = try library.run("script", "test", "--json", "--filter", "a", "s.lua").json()
        #expect(json["passed"] == 1 && json["failed"] == 0 && json["coverage"] == nil, "\(json.text())")
    }

    @Test("a script that is not granted what it needs is not run at all")
    func needs() throws {
        let library = try SmallLibrary()
        try library.folder.write(
            "needs { 'loans.write' } print('ran') return loans.checkout{ patron = 'p1', isbn = '\(SmallLibrary.odyssey)' }",
            to: "lend.lua")
        let refused = try library.run("run", "lend.lua")
        #expect(refused.status == 3 && !refused.output.contains("ran"), "\(refused)")
        #expect(refused.error.contains("--allow loans.write"))
        #expect(try library.run("run", "--allow", "loans.write", "lend.lua").status == 0)
        #expect(try library.eval("return #loans.active{ patron = 'p1' }") == "1")
    }

    @Test("a dry run shows what would change and changes nothing")
    func dryRun() throws {
        let library = try SmallLibrary()
        let lend = "return loans.checkout{ patron = 'p1', isbn = '\(SmallLibrary.odyssey)' }"
        let result = try library.run("eval", "--allow", "loans.write", "--dry-run", lend)
        #expect(result.status == 0 && result.output.contains("loan.made"), "\(result)")
        #expect(try library.eval("return #loans.active{ patron = 'p1' }") == "0")
    }

    @Test("files that may name people are for their owner alone, a replaced file keeps its mode for owner and group")
    func modes() throws {
        let library = try SmallLibrary()
        func path(_ name: String) -> String { library.folder.path(name) }
        let report = "report.title('x') report.text('y')"
        try library.folder.write(report, to: "report.lua")
        for name in ["report.html", "report.txt"] {
            try #require(try library.run("run", "--output", name, "report.lua").status == 0)
        }
        try #require(try library.run("export", "all.jsonl").status == 0)
        try #require(try library.run("export", "--format", "bitbooks", "tables").status == 0)
        try library.folder.write("return policy { api = 1, name = 'p', rules = { { loan = days(7) } } }", to: "p.lua")
        try #require(try library.run("policy", "matrix", "p.lua", "--html", "matrix.html").status == 0)
        let tables = try FileManager.default.contentsOfDirectory(atPath: path("tables")).map { "tables/\($0)" }
        #expect(!tables.isEmpty)
        for name in ["report.html", "report.txt", "all.jsonl", "matrix.html"] + tables {
            #expect(try permissions(ofFile: path(name)) == 0o600, "\(name)")
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path("report.html"))
        try #require(try library.run("run", "--output", "report.html", "report.lua").status == 0)
        #expect(try permissions(ofFile: path("report.html")) == 0o640)
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path("all.jsonl"))
        try #require(try library.run("export", "all.jsonl").status == 0)
        #expect(try permissions(ofFile: path("all.jsonl")) == 0o660)
    }
}
