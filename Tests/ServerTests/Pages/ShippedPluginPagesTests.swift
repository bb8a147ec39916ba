import Circulation
import Desk
import DeskSupport
import Foundation
import Plugins
import Scripting
import Testing
import TextFormats

@testable import Server

@Suite("Plugins that come with the program are put into force in the page")
struct ShippedPluginPagesTests {
    private static let path = "/desk/plugins"

    private let folders: PluginFolders
    private let server: TestServer
    private let browser: PageBrowser

    init() throws {
        folders = try PluginFolders()
        server = try Self.server(folders.path)
        browser = PageBrowser(server)
    }

    private static func server(_ folder: String) throws -> TestServer {
        var settings = ServerSettings(burst: 100_000)
        settings.plugins = folder
        return try TestServer(settings: settings)
    }

    private func plugin(_ name: String) throws -> Plugin? { try server.desk.read { try $0.plugins.get(name) } }

    private func history(_ name: String) throws -> [PluginChange] {
        try server.desk.read { try $0.plugins.history(of: name) }
    }

    /// Of the page, the value that a field has.
    private func value(_ field: String) -> String? {
        guard
            let begin = browser.page.text.ranges(of: "name=\"\(field)\"").lazy.compactMap({ range in
                browser.page.text[range.upperBound...].prefix { $0 != ">" }.firstRange(of: " value=\"")
            }).first
        else { return nil }
        return String(browser.page.text[begin.upperBound...].prefix { $0 != "\"" })
    }

    private static let echo = """
        description = "Echoes <loans>", needs = { "notifications.write", "fees.write" },
        settings = {
            words = { type = "text", default = "Hello" },
            most = { type = "integer", default = 3, min = 1, max = 9, help = "how often" },
            hook = { type = "url", help = "where it listens" },
            key = { type = "secret", required = false },
        },
        on = { ["loan.made"] = function(event) end },
        """

    private static let passing = "test(\"it is quiet\", function() expect(#outbox(), 0) end)\n"

    private let allowed = ["allow_notifications.write": "yes", "allow_fees.write": "yes"]
    private let hook = ["set_hook": "https://example.org/hook"]

    @Test("those that are not in force are listed, each with a page that shows what it does and asks for")
    func listed() async throws {
        try folders.write("echo", Self.echo, tests: Self.passing)
        try folders.write("quiet", "description = \"Does little\", on = { [\"loan.made\"] = function(event) end }")
        try folders.write("broken", "on = ")
        try await browser.logIn("root")
        let list = try await browser.open(Self.path)
        #expect(list.contains("No plugin is in force.") && list.contains("Plugins that come with the program"))
        #expect(list.contains("Echoes &lt;loans&gt;") && list.contains("Asks for notifications.write, fees.write"))
        #expect(list.contains("Does little") && list.contains("Only reads") && !list.contains("broken"), "\(list)")
        let page = try await browser.open(Self.path + "/echo")
        for words in [
            "Not in force", "Version 1.0.0", "loan.made", "send messages to patrons", "Where it listens.",
            "Empty: the standard, “Hello”.", "Put into force", "its own tests are run first",
        ] {
            #expect(page.contains(words), "\(words) is not in \(page)")
        }
        #expect(value("set_words") == "Hello" && value("set_most") == "3" && !page.contains(" checked>"))
        let quiet = try await browser.open(Self.path + "/quiet")
        #expect(quiet.contains("It asks for no rights: it only reads.") && quiet.contains("It has no tests."))
        for missing in ["none", "broken", "..", "echo%2F..%2Fquiet"] {
            #expect(await browser.ask("GET", "\(Self.path)/\(missing)").status == 404, "\(missing)")
        }
    }

    @Test("it comes into force with what was granted and set, by whom and why, once; the form is kept after an error")
    func used() async throws {
        try folders.write("echo", Self.echo, tests: Self.passing)
        try await browser.logIn("root")
        let use = Self.path + "/echo/use"
        try await browser.open(Self.path + "/echo")
        let some = try await browser.send(
            use, hook.merging(["allow_fees.write": "yes", "set_words": "Hi <you>", "note": "Wanted"]) { $1 })
        #expect(browser.page.status == 400 && some.contains("not granted: notifications.write"), "\(some)")
        #expect(value("set_words") == "Hi &lt;you&gt;" && value("note") == "Wanted" && some.contains(" checked>"))
        for (field, text, words) in [
            ("set_hook", "ftp://example.org", "This must be an address such as"),
            ("set_hook", "", "This is required."), ("set_most", "12", "This must be a whole number from 1 to 9."),
            ("set_most", "many", "This must be a whole number from 1 to 9."),
        ] {
            let sent = hook.merging(allowed) { $1 }.merging([field: text]) { $1 }
            let wrong = try await browser.send(use, sent)
            #expect(browser.page.status == 400 && wrong.contains(words), "\(wrong)")
            #expect(wrong.contains("use-\(field)-wrong"))
            #expect(wrong.contains(" checked>"))
        }
        #expect(try plugin("echo") == nil && history("echo").isEmpty)
        let fields = hook.merging(allowed) { $1 }
            .merging(["set_words": "Hello", "set_most": "5", "set_key": "hush", "note": "Asked for"]) { $1 }
        let form = try browser.form(use, fields)
        let done = try await browser.send(use, fields)
        #expect(done.contains("echo is in force.") && done.contains("Asked for") && !done.contains("hush"), "\(done)")
        let plugin = try #require(try plugin("echo"))
        #expect(plugin.rights == ["fees.write", "notifications.write"] && plugin.state == .active)
        // The standard that was left standing is not written down.
        #expect(plugin.settings == ["most": 5, "hook": "https://example.org/hook", "key": "hush"])
        #expect(await browser.ask("POST", use, form).status == 303)
        #expect(try history("echo").count == 1)
        let change = try #require(try history("echo").first)
        let actor = "patron:\(try server.id(of: "root"))"
        #expect(change.note == "Asked for" && change.actor == actor)
        let events = try server.desk.read { try $0.events.list(EventQuery(kinds: ["plugin.changed"])) }
        #expect(events.map(\.actor) == [actor])
        // Another page that was opened before offers it still.
        let again = await browser.ask("POST", use, form.replacing(/once=[^&]*/, with: "once=another-page"))
        #expect(again.status == 409 && again.text.contains("in force already"), "\(again.text)")
        #expect(try await !browser.open(Self.path).contains("None of these is in force"))
    }

    @Test("one whose test fails, or that has faults, does not come into force, and why is said")
    func refused() async throws {
        try folders.write(
            "echo", Self.echo, tests: "test(\"it speaks <up>\", function() expect(#outbox(), 1) end)\n")
        let route = "[\"GET /desk/plugins\"] = { role = \"everyone\", run = function() end }"
        try folders.write("faulty", "routes = { \(route) }")
        try await browser.logIn("root")
        try await browser.open(Self.path + "/echo")
        let failed = try await browser.send(Self.path + "/echo/use", hook.merging(allowed) { $1 })
        #expect(browser.page.status == 409)
        #expect(failed.contains("Its test “it speaks &lt;up&gt;”, line 1, fails:"), "\(failed)")
        #expect(value("set_hook") == "https://example.org/hook")
        let faulty = try await browser.open(Self.path + "/faulty")
        #expect(faulty.contains("It cannot come into force like this."))
        #expect(faulty.contains("/desk/plugins is the library"), "\(faulty)")
        #expect(!faulty.contains("Put into force</button>"))
        let form = try browser.form("/log-out")
        let sha = try #require(ShippedPlugins(folder: folders.path).plugin("faulty")).bundle.sha256
        let forced = await browser.ask("POST", Self.path + "/faulty/use", form + "&sha256=\(sha)")
        #expect(forced.status == 409, "\(forced.text)")
        #expect(try plugin("echo") == nil && plugin("faulty") == nil)
    }

    @Test("what was looked at is what comes into force: files that have changed since are looked at again")
    func stale() async throws {
        try folders.write("echo", Self.echo, tests: Self.passing)
        try await browser.logIn("root")
        try await browser.open(Self.path + "/echo")
        let form = try browser.form(Self.path + "/echo/use", hook.merging(allowed) { $1 })
        try folders.write("echo", version: "1.0.1", Self.echo, tests: Self.passing)
        let stale = await browser.ask("POST", Self.path + "/echo/use", form)
        #expect(stale.status == 409 && stale.text.contains("have changed since this page was shown"), "\(stale.text)")
        #expect(try stale.text.contains("Version 1.0.1") && plugin("echo") == nil)
    }

    @Test("a later version is shown with what changes in rights, taken over with what it needs more, and rolled back")
    func later() async throws {
        try folders.write("echo", Self.echo, tests: Self.passing)
        try await browser.logIn("root")
        try await browser.open(Self.path + "/echo")
        try await browser.send(Self.path + "/echo/use", hook.merging(allowed) { $1 })
        #expect(try await !browser.open(Self.path).contains("comes with the program</strong>"))
        let newer = Self.echo.replacing("\"fees.write\"", with: "\"http\"")
            .replacing("key = {", with: "place = { type = \"text\" }, key = {")
        try folders.write("echo", version: "1.10.0", newer, tests: Self.passing)
        #expect(try await browser.open(Self.path).contains("Version 1.10.0 comes with the program"))
        let page = try await browser.open(Self.path + "/echo")
        for words in [
            "It can take the place of version 1.0.0", "It may, as before: notifications.write",
            "It may no longer: fees.write", "It asks for more than before", "allow_http",
        ] {
            #expect(page.contains(words), "\(words) is not in \(page)")
        }
        // What is set stays; only what has no value yet is asked for.
        #expect(page.contains("id=\"use-set_place\"") && !page.contains("id=\"use-set_hook\""))
        try await browser.send(Self.path + "/echo/use", ["set_place": "here"])
        #expect(try browser.page.status == 400 && plugin("echo")?.version == "1.0.0")
        #expect(browser.page.text.contains("use-rights-wrong"), "\(browser.page.text)")
        try await browser.open(Self.path + "/echo")
        let taken = try await browser.send(
            Self.path + "/echo/use", ["set_place": "here", "allow_http": "yes", "note": "Newer"])
        #expect(taken.contains("echo is in force.") && taken.contains("1.10.0"), "\(taken)")
        let plugin = try #require(try plugin("echo"))
        #expect(plugin.rights == ["http", "notifications.write"])
        #expect(plugin.settings == ["place": "here", "hook": "https://example.org/hook"])
        #expect(taken.contains("Version 1.0.0 comes back"))
        let back = try await browser.send(Self.path + "/echo/rollback", ["note": "Too loud"])
        #expect(back.contains("Version 1.0.0 of echo is in force again.") && back.contains("Too loud"), "\(back)")
        #expect(try self.plugin("echo")?.rights == ["fees.write", "notifications.write"])
    }

    @Test("other files of the same version are offered as what they are")
    func sameVersion() async throws {
        try folders.write("echo", Self.echo, tests: Self.passing)
        try await browser.logIn("root")
        try await browser.open(Self.path + "/echo")
        try await browser.send(Self.path + "/echo/use", hook.merging(allowed) { $1 })
        #expect(!browser.page.text.contains("/echo/use"))
        try folders.write("echo", Self.echo.replacing("Hello", with: "Hi"), tests: Self.passing)
        let page = try await browser.open(Self.path + "/echo")
        #expect(page.contains("The program has other files of this version") && page.contains("/echo/use"))
        #expect(page.contains("It asks for nothing more than before."))
        try folders.write("echo", version: "0.9.0", Self.echo, tests: Self.passing)
        #expect(try await !browser.open(Self.path + "/echo").contains("/echo/use"))
    }

    @Test("settings are changed in the page with the checks of the command, and a secret stays where nothing is typed")
    func settings() async throws {
        try folders.write("echo", Self.echo, tests: Self.passing)
        try await browser.logIn("root")
        try await browser.open(Self.path + "/echo")
        try await browser.send(
            Self.path + "/echo/use", hook.merging(allowed) { $1 }.merging(["set_key": "hush"]) { $1 })
        let path = Self.path + "/echo/settings"
        let page = browser.page.text
        #expect(page.contains("It is set. Empty: it stays as it is.") && !page.contains("hush"), "\(page)")
        let wrong = try await browser.send(path, ["set_most": "99", "set_words": "Ahoy", "note": "Ships"])
        #expect(browser.page.status == 400 && wrong.contains("settings-set_most-wrong"), "\(wrong)")
        #expect(value("set_words") == "Ahoy" && value("set_most") == "99" && value("note") == "Ships")
        #expect(try plugin("echo")?.settings["words"] == nil)
        let form = try browser.form(path, ["set_words": "Ahoy", "set_most": "4", "set_key": "", "note": "Ships"])
        let saved = try await browser.send(
            path, ["set_words": "Ahoy", "set_most": "4", "set_key": "", "note": "Ships"])
        #expect(saved.contains("The settings have been saved.") && saved.contains("Ships"), "\(saved)")
        let kept: JSONObject = ["words": "Ahoy", "most": 4, "hook": "https://example.org/hook", "key": "hush"]
        #expect(try plugin("echo")?.settings == kept)
        #expect(await browser.ask("POST", path, form).status == 303)
        #expect(try history("echo").map(\.action) == [.configured, .used])
        try await browser.send(path, ["set_words": "", "set_most": "3", "forget_key": "yes", "set_key": ""])
        let fewer = try plugin("echo")?.settings
        #expect(fewer == ["most": 3, "hook": "https://example.org/hook"], "\(browser.page.text)")
        let back = try await browser.send(Self.path + "/echo/rollback")
        #expect(try back.contains("is in force again.") && plugin("echo")?.settings == kept, "\(back)")
    }

    @Test("one is taken out of force, with or without what it keeps, and comes along again")
    func removed() async throws {
        try folders.write("echo", Self.echo, tests: Self.passing)
        try await browser.logIn("root")
        for purge in [false, true] {
            try await browser.open(Self.path + "/echo")
            try await browser.send(Self.path + "/echo/use", hook.merging(allowed) { $1 })
            try server.desk.write { session in
                let value = PluginValue(key: "a", value: 1, patron: nil)
                try session.plugins.keep(["a": value], of: "echo")
            }
            let path = Self.path + "/echo/remove"
            let form = try browser.form(path, ["note": "Enough"])
            let gone = try await browser.send(path, ["note": "Enough"].merging(purge ? ["purge": "yes"] : [:]) { $1 })
            #expect(gone.contains("echo is out of force"), "\(gone)")
            #expect(gone.contains("all that it kept is gone") == purge)
            #expect(try plugin("echo") == nil && history("echo").first?.note == "Enough")
            #expect(try server.desk.read { try $0.plugins.value("a", of: "echo") == nil } == purge)
            let again = await browser.ask("POST", path, form)
            #expect(again.status == (purge ? 404 : 303))
            #expect(try await browser.open(Self.path + "/echo").contains("Not in force"))
        }
    }

    @Test("switching on looks at the paths of the others, as the command does")
    func paths() async throws {
        let route = "routes = { [\"GET /parcels\"] = { role = \"everyone\", run = function() end } }"
        try folders.write("one", route)
        try folders.write("other", route)
        try await browser.logIn("root")
        try await browser.open(Self.path + "/one")
        try await browser.send(Self.path + "/one/use")
        try await browser.send(Self.path + "/one/disable")
        try await browser.open(Self.path + "/other")
        try await browser.send(Self.path + "/other/use")
        #expect(try plugin("other")?.state == .active)
        try await browser.open(Self.path + "/one")
        let refused = try await browser.send(Self.path + "/one/enable")
        #expect(browser.page.status == 409 && refused.contains("/parcels is answered at by the plugin"), "\(refused)")
        #expect(try plugin("one")?.state == .disabled)
    }

    @Test("to all but administrators none of it is there, and forms without the code of the page do nothing")
    func guarded() async throws {
        try folders.write("echo", Self.echo, tests: Self.passing)
        let sha = try #require(ShippedPlugins(folder: folders.path).plugin("echo")).bundle.sha256
        let fields =
            "&sha256=\(sha)&set_hook=https%3A%2F%2Fexample.org&allow_fees.write=yes"
            + "&allow_notifications.write=yes"
        for name in ["ann", "staff"] {
            let browser = PageBrowser(server)
            try await browser.logIn(name)
            #expect(await browser.ask("GET", Self.path + "/echo").status == 404)
            let form = try browser.form("/log-out")
            for action in ["use", "settings", "rollback", "remove", "enable"] {
                let answer = await browser.ask("POST", "\(Self.path)/echo/\(action)", form + fields)
                #expect(answer.status == 404, "\(name) \(action)")
            }
        }
        try await browser.logIn("root")
        #expect(await browser.ask("POST", Self.path + "/echo/use", String(fields.dropFirst())).status == 403)
        #expect(try plugin("echo") == nil)
        let form = try browser.form("/log-out")
        for action in ["settings", "rollback", "remove", "enable"] {
            let answer = await browser.ask("POST", "\(Self.path)/echo/\(action)", form)
            #expect(answer.status == 404, "\(action)")
        }
    }

    @Test("what runs tests has a lane of its own, so that the desk does not wait for it")
    func lane() throws {
        for path in ["/desk/plugins/{plugin}/use", "/desk/policy/draft/use", "/desk/policy/draft"] {
            let page = try #require(PageTable.all.first { $0.verb == .post && $0.path == path })
            #expect(page.isLong, "\(path)")
        }
    }

    @Test("each plugin that comes along has a page, from which it can come into force")
    func all() async throws {
        let server = try Self.server(PluginFolders.shipped)
        let browser = PageBrowser(server)
        try await browser.logIn("root")
        let plugins = ShippedPlugins(folder: PluginFolders.shipped).all()
        #expect(plugins.count >= 20)
        let list = try await browser.open(Self.path)
        for plugin in plugins {
            let path = "\(Self.path)/\(plugin.manifest.name)"
            #expect(list.contains("href=\"\(path)\""))
            let page = try await browser.open(path)
            #expect(page.contains("Put into force</button>") && !page.contains("{{"), "\(page)")
        }
        try await browser.open(Self.path + "/marc")
        let used = try await browser.send(Self.path + "/marc/use", ["set_new_codes": "add"])
        #expect(used.contains("marc is in force."), "\(used)")
        #expect(try server.desk.read { try $0.plugins.get("marc")?.settings } == ["new_codes": "add"])
        #expect(server.teller.all.faults == [])
    }
}
