import Circulation
import Foundation
import LuaSyntax
import Plugins
import Scripting
import Testing
import Workbench

@Suite("What is wrong with a plugin")
struct PluginCheckTests {
    /// The findings in `return plugin { api = 1, name = "p", version = "1", ... }`, as `line code: message -> suggestion`.
    private func findings(_ body: String, before: String = "") throws -> [String] {
        let source = "\(before)return plugin {\napi = 1, name = \"p\", version = \"1\",\n\(body)\n}"
        return PluginCheck(try PluginLibrary.bundle(source)).report.findings.map { finding in
            let suggestion = finding.suggestion.map { " -> \($0)" } ?? ""
            return "\(finding.position.line) \(finding.code): \(finding.message)\(suggestion)"
        }
    }

    @Test(
        "each fault is found at its line, with what was meant",
        arguments: [
            ("discription = \"x\"", "3 ", "-> description"),
            ("on = { [\"loan.maed\"] = function() end }", "3 ", "-> loan.made"),
            ("on = { [\"loan.made\"] = function(event)\nprint(event.patorn) end }", "4 ", "patron"),
            (
                "on = { [\"loan.made\"] = { where = { item_tipe = \"dvd\" }, run = function() end } }", "3 ",
                "-> item_type"
            ),
            ("on = { [\"loan.made\"] = { where = { patron = 1 }, run = function() end } }", "3 ", "record or a list"),
            ("on = { [\"loan.made\"] = { own = true } }", "3 missing_key", "'run'"),
            ("on = { [\"loan.made\"] = { rum = print, run = function() end } }", "3 ", "-> run"),
            ("on = { [\"loan.made\"] = function() loans.renew(1) end }", "3 capability", "loans.write"),
            ("needs = { \"loans.wirte\" }", "3 capability", "-> loans.write"),
            ("needs = \"loans.write\"", "3 bad_value", "list"),
            ("settings = { n = { type = \"integr\" } }", "3 ", "-> integer"),
            (
                "on = { [\"loan.made\"] = function() log.info(settings.nme) end }, settings = { name = { type = \"text\" } }",
                "3 ", "nme"
            ),
            ("routes = { [\"GET courier\"] = { role = \"staff\", run = print } }", "3 bad_value", "a path is"),
            ("routes = { [\"GET /a/{x\"] = { role = \"staff\", run = print } }", "3 bad_value", "a path is"),
            ("routes = { [\"GET /{x}/{x}\"] = { role = \"staff\", run = print } }", "3 bad_value", "twice"),
            ("routes = { [\"FETCH /x\"] = { role = \"staff\", run = print } }", "3 bad_value", "one of GET"),
            ("routes = { [\"GET /x\"] = function() end }", "3 bad_value", "a table"),
            ("routes = { [\"GET /x\"] = { run = print } }", "3 missing_key", "'role'"),
            ("routes = { [\"GET /x\"] = { role = \"stuff\", run = print } }", "3 bad_value", "-> staff"),
            (
                "routes = { [\"GET /x\"] = { role = \"staff\", token = \"key\", run = print } }", "3 bad_value",
                "'token'"
            ),
            (
                "routes = { [\"GET /{a}\"] = { role = \"staff\", run = function(request)\nreturn request.params.b end } }",
                "4 ", "'b'"
            ),
            (
                "routes = { [\"GET /a\"] = { role = \"staff\", run = function(request)\nreturn request.jsn end } }",
                "4 ", "-> json"
            ),
            (
                "routes = { [\"GET /{a}\"] = { role = \"staff\", run = print },\n"
                    + "[\"GET /{b}\"] = { role = \"staff\", run = print } }", "4 path_taken", "GET /{a}"
            ),
            (
                "pages = { { path = \"/x\", title = \"X\", role = \"staff\", run = print } },\n"
                    + "routes = { [\"POST /x\"] = { role = \"staff\", run = print } }", "4 path_taken", "the page '/x'"
            ),
            (
                "routes = { [\"GET /x\"] = { role = \"staff\", run = print, problem = function(problem)\n"
                    + "return { status = problem.status, json = { problem.detail, problem.cod } } end } }", "4 ",
                "-> code"
            ),
            ("pages = { { path = \"/x\", title = \"X\", role = \"staff\" } }", "3 bad_value", "'report'"),
            (
                "pages = { { path = \"/x\", title = \"X\", role = \"staff\", report = \"x.lua\" } }", "3 not_found",
                "'x.lua'"
            ),
            (
                "pages = { { path = \"/x\", title = \"X\", role = \"staff\", run = function(r)\nreturn r.caler end } }",
                "4 ",
                "-> caller"
            ),
            ("on = { [\"loan.made\"] = \"f\" }", "3 bad_value", "a function"),
            ("on = { [\"loan.made\"] = { run = {} } }", "3 bad_value", "a function"),
            (
                "on = { [\"loan.made\"] = { where = { renewals = \"1\" }, run = print } }", "3 bad_value",
                "'renewals' is a whole number"
            ),
            (
                "on = { [\"hold.placed\"] = { where = { state = { \"waitng\" } }, run = print } }", "3 bad_value",
                "-> waiting"
            ),
            (
                "on = { [\"loan.made\"] = { where = { item_type = { a = \"x\" } }, run = print } }", "3 bad_value",
                "list"
            ),
            ("settings = { n = { type = \"int\" } }", "3 ", "-> integer"),
            ("settings = { n = { type = \"text\", min = 1 } }", "3 bad_value", "said of a number"),
            ("settings = { n = { type = \"integer\", min = 2, max = 1 } }", "3 bad_value", "greater than 'max'"),
            ("settings = { n = { type = \"date\", default = \"soon\" } }", "3 bad_value", "a date such as"),
            ("settings = { n = { type = \"money\", default = 5 } }", "3 bad_value", "an amount such as"),
            (
                "settings = { n = { type = \"text\", values = { \"a\" }, default = \"b\" } }", "3 bad_value",
                "one of a, not"
            ),
            ("settings = { n = { type = \"url\", values = { \"a\" } } }", "3 bad_value", "'values' lists"),
            (
                "on = { [\"loan.made\"] = function()\nloans.active { patrons = 1 } end }", "4 wrong_argument",
                "-> patron"
            ),
            ("exports = { { name = \"a.csv\", write = print } }", "3 bad_value", "'columns'"),
            ("exports = { { name = \"a.txt\", columns = { \"x\" }, write = print } }", "3 bad_value", "out.text"),
            (
                "exports = { { name = \"a.csv\", columns = { \"x\" }, write = function(out)\nout.text(\"x\") end } }",
                "4 ",
                "'text'"
            ),
        ])
    func faults(body: String, place: String, words: String) throws {
        let found = try findings(body)
        #expect(found.contains { $0.hasPrefix(place) && $0.contains(words) }, "\(found)")
    }

    @Test("wrong arguments are found in the tests of a plugin, and own fields are known there, other plugins' too")
    func tests() throws {
        let main = PolicyBundle.File(
            name: "plugin.lua",
            source:
                "return plugin { api = 1, name = \"p\", version = \"1\", fields = { copy = { shelf = { type = \"text\" } } } }"
        )
        let tests = PolicyBundle.File(
            name: "plugin_test.lua",
            source: """
                test("t", function()
                    catalogue.update_copy("a", { shelf = none, house = "red", shlef = "x" })
                    catalogue.add_copies { title = 1 }
                end)
                """)
        let other = CustomField(.copy, "house", .text)
        let bundle = PolicyBundle(sha256: PolicyBundle.digest(of: [main, tests]), files: [main, tests])
        let found = PluginCheck(bundle, fields: CustomFields([other])).report.findings
        #expect(
            found.map { "\($0.position.line) \($0.suggestion ?? "")" } == ["2 shelf", "3 "], "\(found.map(\.message))")
    }

    @Test("a key that plugins do not have is refused by name", arguments: ["webhook", "roots"])
    func unknownKey(key: String) throws {
        let found = try findings("\(key) = {}")
        #expect(found.contains { $0.hasPrefix("3 ") && $0.contains("'\(key)'") }, "\(found)")
    }

    @Test("a plugin must say its api, name and version, and a variable that would not last is found")
    func required() throws {
        let codes = PluginCheck(try PluginLibrary.bundle("return plugin {}")).report.findings.map(\.code)
        #expect(codes.count { $0 == "missing_key" } == 3, "\(codes)")
        let lasting = try findings("on = { [\"loan.made\"] = function() n = n + 1 end }", before: "local n = 0\n")
        #expect(lasting.contains { $0.contains("stateful") && $0.contains("state.set") }, "\(lasting)")
    }

    @Test("what is whole is not complained of")
    func sound() throws {
        let found = try findings(
            """
            description = "x", needs = { "notifications.write" },
            settings = { greeting = { type = "text", default = "Enjoy", help = "h" }, key = { type = "secret" } },
            on = {
                ["loan.made"] = { where = { item_type = { "dvd", "laptop" } }, run = function(event)
                    notifications.send { patron = event.patron, subject = settings.greeting, body = event.copy.barcode,
                        key = "k" }
                end },
            },
            """)
        #expect(found.isEmpty, "\(found)")
    }

    @Test(
        "the check reads what a command takes, and follows it into its function",
        arguments: [
            ("list = \"fle\"", "1", "an argument is of the type"),
            ("[\"a b\"] = \"text\"", "1", "letters, digits and _"),
            ("list = { type = \"file\", hlp = \"x\" }", "1", "an argument has name, type"),
            ("list = { default = today() }", "1", "a default is a text"), ("list = \"file\"", "args.lst", "'lst'"),
            ("span = \"period\"", "args.span.too", "'too'"),
        ])
    func command(parameters: String, value: String, words: String) throws {
        let command = "name = \"c\", parameters = { \(parameters) }, run = function(args) return \(value) end"
        let found = try findings("commands = { { \(command) } }")
        #expect(found.count == 1 && found.allSatisfy { $0.contains(words) }, "\(found)")
    }

    private static let plugins = URL(filePath: #filePath).appending(path: "../../../plugins").standardizedFileURL

    @Test(
        "the plugins that come along are sound, and their tests pass",
        arguments: try FileManager.default.contentsOfDirectory(atPath: plugins.path).sorted())
    func shipped(name: String) throws {
        let folder = Self.plugins.appending(path: name)
        let bundle = try PluginFolder(path: folder.path).bundle
        let check = PluginCheck(bundle)
        #expect(check.report.findings.isEmpty, "\(check.report.text)")
        let lines = try #require(bundle.files.first).source.split(separator: "\n", omittingEmptySubsequences: false)
            .count
        #expect(lines <= 100)
        let report = try PluginTestRun(bundle, manifest: check.manifest).run()
        #expect(report.isOK && report.passed >= 2, "\(report.text)")
    }
}
