import Circulation
import Desk
import DeskSupport
import Market
import Plugins
import Scripting
import Secrets
import Server
import Testing
import TextFormats

@Suite("Rights of plugins' routes")
struct PluginRightsTests {
    /// A route that calls whatever the request's body says.
    private static func calling(needs: String = "", role: String = "everyone") -> String {
        """
        needs = { \(needs) },
        routes = { ["POST /call"] = { role = "\(role)", run = function(request)
            local given = request.json
            local api = { loans = loans, patrons = patrons, store = store, market = market, catalogue = catalogue, stats = stats }
            local results = { pcall(function() return api[given.module][given.name](given.arguments) end) }
            if not results[1] then error { status = 403, code = "raised", message = tostring(results[2]) } end
            return { json = { value = type(results[2]) == "function" and "iterator" or results[2], refusal = results[3] } }
        end } }
        """
    }

    private static let writing =
        #""loans.write", "patrons.write", "market.write", "catalogue.write", "sql""#

    private func call(
        _ library: PluginServer, _ name: String, _ arguments: JSON, as caller: String?
    ) async throws -> WebResponse {
        let parts = name.split(separator: ".").map { String($0) }
        let body: JSON = ["module": .string(parts[0]), "name": .string(parts[1]), "arguments": arguments]
        return try await library.ask("POST", "/call", body.text(), as: caller)
    }

    @Test("a patron does by a plugin with every right what a patron may do over HTTP, and nothing else")
    func patrons() async throws {
        let library = try PluginServer(Self.calling(needs: Self.writing))
        let server = library.server
        for (name, arguments) in [
            ("patrons.get", "bob"), ("patrons.search", ["query": "bob"]), ("patrons.each", [:]),
            ("patrons.update", "bob"), ("patrons.remove", "bob"), ("patrons.remove", "ann"),
            ("patrons.set_password", "bob"), ("patrons.called", "bob"), ("loans.each", [:]),
            ("loans.checkout", ["patron": "bob", "isbn": "9780441013593"]),
            ("loans.checkout", ["patron": "ann", "isbn": "9780441013593", "override": true, "reason": "x"]),
            ("store.events", [:]), ("stats.query", "SELECT 1"), ("catalogue.remove_all", ["confirm": true]),
            ("catalogue.add", ["title": "Mine"]), ("patrons.add", ["username": "eve"]),
            ("patrons.merge", ["from": "bob", "into": "ann"]), ("loans.active", "bob"),
            ("market.listings", ["state": "draft"]),
        ] as [(String, JSON)] {
            for caller in ["ann", nil] {
                let answer = try await call(library, name, arguments, as: caller)
                #expect(answer.status == 403 && answer.code == "raised", "\(name) \(arguments.text()): \(answer.text)")
            }
        }
        let own = try await call(library, "patrons.get", "ann", as: "ann")
        #expect(own.json["value"]?["username"] == "ann", "\(own.text)")
        let lent = try await call(library, "loans.checkout", ["patron": "ann", "isbn": "9780441013593"], as: "ann")
        #expect(lent.json["value"]?["patron"] == .integer(try server.id(of: "ann")), "\(lent.text)")
        let loan = try #require(lent.json["value"]?["id"])
        #expect(try await call(library, "loans.renew", ["loan": loan], as: "bob").status == 403)
        #expect(try await call(library, "loans.get", loan, as: "bob").status == 403)
        #expect(try await call(library, "loans.get", loan, as: "ann").status == 200)
        #expect(try server.desk.read { try $0.loans.active(of: .username("ann")) }.count == 1)
        #expect(try server.desk.read { try $0.patrons.get(.username("bob")) } != nil)
    }

    @Test("staff do what staff may; what is for administrators, they alone")
    func staff() async throws {
        let library = try PluginServer(Self.calling(needs: Self.writing))
        for (name, arguments) in [("patrons.search", ["query": "bob"]), ("loans.each", [:]), ("patrons.called", "bob")]
            as [(String, JSON)]
        {
            #expect(try await call(library, name, arguments, as: "staff").status == 200, "\(name)")
        }
        for (name, arguments) in [
            ("store.events", [:]), ("stats.query", "SELECT 1"), ("patrons.set_password", "root"),
            ("patrons.add", ["username": "eve", "role": "admin"]), ("catalogue.remove_all", ["confirm": true]),
        ] as [(String, JSON)] {
            #expect(try await call(library, name, arguments, as: "staff").status == 403, "\(name)")
        }
        let lent = try await call(library, "loans.checkout", ["patron": "bob", "isbn": "9780441013593"], as: "staff")
        #expect(lent.json["value"]?["patron"] == .integer(try library.server.id(of: "bob")), "\(lent.text)")
        #expect(try await call(library, "catalogue.remove_all", ["confirm": true], as: "root").status == 200)
    }

    @Test("a route without a right cannot write, whoever asks, and the database is opened for reading alone")
    func unneeded() async throws {
        let library = try PluginServer(Self.calling())
        for (name, arguments) in [
            ("loans.checkout", ["patron": "ann", "isbn": "9780441013593"]), ("patrons.remove", "ann"),
            ("catalogue.remove_all", ["confirm": true]), ("stats.query", "DELETE FROM patrons"),
        ] as [(String, JSON)] {
            let answer = try await call(library, name, arguments, as: "root")
            #expect(answer.status == 403 && answer.text.contains("not granted"), "\(name): \(answer.text)")
        }
        #expect(try library.server.desk.read { try $0.patrons.count() } == 4)
    }

    @Test("roles, keys and their groups hold as for the routes of the library")
    func callers() async throws {
        let library = try PluginServer(
            """
            routes = {
                ["GET /all"] = { role = "everyone", run = function(request) return { text = "yes" } end },
                ["GET /own"] = { role = "patron", scope = "loans", run = function(request) return { text = "yes" } end },
                ["PUT /own"] = { role = "patron", scope = "loans", run = function(request) return { text = "yes" } end },
                ["GET /staff"] = { role = "staff", run = function(request) return { text = "yes" } end },
                ["GET /admin"] = { role = "admin", run = function(request) return { text = "yes" } end },
                ["GET /read"] = { role = "patron", scope = "loans", run = function(request)
                    return { json = patrons.get(request.caller.id) } end },
            }
            """)
        let allowed = ["/all": 4, "/own": 3, "/staff": 2, "/admin": 1]
        for (path, count) in allowed {
            var statuses: [Int] = []
            for name in [nil, "ann", "staff", "root"] {
                statuses.append(try await library.ask("GET", path, as: name).status)
            }
            #expect(
                statuses.count { $0 == 200 } == count && Set(statuses.dropFirst(4 - count)) == [200],
                "\(path) \(statuses)")
            #expect(path == "/all" || statuses[0] == 401)
        }
        let server = library.server
        func key(_ scopes: [String]) throws -> [(name: String, value: String)] {
            let order = AccountManager.KeyRequest(label: "k", scope: AccessScope(words: scopes))
            let made = try server.accounts.issueKey(to: .id(try server.id(of: "ann")), order).value
            return [(name: "authorization", value: "Bearer \(try #require(made).secret.text)")]
        }
        #expect(try await library.ask("GET", "/own", fields: key(["loans:read"])).status == 200)
        #expect(try await library.ask("PUT", "/own", fields: key(["loans:read"])).code == "not_in_scope")
        #expect(try await library.ask("GET", "/own", fields: key(["catalogue"])).code == "not_in_scope")
        #expect(
            try await library.ask("GET", "/read", fields: key(["loans"])).code == "not_in_scope",
            "what it calls as well")
        #expect(try await library.ask("GET", "/read", fields: key(["loans", "patrons:read"])).status == 200)
        let bad = try await library.ask("GET", "/all", fields: [(name: "authorization", value: "Bearer mss_x")])
        #expect(bad.status == 401 && bad.code == "invalid_token")
        // A cookie lets nobody in: another site could send it.
        let browser = PageBrowser(server)
        try await browser.logIn("root")
        #expect(await browser.ask("GET", "/admin").status == 401)
    }

    @Test("a request with an Idempotency-Key is carried out once")
    func repetition() async throws {
        let library = try PluginServer(
            """
            needs = { "loans.write" },
            routes = { ["POST /lend"] = { role = "patron", run = function(request)
                state.set("n", (state.get("n") or 0) + 1)
                local loan, refusal = loans.checkout { patron = request.caller.id, isbn = request.json.isbn }
                if not loan then error(refusal) end
                return { status = 201, json = { loan = loan.id, n = state.get "n" } }
            end } }
            """)
        let key = [(name: "idempotency-key", value: "abc")]
        let body = #"{"isbn":"9780141439587"}"#
        let first = try await library.ask("POST", "/lend", body, as: "ann", fields: key)
        #expect(first.status == 201 && first.json["n"] == 1, "\(first.text)")
        let again = try await library.ask("POST", "/lend", body, as: "ann", fields: key)
        #expect(again.body == first.body && again.fields["Idempotency-Replayed"] == "true")
        #expect(
            try await library.ask("POST", "/lend", #"{"isbn":"9780441013593"}"#, as: "ann", fields: key).status == 422)
        let refused = try await library.ask("POST", "/lend", #"{"isbn":"9780441013593"}"#, as: "bob")
        #expect(refused.status == 201)
        let none = try await library.ask("POST", "/lend", #"{"isbn":"9780441013593"}"#, as: "ann")
        #expect(none.status == 409 && none.code == "no_copies", "a refusal that is raised is one: \(none.text)")
        let bad = try await library.ask("POST", "/lend", #"{"isbn":"12"}"#, as: "ann")
        #expect(bad.status == 400 && bad.json["detail"]?.stringValue?.contains("2 digits") == true, "\(bad.text)")
        let events = try library.server.desk.read { try $0.events.list(EventQuery(kind: "loan.made")) }
        let ann = try library.server.id(of: "ann")
        #expect(events.first?.actor == "patron:\(ann)", "who asked has done it")
    }
}
