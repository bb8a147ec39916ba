import Commands
import Foundation
import Glibc
import PostSupport
import TestSupport
import Testing
import TextFormats

/// `moonshelf schedule` from a configuration to reports in a mailbox.
@Suite("The schedule")
struct ScheduleCommandTests {
    static let mail = ConditionTrait.enabled(
        if: !PythonServer.hasNoMailServer, Comment(rawValue: PythonServer.noMailServerReason))

    /// Adds a title that is named after what it is given: how often it ran can be counted.
    static let tally = """
        needs { "catalogue.write" }
        assert(catalogue.add { title = "Run " .. args[1], authors = { "Tally" } })
        print("counted " .. args[1])
        """

    private func library(_ configuration: String, over store: StoreChoice = .file) throws -> SmallLibrary {
        let library = try SmallLibrary(store)
        try library.folder.write(configuration, to: "moonshelf.toml")
        try library.folder.write(Self.tally, to: "tally.lua")
        try library.folder.write("while true do end", to: "endless.lua")
        return library
    }

    private func log(_ library: borrowing SmallLibrary, _ state: String? = nil) throws -> [JSON] {
        let arguments = ["schedule", "log", "--json", "--limit", "1000"] + (state.map { ["--state", $0] } ?? [])
        return try library.command.run(arguments).json().arrayValue ?? []
    }

    private func moment(_ minutes: Int) -> String {
        let (hour, minute) = (8 + minutes / 60, minutes % 60)
        return "2026-01-05T0\(hour):\(minute < 10 ? "0" : "")\(minute):00Z"
    }

    // MARK: - Once

    static let tallying = """
        [[jobs]]
        name = "tens"
        cron = "*/10 * * * *"
        catch_up = "each"
        script = "tally.lua"
        arguments = ["tens {date} {time}"]
        capabilities = ["catalogue.write"]
        """

    /// Adds a title each quarter of an hour, with its number in a row.
    static let tallyPlugin = """
        return plugin {
            api = 1, name = "tally", version = "1", needs = { "catalogue.write" },
            jobs = {
                { name = "fifteens", every = "15m", catch_up = "each", run = function()
                    store.transaction(function()
                        local n = (state.get("n") or 0) + 1
                        state.set("n", n)
                        catalogue.add { title = "Run fifteens " .. n, authors = { "Tally" } }
                    end)
                    print("counted fifteens")
                end },
            },
        }
        """

    private func use(_ plugin: String, in library: borrowing SmallLibrary) throws {
        try FileManager.default.createDirectory(
            at: library.folder.url.appending(path: "plugin"), withIntermediateDirectories: true)
        try library.folder.write(plugin, to: "plugin/plugin.lua")
        let used = try library.run("plugin", "use", "plugin", "--allow", "catalogue.write")
        try #require(used.status == 0, "\(used)")
    }

    @Test(
        "of two schedulers on one store one is killed again and again, and each planned run is done once, also of a plugin",
        arguments: StoreChoice.allCases)
    func killed(store: StoreChoice) throws {
        let library = try library(Self.tallying, over: store)
        try use(Self.tallyPlugin, in: library)
        try #require(library.run("--now", moment(0), "schedule", "run").output == "Nothing is due.\n")
        var generator = SplitMix(seed: 7)
        for minutes in [10, 30, 40, 60] {
            let arguments = ["--now", moment(minutes), "schedule", "run"]
            let both = try (0..<2).map { _ in try library.command.start(arguments) }
            let victim = both[Int.random(in: 0...1, using: &generator)]
            // Before it did anything, as a job has begun, or as one has ended.
            switch Int.random(in: 0...2, using: &generator) {
            case 0: break
            case 1: victim.output.wait { $0.contains("begun") }
            default: victim.output.wait { $0.contains("succeeded") }
            }
            kill(victim.process.processIdentifier, SIGKILL)
            for running in both { _ = running.wait() }
        }
        // Started again, until what the dead ones had begun has ended too.
        var open = 1
        while open > 0 {
            try #require(library.run("--now", moment(60), "schedule", "run").status == 0)
            open = try log(library).count { ["due", "running"].contains($0["state"]?.stringValue) }
        }
        let runs = try log(library)
        #expect(runs.count == 10 && runs.allSatisfy { $0["state"] == "succeeded" })
        let counted = try library.eval(
            """
            local seen = {}
            for title in catalogue.each {} do
                if title.title:find("^Run ") then seen[#seen + 1] = title.title end
            end
            return table.concat(seen, "\\n")
            """
        ).split(separator: "\n")
        #expect(counted.count == 10 && Set(counted).count == 10, "\(counted)")
        #expect(counted.contains("Run tens 2026-01-05 09-50") && counted.contains("Run fifteens 4"), "\(counted)")
        #expect(try library.isSound())
    }

    @Test("a plugin's job is listed, run by hand, kept with its output, and gone with the plugin")
    func pluginJob() throws {
        let library = try library("")
        try use(Self.tallyPlugin, in: library)
        let listed = try library.run("schedule", "list", "--json").json().arrayValue?.first
        #expect(listed?["name"] == "tally:fifteens" && listed?["when"] == "every 15 minutes", "\(listed as JSON?)")
        let tried = try library.run("plugin", "job", "--dry-run", "tally:fifteens")
        #expect(tried.status == 0 && tried.output.contains("title.added"), "\(tried)")
        #expect(try library.run("plugin", "job", "tally:fifteens").output == "counted fifteens\n")
        #expect(try library.eval("catalogue.count {}") == "4")
        let wrong = try library.run("plugin", "job", "tally:fiftens")
        #expect(wrong.status == 1 && wrong.error.contains("did you mean 'tally:fifteens'?"), "\(wrong)")
        _ = try library.run("--now", moment(0), "schedule", "run")
        try use(Self.tallyPlugin.replacing("print(", with: "error("), in: library)
        let failed = try library.run("--now", moment(15), "schedule", "run")
        #expect(failed.status == 1, "\(failed)")
        let run = try #require(try log(library).first)
        #expect(run["state"] == "failed" && run["job"] == "tally:fifteens", "\(run.text())")
        let id = try #require(run["id"]?.integerValue)
        let shown = try library.run("schedule", "log", "--show", "\(id)")
        #expect(shown.output.contains("plugin.lua:10: counted fifteens"), "\(shown)")
        _ = try library.run("plugin", "disable", "tally")
        #expect(try library.run("schedule", "list", "--json").json() == [])
        #expect(try library.run("--now", moment(30), "schedule", "run").output == "Nothing is due.\n")
        // Switched on again, it is new: what was missed meanwhile is not made up for.
        _ = try library.run("plugin", "enable", "tally")
        #expect(try library.run("--now", moment(45), "schedule", "run").output == "Nothing is due.\n")
        try library.folder.write("[[jobs]]\nname = \"a:b\"\nevery = \"1h\"\n", to: "moonshelf.toml")
        let named = try library.run("schedule", "list")
        #expect(named.status == 2 && named.error.contains("name of a plugin's job"), "\(named)")
    }

    @Test("a job whose scheduler was killed is stopped after its time limit all the same")
    func orphan() throws {
        let library = try library(
            "[[jobs]]\nname = \"endless\"\ncron = \"0 * * * *\"\nscript = \"endless.lua\"\ntime_limit = \"1s\"\n")
        _ = try library.run("--now", moment(50), "schedule", "run")
        let scheduler = try library.command.start(["--now", moment(60), "schedule", "run"])
        scheduler.output.wait { $0.contains("begun") }
        // Taken over, so that the job no longer needs the scheduler.
        try Waiting.until("the job is taken over") { try log(library).first?["process"]?.stringValue != nil }
        kill(scheduler.process.processIdentifier, SIGKILL)
        _ = scheduler.wait()
        // On a slow machine the limit may be over before the kill: then what was cut short is begun anew here.
        try Waiting.until("the job has ended") {
            if try log(library, "running").isEmpty { return true }
            _ = try library.run("--now", moment(60), "schedule", "run")
            return false
        }
        let run = try #require(try log(library).first)
        #expect(run["state"] == "failed")
        #expect(run["reason"] == "It was stopped after 1 second.")
        #expect(try library.run("--now", moment(60), "schedule", "run").output == "Nothing is due.\n")
    }

    // MARK: - Watching

    @Test("a watch picks up changes, reports mistakes, and stops cleanly, with stopped runs due again")
    func watch() throws {
        let library = try library(
            """
            [[jobs]]
            name = "tally"
            every = "1s"
            script = "tally.lua"
            arguments = ["{date} {time}"]
            capabilities = ["catalogue.write"]
            """)
        let running = try library.command.start(["schedule", "watch"])
        running.output.wait { $0.contains("tally, planned") && $0.contains("succeeded") }
        try library.folder.write("[[jobs]]\nname = \"tally\"\nevery = \"soon\"\n", to: "moonshelf.toml")
        let told = running.error.wait { $0.contains("\n") }
        #expect(told?.contains("moonshelf.toml:3: job 'tally', 'every': 'soon' is not a length of time") == true)
        // No job could read that: none is begun until it is mended.
        try library.folder.write("[[jobs]\n", to: "moonshelf.toml")
        let second = running.error.wait { $0.contains("moonshelf.toml:1: ") }
        #expect(second != nil)
        try library.folder.write(
            "[[jobs]]\nname = \"endless\"\nevery = \"1s\"\nscript = \"endless.lua\"\n", to: "moonshelf.toml")
        running.output.wait { $0.contains("endless, planned") }
        kill(running.process.processIdentifier, SIGTERM)
        let result = running.wait()
        #expect(result.status == 0 && result.output.hasSuffix("Stopped.\n"), "\(result)")
        let endless = try log(library).filter { $0["job"] == "endless" }
        #expect(endless.contains { $0["state"] == "due" && $0["tries"] == .integer(0) })
        #expect(!endless.contains { $0["state"] == "running" })
        #expect(try library.run("--now", moment(0), "schedule", "watch").status == 2)
    }

    // MARK: - Mail

    private func parts(_ record: JSON) throws -> String {
        let data = try #require(Data(base64Encoded: record["data"]?.stringValue ?? ""))
        return String(decoding: data, as: UTF8.self)
    }

    @Test(
        "a report is mailed with its file, a failure with its reason, and a job over its time limit is stopped", mail)
    func mailed() throws {
        let server = try PythonServer("mail")
        let library = try library(
            """
            [mail]
            url = "smtp://127.0.0.1:\(server.port)"
            from = "desk@example.org"
            tls = "none"

            [[jobs]]
            name = "Wöchentlich"
            cron = "0 10 * * mon"
            script = "weekly.lua"
            format = "html"
            output = "reports/{date}/loans.html"
            mail_to = ["The head <head@example.org>", "deputy@example.org"]

            [[jobs]]
            name = "endless"
            cron = "0 10 * * mon"
            script = "endless.lua"
            time_limit = "1 second"
            mail_on_failure = "it@example.org"
            """)
        try library.folder.write(
            """
            report.title("Loans")
            report.chart { kind = "bar", title = "Loans", labels = { "Jan", "Feb" }, values = { 3, 5 } }
            """, to: "weekly.lua")
        _ = try library.run("--now", "2026-01-05T08:59:00Z", "schedule", "run")
        let result = try library.run("--now", "2026-01-05T09:00:30Z", "schedule", "run")
        #expect(result.status == 1, "\(result)")
        let records = try server.records()
        #expect(records.count == 2)
        let report = try #require(records.first { $0["to"] == .array(["head@example.org", "deputy@example.org"]) })
        let page = try String(contentsOfFile: library.folder.path("reports/2026-01-05/loans.html"), encoding: .utf8)
        #expect(page.contains("<svg"))
        let text = try parts(report)
        let attached = Data(page.utf8).base64EncodedString().prefix(60)
        #expect(text.contains("filename=\"loans.html\"") && text.contains(attached))
        let failure = try parts(try #require(records.first { $0["to"] == .array(["it@example.org"]) }))
        #expect(failure.contains("Subject: Failed: endless, Mon 2026-01-05 10:00"))
        #expect(failure.contains("It was stopped after 1 second."))
        let runs = try log(library)
        #expect(runs.allSatisfy { $0["mail"]?.stringValue?.hasPrefix("Mailed to ") == true })
        #expect(try library.run("--now", "2026-01-05T09:01:00Z", "schedule", "run").output == "Nothing is due.\n")
        #expect(try server.records().count == 2)

        // By hand.
        let sent = try library.run("run", "--format", "md", "--mail", "me@example.org", "weekly.lua")
        #expect(sent.status == 0 && sent.output.isEmpty, "\(sent)")
        let byHand = try parts(try #require(try server.records().last))
        #expect(byHand.contains("Subject: Loans") && byHand.contains("filename=\"weekly.md\""))
        let dry = try library.run("run", "--dry-run", "--mail", "me@example.org", "weekly.lua")
        #expect(dry.status == 0 && dry.error.contains("A dry run mails nothing."))
        #expect(try server.records().count == 3)
        server.stop()
        let away = try library.run("run", "--format", "md", "--mail", "me@example.org", "weekly.lua")
        #expect(away.status == 69 && away.output.contains("Loans"), "what was not mailed is not lost")
    }

    // MARK: - Units

    static let verifier = ConditionTrait.enabled(
        if: Shell.has("systemd-analyze"), "systemd-analyze is not installed (Debian's package systemd)")

    @Test("systemd takes the units for what they are, whatever the folder is called", verifier)
    func units() throws {
        let library = try library("store = \"sqlite:moonshelf.db\"\n")
        let folder = library.folder.url.appending(path: "50% \"of\" $it")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(contentsOf: library.folder.url.appending(path: "moonshelf.toml"))
            .write(to: folder.appending(path: "moonshelf.toml"))
        let file = folder.appending(path: "moonshelf.toml").path(percentEncoded: false)
        for options in [[], ["--timer"]] {
            let arguments = ["--config", file, "schedule", "units", "--user", "root", "--folder", "."] + options
            let written = try library.command.run(arguments)
            #expect(written.status == 0, "\(written)")
        }
        let nowhere = try library.command.run(["schedule", "units", "--folder", "none"])
        #expect(nowhere.status == 73 && nowhere.error.contains("No such file or directory"), "\(nowhere)")
        let result = try Shell.run(
            "systemd-analyze verify --man=no ./moonshelf-schedule.service ./moonshelf-run.timer ./moonshelf-run.service",
            [], in: library.folder.url)
        #expect(result.status == 0 && !(result.output + result.error).contains("moonshelf"), "\(result)")
    }

    // MARK: - Mistakes

    @Test("an obstacle to a job is reported early, and the other jobs run")
    func warnings() throws {
        let library = try library(
            """
            [[jobs]]
            name = "gone"
            cron = "0 10 * * *"
            script = "gone.lua"

            [[jobs]]
            name = "unallowed"
            cron = "0 10 * * *"
            script = "tally.lua"

            [[jobs]]
            name = "mistyped"
            cron = "0 10 * * *"
            script = "spans.lua"
            arguments = ["--spam", "last_week"]

            [[jobs]]
            name = "greedy"
            cron = "0 10 * * *"
            script = "endless.lua"
            cpu_limit = "1s"

            [[jobs]]
            name = "vast"
            cron = "0 10 * * *"
            script = "vast.lua"
            memory_limit = "8G"
            address_space = "512M"

            [[jobs]]
            name = "good"
            cron = "0 10 * * *"
            script = "tally.lua"
            arguments = ["x"]
            capabilities = ["catalogue.write"]
            """)
        try library.folder.write("report.params { span = { type = 'period' } }", to: "spans.lua")
        try library.folder.write(
            "local t = {} for i = 1, 200 do t[i] = ('x'):rep(15 * 1024 * 1024) .. i end", to: "vast.lua")
        let listed = try library.run("--now", moment(0), "schedule", "list")
        #expect(listed.status == 0 && listed.error.contains("job 'gone': There is no script "), "\(listed)")
        #expect(listed.error.contains("capabilities = [\"catalogue.write\"]"))
        #expect(
            listed.error.contains(
                "job 'mistyped': spans.lua: there is no argument --spam, did you mean --span?"))
        #expect(listed.output.contains("good: 0 10 * * * (Europe/Berlin), next Mon 2026-01-05 10:00"))
        _ = try library.run("--now", moment(0), "schedule", "run")
        #expect(try library.run("--now", moment(60), "schedule", "run").status == 1)
        let states = try log(library).map { "\($0["job"]?.stringValue ?? "") \($0["state"]?.stringValue ?? "")" }
        #expect(
            Set(states) == [
                "gone failed", "unallowed failed", "mistyped failed", "greedy failed", "vast failed",
                "good succeeded",
            ])
        let failures = try log(library, "failed")
        let greedy = failures.first { $0["job"] == "greedy" }
        #expect(greedy?["reason"] == "It used more than 1 second of processor time.")
        let failed = try #require(failures.first { $0["job"] == "gone" }?["id"]?.integerValue)
        let shown = try library.run("schedule", "log", "--show", "\(failed)")
        #expect(shown.status == 0 && shown.output.contains("exit status"), "\(shown)")
        #expect(try library.run("schedule", "log").output.contains("exit status 2: There is no script gone.lua."))
        #expect(try library.run("schedule", "log").output.contains("vast  0.0 s  exit status 3: not enough memory"))
    }
}
