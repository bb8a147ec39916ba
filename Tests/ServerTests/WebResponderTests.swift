import Circulation
import Desk
import Scripting
import Secrets
import Server
import Testing
import TextFormats

@Suite("The desk over HTTP")
struct WebDeskTests {
    private let server: TestServer
    private let check = SchemaCheck(OpenAPIDocument(url: "http://127.0.0.1:8080").json)
    private static let dune = "9780441013593"

    init() throws { server = try TestServer() }

    /// Asks, and holds the answer against the document.
    @discardableResult
    private func ask(
        _ verb: Route.Verb, _ path: String, _ body: JSON? = nil, as name: String? = nil, of template: String? = nil,
        expecting status: Int, location: SourceLocation = #_sourceLocation
    ) async throws -> JSON {
        let answer = try await server.ask(verb, path, body, as: name)
        #expect(answer.status == status, "\(answer.text)", sourceLocation: location)
        let route = template ?? String(path.split(separator: "?")[0])
        #expect(
            check.faults(of: answer.status, answer.json, of: (route, verb.rawValue)) == [], sourceLocation: location)
        return answer.json
    }

    @Test("a day of a patron and of the desk, each answer as the document says")
    func day() async throws {
        let found = try await ask(.get, "/titles?query=dune&prefix=true", expecting: 200)
        #expect(found["items"]?.arrayValue?.count == 1)
        try await ask(.get, "/titles/\(Self.dune)", of: "/titles/{isbn_or_id}", expecting: 200)
        try await ask(.get, "/titles/9999", of: "/titles/{isbn_or_id}", expecting: 404)
        try await ask(.get, "/titles/\(Self.dune)/copies", of: "/titles/{title}/copies", expecting: 200)
        try await ask(.get, "/titles/\(Self.dune)/share", of: "/titles/{title}/share", expecting: 200)
        try await ask(.get, "/trending", expecting: 200)
        try await ask(.get, "/recommended", expecting: 200)
        let loans = try await ask(.post, "/loans", ["isbns": [.string(Self.dune)]], as: "ann", expecting: 201)
        let loan = try #require(loans["items"]?.arrayValue?.first?["id"]?.integerValue)
        try await ask(.post, "/loans", ["isbn": .string(Self.dune)], as: "bob", expecting: 409)
        try await ask(.post, "/loans/check", ["isbn": "9780141439587"], as: "bob", expecting: 200)
        try await ask(.get, "/loans/\(loan)", as: "ann", of: "/loans/{loan}", expecting: 200)
        try await ask(.get, "/loans/\(loan)/explanation", as: "ann", of: "/loans/{loan}/explanation", expecting: 200)
        try await ask(.post, "/loans/\(loan)/renew", [:], as: "ann", of: "/loans/{loan}/renew", expecting: 409)
        try await ask(.get, "/patrons/me/loans", as: "ann", of: "/patrons/{patron}/loans", expecting: 200)
        let liked = try await ask(
            .post, "/patrons/me/favourites", ["title": .string(Self.dune)], as: "ann",
            of: "/patrons/{patron}/favourites", expecting: 201)
        try await ask(
            .get, "/patrons/me/favourites", as: "ann", of: "/patrons/{patron}/favourites", expecting: 200)
        try await ask(.get, "/patrons/ann/favourites", as: "bob", of: "/patrons/{patron}/favourites", expecting: 404)
        let favourite = try #require(liked["id"]?.integerValue)
        for status in [200, 404] {
            try await ask(
                .delete, "/patrons/me/favourites/\(favourite)", as: "ann",
                of: "/patrons/{patron}/favourites/{favourite}", expecting: status)
        }
        let hold = try await ask(.post, "/holds", ["isbn": .string(Self.dune)], as: "bob", expecting: 201)
        let holdID = try #require(hold["id"]?.integerValue)
        try await ask(.get, "/patrons/me/holds", as: "bob", of: "/patrons/{patron}/holds", expecting: 200)
        try await ask(.get, "/titles/\(Self.dune)/holds", as: "staff", of: "/titles/{title}/holds", expecting: 200)
        try await ask(.get, "/pull-list", as: "staff", expecting: 200)
        try await ask(.post, "/checkins", ["loan": .integer(loan)], as: "staff", expecting: 200)
        try await ask(.delete, "/holds/\(holdID)", as: "bob", of: "/holds/{hold}", expecting: 200)
        try await ask(.get, "/patrons/me/history", as: "ann", of: "/patrons/{patron}/history", expecting: 200)
        try await ask(.get, "/patrons/me/fees", as: "ann", of: "/patrons/{patron}/fees", expecting: 200)
        let charge: JSON = ["amount": "2.50", "label": "Card"]
        try await ask(
            .post, "/patrons/ann/charges", charge, as: "staff", of: "/patrons/{patron}/charges", expecting: 201)
        try await ask(.get, "/patrons/me/ledger", as: "ann", of: "/patrons/{patron}/ledger", expecting: 200)
        try await ask(.get, "/statistics/loans?group=month", as: "staff", of: "/statistics/loans", expecting: 200)
        try await ask(.get, "/branches", expecting: 200)
        try await ask(.get, "/categories", expecting: 200)
        try await ask(.get, "/item-types", expecting: 200)
        #expect(server.teller.all.faults == [])
    }

    @Test("what is sold, rented and suggested, each answer as the document says")
    func market() async throws {
        let offer: JSON = ["title": .string(Self.dune), "kind": "sell", "price": "4.50", "quantity": 3]
        let listing = try await ask(.post, "/listings", offer, as: "ann", expecting: 201)
        let id = try #require(listing["id"]?.integerValue)
        try await ask(.get, "/listings/\(id)", of: "/listings/{listing}", expecting: 200)
        try await ask(.get, "/listings?kind=sell", expecting: 200)
        try await ask(
            .patch, "/listings/\(id)", ["price": "4.00"], as: "ann", of: "/listings/{listing}", expecting: 200)
        try await ask(.patch, "/listings/\(id)", ["price": "1"], as: "bob", of: "/listings/{listing}", expecting: 404)
        let line: JSON = ["listing": .integer(id), "kind": "buy"]
        try await ask(.post, "/patrons/me/cart", line, as: "bob", of: "/patrons/{patron}/cart", expecting: 201)
        try await ask(.get, "/patrons/me/cart", as: "bob", of: "/patrons/{patron}/cart", expecting: 200)
        let total = try await ask(
            .get, "/patrons/me/cart/total", as: "bob", of: "/patrons/{patron}/cart/total", expecting: 200)
        #expect(total["total"] == "4.26 EUR")
        let bought = try await ask(
            .post, "/patrons/me/cart/checkout", as: "bob", of: "/patrons/{patron}/cart/checkout", expecting: 200)
        let order = try #require(bought["order"]?["id"]?.integerValue)
        try await ask(.get, "/orders?buyer=me", as: "bob", of: "/orders", expecting: 200)
        try await ask(.get, "/orders?seller=me", as: "ann", of: "/orders", expecting: 200)
        try await ask(
            .post, "/orders/\(order)/hand-over", [:], as: "ann", of: "/orders/{order}/hand-over", expecting: 200)
        try await ask(.get, "/titles/\(Self.dune)/prices", of: "/titles/{isbn}/prices", expecting: 200)
        let words: JSON = ["message": "Is it still to be had?"]
        try await ask(
            .post, "/listings/\(id)/contact", words, as: "bob", of: "/listings/{listing}/contact", expecting: 200)
        let told = try await ask(
            .get, "/patrons/me/notifications", as: "ann", of: "/patrons/{patron}/notifications", expecting: 200)
        #expect(told["items"]?.arrayValue?.isEmpty == false)
        let wish: JSON = ["name": "Optics", "courses": ["PH101"]]
        try await ask(.post, "/suggestions", wish, as: "bob", expecting: 201)
        try await ask(.get, "/suggestions", as: "bob", expecting: 200)
        #expect(server.teller.all.faults == [])
    }

    @Test("accounts: signing up, logging in and out, keys, details, leaving, each answer as the document says")
    func accounts() async throws {
        let person: JSON = ["username": "cyd", "password": "a good password", "email": "cyd@example.org"]
        try await ask(.post, "/accounts", person, expecting: 201)
        try await ask(.post, "/accounts", person, expecting: 409)
        try await ask(.post, "/accounts", ["username": "dan", "password": "short"], expecting: 422)
        let entry = try await ask(
            .post, "/sessions", ["username": "cyd", "password": "a good password"], expecting: 201)
        let token = try #require(entry["token"]?.stringValue)
        let bearer = [(name: "authorization", value: "Bearer \(token)")]
        let me = try await server.ask(.get, "/patrons/me", fields: bearer)
        #expect(me.json["username"] == "cyd")
        let renamed = try await server.ask(.patch, "/patrons/me", ["name": "Cyd"], fields: bearer)
        #expect(renamed.json["name"] == "Cyd")
        for forbidden in ["category", "role", "expires_on"] {
            let answer = try await server.ask(.patch, "/patrons/me", [forbidden: "staff"], fields: bearer)
            #expect(answer.status == 403, "\(forbidden)")
        }
        let key = try await server.ask(.post, "/keys", ["label": "my program"], fields: bearer)
        let shown = try #require(key.json["key"]?.stringValue)
        #expect(try await server.ask(.get, "/keys", fields: bearer).json["items"]?.arrayValue?.count == 1)
        #expect(try await server.ask(.post, "/log-out", fields: bearer).status == 204)
        #expect(try await server.ask(.get, "/patrons/me", fields: bearer).code == "invalid_token")
        let program = [(name: "authorization", value: "Bearer \(shown)")]
        let leaving: JSON = ["password": "a good password"]
        #expect(try await server.ask(.post, "/patrons/me/leave", leaving, fields: program).code == "not_for_keys")
        #expect(try await server.ask(.delete, "/patrons/me", fields: program).code == "password_needed")
        let again = try await ask(
            .post, "/sessions", ["username": "cyd", "password": "a good password"], expecting: 201)
        let session = [(name: "authorization", value: "Bearer \(again["token"]?.stringValue ?? "")")]
        let narrow: JSON = ["label": "narrow", "scopes": ["loans"]]
        let made = try await server.ask(.post, "/keys", narrow, fields: session)
        let few = [(name: "authorization", value: "Bearer \(made.json["key"]?.stringValue ?? "")")]
        #expect(try await server.ask(.get, "/patrons/me/loans", fields: few).status == 200)
        for path in ["/keys", "/sessions"] {
            #expect(try await server.ask(.get, path, fields: few).code == "not_in_scope", "\(path)")
            #expect(try await server.ask(.get, path, fields: program).status == 200, "\(path)")
        }
        let id = try server.id(of: "cyd")
        for path in ["/patrons/me", "/patrons/cyd", "/patrons/\(id)"] {
            #expect(try await server.ask(.delete, path, fields: session).code == "password_needed", "\(path)")
        }
        let wrong: JSON = ["password": "another password"]
        #expect(try await server.ask(.post, "/patrons/me/leave", wrong, fields: session).code == "wrong_log_in")
        #expect(try await server.ask(.get, "/patrons/me", fields: program).status == 200)
        #expect(try await server.ask(.post, "/patrons/me/leave", leaving, fields: session).status == 200)
        #expect(try await server.ask(.get, "/patrons/me", fields: program).status == 401)
        try await ask(.post, "/sessions", ["username": "cyd", "password": "a good password"], expecting: 401)
    }

    @Test("staff remove others, and themselves neither so nor by merging into another")
    func ownAccountOfStaff() async throws {
        let (staff, ann) = (try server.id(of: "staff"), try server.id(of: "ann"))
        for path in ["/patrons/me", "/patrons/staff", "/patrons/\(staff)"] {
            #expect(try await server.ask(.delete, path, as: "staff").code == "password_needed", "\(path)")
        }
        for from in ["staff", .integer(staff), "me"] as [JSON] {
            let merged = try await server.ask(.post, "/patrons/ann/merge", ["from": from], as: "staff")
            #expect(merged.status >= 400, "\(merged.text)")
        }
        #expect(try await server.ask(.get, "/patrons/me", as: "staff").status == 200)
        #expect(try await server.ask(.delete, "/patrons/\(ann)", as: "staff").status == 200)
    }

    @Test("a patron who forgot the password gets a link; an unknown username gets the same answer and no link")
    func forgotten() async throws {
        try await ask(.post, "/passwords/forgotten", ["username": "nobody"], expecting: 204)
        #expect(server.teller.all.links == [])
        try await ask(.post, "/passwords/forgotten", ["username": "ann"], expecting: 204)
        let link = try #require(server.teller.all.links.first)
        #expect(link.hasPrefix("http://127.0.0.1:8080/reset?token=msr_"))
        let token = try #require(link.split(separator: "=").last)
        let body: JSON = ["token": .string(String(token)), "password": "another password"]
        try await ask(.post, "/passwords/reset", body, expecting: 204)
        try await ask(.post, "/passwords/reset", body, expecting: 422)
        try await ask(.post, "/sessions", ["username": "ann", "password": "another password"], expecting: 201)
    }

    @Test("another patron's record answers like a missing one, byte for byte")
    func others() async throws {
        try await ask(.post, "/loans", ["isbn": .string(Self.dune)], as: "ann", expecting: 201)
        let (ann, none) = (try server.id(of: "ann"), 424_242)
        for (path, other) in [
            ("/patrons/\(ann)", "/patrons/\(none)"), ("/patrons/\(ann)/loans", "/patrons/\(none)/loans"),
            ("/patrons/ann", "/patrons/nobody"), ("/loans/1", "/loans/\(none)"),
            ("/orders/1/cancel", "/orders/9/cancel"),
        ] {
            let verb = path.hasSuffix("cancel") ? Route.Verb.post : .get
            let seen = try await server.ask(verb, path, verb == .post ? [:] : nil, as: "bob")
            let missing = try await server.ask(verb, other, verb == .post ? [:] : nil, as: "bob")
            #expect(seen.status == 404 && seen.body == missing.body, "\(path)")
        }
        #expect(try await server.ask(.post, "/loans/1/renew", [:], as: "bob").status == 404)
        let foreign: JSON = ["isbn": "9780141439587", "patron": .integer(ann)]
        #expect(try await server.ask(.post, "/loans", foreign, as: "bob").status == 404)
        let refusals = try server.desk.read { try $0.events.list(EventQuery(kind: "request.refused")).count }
        #expect(refusals == 0)
    }

    @Test("twenty requests at once under one key make one loan, and all are answered the same")
    func repeated() async throws {
        let fields = [(name: "idempotency-key", value: "k-1")]
        let answers = try await withThrowingTaskGroup(of: WebResponse.self) { group in
            for _ in 0..<20 {
                group.addTask { [server] in
                    try await server.ask(.post, "/loans", ["isbn": "9780141182803"], as: "ann", fields: fields)
                }
            }
            return try await group.reduce(into: [WebResponse]()) { $0.append($1) }
        }
        #expect(Set(answers.map(\.body)).count == 1 && answers.allSatisfy { $0.status == 201 })
        #expect(answers.count { $0.fields["Idempotency-Replayed"] == "true" } == 19)
        let loans = try server.desk.read { try $0.loans.active(of: .username("ann")).count }
        #expect(loans == 1)
        let other = try await server.ask(.post, "/loans", ["isbn": .string(Self.dune)], as: "ann", fields: fields)
        #expect(other.status == 422 && other.code == "key_reused")
        let somebody = try await server.ask(.post, "/loans", ["isbn": .string(Self.dune)], as: "bob", fields: fields)
        #expect(somebody.status == 201)
        server.clock.set(try server.clock.now().adding(hours: 25))
        let next = try await server.ask(.post, "/holds", ["isbn": .string(Self.dune)], as: "ann", fields: fields)
        #expect(next.status == 401 || next.status == 201)
    }

    @Test("a refusal under a key is answered again as it was, though it could be granted by then")
    func repeatedRefusal() async throws {
        try await ask(.post, "/loans", ["isbn": .string(Self.dune)], as: "ann", expecting: 201)
        let fields = [(name: "idempotency-key", value: "again")]
        let refused = try await server.ask(.post, "/loans", ["isbn": .string(Self.dune)], as: "bob", fields: fields)
        try await ask(.post, "/checkins", ["loan": 1], as: "staff", expecting: 200)
        let again = try await server.ask(.post, "/loans", ["isbn": .string(Self.dune)], as: "bob", fields: fields)
        #expect(refused.status == 409 && again.status == 409 && refused.body == again.body)
    }

    @Test("what was seen is not sent twice, and what changed meanwhile is not written over")
    func tags() async throws {
        let path = "/titles/\(Self.dune)"
        let first = try await server.ask(.get, path)
        let tag = try #require(first.fields["ETag"])
        let unchanged = try await server.ask(.get, path, fields: [("if-none-match", tag)])
        #expect(unchanged.status == 304 && unchanged.body.isEmpty && unchanged.fields["ETag"] == tag)
        let change: JSON = ["stars": 4]
        let done = try await server.ask(.patch, path, change, as: "staff", fields: [("if-match", tag)])
        #expect(done.status == 200)
        let late = try await server.ask(.patch, path, ["stars": 1], as: "staff", fields: [("if-match", tag)])
        #expect(late.status == 412)
        #expect(try await server.ask(.get, path).json["stars"] == 4)
    }

    @Test("lists come a page at a time, each once, by the address of the next")
    func pages() async throws {
        var names: [String] = []
        var next: String? = "/titles?limit=2&order=title"
        while let path = next, names.count < 10 {
            let page = try await server.ask(.get, path).json
            names += page["items"]?.arrayValue?.compactMap { $0["title"]?.stringValue } ?? []
            next = page["next"]?.stringValue.map { String($0.dropFirst(RouteTable.root.count)) }
        }
        #expect(names == ["Dune", "Emma", "Ulysses"])
    }

    @Test("a list without anything in it is a list, also in a field whose fields are not declared")
    func emptyLists() async throws {
        let branches = try await server.ask(.get, "/branches").json["items"]?.arrayValue ?? []
        let calendar = try #require(branches.first?["calendar"])
        #expect(calendar["closed"] == .array([]) && calendar["yearly"] == .array([]), "\(calendar)")
    }

    @Test("the answer to a bad request says what is wrong")
    func badRequests() async throws {
        func problem(_ body: String, type: String? = "application/json", path: String = "/loans") async throws
            -> WebResponse
        {
            var fields = [(name: "authorization", value: "Bearer \(try server.token(of: "ann"))")]
            if let type { fields.append(("content-type", type)) }
            return await server.web.answer(
                WebRequest("POST", RouteTable.root + path, fields: fields, body: Array(body.utf8)))
        }
        #expect(try await problem(#"{"isbn":"1","isbn":"2"}"#).json["detail"]?.stringValue?.contains("twice") == true)
        #expect(try await problem("{").status == 400)
        #expect(try await problem("[]").json["detail"]?.stringValue?.contains("an object is expected") == true)
        #expect(try await problem("{}", type: "text/plain").status == 415)
        #expect(try await problem("{}", type: nil).status == 415)
        #expect(try await problem(String(repeating: "[", count: 100_000)).status == 400)
        #expect(try await problem(String(repeating: " ", count: 2 << 20)).status == 413)
        #expect(try await problem(#"{"isbm":"9780441013593"}"#).json["detail"]?.stringValue?.contains("'isbn'") == true)
        #expect(try await problem(#"{"isbn":9780441013590000000000}"#).status == 400)
        for path in ["/titles/%", "/titles/%zz", "/titles/%ff", "/titles/%00", "/titles?limit=1&limit=2"] {
            let parts = path.split(separator: "?")
            let answer = await server.web.answer(
                WebRequest("GET", RouteTable.root + parts[0], query: parts.count > 1 ? String(parts[1]) : nil))
            #expect(answer.status == 400, "\(path)")
        }
        let method = await server.web.answer(WebRequest("TRACE", RouteTable.root + "/titles"))
        #expect(method.status == 405 && method.fields["Allow"] == "GET, HEAD, POST")
        #expect(await server.web.answer(WebRequest("GET", "/api/v2/titles")).status == 404)
        #expect(server.teller.all.faults == [])
    }

    @Test("an unknown username and a wrong password get the same answer, and neither is in the access log")
    func logIns() async throws {
        let wrong = try await server.ask(.post, "/sessions", ["username": "ann", "password": "wrong horses"])
        let unknown = try await server.ask(.post, "/sessions", ["username": "zoe", "password": "wrong horses"])
        #expect(wrong.status == 401 && wrong.body == unknown.body)
        let right = try await server.ask(
            .post, "/sessions", ["username": "ann", "password": .string(TestServer.password)])
        let token = try #require(right.json["token"]?.stringValue)
        _ = try await server.ask(.get, "/patrons/me?token=\(token)", fields: [("authorization", "Bearer \(token)")])
        let log = server.teller.all.lines.joined(separator: "\n")
        #expect(log.contains("/api/v1/sessions 401") && !log.contains("horse") && !log.contains(token))
    }

    @Test("an address that tries too many passwords waits, others do not")
    func brake() async throws {
        let server = try TestServer(settings: ServerSettings(burst: 100_000))
        func logIn(_ name: String, from address: String) async -> WebResponse {
            let body = JSON.object(["username": .string(name), "password": "wrong horses"]).text()
            return await server.web.answer(
                WebRequest(
                    "POST", RouteTable.root + "/sessions", fields: [("content-type", "application/json")],
                    body: Array(body.utf8), address: address))
        }
        var statuses: [Int] = []
        for number in 0..<50 where statuses.last != 429 {
            statuses.append(await logIn("user\(number)", from: "192.0.2.1").status)
        }
        #expect(statuses.count > 20 && statuses.dropLast().allSatisfy { $0 == 401 } && statuses.last == 429)
        #expect(await logIn("ann", from: "192.0.2.2").status == 401)
        #expect(try await server.ask(.get, "/patrons/me", as: "ann").status == 200)
    }

    @Test("a flood from one address is turned away with the time to wait, and others are served")
    func flood() async throws {
        let small = try TestServer(settings: ServerSettings(burst: 5, perSecond: 0.000_1))
        var statuses: [Int] = []
        for _ in 0..<8 {
            statuses.append(await small.web.answer(WebRequest("GET", "/health", address: "192.0.2.1")).status)
        }
        #expect(statuses.first == 200 && statuses.last == 429)
        #expect(await small.web.answer(WebRequest("GET", "/health", address: "192.0.2.2")).status == 200)
    }

    @Test("metrics count by route and status, and name no address")
    func metrics() async throws {
        try await ask(.get, "/titles/\(Self.dune)", of: "/titles/{isbn_or_id}", expecting: 200)
        let text = await server.web.answer(WebRequest("GET", "/metrics")).text
        #expect(
            text.contains(#"moonshelf_http_requests_total{route="get /titles/{isbn_or_id}",status="200"} 1"#))
        #expect(!text.contains(Self.dune))
    }

    @Test(
        "metrics are for this machine and for administrators, and a proxy on this machine is not this machine",
        arguments: [
            ("127.0.0.1", [:], nil, 200), ("::1", [:], nil, 200), ("::ffff:127.0.0.1", [:], nil, 200),
            ("192.0.2.7", [:], nil, 403), ("127.0.0.1", ["x-forwarded-for": "192.0.2.7"], nil, 403),
            ("127.0.0.1", ["forwarded": "for=192.0.2.7"], nil, 403), ("127.0.0.1", ["via": "1.1 proxy"], nil, 403),
            ("192.0.2.7", [:], "ann", 403), ("192.0.2.7", [:], "staff", 403), ("192.0.2.7", [:], "root", 200),
            ("127.0.0.1", ["x-forwarded-for": "192.0.2.7"], "root", 200),
            ("192.0.2.7", ["authorization": "Bearer nothing"], nil, 401),
        ] as [(String, [String: String], String?, Int)])
    func readersOfMetrics(address: String, fields: [String: String], name: String?, status: Int) async throws {
        var request = WebRequest("GET", "/metrics", fields: fields.map { ($0.key, $0.value) }, address: address)
        if let name { request.fields.append(("authorization", "Bearer \(try server.token(of: name))")) }
        let answer = await server.web.answer(request)
        #expect(answer.status == status)
        #expect(answer.text.contains("moonshelf_http_requests_total") == (status == 200))
    }
}
