import Circulation
import Desk
import DeskSupport
import Market
import Plugins
import Scripting
import Server
import Testing
import TextFormats

/// A server with one plugin that is written out in a test.
struct PluginServer {
    let server: TestServer

    /// - Parameters:
    ///   - entries: what stands in the plugin's table beside its name.
    ///   - before: what stands before the table.
    init(_ entries: String, before: String = "", files: [String: String] = [:], server: TestServer? = nil) throws {
        self.server = try server ?? TestServer()
        try use(entries, before: before, files: files)
    }

    @discardableResult
    func use(
        _ entries: String, name: String = "p", version: String = "1", before: String = "", files: [String: String] = [:]
    ) throws -> Plugin {
        let source = "\(before)\nreturn plugin {\napi = 1, name = \"\(name)\", version = \"\(version)\",\n\(entries)\n}"
        var bundle = try ParsedPolicy(name: "plugin.lua", source: source).bundle
        bundle.files += files.sorted { $0.key < $1.key }.map { PolicyBundle.File(name: $0.key, source: $0.value) }
        bundle.sha256 = PolicyBundle.digest(of: bundle.files)
        return try server.use(bundle)
    }

    func ask(
        _ method: String, _ path: String, _ body: String = "", as name: String? = nil,
        type: String? = "application/json", fields: [(name: String, value: String)] = []
    ) async throws -> WebResponse {
        let parts = path.split(separator: "?", maxSplits: 1)
        var fields = fields
        if !body.isEmpty, let type { fields.append((name: "content-type", value: type)) }
        if let name { fields.append((name: "authorization", value: "Bearer \(try server.token(of: name))")) }
        return await server.web.answer(
            WebRequest(
                method, String(parts[0]), query: parts.count > 1 ? String(parts[1]) : nil, fields: fields,
                body: Array(body.utf8)))
    }
}

@Suite("Routes of plugins")
struct PluginRouteTests {
    @Test("a request comes with its path, query, header, form, JSON and caller, and answers go in each form")
    func requests() async throws {
        let library = try PluginServer(
            """
            routes = {
                ["POST /echo/{place}"] = { role = "everyone", run = function(request)
                    return { status = 201, headers = { ["X-Place"] = request.params.place }, json = {
                        method = request.method, path = request.path, query = request.query.q, json = request.json,
                        agent = request.headers["user-agent"], secret = request.headers.authorization,
                        caller = request.caller and request.caller.username, body = request.body } }
                end },
                ["PUT /form"] = { role = "everyone", run = function(request) return { text = request.form["a b"] } end },
                ["GET /html"] = { role = "everyone", run = function() return { html = "<p>&amp;</p>" } end },
                ["GET /csv"] = { role = "everyone", run = function() return { body = "a,b", type = "text/csv" } end },
                ["GET /away"] = { role = "everyone", run = function() return { redirect = "/search" } end },
                ["GET /nothing"] = { role = "everyone", run = function() end },
                ["* /rest"] = { role = "everyone", run = function(request) return { text = request.method } end },
            }
            """)
        let echo = try await library.ask(
            "POST", "/echo/north%20wing/?q=a%26b", #"{"n":[1,2.5]}"#, as: "ann",
            fields: [(name: "user-agent", value: "x/1")])
        #expect(echo.status == 201 && echo.fields["X-Place"] == "north wing", "\(echo.text)")
        #expect(
            echo.json == [
                "method": "POST", "path": "/echo/north%20wing/", "query": "a&b", "json": ["n": [1, 2.5]],
                "agent": "x/1", "caller": "ann", "body": #"{"n":[1,2.5]}"#,
            ], "\(echo.text)")
        let form = try await library.ask("PUT", "/form", "a+b=1%2B1", type: "application/x-www-form-urlencoded")
        #expect(form.text == "1+1" && form.fields["Content-Type"] == "text/plain; charset=utf-8")
        let html = try await library.ask("GET", "/html")
        #expect(
            html.text == "<p>&amp;</p>"
                && html.fields["Content-Security-Policy"]?.hasPrefix("default-src 'none'") == true)
        let csv = try await library.ask("GET", "/csv")
        #expect(csv.fields["Content-Type"] == "text/csv" && csv.text == "a,b")
        let away = try await library.ask("GET", "/away")
        #expect(away.status == 303 && away.fields["Location"] == "/search")
        let nothing = try await library.ask("GET", "/nothing")
        #expect(nothing.status == 404 && nothing.code == "not_found")
        #expect(try await library.ask("PROPFIND", "/rest").text == "PROPFIND")
        let head = try await library.ask("HEAD", "/csv")
        #expect(head.status == 200 && head.body == [] && head.fields["Content-Length"] == "3")
        let wrong = try await library.ask("DELETE", "/csv")
        #expect(wrong.status == 405 && wrong.fields["Allow"] == "GET, HEAD")
        #expect(library.server.teller.all.faults == [])
        let metrics = try await library.ask("GET", "/metrics").text
        #expect(metrics.contains("route=\"plugin:p post /echo/{place}\",status=\"201\""))
        #expect(metrics.contains("route=\"plugin:p other /csv\",status=\"405\"") && !metrics.contains("north"))
        let paths = try await library.ask("GET", "/api/v1/openapi.json").json["paths"]
        #expect(paths?["/echo/{place}"]?["post"]?["parameters"]?.arrayValue?.count == 1)
        #expect(paths?["/rest"] == nil)
    }

    @Test(
        "a request that is malformed is answered 400 or 415 with the reason, and is no fault",
        arguments: [
            ("json", "{", "application/json", 400), ("json", "[]", "application/json", 400),
            ("json", "\u{FEFF}{}", "application/json", 400), ("json", "{}", "text/plain", 415),
            ("json", String(repeating: "[", count: 100_000), "application/json", 400),
            ("form", "a=%", "application/x-www-form-urlencoded", 400),
            ("form", "a=1&a=2", "application/x-www-form-urlencoded", 400), ("form", "a=1", "application/json", 415),
            ("form", "a=%FF", "application/x-www-form-urlencoded", 400),
        ])
    func malformed(what: String, body: String, type: String, status: Int) async throws {
        let library = try PluginServer(
            """
            routes = { ["POST /x"] = { role = "everyone", run = function(request)
                return { json = { request.\(what).a or "none" } }
            end } }
            """)
        let answer = try await library.ask("POST", "/x", body, type: type)
        #expect(answer.status == status && answer.json["detail"]?.stringValue?.isEmpty == false, "\(answer.text)")
        #expect(try await library.ask("GET", "/x?%zz", as: "ann").status == 405)
        #expect(library.server.teller.all.faults == [])
    }

    @Test(
        "what a hostile or broken route does is answered 500, told in the log by file and line, and holds up nobody",
        arguments: [
            ("while true do end", ":5: "), ("local t = {} for i = 1, 1e9 do t[i] = ('x'):rep(1e5) .. i end", ":5: "),
            ("error('secret words')", "plugin.lua:5: secret words"), ("local x = nil; return x.y", "plugin.lua:5: "),
            ("return { text = ('x'):rep(9 << 20) }", "plugin.lua:4: an answer has at most 8 MB"),
            ("return { headers = { a = 'b\\r\\nSet-Cookie: c=d' }, text = '' }", "plugin.lua:4: the header 'a'"),
            ("return { headers = { ['a\\r\\nb'] = 'c' }, text = '' }", "plugin.lua:4: a header has a name"),
            ("return { headers = { ['Set-Cookie'] = 'c=d' }, text = '' }", "the server's to write"),
            ("return { headers = { ['transfer-encoding'] = 'chunked' }, text = '' }", "the server's to write"),
            ("return { redirect = '//evil.example' }", "'redirect' is a path"),
            ("return 5", "plugin.lua:4: a route answers"),
            ("return { redirect = 'javascript:alert(1)' }", "'redirect' is a path"),
            ("return { json = 1, text = 'a' }", "not both"), ("return { status = 99 }", "from 200 to 599"),
            ("return { jsn = 1 }", "did you mean 'json'?"), ("return { json = print }", "has a function in it"),
            ("return { body = 'x', type = 'text/html\\r\\nA: b' }", "goes with its 'type'"),
            ("return { status = 204, text = 'x' }", "no content"),
            ("local name = 'jsn' return request[name]", "did you mean 'json'?"),
            ("local t = { patrons = patrons } t['patr' .. 'ons'].remove('ann')", "patrons.write"),
        ])
    func hostile(body: String, told: String) async throws {
        let library = try PluginServer(
            """
            routes = { ["GET /x"] = { role = "everyone", run = function(request)
            \(body)
            end } }
            """)
        let answer = try await library.ask("GET", "/x", as: "root")
        #expect(answer.status == 500 && answer.code == "internal", "\(answer.status) \(answer.text)")
        #expect(!answer.text.contains("plugin") && !answer.text.contains("secret"))
        let faults = library.server.teller.all.faults
        #expect(faults.count == 1 && faults[0].contains(told) && faults[0].contains("plugin p 1, GET /x"), "\(faults)")
        let kept = try library.server.desk.read { try $0.plugins.failures(of: "p") }
        #expect(kept.map(\.kind) == ["route GET /x"] && kept[0].fault.description.contains(told), "\(kept)")
        #expect(try await library.ask("GET", "/health").status == 200)
        #expect(try library.server.desk.read { try $0.patrons.get(.username("ann")) } != nil)
    }
}
