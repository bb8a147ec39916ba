import Circulation
import Desk
import LuaRuntime
import Plugins
import Schedule
import Scripting
import Testing
import TextFormats
import Workbench

@Suite("The jobs of plugins")
struct PluginJobTests {
    private static func plugin(
        _ job: String = "cron = \"0 7 * * mon\"", run: String = "", version: String = "1"
    ) -> String {
        """
        return plugin { api = 1, name = "courier", version = "\(version)", needs = { "patrons.write" },
            settings = { admin = { type = "text", default = "it@example.org, head@example.org" } },
            jobs = { { name = "list", \(job), run = function() \(run) end } },
        }
        """
    }

    @Test("a plugin's jobs have what those of the configuration have, and its settings say who gets mail")
    func jobs() throws {
        let library = try PluginLibrary()
        let pool = PluginPool(desk: library.desk, clock: library.clock) { RecordedOutput() }
        try library.use(
            Self.plugin(
                "cron = \"0 7 * * mon\", zone = \"Asia/Tokyo\", catch_up = \"each\", time_limit = \"9 minutes\","
                    + " mail_on_failure = \"admin\""))
        let job = try #require(try library.desk.read { try pool.jobs(in: $0) }.first)
        #expect(job.name == "courier:list" && job.arguments == ["plugin", "job", "courier:list"])
        #expect(job.timing.text == "0 7 * * mon" && job.zone?.identifier == "Asia/Tokyo" && job.catchUp == .each)
        #expect(job.timeLimit == 540 && job.mailTo.isEmpty)
        #expect(job.mailOnFailure == ["it@example.org", "head@example.org"])
        _ = try library.desk.write { try $0.plugins.disable("courier") }
        #expect(try library.desk.read { try pool.jobs(in: $0) }.isEmpty)
        _ = try library.desk.write { try $0.plugins.enable("courier") }
        try library.use(Self.plugin("every = \"1h\"", version: "2"))
        #expect(try library.desk.read { try pool.jobs(in: $0) }.map(\.timing.text) == ["every 1 hour"])
    }

    @Test("the check finds what is wrong with a job, at its place")
    func check() throws {
        for (job, column, words) in [
            ("cron = \"0 25 * * *\"", 38, "hour"), ("every = \"soon\"", 39, "length of time"),
            ("zone = \"Mars\", every = \"1h\"", 38, "not a time zone"),
            ("every = \"1h\", mail_to = \"admn\"", 55, "a setting of the type text"),
            ("every = \"1h\", catch_up = \"twice\"", 56, "expected skip, once or each"),
        ] {
            let text = PluginCheck(try PluginLibrary.bundle(Self.plugin(job))).report.text
            #expect(text.contains(words) && text.contains("plugin.lua:3:\(column)"), "\(text)")
        }
        let nameless = Self.plugin().replacing("\"list\"", with: "\"The list\"")
        #expect(PluginCheck(try PluginLibrary.bundle(nameless)).report.text.contains("the name of a job"))
    }

    @Test("a job works as the plugin, keeps at once what it keeps, and an error undoes nothing of what is done")
    func work() throws {
        let library = try PluginLibrary()
        try library.use(
            Self.plugin(
                run: """
                    patrons.block { patron = "ada", kind = "seen", reason = "seen" }
                    state.set("seen", true)
                    print("one seen")
                    error("the rest is missing")
                    """))
        let plugin = try #require(try library.desk.read { try $0.plugins.get("courier") })
        let loaded = try LoadedPlugin(
            plugin, desk: library.desk, clock: library.clock, output: library.output, limits: .script)
        let result = loaded.run(try #require(loaded.manifest.contributions(of: .jobs).first))
        #expect(result.failure?.description.contains("the rest is missing") == true, "\(result)")
        #expect(library.output.printed == ["one seen"])
        let kept = try library.desk.read { session in
            (try session.plugins.value("seen", of: "courier")?.value, try session.events.list(EventQuery()).last)
        }
        #expect(kept.0 == true && kept.1?.actor == "plugin:courier", "\(kept)")
    }
}
