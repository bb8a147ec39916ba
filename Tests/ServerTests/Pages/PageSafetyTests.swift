import Circulation
import Desk
import DeskSupport
import Scripting
import Secrets
import Server
import Testing
import TextFormats

@Suite("Pages against those who mean ill")
struct PageSafetyTests {
    private let server: TestServer
    private let browser: PageBrowser

    init() throws {
        server = try TestServer()
        browser = PageBrowser(server)
    }

    private func loans(of name: String) throws -> Int {
        try server.desk.read { try $0.loans.active(of: .username(name)).count }
    }

    @Test(
        "no sign with an accent on it ends an attribute",
        arguments: ["\"\u{301}", "'\u{338}", "<\u{338}", "\"\u{FE0F}"])
    func accented(sign: String) async throws {
        _ = try await server.ask(.patch, "/titles/1", ["title": .string("\(sign) autofocus x=")], as: "staff")
        let asked = PercentEncoding.encoded("\(sign) autofocus x=")
        for path in ["/search?query=\(asked)", "/titles/1", "/search?query=autofocus", "/market?text=\(asked)"] {
            let page = try await browser.open(path)
            let scalars = page.unicodeScalars
            #expect(!String(scalars).contains(" autofocus x=") || !Self.standsBare(sign, in: page), "\(path)")
        }
    }

    /// Whether a sign of markup stands in a page directly before what a person made follow it.
    private static func standsBare(_ sign: String, in page: String) -> Bool {
        let (page, sign) = (Array(page.unicodeScalars), Array(sign.unicodeScalars))
        return page.indices.contains { page[$0...].starts(with: sign) }
    }

    @Test("a form without its seal, with another browser's or an altered one does nothing")
    func seals() async throws {
        let other = PageBrowser(server)
        try await other.logIn("bob")
        try await other.open("/titles/1")
        let foreign = try other.form("/titles/1/borrow")
        try await browser.logIn("ann")
        try await browser.open("/titles/1")
        let own = try browser.form("/titles/1/borrow")
        let seal = try #require(own.firstMatch(of: /seal=([0-9a-f]+)/)?.1)
        let altered = own.replacing(seal, with: String(seal.dropLast()) + (seal.hasSuffix("0") ? "1" : "0"))
        for body in ["", "once=12345678", foreign, altered, own.replacing(seal, with: "")] {
            let answer = await browser.ask("POST", "/titles/1/borrow", body)
            #expect(answer.status == 403 && answer.text.contains("Nothing was changed"), "\(body)")
        }
        for fields in [
            [(name: "origin", value: "https://evil.example")], [(name: "origin", value: "null")],
            [(name: "sec-fetch-site", value: "cross-site")], [(name: "sec-fetch-site", value: "same-site")],
            [(name: "host", value: "127.0.0.1:8080"), (name: "origin", value: "http://127.0.0.1:8081")],
        ] {
            #expect(await browser.ask("POST", "/titles/1/borrow", own, fields: fields).status == 403, "\(fields)")
        }
        #expect(try loans(of: "ann") == 0)
        let fields = [(name: "origin", value: "http://127.0.0.1:8080"), (name: "sec-fetch-site", value: "same-origin")]
        #expect(await browser.ask("POST", "/titles/1/borrow", own, fields: fields).status == 303)
        #expect(try loans(of: "ann") == 1)
    }

    @Test("another site's form cannot log a visitor in, and a log-in starts a new session")
    func logInForms() async throws {
        let password = TestServer.password.replacing(" ", with: "+")
        let stranger = PageBrowser(server)
        try await stranger.open("/log-in")
        let foreign = try stranger.form("/log-in") + "&username=bob&password=\(password)"
        #expect(await browser.ask("POST", "/log-in", foreign).status == 403)
        try await browser.open("/log-in")
        #expect(await browser.ask("POST", "/log-in", foreign).status == 403)
        #expect(browser.cookies["moonshelf"] == nil)
        browser.cookies["moonshelf"] = "mss_" + String(repeating: "x", count: 43)
        try await browser.logIn("ann")
        let first = try #require(browser.cookies["moonshelf"])
        #expect(!first.contains("xxx"))
        try await browser.open("/log-in")
        try await browser.send("/log-in", ["username": "ann", "password": TestServer.password])
        #expect(browser.cookies["moonshelf"] != first)
        #expect(try server.accounts.holder(of: first) == nil)
    }

    @Test(
        "after logging in a browser goes to our own pages alone",
        arguments: [
            ("//evil.example", "/"), ("/\\evil.example", "/"), ("https://evil.example", "/"), ("evil", "/"),
            ("javascript:alert(1)", "/"), ("/\tevil", "/"), ("/a\r\nSet-Cookie: a=b", "/"), ("", "/"),
            ("/me?x=1", "/me?x=1"), ("/%2F/evil.example", "/%2F/evil.example"),
            ("/%5Cevil.example", "/%5Cevil.example"), ("\\/evil.example", "/"), ("/a\\evil.example", "/"),
            (" //evil.example", "/"),
            ("/%0D%0ASet-Cookie:a=b", "/%0D%0ASet-Cookie:a=b"), ("http:evil.example", "/"), ("///evil.example", "/"),
            ("/ä", "/"),
        ])
    func redirects(next: String, expected: String) async throws {
        try await browser.open("/log-in")
        let form = try browser.form(
            "/log-in", ["next": next, "username": "ann", "password": TestServer.password])
        let answer = await browser.ask("POST", "/log-in", form)
        #expect(answer.status == 303 && answer.fields["Location"] == expected)
    }

    @Test("a form sent after the session ran out leads to log-in, and from there back to the page it came from")
    func endedSession() async throws {
        try await browser.logIn("ann")
        try await browser.open("/titles/1")
        let form = try browser.form("/titles/1/borrow")
        server.clock.set(try server.clock.now().adding(hours: 13))
        for (referrer, next) in [
            ("http://127.0.0.1:8080/search?query=dune", "%2Fsearch%3Fquery%3Ddune"), ("", "%2Ftitles%2F1"),
            ("http://127.0.0.1:8080//evil.example", "%2Ftitles%2F1"), ("https://evil.example", "%2Ftitles%2F1"),
            ("http://127.0.0.1:8080/cart/checkout/nowhere", "%2Ftitles%2F1"),
        ] {
            let fields = referrer.isEmpty ? [] : [(name: "referer", value: referrer)]
            let answer = await browser.ask("POST", "/titles/1/borrow", form, fields: fields)
            #expect(
                answer.status == 303 && answer.fields["Location"] == "/log-in?next=\(next)&ended=yes", "\(referrer)")
        }
        let page = try await browser.open("/log-in?next=%2Ftitles%2F1&ended=yes")
        #expect(page.contains("what you entered was not saved"))
        let back = try await browser.send("/log-in", ["username": "ann", "password": TestServer.password])
        #expect(try back.contains("<h1>Dune</h1>") && loans(of: "ann") == 0)
    }

    @Test("staff whose session ran out are asked to log in, where others find nothing")
    func endedSessionOfStaff() async throws {
        let patron = PageBrowser(server)
        try await patron.logIn("ann")
        try await browser.logIn("staff")
        try await browser.open("/desk?patron=ann")
        let form = try browser.form("/desk/check-out", ["item": "9780441013593"])
        server.clock.set(try server.clock.now().adding(hours: 13))
        #expect(await browser.ask("GET", "/desk/returns").fields["Location"] == "/log-in?next=%2Fdesk%2Freturns")
        let answer = await browser.ask("POST", "/desk/check-out", form)
        #expect(answer.fields["Location"] == "/log-in?next=%2Fdesk&ended=yes")
        let nowhere = await patron.ask("GET", "/nowhere")
        #expect(await patron.ask("GET", "/desk").body == nowhere.body)
        server.clock.set(try server.clock.now().adding(hours: 24 * AccountService.daysRemembered))
        _ = try server.freshToken(of: "bob")
        #expect(await browser.ask("GET", "/desk").body == nowhere.body)
        #expect(try loans(of: "ann") == 0)
    }

    @Test("a form that is sent twenty times at once lends once, and all are answered the same")
    func doubleSubmits() async throws {
        try await browser.logIn("ann")
        try await browser.open("/titles/3")
        let form = try browser.form("/titles/3/borrow")
        let answers = await withTaskGroup(of: WebResponse.self) { group in
            for _ in 0..<20 { group.addTask { [browser] in await browser.ask("POST", "/titles/3/borrow", form) } }
            return await group.reduce(into: [WebResponse]()) { $0.append($1) }
        }
        #expect(Set(answers.map { $0.fields["Location"] }).count == 1 && answers.allSatisfy { $0.status == 303 })
        #expect(try loans(of: "ann") == 1)
    }

    @Test("each form is carried out once, however often it is sent, and leads to the same page each time")
    func eachFormOnce() async throws {
        let offer: JSON = ["seller": "bob", "isbn": "9780441013593", "kind": "sell", "price": "1.00", "quantity": 5]
        let listing = try await server.ask(.post, "/listings", offer, as: "bob").json["id"]?.integerValue ?? 0
        let message: JSON = ["patron": "ann", "subject": "News", "body": "Body", "key": "k"]
        _ = try await server.ask(.post, "/notifications", message, as: "staff")
        func events() throws -> Int { try server.desk.read { try $0.events.list(EventQuery(limit: 10_000)).count } }
        let market = "/market/\(listing)"
        let patron = "/desk/patrons/\(try server.id(of: "ann"))"
        for (name, forms) in [
            (
                "ann",
                [
                    ("/titles/2", "/titles/2/hold", [:]), ("/titles/3", "/titles/3/borrow", [:]),
                    (market, "\(market)/buy", ["quantity": "1"]), (market, "\(market)/contact", ["text": "Hello"]),
                    ("/me/suggestions", "/me/suggestions", ["name": "Optics"]),
                    ("/me/listings/new", "/me/listings", ["name": "Optics", "kind": "sell", "price": "2"]),
                    ("/me/details", "/me/details", ["name": "Anna"]),
                    ("/me/notifications", "/me/notifications/read", [:]),
                    ("/me", "/me/holds/1/pause", [:]), ("/me", "/me/holds/1/resume", [:]),
                    ("/me", "/me/holds/1/cancel", [:]),
                ]
            ),
            (
                "staff",
                [
                    (patron, "\(patron)/charge", ["amount": "2", "label": "Card"]),
                    (patron, "\(patron)/pay", ["amount": "1"]),
                    (patron, "\(patron)/refund", ["amount": "1", "reason": "x"]),
                    (patron, "\(patron)/waive", ["amount": "1", "reason": "x"]),
                    (patron, "\(patron)/block", ["reason": "x"]),
                    (patron, "\(patron)/unblock", [:]), ("/desk/returns", "/desk/check-in", ["item": "9780141182803"]),
                    ("/desk/suggestions", "/desk/suggestions/1/approve", [:]),
                ]
            ),
        ] as [(String, [(String, String, [String: String])])] {
            let browser = PageBrowser(server)
            try await browser.logIn(name)
            for (page, path, fields) in forms {
                try await browser.open(page)
                let form = try browser.form(path, fields)
                let before = try events()
                let first = await browser.ask("POST", path, form)
                let between = try events()
                let second = await browser.ask("POST", path, form)
                #expect(
                    first.status == 303 && first.fields["Location"] == second.fields["Location"],
                    "\(path): \(first.text)")
                #expect(try between > before && events() == between, "\(path)")
            }
        }
        #expect(server.teller.all.faults == [])
    }

    @Test("a refused form that is sent again gets the same refusal, although it could be granted by then")
    func repeatedRefusal() async throws {
        try await browser.logIn("ann")
        try await browser.open("/titles/1")
        let form = try browser.form("/titles/1/borrow")
        _ = try await server.ask(.post, "/loans", ["isbn": "9780441013593"], as: "bob")
        let refused = await browser.ask("POST", "/titles/1/borrow", form)
        _ = try await server.ask(.post, "/checkins", ["loan": 1], as: "staff")
        #expect(refused.status == 409)
        #expect(await browser.ask("POST", "/titles/1/borrow", form).status == 409)
        #expect(try loans(of: "ann") == 0)
    }

    @Test("another patron's record answers like a missing one, byte for byte")
    func otherPeoplesOwn() async throws {
        _ = try await server.ask(.post, "/loans", ["isbn": "9780441013593"], as: "bob")
        _ = try await server.ask(.post, "/holds", ["isbn": "9780141439587"], as: "bob")
        _ = try await server.ask(.post, "/patrons/me/favourites", ["title": "9780141439587"], as: "bob")
        let message: JSON = ["patron": "bob", "subject": "News", "body": "Body", "key": "k"]
        _ = try await server.ask(.post, "/notifications", message, as: "staff")
        try await browser.logIn("ann")
        let form = try browser.form("/log-out")
        for (seen, missing) in [
            ("/me/loans/1/renew", "/me/loans/999/renew"), ("/me/holds/1/cancel", "/me/holds/999/cancel"),
            ("/me/notifications/1/read", "/me/notifications/999/read"), ("/cart/1/remove", "/cart/999/remove"),
            ("/me/favourites/1/remove", "/me/favourites/999/remove"),
            ("/titles/999/borrow", "/titles/nothing/borrow"),
        ] {
            let (one, other) = (await browser.ask("POST", seen, form), await browser.ask("POST", missing, form))
            #expect(one.status == 404 && one.body == other.body, "\(seen): \(one.text)")
        }
        let nowhere = await browser.ask("GET", "/nowhere")
        let unknown = await browser.ask("GET", "/titles/999")
        #expect(nowhere.status == 404 && nowhere.body == unknown.body)
        let holds = try server.desk.read { try $0.holds.of(.username("bob")).count }
        #expect(holds == 1)
    }

    @Test("what is written into the catalogue and by people is text on every page")
    func escaping() async throws {
        let evil = #"<script>alert(1)</script>"onmouseover='x'"#
        let id = try server.desk.write { session in
            let title = Title(
                title: evil, authors: [evil], description: "\u{202E}\(evil)", coverURL: "javascript:alert(1)",
                previewURL: "javascript:alert(1)", recommended: true)
            let made = try #require(session.catalogue.add(title).value)
            _ = try session.catalogue.addCopies(of: .id(made.id), count: 1)
            return made.id
        }
        let patron: JSON = ["name": .string(evil)]
        _ = try await server.ask(.patch, "/patrons/me", patron, as: "ann")
        let message: JSON = ["patron": "ann", "subject": .string(evil), "body": .string(evil), "key": "k"]
        _ = try await server.ask(.post, "/notifications", message, as: "staff")
        try await browser.logIn("ann")
        try await browser.open("/titles/\(id)")
        try await browser.send("/titles/\(id)/favourite")
        try await browser.send("/cart")
        let paths = [
            "/", "/search?query=\(evil.replacing("\"", with: "%22"))", "/titles/\(id)", "/cart", "/me", "/me/details",
            "/me/notifications", "/me/favourites",
        ]
        for path in paths {
            let page = try await browser.open(path)
            #expect(browser.page.status == 200, "\(path)")
            #expect(
                !page.contains("<script") && !page.contains("\"onmouseover") && !page.contains("\u{202E}"), "\(path)")
            #expect(!page.contains("href=\"javascript") && !page.contains("src=\"javascript"), "\(path)")
        }
        #expect(try await browser.open("/titles/\(id)").contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
    }

    @Test("cookies are for this host, by https where there is https, and no script's")
    func cookies() async throws {
        let form = try await {
            try await browser.open("/log-in"); return try browser.form("/log-in")
        }()
        let password = TestServer.password.replacing(" ", with: "+")
        let plain = await browser.ask("POST", "/log-in", "\(form)&username=ann&password=\(password)")
        let cookie = try #require(plain.cookies.first)
        #expect(cookie.hasPrefix("moonshelf=mss_") && cookie.contains("; Path=/; HttpOnly; SameSite=Lax; Max-Age="))
        #expect(!cookie.contains("Secure"))
        let secure = PageBrowser(
            try TestServer(settings: ServerSettings(url: "https://books.example.org", burst: 100_000)))
        try await secure.logIn("ann")
        #expect(secure.cookies.keys.sorted() == ["__Host-moonshelf", "__Host-moonshelf-visit"])
        let out = await secure.ask("POST", "/log-out", try secure.form("/log-out"))
        #expect(out.cookies == ["__Host-moonshelf=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0"])
    }

    @Test("the API takes no cookie, and a page no key for programs")
    func separateDoors() async throws {
        try await browser.logIn("ann")
        let answer = await browser.ask("GET", "/api/v1/patrons/me")
        #expect(answer.status == 401 && answer.code == "no_token")
        let key = try #require(try server.accounts.issueKey(to: .username("ann"), label: "shelf").value)
        browser.cookies = ["moonshelf": key.text]
        #expect(await browser.ask("GET", "/me").status == 303)
    }

    @Test("every page says what a browser may do with it, and none has script or style in it")
    func headers() async throws {
        try await browser.logIn("ann")
        for path in ["/", "/search", "/titles/1", "/cart", "/me", "/log-in", "/nowhere"] {
            let answer = await browser.ask("GET", path)
            let policy = answer.fields["Content-Security-Policy"] ?? ""
            #expect(
                policy.hasPrefix("default-src 'none'; style-src 'self';") && policy.contains("frame-ancestors 'none'"))
            #expect(!policy.contains("unsafe") && !policy.contains("script"))
            #expect(
                answer.fields["X-Content-Type-Options"] == "nosniff" && answer.fields["Cache-Control"] == "no-store")
            #expect(answer.fields["Referrer-Policy"] == "same-origin")
            #expect(
                !answer.text.contains("<script") && !answer.text.contains("style=") && !answer.text.contains("<style"))
            #expect(!answer.text.contains(" onclick") && answer.text.contains("<html lang=\"en\" dir=\"ltr\">"))
            #expect(answer.text.matches(of: /<h1>/).count == 1, "\(path)")
        }
    }

    @Test("HEAD has no body, other methods are named, and errors are pages for browsers and problems for programs")
    func methods() async throws {
        let head = await browser.ask("HEAD", "/")
        #expect(head.status == 200 && head.body.isEmpty && (head.fields["Content-Length"] ?? "0") != "0")
        let put = await browser.ask("PUT", "/cart")
        #expect(put.status == 405 && put.fields["Allow"] == "GET, HEAD, POST" && put.text.contains("<h1>"))
        #expect(await browser.ask("GET", "/log-out").fields["Allow"] == "POST")
        #expect(await browser.ask("GET", "/api/v1/nothing").fields["Content-Type"] == "application/problem+json")
        #expect(await browser.ask("GET", "/%zz").fields["Content-Type"] == "text/html; charset=utf-8")
        let big = await browser.ask("POST", "/cart", String(repeating: "a", count: 2 << 20))
        #expect(big.status == 413 && big.text.contains("<h1>Too large</h1>"))
        let json = WebRequest("POST", "/cart", fields: [("content-type", "application/json")], body: Array("{}".utf8))
        #expect(await server.web.answer(json).status == 415)
        let small = try TestServer(settings: ServerSettings(burst: 1, perSecond: 0.000_1))
        _ = await small.web.answer(WebRequest("GET", "/"))
        let flood = await small.web.answer(WebRequest("GET", "/"))
        #expect(
            flood.status == 429 && flood.text.contains("<h1>Too many requests</h1>")
                && flood.fields["Retry-After"] != nil)
    }

    @Test("guessing passwords in the form is throttled as in the API")
    func brake() async throws {
        let server = try TestServer(settings: ServerSettings(burst: 100_000))
        let browser = PageBrowser(server)
        try await browser.open("/log-in")
        var statuses: [Int] = []
        for number in 0..<50 where statuses.last != 429 {
            let form = try browser.form("/log-in", ["username": "user\(number)", "password": "wrong horses"])
            let answer = await browser.ask("POST", "/log-in", form)
            statuses.append(answer.status)
        }
        #expect(statuses.count > 20 && statuses.dropLast().allSatisfy { $0 == 422 } && statuses.last == 429)
        browser.cookies["moonshelf"] = try server.token(of: "ann")
        try await browser.open("/me")
        #expect(await browser.ask("POST", "/log-out", try browser.form("/log-out")).status == 303)
    }

    @Test("an unknown username and a wrong password get the same answer")
    func sameWords() async throws {
        try await browser.open("/log-in")
        let wrong = try await browser.send("/log-in", ["username": "ann", "password": "wrong horses"])
        let unknown = try await browser.send("/log-in", ["username": "zoe", "password": "wrong horses"])
        #expect(browser.page.status == 422 && wrong.contains("The username or password is incorrect."))
        func plain(_ page: String) -> String {
            page.replacing(/name="once" value="[^"]*"/, with: "").replacing(#"value="ann""#, with: #"value="zoe""#)
        }
        #expect(plain(wrong) == plain(unknown))
    }

    @Test("requests for pages are counted by page, never by address")
    func metrics() async throws {
        for id in 1...3 { _ = await browser.ask("GET", "/titles/\(id)") }
        let text = await browser.ask("GET", "/metrics").text
        #expect(text.contains(#"{route="page:get /titles/{title}",status="200"} 3"#))
    }
}
