import Foundation
import Testing

@Suite("What a session understands beside Lua")
struct SessionCommandTests {
    /// What a session fed with lines through a pipe writes, and how it ends.
    static func session(
        _ lines: [String], in library: borrowing SmallLibrary, _ options: String...
    ) throws -> BuiltCommand.Result {
        try library.command.run(
            ["--now", "2026-10-07T10:00:00Z", "repl"] + options, input: lines.joined(separator: "\n") + "\n")
    }

    @Test(
        "a result is shown as people read it",
        arguments: [
            ("'a text'", "a text"), ("{ 'a', 1, { b = true } }", "{ \"a\", 1, { b = true } }"), ("nil", ""),
            ("money '3.50'", "3.50 EUR"), ("date '2026-10-07'", "2026-10-07"), ("1, 'two'", "1\ntwo"),
            ("{ a = 1, b = '' }", "a  1\nb"),
            ("{ { title = 'x', by = { name = 'y' } } }", "by  title\n--  -----\ny   x"),
        ])
    func results(statement: String, shown: String) throws {
        let library = try SmallLibrary()
        let result = try SessionCommandTests.session([statement], in: library)
        #expect(result.status == 0, "\(result)")
        #expect(result.output.trimmingCharacters(in: .newlines) == shown)
    }

    @Test("earlier results are there as _, _1 and _2; nil and errors leave them")
    func earlierResults() throws {
        let library = try SmallLibrary()
        let result = try SessionCommandTests.session(
            ["10", "20", "nil", "x = 1", "30", "_ + _1 * 10 + _2 * 100"], in: library)
        #expect(result.output == "10\n20\n30\n1230\n", "\(result)")
    }

    @Test(
        "a function that a module lacks is an error with the nearest name",
        arguments: [
            ("loans.activ{}", "loans has no function 'activ'; did you mean 'loans.active'?"),
            ("return loans.count", "loans has no function 'count'; help(\"loans\") lists what there is"),
            ("if catalogue.Search then end", "catalogue has no function 'Search'; did you mean 'catalogue.search'?"),
        ])
    func unknownMember(statement: String, message: String) throws {
        let library = try SmallLibrary()
        try library.folder.write("local function f()\n\(statement)\nend\nf()\n", to: "script.lua")
        let inSession = try SessionCommandTests.session([statement], in: library)
        #expect(inSession.status == 3 && inSession.error.contains("standard input:1: \(message)"), "\(inSession)")
        let inScript = try library.run("run", "script.lua")
        #expect(inScript.status == 3 && inScript.error.contains("script.lua:2: \(message)"), "\(inScript)")
        let caught = try library.eval("return select(2, pcall(function() \(statement) end))")
        #expect(caught.contains(message))
    }

    @Test(
        "a name that an earlier statement kept to itself is told apart from one that nobody ever gave",
        arguments: [
            (["local first, second = 1, 2", "second"], "'local' lasts for its own statement, so write 'second = ...'"),
            (["local function f() end", "f()"], "'local' lasts for its own statement, so write 'f = ...'"),
            (["do local f = 1 end f = nil", "secomd"], "there is no global 'secomd'\n"),
        ])
    func locals(lines: [String], told: String) throws {
        let library = try SmallLibrary()
        let result = try SessionCommandTests.session(lines, in: library)
        #expect(result.status == 3 && result.error.contains(told), "\(result)")
    }

    @Test("a refusal says what decided, and :explain says all of it")
    func refusal() throws {
        let library = try SmallLibrary()
        let borrow = "loans.checkout{ patron = 'p1', isbn = '\(SmallLibrary.odyssey)', despite = nil }"
        let lines = ["for i = 1, 5 do \(borrow) end", borrow, ":explain"]
        let result = try SessionCommandTests.session(lines, in: library, "--write")
        #expect(result.status == 0, "\(result)")
        #expect(result.output.contains("refused ("))
        #expect(result.output.contains("\nmessage "))
        #expect(result.output.contains("\ndecided at  "))
        let none = try SessionCommandTests.session([":explain"], in: library)
        #expect(none.status == 3 && none.error.contains("Nothing was refused in this session."))
    }

    @Test(
        ":describe says what a value is",
        arguments: [
            ("catalogue.get('\(SmallLibrary.emma)')", "a record: title."),
            ("catalogue.search{ order = 'title' }", "a list of 3 records: title"),
            ("'Žižek'", "a text of 5 characters, 7 bytes: \"Žižek\""), ("money '2'", "money: 2.00 EUR"),
            ("nil", "nil: no value"), ("12", "a whole number: 12"), ("{}", "an empty table"),
            ("loans.checkout", "loans.checkout{"),
        ])
    func describe(value: String, description: String) throws {
        let library = try SmallLibrary()
        let result = try SessionCommandTests.session([":describe \(value)"], in: library)
        #expect(result.status == 0 && result.output.hasPrefix(description), "\(result)")
    }

    @Test(":load evaluates a file among the session's globals, and names file and line of its errors")
    func load() throws {
        let library = try SmallLibrary()
        try library.folder.write("function twice(n)\n    return n * 2\nend\n", to: "a file.lua")
        try library.folder.write("x = 1\nerror('no')\n", to: "wrong.lua")
        let result = try SessionCommandTests.session([":load 'a file.lua'", "twice(21)"], in: library)
        #expect(result.output == "42\n", "\(result)")
        let wrong = try SessionCommandTests.session([":load wrong.lua"], in: library)
        #expect(wrong.status == 3 && wrong.error.contains("wrong.lua:2: no"), "\(wrong)")
        let missing = try SessionCommandTests.session([":load nothing.lua"], in: library)
        #expect(missing.status == 3 && missing.error.contains("There is no file nothing.lua."), "\(missing)")
    }

    @Test(":format says how results are written")
    func format() throws {
        let library = try SmallLibrary()
        let lines = [":format", ":format csv", "{ { a = 1, b = 'x' } }", ":format json", "{ a = 'x' }"]
        let result = try SessionCommandTests.session(lines, in: library)
        #expect(result.output == "table\na,b\r\n1,x\r\n{\n  \"a\": \"x\"\n}\n", "\(result)")
        let unknown = try SessionCommandTests.session([":format yaml"], in: library)
        #expect(unknown.status == 3 && unknown.error.contains("There is no format 'yaml'"), "\(unknown)")
    }

    @Test(":time shows how long a statement took, after its result")
    func time() throws {
        let library = try SmallLibrary()
        let result = try SessionCommandTests.session([":time 6 * 7"], in: library)
        #expect(result.output.wholeMatch(of: /42\n[0-9]+\.[0-9]{2} ms\n/) != nil, "\(result)")
    }

    @Test(":policy does what the command line does, but changes nothing in a session that may not")
    func policy() throws {
        let library = try SmallLibrary()
        let shown = try SessionCommandTests.session([":policy", ":policy check policies/university.lua"], in: library)
        #expect(shown.output.contains("small") && shown.output.contains("nothing found"), "\(shown)")
        let refused = try SessionCommandTests.session([":policy use policies/university.lua"], in: library)
        #expect(refused.status == 3 && refused.error.contains("--write"), "\(refused)")
        let used = try SessionCommandTests.session(
            [":policy use policies/university.lua --note 'From a session'", ":policy history"], in: library, "--write")
        #expect(used.status == 0 && used.output.contains("From a session"), "\(used)")
    }

    @Test(":plugin does what the command line does, and :emit says what each plugin would do, and undoes it")
    func plugin() throws {
        let library = try SmallLibrary()
        try library.run("plugin", "new", "hello")
        let refused = try SessionCommandTests.session([":plugin use hello"], in: library)
        #expect(refused.status == 3 && refused.error.contains("--write"), "\(refused)")
        let lines = [
            ":plugin use hello --allow notifications.write", ":plugin", ":plugin test hello",
            ":emit loan.made { patron = 'p1', due_on = '2026-11-01' }", "#notifications.list{ patron = 'p1' }",
            ":emit loan.lost",
        ]
        let done = try SessionCommandTests.session(lines, in: library, "--write")
        #expect(done.status == 0, "\(done)")
        for words in ["hello 1.0.0", "2 passed, 0 failed", "would: notice.recorded", "\n0\n", "No plugin in force"] {
            #expect(done.output.contains(words), "\(words): \(done)")
        }
        let unknown = try SessionCommandTests.session([":emit loan.maed {}"], in: library, "--write")
        #expect(unknown.status == 3 && unknown.error.contains("loan.made"), "\(unknown)")
    }

    @Test(":run runs a script with what the session may do, and no more")
    func run() throws {
        let library = try SmallLibrary()
        try library.folder.write(
            """
            needs { "loans.write" }
            local loan = loans.checkout { patron = "p1", isbn = "\(SmallLibrary.odyssey)" }
            print("lent until " .. tostring(loan.due_on))
            """, to: "lend.lua")
        let refused = try SessionCommandTests.session([":run lend.lua"], in: library)
        #expect(refused.status == 3 && refused.error.contains("loans.write"), "\(refused)")
        let lines = [":run lend.lua", "#loans.active{ patron = 'p1' }"]
        let lent = try SessionCommandTests.session(lines, in: library, "--write")
        #expect(lent.output.contains("lent until 2026-10-21\n"), "\(lent)")
        #expect(lent.output.hasSuffix("\n1\n"))
    }

    @Test("an unknown command is an error with the nearest name, which ends a session without a terminal")
    func unknownCommand() throws {
        let library = try SmallLibrary()
        let result = try SessionCommandTests.session([":histroy", "6 * 7"], in: library)
        #expect(result.status == 3 && result.output.isEmpty, "\(result)")
        #expect(result.error.contains("There is no command :histroy; did you mean ':history'?"))
    }

    @Test("the help names every command and what it does")
    func help() throws {
        let library = try SmallLibrary()
        let commands = [
            ":as", ":begin", ":commit", ":describe", ":edit", ":emit", ":explain", ":format", ":help", ":history",
            ":load",
            ":now",
            ":plugin", ":policy", ":profile", ":prove", ":quit", ":rollback", ":run", ":save", ":schema", ":sql",
            ":time",
        ]
        let result = try SessionCommandTests.session([":help"] + commands.map { ":help \($0)" }, in: library)
        #expect(result.status == 0, "\(result)")
        for command in commands + ["_1, _2", "loans: "] { #expect(result.output.contains(command)) }
    }

    @Test("a label of Lua is not a command")
    func label() throws {
        let library = try SmallLibrary()
        let result = try SessionCommandTests.session(["::again:: print('here')"], in: library)
        #expect(result.output == "here\n", "\(result)")
    }
}
