import Circulation
import Desk
import DeskSupport
import Scripting
import Secrets
import Server
import Testing
import TextFormats

/// Everything that a patron can ask for is asked for, in a library whose other people have e-mail addresses for
/// usernames.
@Suite("What patrons learn of others who log in by an e-mail address")
struct PublicNameTests {
    /// Stands in every address that ann must not see.
    private static let secret = "letters.test"
    private static let people = ["mia@\(secret)", "head@\(secret)"]

    private let server: TestServer

    init() async throws {
        server = try TestServer()
        for (name, role) in zip(Self.people, [Patron.Role.patron, .admin]) {
            let patron = Patron(
                username: name, email: "private-\(name)", category: "undergraduate", homeBranch: "main", role: role)
            _ = try #require(try server.accounts.signUp(patron, password: TestServer.password).value)
        }
        try await fill()
    }

    /// Dealings of all kinds between ann, mia and staff.
    private func fill() async throws {
        let (mia, head) = (Self.people[0], Self.people[1])
        func make(_ path: String, _ body: JSON, as name: String) async throws {
            let answer = try await server.ask(.post, path, body, as: name)
            #expect(answer.status < 300, "\(path): \(answer.text)")
        }
        for (seller, buyer) in [(mia, "ann"), ("ann", mia)] {
            for kind in ["sell", "rent", "trade", "donate"] {
                var offer: JSONObject = [
                    "seller": .string(seller), "isbn": "9780441013593", "kind": .string(kind), "quantity": 3,
                    "note": "As new",
                ]
                if kind == "sell" || kind == "rent" { offer["price"] = "1.00" }
                if kind == "rent" { offer["period"] = "P1W" }
                let made = try await server.ask(.post, "/listings", .object(offer), as: seller)
                let id = try #require(made.json["id"]?.integerValue, "\(made.text)")
                try await make("/listings/\(id)/contact", ["message": "Is it still to be had?"], as: buyer)
                if kind == "rent" {
                    try await make("/listings/\(id)/rent", ["ends_on": "2026-03-09"], as: buyer)
                } else if kind == "sell" {
                    try await make("/listings/\(id)/buy", [:], as: buyer)
                }
                try await make("/patrons/me/favourites", ["listing": .integer(id)], as: buyer)
            }
        }
        try await make("/patrons/me/cart", ["listing": 1, "kind": "buy"], as: "ann")
        try await make("/loans", ["isbn": "9780441013593"], as: mia)
        try await make("/loans", ["patron": "ann", "isbn": "9780141439587"], as: head)
        try await make("/holds", ["isbn": "9780441013593"], as: "ann")
        try await make("/suggestions", ["name": "Optics"], as: mia)
        let id = try server.id(of: "ann")
        try await make("/patrons/\(id)/blocks", ["kind": "manual", "reason": "Lost card"], as: head)
        try await make("/patrons/\(id)/charges", ["amount": "1.00", "label": "Card"], as: head)
        try await make("/notifications", ["patron": "ann", "subject": "News", "body": "Body", "key": "k"], as: head)
    }

    /// What a parameter can be given; of what has no end a few.
    private func values(_ type: APIType) -> [JSON] {
        switch type {
        case .optional(let inner): values(inner)
        case .boolean: [true, false]
        case .integer(let range): (Int64(0)...9).filter(range.contains).map { .integer($0) }
        case .number: [1]
        case .choice(let words): words.map { .string($0) }
        case .date: ["2026-03-20"]
        case .instant: ["2026-03-20T12:00:00Z"]
        case .money: ["1.00"]
        case .period: ["P1W"]
        case .reference(.title): ["9780441013593", 2]
        case .reference(.branch): ["main"]
        case .reference(.category): ["undergraduate"]
        case .reference(.patron): ["me", 1, 2, 3, 4, 5, 6]
        case .reference: (Int64(1)...9).map { .integer($0) }
        case .list(let inner): [.array(values(inner).prefix(1).map(\.self))]
        case .text: ["dune"]
        default: []
        }
    }

    private func called(_ id: Int64) throws -> String? {
        try server.desk.read { try $0.patrons.get(.id(id))?.username }
    }

    private func expectNothing(in answer: WebResponse, of what: String) {
        let text = answer.text + answer.fields.map { "\($0.key): \($0.value)" }.joined(separator: "\n")
        #expect(!text.lowercased().contains(Self.secret), "\(what): \(text)")
        #expect(answer.status < 500, "\(what): \(text)")
    }

    @Test("no route reveals an address, whatever a patron or a visitor gives it", arguments: [nil, "ann"])
    func routes(name: String?) async throws {
        // What changes something comes last, and what ends the session or the account is asked with one of its own.
        let routes = RouteTable.all.filter { [.everyone, .holder].contains($0.access) }
            .sorted { ($0.verb == .get ? 0 : 1) < ($1.verb == .get ? 0 : 1) }
        let ann = try server.id(of: "ann")
        var asked = 0
        for route in routes {
            var paths = [route.path]
            for parameter in route.pathParameters {
                let values = values(parameter.type).map { value in value.stringValue ?? value.text() }
                paths = paths.flatMap { path in
                    values.map { path.replacing("{\(parameter.name)}", with: $0) }
                }
            }
            #expect(!paths.isEmpty, "\(route.name)")
            let needed = route.otherParameters.filter(\.isRequired)
            let plain = needed.compactMap { parameter in values(parameter.type).first.map { (parameter.name, $0) } }
            var given = [plain]
            for parameter in route.otherParameters {
                for value in values(parameter.type) { given.append(plain + [(parameter.name, value)]) }
            }
            for path in paths {
                for members in given {
                    // One of the routes calls them by another name.
                    let token = try name.map { try server.freshToken(of: try called(ann) ?? $0) }
                    let fields = token.map { [(name: "authorization", value: "Bearer \($0)")] } ?? []
                    var object = JSONObject()
                    for (name, value) in members { object[name] = value }
                    let query = object.entries.map { "\($0.key)=\($0.value.stringValue ?? $0.value.text())" }
                    let answer =
                        route.takesBody
                        ? try await server.ask(route.verb, path, .object(object), fields: fields)
                        : try await server.ask(
                            route.verb, query.isEmpty ? path : "\(path)?\(query.joined(separator: "&"))", fields: fields
                        )
                    expectNothing(in: answer, of: "\(route.verb) \(path) \(query)")
                    asked += 1
                }
            }
        }
        #expect(asked > 500)
        try expectQuietMessages(to: ann)
    }

    /// Whatever was written to others than its owner.
    private func expectQuietMessages(to ann: Int64) throws {
        let notices = try server.desk.read { try $0.notices.list(NoticeQuery(patron: ann)) }
        #expect(notices.contains { $0.body.contains("Reader 5 writes about") })
        for notice in notices {
            #expect(!"\(notice.subject) \(notice.body)".lowercased().contains(Self.secret), "\(notice.body)")
        }
    }

    @Test("no page shows an address to another patron", arguments: [nil, "ann"])
    func pages(name: String?) async throws {
        let browser = PageBrowser(server)
        if let name { try await browser.logIn(name) }
        var shown = ""
        for path in PageTable.shownPaths {
            let numbers = path.contains("{") ? (1...9).map { String($0) } : [""]
            for number in numbers {
                let page = await browser.ask("GET", path.replacing(#/\{\w+\}/#, with: number))
                expectNothing(in: page, of: "\(path) \(number)")
                shown += page.text
            }
        }
        #expect(shown.contains("Reader 5"))
    }

    @Test("the routes of older systems tell no address to another patron", arguments: [nil, "ann"])
    func older(name: String?) async throws {
        for plugin in ["texttrader", "bookswag"] { try server.use(plugin: plugin) }
        let fields = try name.map { [(name: "authorization", value: "Bearer \(try server.token(of: $0))")] } ?? []
        let paths =
            [
                "/api/books", "/books", "/clean", "/api/threads", "/api/user", "/api/history", "/api/schools",
                "/api/help",
            ]
            + (1...9).flatMap { ["/api/books/\($0)", "/books/\($0)", "/api/threads/\($0)"] }
        var shown = ""
        for path in paths {
            for method in ["GET", "PUT", "POST", "DELETE"] {
                let body = Array((method == "GET" ? "" : #"{"text":"Hello","book":1,"title":"Emma"}"#).utf8)
                let json = method == "GET" ? [] : [(name: "content-type", value: "application/json")]
                let answer = await server.web.answer(WebRequest(method, path, fields: fields + json, body: body))
                expectNothing(in: answer, of: "\(method) \(path)")
                shown += answer.text
            }
        }
        #expect(shown.contains(#""owner":"Reader 5""#), "\(shown)")
    }

    @Test("no form's answer shows an address, and what follows it does not either")
    func forms() async throws {
        let browser = PageBrowser(server)
        try await browser.logIn("ann")
        let form = try browser.form("/log-out")
        var asked = 0
        for path in PageTable.sentPaths where path != "/log-out" && !path.hasPrefix("/desk") {
            for number in path.contains("{") ? (1...9).map({ String($0) }) : [""] {
                let filled = "\(form)&text=Hello&quantity=1&ends_on=2026-03-20&borrower=Reader+5&listing=1&kind=sell"
                let path = path.replacing(#/\{\w+\}/#, with: number)
                let answer = await browser.ask("POST", path, filled.replacing("once=", with: "once=\(asked)"))
                expectNothing(in: answer, of: path)
                if let next = answer.fields["Location"] {
                    expectNothing(in: await browser.ask("GET", next), of: "\(path), then \(next)")
                }
                asked += 1
            }
        }
        #expect(asked > 100)
        try expectQuietMessages(to: try server.id(of: "ann"))
    }

    @Test("feeds, figures and pages of plugins tell of no other patron's address")
    func feeds() async throws {
        let browser = PageBrowser(server)
        for name in [nil, "ann"] {
            if let name { try await browser.logIn(name) }
            for path in [
                "/new.rss", "/opds", "/opds/titles", "/opds/subjects", "/opds/search.xml", "/metrics", "/health",
            ] {
                let answer = await browser.ask("GET", path)
                #expect(answer.status == 200, "\(path)")
                expectNothing(in: answer, of: path)
            }
        }
    }

    @Test("sellers are found by their public name, and by an address by staff only")
    func sellers() async throws {
        func count(_ seller: String, as name: String?) async throws -> Int? {
            let answer = try await server.ask(.get, "/listings?seller=\(seller)&state=active", as: name)
            return answer.json["items"]?.arrayValue?.count
        }
        #expect(try await count("Reader%205", as: "ann") == 4)
        #expect(try await count("reader%20%205", as: nil) == 4)
        #expect(try await count("Reader%201", as: "ann") == count("nobody-at-all", as: "ann"))
        #expect(try await count("mia@\(Self.secret)", as: "ann") == count("nobody-at-all", as: "ann"))
        #expect(try await count("mia@\(Self.secret)", as: "staff") == 4)
        #expect(try await count("mia@\(Self.secret)", as: Self.people[0]) == 4)
    }

    @Test("a staff key without the scope for patrons shows no names and cannot lend")
    func keys() async throws {
        try server.use(plugin: "bookswag")
        let ann = try server.id(of: "staff")
        func key(_ scopes: [String]) throws -> [(name: String, value: String)] {
            let order = AccountManager.KeyRequest(label: "shelf", scope: AccessScope(words: scopes))
            let made = try #require(try server.accounts.issueKey(to: .id(ann), order).value)
            return [(name: "authorization", value: "Bearer \(made.secret.text)")]
        }
        func shelf(_ method: String, _ scopes: [String], _ body: String = "") async throws -> WebResponse {
            var fields = try key(scopes)
            if !body.isEmpty { fields.append((name: "content-type", value: "application/json")) }
            return await server.web.answer(WebRequest(method, "/books/1", fields: fields, body: Array(body.utf8)))
        }
        #expect(try await shelf("GET", ["catalogue"]).json["lastCheckedOutBy"] == .null)
        #expect(try await shelf("GET", ["catalogue", "patrons"]).json["lastCheckedOutBy"] == .string(Self.people[0]))
        let lent = try await shelf("PUT", ["catalogue"], #"{"lastCheckedOutBy":"bob"}"#)
        #expect(lent.status == 403 && lent.code == "not_in_scope", "\(lent.text)")
        #expect(try server.desk.read { try $0.loans.active(of: .username("bob")).count } == 0)
    }

    @Test("a name of that form cannot be chosen")
    func reserved() async throws {
        for name in ["Reader 5", "READER 77", "reader  5", "\u{FF32}eader 5", "reader \u{FF15}"] {
            let body: JSON = ["username": .string(name), "password": "a good password"]
            let answer = try await server.ask(.post, "/accounts", body)
            #expect([409, 422].contains(answer.status), "\(name): \(answer.text)")
        }
        let body: JSON = ["username": "reader of 5", "password": "a good password"]
        #expect(try await server.ask(.post, "/accounts", body).status == 201)
    }
}
