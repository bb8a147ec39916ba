import Foundation
import Testing
import TextFormats

@Suite("Wrong usage, unreadable stores and configurations")
struct UsageTests {
    @Test(
        "what is asked wrongly ends with 2, says so on standard error and nothing on standard output",
        arguments: [
            ["nonsense"], ["--nonsense"], ["eval"], ["eval", "return 1", "--format", "xml"],
            ["eval", "return 1", "more"],
            ["--now", "tomorrow", "eval", "return 1"], ["--store", "mysql:x", "eval", "return 1"],
            ["--store", "", "eval", "return 1"], ["--store", "postgres://ann:secret@host/db?nonsense=1", "doctor"],
            ["--config", "none.toml", "doctor"], ["eval", "return 1", "--allow", "everything"],
            ["eval", "return 1", "--time-limit", "3"], ["eval", "return 1", "--time-limit", "99999999999s"],
            ["eval", "return 1", "--memory-limit", "-1M"], ["eval", "return 1", "--memory-limit", "99999999999G"],
            ["eval", "return 1", "--branch", "moon"], ["eval", "return 1", "--profile", "root"], ["run"],
            ["run", "none.lua"], ["run", "--nonsense", "none.lua"], ["export", "x.csv"],
            ["export", "--format", "bitbooks", "-"],
            ["export", "--format", "swag", "-"],
            ["notices", "list", "--limit", "0"], ["notices", "list", "--patron", "nobody"], ["api", "nonsense"],
            ["api", "--events", "--luacats"],
            ["init", "--history", "2026-01-01..2026-02-01"], ["import"], ["import", "a.csv", "--format", "docx"],
            ["import", "a.csv", "--mapping", "none.json"],
        ])
    func wrongUsage(arguments: [String]) throws {
        let library = try SmallLibrary()
        let result = try library.command.run(arguments)
        #expect(result.status == 2, "\(result)")
        #expect(result.output.isEmpty)
        #expect(!result.error.isEmpty)
        #expect(!result.error.contains("secret"))
    }

    @Test(
        "help and version go to standard output and end with 0",
        arguments: [
            ["--help"], ["--version"], ["help", "import"], ["eval", "--help"], ["policy", "--help"], ["run", "--help"],
            ["notices", "sweep", "-h"], [],
        ])
    func help(arguments: [String]) throws {
        let folder = try TemporaryFolder()
        let result = try folder.command.run(arguments)
        #expect(result.status == 0)
        #expect(!result.output.isEmpty)
        #expect(result.error.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: folder.path("moonshelf.db")))
    }

    @Test(
        "options of every command stand before its name or after it, and the nearer one counts",
        arguments: [
            (["--now", "2026-05-04T10:00:00Z", "run", "day.lua"], "2026-05-04"),
            (["run", "--now", "2026-05-04T10:00:00Z", "day.lua"], "2026-05-04"),
            (["--now", "2026-05-03T10:00:00Z", "run", "--now", "2026-05-04T10:00:00Z", "day.lua"], "2026-05-04"),
            (["eval", "--now", "2026-05-04T10:00:00Z", "today()"], "2026-05-04"),
            (["eval", "today()", "--now", "2026-05-04T10:00:00Z"], "2026-05-04"),
        ])
    func everyCommand(arguments: [String], expected: String) throws {
        let library = try SmallLibrary()
        try library.folder.write("print(today())\n", to: "day.lua")
        let result = try library.command.run(arguments)
        #expect(result.status == 0 && result.output == expected + "\n", "\(result)")
    }

    @Test("the password of a store's address is never printed")
    func password() throws {
        let folder = try TemporaryFolder()
        let result = try folder.command.run("--store", "postgres://ann:geheim@127.0.0.1:1/db", "eval", "return 1")
        #expect(result.status == 69)
        #expect(!result.error.contains("geheim"))
        #expect(result.error.contains("postgres://ann:***@127.0.0.1:1/db does not answer"))
    }

    @Test("without a store a command says how to make one and makes none")
    func noStore() throws {
        let folder = try TemporaryFolder()
        let result = try folder.command.run("doctor", "--json")
        #expect(result.status == 69)
        let error = try #require(try result.failure()["error"])
        #expect(error["code"] == "cannot_open")
        #expect(error["message"]?.stringValue?.contains("moonshelf init") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")).isEmpty)
    }

    /// Files that are not stores, and their contents.
    static let foreign = [
        "empty": "", "text": "Dear diary,\nnothing to see here.\n", "short": "SQLite",
        "header": "SQLite format 3\u{0}" + String(repeating: "x", count: 200),
    ]

    @Test(
        "a file that is something else is bad data, and stays as it is",
        arguments: foreign.keys.sorted(), [["doctor"], ["init"], ["eval", "return 1"], ["import", "x.csv"]])
    func foreignFile(name: String, command: [String]) throws {
        let folder = try TemporaryFolder()
        let text = try #require(UsageTests.foreign[name])
        try folder.write(text, to: "store.db")
        let result = try folder.command.run(["--store", "sqlite:store.db"] + command)
        // An empty file is what `mktemp` leaves: making a store of it destroys nothing.
        if name == "empty" && command == ["init"] && result.status == 0 { return }
        #expect(result.status == 65, "\(result)")
        #expect(try String(contentsOfFile: folder.path("store.db"), encoding: .utf8) == text)
        #expect(!result.error.contains("diary"))
    }

    @Test("another program's database is not a store")
    func foreignDatabase() throws {
        let library = try SmallLibrary()
        let data = try Data(contentsOf: library.folder.url.appending(path: "moonshelf.db"))
        // The application id, at offset 68 of an SQLite file, marks a store.
        var other = data
        other.replaceSubrange(68..<72, with: [0, 0, 0, 1])
        try other.write(to: library.folder.url.appending(path: "other.db"))
        let result = try library.run("--store", "sqlite:other.db", "doctor", "--json")
        #expect(result.status == 65)
        #expect(try result.failure()["error"]?["code"] == "not_a_store")
    }

    @Test("a folder is not a store", arguments: [["doctor"], ["init"]])
    func folderAsStore(command: [String]) throws {
        let folder = try TemporaryFolder()
        let result = try folder.command.run(["--store", "sqlite:."] + command)
        #expect(result.status == 65)
    }

    @Test(
        "a configuration with a fault is reported with its file",
        arguments: [("store = 3\n", "text"), ("stoer = \"x\"\n", "stoer"), ("store = \"x\n", "configuration.toml:1")])
    func badConfiguration(text: String, expected: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(text, to: "configuration.toml")
        let result = try folder.command.run("--config", "configuration.toml", "doctor")
        #expect(result.status == 2)
        #expect(result.error.contains(expected))
        #expect(result.error.contains("configuration.toml"))
    }

    @Test("the option wins over the environment, that over the configuration, that over the file in this folder")
    func choiceOfStore() throws {
        let library = try SmallLibrary()
        for name in ["option.db", "environment.db", "configured.db"] {
            #expect(try library.run("--store", "sqlite:\(name)", "init").status == 0)
        }
        /// How many patrons the store has that is chosen: only the one of this folder has any.
        func chosen(_ command: BuiltCommand, _ options: [String] = []) throws -> String {
            let name = UUID().uuidString.prefix(8)
            let made = try command.run(
                options + [
                    "eval", "--allow", "patrons.write",
                    "return patrons.add{ username = '\(name)', name = 'N', surname = 'S' }",
                ])
            #expect(made.status == 0, "\(made)")
            for store in ["option.db", "environment.db", "configured.db", "moonshelf.db"] {
                let found = try library.eval("return patrons.get('\(name)') ~= nil", "--store", "sqlite:\(store)")
                if found == "true" { return store }
            }
            return "none"
        }
        var command = library.command
        #expect(try chosen(command) == "moonshelf.db")
        try library.folder.write("store = \"sqlite:configured.db\"\n", to: "moonshelf.toml")
        #expect(try chosen(command) == "configured.db")
        command.environment["MOONSHELF_STORE"] = "sqlite:environment.db"
        #expect(try chosen(command) == "environment.db")
        #expect(try chosen(command, ["--store", "sqlite:option.db"]) == "option.db")
        command.environment["MOONSHELF_STORE"] = ""
        #expect(try chosen(command) == "configured.db")
    }

    @Test("options stand before the command or after it")
    func optionsOnBothSides() throws {
        let library = try SmallLibrary()
        let moment = "2026-10-07T10:00:00Z"
        let before = try library.run("--store", "sqlite:moonshelf.db", "--now", moment, "eval", "return now()")
        let after = try library.run("eval", "return now()", "--store", "sqlite:moonshelf.db", "--now", moment)
        #expect(before.output == "2026-10-07T10:00:00Z\n")
        #expect(after.output == before.output)
    }

    @Test("a memory store is there at once and leaves no file")
    func memoryStore() throws {
        let folder = try TemporaryFolder()
        let result = try folder.command.run("--store", "sqlite::memory:", "eval", "return branches.get('main').code")
        #expect(result.status == 0 && result.output == "main\n", "\(result)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")).isEmpty)
    }

    @Test("making a store that is there already changes nothing")
    func initTwice() throws {
        let library = try SmallLibrary()
        let before = try library.eval("return patrons.count(), catalogue.count()")
        #expect(try library.run("init").status == 0)
        #expect(try library.eval("return patrons.count(), catalogue.count()") == before)
    }
}
