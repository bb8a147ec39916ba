import Circulation
import Desk
import DeskSupport
import Scripting
import Secrets
import Server
import Testing
import TextFormats

@Suite("Pages of one's account")
struct AccountPagesTests {
    private let server: TestServer
    private let browser: PageBrowser

    init() throws {
        server = try TestServer()
        browser = PageBrowser(server)
    }

    @Test("sessions are listed and ended one by one or all but this, and a new password ends the others")
    func sessions() async throws {
        let others = try (0..<3).map { _ in try server.freshToken(of: "ann") }
        func good() throws -> [Bool] { try others.map { try server.accounts.holder(of: $0) != nil } }
        try await browser.logIn("ann")
        let page = try await browser.open("/me/access")
        #expect(page.matches(of: />This session</).count == 1)
        let sessions = page.matches(of: /\/me\/access\/sessions\/(\d+)\/end/).map { String($0.1) }
        #expect(sessions.count == 3)
        let form = try browser.form("/me/access/sessions/\(sessions[2])/end")
        let ended = try await browser.send("/me/access/sessions/\(sessions[2])/end")
        #expect(try ended.contains("The session has ended.") && good() == [false, true, true])
        #expect(await browser.ask("POST", "/me/access/sessions/\(sessions[2])/end", form).status == 303)
        #expect(try await browser.send("/me/access/sessions/end").contains("logged out everywhere else"))
        #expect(try good() == [false, false, false])
        let (elsewhere, key) = (
            try server.freshToken(of: "ann"), try server.accounts.issueKey(to: .username("ann"), label: "shelf")
        )
        try await browser.open("/me/details")
        try await browser.send("/me/password", ["old": TestServer.password, "password": "another password"])
        #expect(try server.accounts.holder(of: elsewhere) == nil)
        #expect(try server.accounts.holder(of: try #require(key.value).text) != nil)
        #expect(try await browser.open("/me").contains("Username ann"))
    }

    @Test("a key is shown once, made once however often the form is sent, and revoked")
    func keys() async throws {
        try await browser.logIn("ann")
        try await browser.open("/me/access")
        let form = try browser.form("/me/access/keys", ["label": "My <shelf>", "expires_at": "2026-03-09"])
        let first = await browser.ask("POST", "/me/access/keys", form)
        let key = String(try #require(first.text.firstMatch(of: />(msk_[^<]+)</)?.1))
        let second = await browser.ask("POST", "/me/access/keys", form)
        #expect(
            first.status == 200 && second.text.contains("has already been shown once") && !second.text.contains(key))
        let held = try #require(try server.accounts.holder(of: key))
        #expect(try held.patron.username == "ann" && held.token.expiresAt == Instant(parsing: "2026-03-10T00:00:00Z"))
        let kept = try server.desk.read { try $0.accounts.tokens(of: held.patron.id, .key).count }
        #expect(kept == 1)
        let page = try await browser.open("/me/access")
        #expect(page.contains("My &lt;shelf&gt;") && !page.contains(key) && page.contains("10\u{A0}March\u{A0}2026"))
        for (fields, wrong) in [
            (["label": " "], "label"), (["label": "x", "expires_at": "2026-03-01"], "expires_at"),
            (["label": "x", "expires_at": "soon"], "expires_at"),
            (["label": String(repeating: "x", count: 101)], "label"),
        ] {
            try await browser.open("/me/access")
            let again = try await browser.send("/me/access/keys", fields)
            #expect(browser.page.status == 400 && again.contains("id=\"\(wrong)-wrong\""), "\(fields): \(again)")
        }
        for number in 2...AccountService.mostKeys {
            _ = try #require(try server.accounts.issueKey(to: .username("ann"), label: "\(number)").value)
        }
        let full = try await browser.send("/me/access/keys", ["label": "one more"])
        #expect(
            browser.page.status == 409 && full.contains("account can have at most")
                && full.contains("value=\"one more\"")
        )
        #expect(try await browser.send("/me/access/keys/\(held.token.id)/revoke").contains("has been revoked"))
        #expect(try server.accounts.holder(of: key) == nil)
    }

    @Test("a key may look alone, and staff's may act as a patron's")
    func narrowKeys() async throws {
        try await browser.logIn("staff")
        let page = try await browser.open("/me/access")
        #expect(page.contains("no more than patrons can do") && !page.contains("no more than staff can do"))
        let made = try await browser.send(
            "/me/access/keys", ["label": "shelf", "scopes": "read", "most_role": "patron"])
        let key = String(try #require(made.firstMatch(of: />(msk_[^<]+)</)?.1))
        let token = try #require(try server.accounts.holder(of: key)).token
        #expect(token.scope == AccessScope(words: ["read"]) && token.mostRole == .patron)
        let again = try await browser.open("/me/access")
        #expect(again.contains("read only; no more than patrons can do"))
        try await browser.logIn("ann")
        #expect(try await !browser.open("/me/access").contains("most_role"))
        let wrong = try await browser.send("/me/access/keys", ["label": "x", "scopes": "everything"])
        #expect(browser.page.status == 400 && wrong.contains("id=\"scopes-wrong\""))
    }

    @Test("an account is deleted with its password, once nothing stands against it, and the page says what does")
    func leaving() async throws {
        let ann = try server.id(of: "ann")
        _ = try await server.ask(.post, "/loans", ["isbn": "9780441013593"], as: "ann")
        _ = try await server.ask(.post, "/holds", ["isbn": "9780141439587"], as: "ann")
        let charge: JSON = ["amount": "2.00", "label": "Card"]
        _ = try await server.ask(.post, "/patrons/\(ann)/charges", charge, as: "staff")
        let offer: JSON = ["seller": "ann", "isbn": "9780441013593", "kind": "rent", "price": "1", "period": "P1W"]
        let listing = try await server.ask(.post, "/listings", offer, as: "ann").json["id"]?.integerValue ?? 0
        let rent: JSON = ["ends_on": "2026-03-09"]
        #expect(try await server.ask(.post, "/listings/\(listing)/rent", rent, as: "bob").status == 201)
        let sale: JSON = ["seller": "ann", "isbn": "9780141439587", "kind": "sell", "price": "1"]
        _ = try await server.ask(.post, "/listings", sale, as: "ann")
        try await browser.logIn("ann")
        let page = try await browser.open("/me/leave")
        for words in [
            "1\u{A0}loan to be returned", "1\u{A0}rental still open", "1\u{A0}order to be handed over",
            "2.00\u{A0}EUR to be paid",
        ] {
            #expect(page.contains(words), "\(words): \(page)")
        }
        #expect(
            page.contains("<li>1\u{A0}hold</li>") && page.contains("<li>2\u{A0}offers on the market</li>"), "\(page)")
        #expect(!page.contains("Delete my account"))
        let loan = try #require(try server.desk.read { try $0.loans.active(of: .id(ann)).first?.id })
        _ = try await server.ask(.post, "/checkins", ["loan": .integer(loan)], as: "staff")
        _ = try await server.ask(.post, "/rentals/1/give-back", [:], as: "ann")
        _ = try await server.ask(.post, "/orders/1/hand-over", [:], as: "ann")
        _ = try await server.ask(.post, "/patrons/\(ann)/payments", ["amount": "2.00"], as: "staff")
        try await browser.open("/me/leave")
        let wrong = try await browser.send("/me/leave", ["password": "wrong horses"])
        #expect(
            browser.page.status == 422 && wrong.contains("id=\"password-wrong\"") && !wrong.contains("wrong horses"))
        let form = try browser.form("/me/leave", ["password": TestServer.password])
        let cookies = browser.cookies
        #expect(
            try await browser.send("/me/leave", ["password": TestServer.password]).contains("you have been logged out"))
        #expect(browser.cookies["moonshelf"] == nil)
        #expect(try server.desk.read { try $0.patrons.get(.id(ann)) } == nil)
        browser.cookies = cookies
        let again = await browser.ask("POST", "/me/leave", form)
        #expect(again.status == 303 && again.fields["Location"]?.hasPrefix("/log-in") == true)
        #expect(server.teller.all.faults == [])
    }

    @Test("another patron's sessions and keys answer like missing ones, byte for byte")
    func otherPeoples() async throws {
        let token = try #require(try server.accounts.holder(of: try server.token(of: "bob"))).token.id
        let issued = try #require(try server.accounts.issueKey(to: .username("bob"), label: "shelf").value)
        let key = try #require(try server.accounts.holder(of: issued.text)).token.id
        try await browser.logIn("ann")
        let form = try browser.form("/log-out")
        for (seen, missing) in [
            ("sessions/\(token)/end", "sessions/99999/end"), ("keys/\(key)/revoke", "keys/99999/revoke"),
            ("sessions/\(key)/end", "keys/99999/revoke"),
        ] {
            let one = await browser.ask("POST", "/me/access/\(seen)", form)
            let other = await browser.ask("POST", "/me/access/\(missing)", form)
            #expect(one.status == 404 && one.body == other.body, "\(seen): \(one.text)")
        }
        #expect(try server.accounts.holder(of: issued.text) != nil)
    }
}
