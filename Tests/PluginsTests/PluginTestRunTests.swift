import Circulation
import Plugins
import Scripting
import Testing
import Workbench

@Suite("What the tests of a plugin hold")
struct PluginTestRunTests {
    private static let plugin = """
        local terms = require "terms"
        return plugin {
            api = 1, name = "p", version = "1", needs = { "notifications.write" },
            settings = { most = { type = "integer", default = 2, min = 1, max = 9 } },
            on = { ["loan.made"] = function(event)
                if #loans.active { patron = event.patron.username } >= settings.most then
                    notifications.send {
                        patron = event.patron, subject = terms.words(event), body = "x", key = "k" .. event.sequence }
                end
            end },
        }
        """
    private static let terms = """
        return {
            words = function(event)
                if event.copy.item_type == "dvd" then
                    return "A film"
                end
                return "A book"
            end,
        }
        """

    private func run(_ tests: String, plugin: String = plugin, timeLimit: Duration = .seconds(10)) throws
        -> PluginTestRun
    {
        let files = [
            PolicyBundle.File(name: "plugin.lua", source: plugin), .init(name: "terms.lua", source: Self.terms),
            .init(name: "plugin_test.lua", source: tests),
        ]
        let bundle = PolicyBundle(sha256: PolicyBundle.digest(of: files), files: files)
        let check = PluginCheck(bundle)
        #expect(check.isOK, "\(check.report.text)")
        return PluginTestRun(bundle, manifest: check.manifest, options: PolicyTestOptions(timeLimit: timeLimit))
    }

    private static let thin = """
        test("the second loan is told of", function()
            local library = desk { patrons = { ada = "patron" }, copies = { a = "book", b = "book" } }
            library.checkout("ada", "a")
            expect(#outbox(), 0)
            library.checkout("ada", "b")
            expect(#outbox(), 1)
        end)
        """

    @Test("lines and branches that no test runs are named, in what is required too")
    func coverage() throws {
        let report = try run(Self.thin).run()
        #expect(report.isOK, "\(report.text)")
        #expect(
            report.coverage.uncovered.map { "\($0.file):\($0.line) \($0.kind)" } == [
                "terms.lua:4 branch", "terms.lua:4 line",
            ], "\(report.coverage.text)")
        #expect(!report.coverage.text.contains("rows"))
    }

    @Test("changes that no test notices are named with their file and line; those in the settings are not tried")
    func mutation() throws {
        let report = try MutationRun(run(Self.thin)).report()
        let survived = report.survived.map {
            "\($0.mutant.file):\($0.mutant.line) \($0.mutant.from) -> \($0.mutant.to)"
        }
        #expect(survived == ["terms.lua:3 == -> ~="], "\(report.text)")
        #expect(report.total > survived.count)
        let held = Self.thin.replacing("expect(#outbox(), 1)", with: "expect(outbox(), { { subject = \"A book\" } })")
        #expect(try MutationRun(run(held)).report().survived.isEmpty)
    }

    @Test("a change that never comes to an end is noticed")
    func endless() throws {
        let looping = Self.plugin.replacing(
            "if #loans.active", with: "local i = 0 while i < 1 do i = i + 1 end if #loans.active")
        let report = try MutationRun(run(Self.thin, plugin: looping, timeLimit: .milliseconds(200))).report()
        #expect(report.survived.allSatisfy { $0.mutant.file == "terms.lua" || $0.mutant.line == 6 }, "\(report.text)")
        #expect(!report.survived.contains { $0.mutant.from == "+" })
    }
}
