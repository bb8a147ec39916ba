import Circulation
import Desk
import Foundation
import LuaRuntime
import Plugins
import Scripting
import Testing
import TextFormats
import Workbench

@Suite("The reports of plugins, and what versions bring over")
struct PluginReportTests {
    private func bundle(_ files: [String: String]) throws -> PolicyBundle {
        let folder = FileManager.default.temporaryDirectory.appending(path: "moonshelf-plugin-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files {
            let file = folder.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        return try PluginFolder(path: folder.path).bundle
    }

    private static let main = """
        return plugin { api = 1, name = "courier", version = "1", needs = { "patrons.write" },
            settings = { greeting = { type = "text", default = "Hello" } }, reports = { "reports/late.lua" } }
        """

    @Test("a report has the plugin's files, settings, state and rights, and no more")
    func report() throws {
        let bundle = try bundle([
            "plugin.lua": Self.main, "lib/words.lua": "return { late = 'late' }",
            "reports/late.lua": """
            needs { "patrons.write" }
            local words = require "words"
            state.set("n", (state.get("n") or 0) + 1)
            patrons.block { patron = "ada", kind = "k", reason = words.late }
            report.text(settings.greeting .. state.get("n") .. args[1])
            """,
        ])
        #expect(PluginCheck(bundle).report.findings.isEmpty, "\(PluginCheck(bundle).report.text)")
        let library = try PluginLibrary()
        let candidate = PluginCandidate(
            bundle: bundle, name: "courier", version: "1", needs: ["patrons.write"], settings: [:])
        _ = try library.desk.write { try $0.plugins.use(candidate, allowing: ["patrons.write"]) }
        let pool = PluginPool(desk: library.desk, clock: library.clock) { RecordedOutput() }
        let report = try #require(try library.desk.read { try pool.reports(in: $0) }.first)
        #expect(report.part.description == "courier:late" && !report.onlyReads)
        for count in 1...2 {
            let result = report.run(
                at: library.desk, clock: library.clock.now, output: RecordedOutput(),
                options: ScriptOptions(arguments: ["!"]))
            #expect(result.document.texts == ["Hello\(count)!"], "\(result)")
        }
        let blocks = try library.desk.read { try $0.events.list(EventQuery(kind: "patron.blocked")) }
        #expect(blocks.map(\.actor) == ["desk", "desk"])
    }

    @Test("the check reads reports as scripts, within what the plugin needs")
    func check() throws {
        for (text, words) in [
            ("needs { \"loans.write\" }", "the plugin does not declare loans.write"),
            ("print(settings.greting)", "did you mean 'greeting'"),
            ("catalogue.add { title = 'x' }", "catalogue.write"), ("local x = ", "syntax"),
        ] {
            let bundle = try bundle(["plugin.lua": Self.main, "reports/late.lua": text])
            let report = PluginCheck(bundle).report
            #expect(!report.isOK && report.text.contains("reports/late.lua:1"), "\(report.text)")
            #expect(report.text.contains(words), "\(report.text)")
        }
        let twice = try bundle([
            "plugin.lua": Self.main.replacing("\"reports/late.lua\"", with: "\"late.lua\", \"reports/late.lua\""),
            "late.lua": "", "reports/late.lua": "",
        ])
        #expect(PluginCheck(twice).report.text.contains("another report of the plugin is called 'late'"))
    }

    @Test("a migration is one transaction with the use, and tests can try it")
    func migrate() throws {
        let main = """
            return plugin { api = 1, name = "courier", version = "2", needs = {},
                migrate = function(from)
                    if from == "0" then error("too old") end
                    for key, value in state.each("old ") do state.set(key:gsub("old ", "new "), value) state.set(key, nil) end
                end }
            """
        let tests = """
            test("what was kept has its new name", function()
                desk { patrons = { ada = "patron" } }
                state.set("old ada", 1)
                migrate "1"
                expect(state.get("new ada"), 1)
                expect(state.get("old ada"), nil)
            end)
            test("what is too old is refused, and nothing has been changed", function()
                desk {}
                state.set("old ada", 1)
                expect(pcall(migrate, "0"), false)
                expect(state.get("old ada"), 1)
            end)
            """
        let bundle = try bundle(["plugin.lua": main, "plugin_test.lua": tests])
        let report = try PluginTestRun(bundle, manifest: PluginCheck(bundle).manifest).run()
        #expect(report.isOK && report.passed == 2, "\(report.text)")
    }
}
