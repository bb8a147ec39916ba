import Circulation
import Desk
import Foundation
import LuaSyntax
import Plugins
import Scripting
import Server
import Storage
import TestSupport
import Testing
import TextFormats
import Workbench

@Suite("Plugins of a server that change while it serves")
struct PluginSwapTests {
    private static func routes(_ word: String) -> String {
        """
        needs = { "loans.write" },
        routes = { ["POST /count"] = { role = "patron", run = function(request)
            store.transaction(function() state.set("n", (state.get("n") or 0) + 1) end)
            return { text = "\(word)" }
        end } }
        """
    }

    private func store(_ kind: GrownStore) throws -> any Store {
        guard kind == .postgres else { return try SQLiteStore.open(.memory, create: true) }
        return try PostgresStore.open(PostgresServer.shared.url(PostgresServer.shared.database()), create: true)
    }

    @Test(
        "while versions come, go back and go, no request fails, and each is answered by a version that was in force",
        arguments: GrownStore.allCases)
    func swap(kind: GrownStore) async throws {
        let library = try PluginServer(Self.routes("v0"), server: TestServer(store: store(kind)))
        let server = library.server
        let seen = try await withThrowingTaskGroup(of: [String].self) { group in
            for name in ["ann", "bob", "staff", "root"] {
                group.addTask {
                    var seen: [String] = []
                    for _ in 0..<12 {
                        let answer = try await library.ask("POST", "/count", as: name)
                        #expect(answer.status == 200, "\(answer.status) \(answer.text)")
                        seen.append(answer.text)
                    }
                    return seen
                }
            }
            group.addTask {
                for version in 1...4 {
                    try library.use(Self.routes("v\(version)"), version: "\(version)")
                    await Task.yield()
                    if version == 2 { _ = try server.desk.write { try $0.plugins.rollback("p") } }
                    await Task.yield()
                }
                return []
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(seen.count == 48 && Set(seen).isSubset(of: ["v0", "v1", "v2", "v3", "v4"]))
        #expect(
            try await library.ask("POST", "/count", as: "ann").text == "v4", "a change holds from the next request on")
        #expect(try server.desk.read { try $0.plugins.value("n", of: "p")?.value } == 49)
        _ = try server.desk.write { try $0.plugins.disable("p") }
        #expect(try await library.ask("POST", "/count", as: "ann").status == 404)
        _ = try server.desk.write { try $0.plugins.enable("p") }
        #expect(try await library.ask("POST", "/count", as: "ann").text == "v4")
        _ = try server.desk.write { try $0.plugins.remove("p", purging: true) }
        #expect(try await library.ask("POST", "/count", as: "ann").status == 404)
        #expect(server.teller.all.faults == [])
    }

    @Test("a plugin has no path of the library's, and none that another has in force")
    func paths() async throws {
        let library = try PluginServer(
            #"routes = { ["GET /courier/{branch}"] = { role = "everyone", run = function() return { text = "p" } end } }"#
        )
        func findings(_ name: String) throws -> [String] {
            let source = """
                return plugin { api = 1, name = "q", version = "1", routes = {
                    ["\(name)"] = { role = "everyone", run = function() end } } }
                """
            let bundle = try ParsedPolicy(name: "plugin.lua", source: source).bundle
            return PluginCheck(bundle, taken: ServedPaths.taken).report.findings.map(\.message)
        }
        for (name, owner) in [
            ("GET /desk", "page /desk"), ("POST /titles/{x}", "page /titles/{title}"),
            ("GET /titles/new", "page /titles"),
            ("GET /api/v1/courier", "the library's API"), ("GET /metrics", "the server's own"),
            ("GET /assets/x.css", "page /assets/{name}"),
        ] {
            let found = try findings(name)
            #expect(found.contains { $0.contains(owner) }, "\(name): \(found)")
        }
        for name in ["GET /{key}/books", "GET /api/books", "* /desk/courier/today"] {
            #expect(try findings(name) == [])
        }
        let other = try library.use(
            #"routes = { ["PUT /courier/{x}"] = { role = "everyone", run = function() return { text = "q" } end } }"#,
            name: "q")
        let taken = try library.server.desk.read { try PluginPaths.taken(from: other, in: $0) }
        #expect(taken == "/courier/{branch} is answered at by the plugin 'p'")
        // Were it there all the same, the one that came first would answer.
        #expect(try await library.ask("GET", "/courier/north").text == "p")
        #expect(try await library.ask("PUT", "/courier/north").status == 405)
        // The library's own pages come first.
        try library.use(
            #"routes = { ["GET /{a}/{b}"] = { role = "everyone", run = function() return { text = "r" } end } }"#,
            name: "r")
        #expect(try await library.ask("GET", "/desk/returns", as: "ann").status == 404)
        #expect(try await library.ask("GET", "/courier/north").text == "p", "words come before names")
        #expect(try await library.ask("GET", "/some/where").text == "r")
    }
}

@Suite("Pages of plugins")
struct PluginPageTests {
    private static let report = """
        needs {}
        report.params { branch = { type = "text", required = true, help = "which branch" } }
        report.title "Ignored"
        report.table { title = "<b>Trips</b>", columns = { "to" }, rows = { { args.branch .. "<script>" } } }
        """
    private static let pages = """
        needs = { "loans.write" },
        pages = {
            { path = "/courier", title = "Courier & Co", role = "staff", report = "reports/courier.lua" },
            { path = "/mine", title = "Mine", role = "patron", run = function(request)
                report.text("For " .. request.caller.username .. " <i>")
                report.metric { name = "Loans", value = #loans.active(request.caller.id) }
            end },
            { path = "/bad", title = "Bad", role = "patron", run = function(request)
                loans.checkout { patron = request.caller.id, isbn = "9780441013593" }
            end },
        }
        """

    @Test("a page is the library's, with the plugin's report in it for whom it is, and nothing of it is markup")
    func pages() async throws {
        let library = try PluginServer(Self.pages, files: ["reports/courier.lua": Self.report])
        let staff = PageBrowser(library.server)
        try await staff.logIn("staff")
        #expect(try await staff.open("/desk").contains("<li><a href=\"/courier\">Courier &amp; Co</a></li>"))
        let form = try await staff.open("/courier")
        #expect(
            staff.page.status == 200 && form.contains("name=\"branch\"") && form.contains("<h1>Courier &amp; Co</h1>"))
        let shown = try await staff.open("/courier?branch=north")
        #expect(shown.contains("north&lt;script&gt;") && shown.contains("&lt;b&gt;Trips") && !shown.contains("<script"))
        #expect(staff.page.fields["Content-Security-Policy"]?.contains("default-src 'none'") == true)
        let ann = PageBrowser(library.server)
        #expect(await ann.ask("GET", "/mine").fields["Location"] == "/log-in?next=%2Fmine")
        try await ann.logIn("ann")
        let mine = try await ann.open("/mine")
        #expect(mine.contains("For ann &lt;i&gt;") && mine.contains("Loans"))
        #expect(await ann.ask("GET", "/courier").status == 404, "it is for staff")
        #expect(await ann.ask("GET", "/bad").status == 500, "a page changes nothing")
        #expect(try library.server.desk.read { try $0.loans.active(of: .username("ann")) }.isEmpty)
        #expect(library.server.teller.all.faults.contains { $0.contains("plugin p 1, /bad") })
        #expect(try await library.ask("GET", "/metrics").text.contains("page:plugin:p get /courier"))
    }
}
