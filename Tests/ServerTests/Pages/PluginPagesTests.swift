import Circulation
import Desk
import DeskSupport
import Scripting
import Server
import Testing
import TextFormats

@Suite("Pages about plugins")
struct PluginPagesTests {
    private let server: TestServer
    private let browser: PageBrowser

    init() throws {
        server = try TestServer()
        browser = PageBrowser(server)
        try server.desk.write { session in
            let source = """
                return plugin {
                    api = 1, name = "courier", version = "1.2.0", description = "Tells <b>the courier</b>",
                    needs = { "fees.write" },
                    settings = { key = { type = "secret" }, round = { type = "integer", default = 2 } },
                    on = { ["hold.placed"] = function(event) end },
                }
                """
            let bundle = try ParsedPolicy(name: "plugin.lua", source: source).bundle
            let candidate = PluginCandidate(
                bundle: bundle, name: "courier", version: "1.2.0", needs: ["fees.write"],
                settings: ["key": "very-secret"])
            _ = try session.plugins.use(candidate, allowing: ["fees.write"], note: "Asked <i>for</i>")
            try setAside(session)
        }
    }

    /// Has an event set aside, as a worker does.
    private func setAside(_ session: DeskSession) throws {
        let lease = PluginHold.Lease(machineNow: session.now, seconds: 60)
        var hold = try #require(try session.plugins.claim("courier", owner: "test", lease: lease))
        let event = try #require(try session.events.list(EventQuery(limit: 1)).first)
        let fault = PluginFault(
            code: "lua_error", message: "<odd>", file: "plugin.lua", line: 7, trace: "plugin.lua:7: in <handler>")
        _ = try session.plugins.failed(&hold, event, fault, isFinal: true)
    }

    @Test("an administrator sees what each does, may do and has done, its failures with their traces, and no secret")
    func shown() async throws {
        try await browser.logIn("root")
        let list = try await browser.open("/desk/plugins")
        #expect(list.contains("Tells &lt;b&gt;the courier&lt;/b&gt;") && list.contains("1 set aside"), "\(list)")
        let page = try await browser.open("/desk/plugins/courier")
        for words in [
            "1.2.0", "fees.write", "hold.placed", "plugin.lua:7: &lt;odd&gt;", "in &lt;handler&gt;",
            "Asked &lt;i&gt;for&lt;/i&gt;", "In force",
        ] {
            #expect(page.contains(words), "\(words) is not in \(page)")
        }
        #expect(!page.contains("very-secret") && !page.contains("<odd>"))
        #expect(await browser.ask("GET", "/desk/plugins/none").status == 404)
    }

    @Test("it is switched off and on, and what was set aside is tried again, once each, with the form's seal")
    func changed() async throws {
        try await browser.logIn("root")
        _ = try await browser.open("/desk/plugins/courier")
        #expect(await browser.ask("POST", "/desk/plugins/courier/disable", "note=x").status == 403)
        let off = try await browser.send("/desk/plugins/courier/disable", ["note": "Too <loud>"])
        #expect(off.contains("courier has been switched off.") && off.contains("Too &lt;loud&gt;"), "\(off)")
        let on = try await browser.send("/desk/plugins/courier/enable")
        #expect(on.contains("courier has been switched on.") && on.contains("In force"))
        let again = try await browser.send("/desk/plugins/courier/retry")
        #expect(again.contains("1 event will be tried again."))
        let failures = try server.desk.read { try $0.plugins.failures(of: "courier") }
        #expect(failures.map(\.isAsked) == [true])
    }

    @Test("to all others the pages are not there", arguments: ["ann", "staff"])
    func hidden(name: String) async throws {
        try await browser.logIn(name)
        for path in ["/desk/plugins", "/desk/plugins/courier"] {
            #expect(await browser.ask("GET", path).status == 404)
            #expect(await browser.ask("POST", path + "/disable").status == 404)
        }
        #expect(try await !browser.open("/").contains("/desk/plugins"))
    }

    @Test("metrics say of each plugin what it has handled and what waits")
    func metrics() async throws {
        let request = WebRequest("GET", "/metrics")
        let text = await server.web.answer(request).text
        #expect(text.contains("moonshelf_plugin_events_set_aside{plugin=\"courier\"} 1\n"), "\(text)")
        #expect(text.contains("moonshelf_plugin_events_behind{plugin=\"courier\"} 0\n"))
        #expect(text.contains("# TYPE moonshelf_plugin_events_handled_total counter\n"))
    }

    @Test("administrators get one message a day about events that are set aside")
    func told() throws {
        try server.desk.write { session in
            let root = try #require(try session.patrons.get(.username("root")))
            func subjects() throws -> [String] {
                try session.notices.list(NoticeQuery(patron: root.id)).map(\.subject).filter { $0.contains("courier") }
            }
            #expect(try subjects() == ["Plugin courier has set an event aside"])
            try setAside(session)
            #expect(try subjects().count == 1)
            let bodies = try session.notices.list(NoticeQuery(patron: root.id)).map(\.body)
            #expect(bodies.contains { $0.contains("plugin.lua:7") && !$0.contains("<odd>") })
        }
    }

    // MARK: - Forms

    private static let forms = """
        return plugin {
            api = 1, name = "rooms", version = "1",
            pages = {
                { path = "/rooms", title = "Rooms", role = "everyone", run = function(request)
                    report.metric { name = "Booked", value = state.get("booked") or 0 }
                    report.text(request.method)
                end },
                { path = "/cellar", title = "Cellar", role = "admin", run = function() end },
                { path = "/attic", title = "Attic", role = "patron", run = function() end },
            },
            forms = {
                {
                    name = "book", page = "/rooms", label = "Book <a room>",
                    parameters = {
                        day = { type = "date", required = true }, note = "text", room = { type = "text", required = true },
                    },
                    choices = function() return { room = { "north", { "south", "The <south>" } } } end,
                    run = function(request)
                        if request.args.note == "no" then error { code = "taken", message = "It is <taken>." } end
                        if request.args.note == "odd" then error("odd") end
                        state.set("booked", (state.get("booked") or 0) + 1)
                        state.set("last", { who = request.caller.username, room = request.args.room })
                        return "Booked for " .. tostring(request.args.day) .. "."
                    end,
                },
                { name = "close", page = "/cellar", label = "Close", run = function()
                    return { redirect = "/rooms", text = "Closed." }
                end },
            },
        }
        """

    private func useForms() throws {
        let bundle = try ParsedPolicy(name: "plugin.lua", source: Self.forms).bundle
        let candidate = PluginCandidate(bundle: bundle, name: "rooms", version: "1", needs: [], settings: [:])
        _ = try server.desk.write { try $0.plugins.use(candidate, allowing: []) }
    }

    private func booked() throws -> Int64? {
        try server.desk.read { try $0.plugins.value("booked", of: "rooms") }?.value.integerValue
    }

    @Test("a form of a plugin is filled in and sent, once, and what is wrong with it is shown above what was typed")
    func form() async throws {
        try useForms()
        #expect(try await !browser.open("/rooms").contains("<form class=\"narrow\" method=\"post\""))
        try await browser.logIn("ann")
        let page = try await browser.open("/rooms")
        for words in ["Book &lt;a room&gt;", "The &lt;south&gt;", "name=\"day\"", "GET"] {
            #expect(page.contains(words), "\(words) is not in \(page)")
        }
        let sent = [".form": "book", "day": "2026-12-24", "room": "south", "note": ""]
        let body = try browser.form("/rooms", sent)
        for _ in 1...2 { #expect(await browser.ask("POST", "/rooms", body).status == 303) }
        #expect(try booked() == 1)
        for (field, value, words) in [
            ("day", "soon", "is not a valid date"), ("room", "west", "cannot be this any more"),
            ("day", "", "must be filled in"), ("note", "no", "It is &lt;taken&gt;."),
        ] {
            let again = try await browser.send("/rooms", sent.merging([field: value]) { $1 })
            let keepsRoom = again.contains("value=\"south\" selected")
            #expect(again.contains(words) && keepsRoom == (field != "room"), "\(again)")
        }
        let done = try await browser.send("/rooms", sent)
        #expect(done.contains("Booked for 2026-12-24."), "\(done)")
        #expect(try booked() == 2)
        #expect(await browser.ask("POST", "/rooms", ".form=book&day=2026-12-24&room=south").status == 403)
        #expect(await browser.ask("POST", "/attic").status == 405)
        #expect(await browser.ask("POST", "/cellar", ".form=close").status == 404)
    }
}
