import Commands
import TestSupport
import Testing

/// What is wrong in the configuration of a schedule.
@Suite("Mistakes in a schedule")
struct ScheduleMistakeTests {
    @Test(
        "a mistake in a job is told with file, line, job, key and what was expected, and stops nothing else",
        arguments: [
            ("cron = \"0 7 * *\"\nscript = \"s.lua\"", 3, "'cron': '0 7 * *' has 4 fields; expected five"),
            ("every = \"soon\"\nscript = \"s.lua\"", 3, "'every': 'soon' is not a length of time"),
            ("script = \"s.lua\"", 1, "'cron': is missing; expected one such as \"0 7 * * mon\""),
            ("every = \"1h\"", 1, "'script': is missing; expected the path of a Lua file"),
            ("every = \"1h\"\n\nscrip = \"s.lua\"", 5, "'scrip': there is no such key; did you mean 'script'?"),
            ("every = \"1h\"\nscript = 3", 4, "'script': must be a text in quotation marks"),
            (
                "every = \"1h\"\ncommand = [\"fly\"]", 4,
                "'command': 'fly' is not a command that runs by itself; there are"
            ),
            ("every = \"1h\"\nscript = \"s.lua\"\nformat = \"doc\"", 5, "'format': 'doc' is none; expected one of"),
            ("every = \"1h\"\nscript = \"s.lua\"\ncatch_up = \"all\"", 5, "expected skip, once or each"),
            (
                "every = \"1h\"\nscript = \"s.lua\"\nzone = \"Berlin\"", 5,
                "'Berlin' is not a time zone; expected a name"
            ),
            ("every = \"1h\"\nscript = \"s.lua\"\ncapabilities = [\"fly\"]", 5, "'capabilities': "),
            ("every = \"1h\"\nscript = \"s.lua\"\nmail_to = \"a@b.c\"", 5, "'mail_to': needs a table [mail]"),
            ("every = \"1h\"\nscript = \"s.lua\"\nmail_to = \"nobody\"", 5, "'nobody' is not an address"),
        ])
    func mistakes(text: String, line: Int, words: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("[[jobs]]\nname = \"j\"\n\(text)\n", to: "moonshelf.toml")
        try folder.write("", to: "s.lua")
        let file = folder.path("moonshelf.toml")
        var told: [UInt8] = []
        let console = Console(
            output: .init(isTerminal: false) { _ in true },
            error: .init(isTerminal: false) {
                told += $0
                return true
            })
        func execute(_ arguments: String...) -> Int32 {
            Program.execute(["--config", file] + arguments, console: console, environment: [:])
        }
        #expect(execute("schedule", "list") == 2)
        let error = String(decoding: told, as: UTF8.self)
        #expect(error.hasPrefix("moonshelf: \(file):\(line): job 'j', ") && error.contains(words), "\(error)")
        #expect(execute("schedule", "next", "--cron", "@daily", "--count", "1") == 0)
    }
}
