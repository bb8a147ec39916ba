import Circulation
import Desk
import DeskSupport
import Foundation
import Scripting
import Server
import Testing
import TextFormats

@Suite("What pages count, and what their forms send")
struct PageFigureTests {
    private let server: TestServer
    private let browser: PageBrowser

    init() throws {
        server = try TestServer()
        browser = PageBrowser(server)
    }

    private func make(_ path: String, _ body: JSON, as name: String = "bob") async throws -> Int64 {
        let answer = try await server.ask(.post, path, body, as: name)
        return try #require(answer.json["id"]?.integerValue, "\(path): \(answer.text)")
    }

    /// Sends a form of the page with fields that stand in it.
    private func fill(_ path: String, _ fields: [String: String]) async throws -> String {
        let forms = browser.page.text.matches(of: #/(?s)<form.*?<\/form>/#).map(\.output)
        let form = try #require(forms.first { $0.contains("action=\"\(path)\"") })
        for name in fields.keys { #expect(form.contains("name=\"\(name)\""), "\(name)") }
        return try await browser.send(path, fields)
    }

    /// The figure in the badge of a link; nil: it has none.
    private func badge(_ link: String, of other: PageBrowser? = nil) throws -> String? {
        let item = try #require(
            (other ?? browser).page.text.firstMatch(of: try Regex("<li><a href=\"\(link)\">.*?</a></li>"))?.output[0]
                .substring)
        return item.firstMatch(of: #/class="badge">([0-9+]+)</#).map { String($0.1) }
    }

    @Test("as many pieces as were chosen go into the cart, for as long as was chosen, and the badge counts them")
    func pieces() async throws {
        let sale = try await make("/listings", ["isbn": "9780441013593", "kind": "sell", "price": "4", "quantity": 5])
        let rental = try await make(
            "/listings", ["isbn": "9780441013593", "kind": "rent", "price": "1", "period": "P1W", "quantity": 5])
        try await browser.logIn("ann")
        #expect(try badge("/cart") == nil)
        try await browser.open("/market/\(sale)")
        let cart = try await fill("/cart", ["quantity": "2"])
        #expect(cart.contains("Buy, 2 at 4.00\u{A0}EUR"), "\(cart)")
        #expect(try badge("/cart") == "2")
        try await browser.open("/market/\(rental)")
        let both = try await fill("/cart", ["quantity": "3", "ends_on": "2026-03-20"])
        #expect(both.contains("Rent, 3 at 1.00\u{A0}EUR, until 2026-03-20"), "\(both)")
        #expect(try badge("/cart") == "5")
        // Another way to have it is for as many.
        let line = try #require(cart.firstMatch(of: /\/cart\/(\d+)\/instead/)?.1)
        let other = try await make(
            "/listings", ["isbn": "9780441013593", "kind": "sell", "price": "3", "quantity": 5], as: "staff")
        try await browser.open("/cart")
        let instead = try await browser.send("/cart/\(line)/instead", ["choice": "listing \(other)"])
        #expect(instead.contains("Buy, 2 at 3.00\u{A0}EUR"), "\(instead)")
    }

    @Test("the badge counts what was not read, whichever way it goes, and nothing once it is read")
    func unread() async throws {
        for (key, channel) in [("a", "inbox"), ("b", "email"), ("c", "email")] {
            _ = try await make(
                "/notifications",
                ["patron": "ann", "channel": .string(channel), "subject": "S", "body": "B", "key": .string(key)],
                as: "staff")
        }
        _ = try server.desk.write { try $0.notices.markFailed(3, givenUp: true) }
        try await browser.logIn("ann")
        #expect(try badge("/me/notifications") == "3")
        let page = try await browser.open("/me/notifications")
        #expect(page.ranges(of: ">New<").count == 3)
        try await browser.send("/me/notifications/1/read")
        #expect(try badge("/me/notifications") == "2")
        try await browser.send("/me/notifications/read")
        #expect(try badge("/me/notifications") == nil)
        #expect(!browser.page.text.contains(">New<"))
    }

    @Test("the badge of one's own page counts copies that lie ready and loans that are overdue")
    func toDo() async throws {
        try server.activatePolicy()
        _ = try await make("/loans", ["patron": "bob", "isbn": "9780441013593"], as: "staff")
        _ = try await make("/holds", ["patron": "ann", "isbn": "9780441013593"], as: "staff")
        _ = try await make("/loans", ["patron": "ann", "isbn": "9780141439587"], as: "staff")
        try await browser.logIn("ann")
        try await browser.open("/")
        #expect(try badge("/me") == nil)
        let barcode = try server.desk.read { session in
            let loan = try session.loans.active(of: .username("bob")).first
            return try session.catalogue.copy(id: loan?.copy ?? 0)?.barcode
        }
        _ = try await server.ask(.post, "/checkins", ["barcode": .string(try #require(barcode))], as: "staff")
        try await browser.open("/market")
        #expect(try badge("/me") == "1")
        server.clock.set(try server.clock.now().adding(hours: 24 * 15))
        let late = PageBrowser(server)
        try await late.logIn("ann")
        #expect(try badge("/me", of: late) == "2", "the hold was not passed on before a sweep")
        let bob = PageBrowser(server)
        try await bob.logIn("bob")
        #expect(try badge("/me", of: bob) == nil)
    }

    @Test("a badge goes to 99 and says no more")
    func many() async throws {
        let ann = try server.id(of: "ann")
        try server.desk.write { session in
            for number in 1...130 {
                _ = try session.notices.send(
                    to: .id(ann), channel: "inbox", subject: "S", body: "B", key: "\(number)")
            }
        }
        try await browser.logIn("ann")
        #expect(try badge("/me/notifications") == "99+")
        try await browser.open("/me/notifications")
        try await browser.send("/me/notifications/read")
        #expect(try badge("/me/notifications") == nil)
    }

    @Test("the desk's tab counts what waits to be looked at")
    func waiting() async throws {
        _ = try await make("/suggestions", ["name": "Solaris", "authors": ["Lem"]], as: "ann")
        try await browser.logIn("staff")
        let desk = try await browser.open("/desk")
        #expect(try badge("/desk/suggestions") == "1", "\(desk)")
        try await browser.open("/desk/suggestions")
        try await browser.send("/desk/suggestions/1/approve")
        #expect(try badge("/desk/suggestions") == nil)
    }

    @Test("the lines of a letter stay lines, however they end", arguments: ["\n", "\r\n", "\r", "\u{2028}", "\u{85}"])
    func lines(end: String) async throws {
        let text = "Dear Ann,\(end)come soon.\(end)\(end)Bye"
        _ = try await make(
            "/notifications",
            ["patron": "ann", "subject": "S", "body": .string(text), "key": "k"], as: "staff")
        let offer = try await make(
            "/listings", ["isbn": "9780441013593", "kind": "donate", "note": .string(text)])
        try await browser.logIn("ann")
        for path in ["/me/notifications", "/market/\(offer)"] {
            let page = try await browser.open(path)
            let shown = try #require(
                page.firstMatch(of: #/(?s)<p class="(?:letter|description)">(Dear.*?)<\/p>/#)?.1, "\(page)")
            #expect(shown == "Dear Ann,\ncome soon.\n\nBye")
        }
    }

    @Test("one's own offers are found under 'me', over the API and on the page; visitors log in first")
    func ownOffers() async throws {
        _ = try await make("/listings", ["isbn": "9780441013593", "kind": "donate"], as: "ann")
        _ = try await make("/listings", ["isbn": "9780141439587", "kind": "donate"], as: "bob")
        for name in ["ann", "bob"] {
            let found = try await server.ask(.get, "/listings?seller=me", as: name).json["items"]?.arrayValue ?? []
            #expect(found.map { $0["name"]?.stringValue } == [name == "ann" ? "Dune" : "Emma"])
        }
        #expect(try await server.ask(.get, "/listings?seller=me").status == 401)
        let page = try await browser.open("/market?seller=me")
        #expect(page.contains("action=\"/log-in\""))
        try await browser.logIn("ann")
        let own = try await browser.open("/market?seller=me")
        #expect(own.contains(">Dune</a>") && !own.contains(">Emma</a>"))
    }

    @Test("each field of each form is read by the page that the form is sent to")
    func fields() throws {
        let pages = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/Server/Pages").standardizedFileURL
        let files = try #require(FileManager.default.enumerator(at: pages, includingPropertiesForKeys: nil))
            .compactMap { $0 as? URL }
        let sources = try files.filter { $0.pathExtension == "swift" }.map {
            try String(contentsOf: $0, encoding: .utf8)
        }
        var count = 0
        for file in files where file.pathExtension == "mustache" {
            let template = try String(contentsOf: file, encoding: .utf8)
            for form in template.matches(of: #/(?s)<form.*?<\/form>/#).map(\.output) {
                for name in form.matches(of: #/<(?:input(?! type="hidden")|select|textarea)[^>]* name="(\w+)"/#).map(
                    \.1)
                {
                    for action in form.matches(of: #/action="([^"]+)"/#).map(\.1) {
                        count += 1
                        // The last word of the path names the page; those before it are numbers or filled in.
                        let path = action.prefix { $0 != "#" }
                        let word = path.split(separator: "/").last { !$0.contains("{") }.map(String.init) ?? ""
                        let isRead = sources.contains {
                            (word.isEmpty || $0.contains(word)) && $0.contains("\"\(name)\"")
                        }
                        #expect(isRead, "\(file.lastPathComponent): \(name) of \(action)")
                    }
                }
            }
        }
        #expect(count > 40)
    }
}
