import Circulation
import Desk
import DeskSupport
import Scripting
import Server
import Testing
import TextFormats

@Suite("Pages for patrons")
struct PagesTests {
    private let server: TestServer
    private let browser: PageBrowser

    init() throws {
        server = try TestServer()
        browser = PageBrowser(server)
    }

    private func loans(of name: String) throws -> Int {
        try server.desk.read { try $0.loans.active(of: .username(name)).count }
    }

    private func title(_ isbn: String) throws -> Int64 {
        try #require(try server.desk.read { try $0.catalogue.get(.isbn(ISBN(isbn)))?.id })
    }

    @Test("a patron signs up, finds a title, borrows it, sees when it is due, and logs out")
    func day() async throws {
        try await browser.open("/sign-up?next=/search%3Fquery=ulysses")
        try await browser.send(
            "/sign-up", ["username": "zoe", "password": "a good password", "name": "Zoe", "email": "zoe@example.org"])
        #expect(browser.page.text.contains("Ulysses") && browser.page.text.contains("3 of 3 copies available"))
        #expect(browser.page.text.contains(#"value="ulysses""#))
        let path = "/titles/\(try title("9780141182803"))"
        let page = try await browser.open(path)
        #expect(page.contains("<h1>Ulysses</h1>") && page.contains("You can borrow this title until"))
        let mine = try await browser.send("\(path)/borrow")
        #expect(
            mine.contains(#"role="status">Ulysses has been checked out to you until"#)
                && mine.contains("<h2 id=\"loans\">"))
        #expect(try loans(of: "zoe") == 1)
        let token = try #require(browser.cookies["moonshelf"])
        try await browser.send("/log-out")
        #expect(browser.cookies["moonshelf"] == nil && browser.page.text.contains("Log in"))
        #expect(try server.accounts.holder(of: token) == nil)
        #expect(try await browser.open("/me").contains("<h1>Log in</h1>"))
        #expect(server.teller.all.faults == [])
    }

    @Test("a refusal gives every reason as a sentence, and a way back")
    func refusal() async throws {
        _ = try await server.ask(.post, "/loans", ["isbn": "9780441013593"], as: "bob")
        try await browser.logIn("ann")
        let dune = try title("9780441013593")
        let seen = try await browser.open("/titles/\(dune)")
        #expect(seen.contains("You cannot borrow this title at the moment") && !seen.contains("/borrow"))
        try server.desk.write { session in
            for reason in ["Lost card", "Unpaid bill"] {
                _ = try session.patrons.block(.username("ann"), BlockRequest(kind: reason, reason: reason))
            }
        }
        try await browser.open("/titles/\(try title("9780141439587"))")
        try await browser.open("/")
        let refused = await browser.ask("POST", "/titles/\(dune)/borrow", try browser.form("/log-out"))
        #expect(refused.status == 409 && refused.fields["Content-Type"] == "text/html; charset=utf-8")
        #expect(refused.text.contains("<h1>This request could not be completed</h1>"))
        #expect(refused.text.contains("Lost card") && refused.text.contains("Unpaid bill"), "\(refused.text)")
        #expect(refused.text.contains(#"href="/titles/\#(dune)">Back"#))
        #expect(try loans(of: "ann") == 0)
    }

    @Test("a cart is filled, changed and checked out, and the page says what was lent")
    func cart() async throws {
        try await browser.logIn("ann")
        for isbn in ["9780141439587", "9780141182803"] {
            let path = "/titles/\(try title(isbn))"
            try await browser.open(path)
            #expect(try await browser.send("/cart").contains("is in your cart"))
        }
        #expect(browser.page.text.contains("Emma") && browser.page.text.contains("Ulysses"))
        #expect(browser.page.text.contains(#"<span class="badge">2"#))
        let line = try #require(browser.page.text.firstMatch(of: /\/cart\/(\d+)\/remove/)?.1)
        #expect(try await browser.send("/cart/\(line)/remove").contains("has been removed from your cart"))
        let form = try browser.form("/cart/checkout")
        let done = try await browser.send("/cart/checkout")
        #expect(done.contains("<h1>Checkout complete</h1>") && done.contains("<cite>Ulysses</cite>, due"), "\(done)")
        #expect(try loans(of: "ann") == 1)
        let again = await browser.ask("POST", "/cart/checkout", form)
        #expect(again.status == 303)
        let empty = try await browser.open("/cart")
        #expect(empty.contains("Your cart is empty"))
        #expect(try await browser.send("/log-out").contains("Log in"))
    }

    @Test("a checkout that the rules refuse names each title and lends nothing")
    func refusedCart() async throws {
        try await browser.logIn("ann")
        for isbn in ["9780441013593", "9780141439587"] {
            try await browser.open("/titles/\(try title(isbn))")
            try await browser.send("/cart")
        }
        _ = try await server.ask(.post, "/loans", ["isbn": "9780441013593"], as: "bob")
        let refused = try await browser.send("/cart/checkout")
        #expect(browser.page.status == 409 && refused.contains("<cite>Dune</cite>"), "\(refused)")
        #expect(try loans(of: "ann") == 0)
        #expect(try await browser.open("/cart").contains("Dune"))
    }

    @Test("the profile marks what is overdue in words, renews, and ends holds")
    func profile() async throws {
        try server.activatePolicy()
        _ = try await server.ask(.post, "/loans", ["isbn": "9780441013593"], as: "ann")
        _ = try await server.ask(.post, "/holds", ["isbn": "9780141439587"], as: "ann")
        try await browser.logIn("ann")
        let early = try await browser.open("/me")
        #expect(!early.contains("Overdue"))
        let loan = try #require(early.firstMatch(of: /\/me\/loans\/(\d+)\/renew/)?.1)
        func renewals() throws -> [Int64] {
            try server.desk.read { try $0.loans.active(of: .username("ann")).map { Int64($0.renewals) } }
        }
        try await browser.send("/me/loans/\(loan)/renew")
        #expect(try browser.page.status == 409 && renewals() == [0], "nothing would be gained yet")
        server.clock.set(try server.clock.now().adding(hours: 24 * 300))
        try await browser.logIn("ann")
        let late = try await browser.open("/me")
        #expect(late.contains(#"<strong class="tag late">Overdue</strong>"#) && late.contains("<time datetime="))
        let renewed = try await browser.send("/me/loans/\(loan)/renew")
        #expect(try renewed.contains("Dune has been renewed until") && renewals() == [1])
        let mine = try await browser.open("/me")
        let hold = try #require(mine.firstMatch(of: /\/me\/holds\/(\d+)\/cancel/)?.1)
        for (last, words) in [("2027-12-31", "until 31\u{A0}December\u{A0}2027"), ("", "until it is resumed")] {
            let paused = try await browser.send("/me/holds/\(hold)/pause", ["suspended_until": last])
            #expect(
                paused.contains("Emma: the hold is paused \(words).") && paused.contains(", paused \(words)"),
                "\(paused)")
            #expect(try await browser.send("/me/holds/\(hold)/resume").contains("Emma: the hold is active again."))
        }
        for last in ["2026-01-01", "never"] {
            try await browser.send("/me/holds/\(hold)/pause", ["suspended_until": last])
            #expect(browser.page.status == (last == "never" ? 400 : 409))
            #expect(try await browser.open("/me").contains("paused") == false)
        }
        #expect(try await browser.send("/me/holds/\(hold)/cancel").contains("the hold has been cancelled"))
        #expect(try await browser.open("/me/history").contains("<td>on loan</td>"))
    }

    @Test("details and password are changed; a wrong password is reported at its field")
    func details() async throws {
        try await browser.logIn("ann")
        try await browser.open("/me/details")
        #expect(
            try await browser.send("/me/details", ["name": "Anna", "surname": "Smith"]).contains(
                "details have been saved"))
        #expect(browser.page.text.contains(#"value="Anna""#))
        let wrong = try await browser.send("/me/password", ["old": "wrong horse", "password": "another password"])
        #expect(browser.page.status == 422 && wrong.contains(#"aria-describedby="old-wrong""#))
        let weak = try await browser.send("/me/password", ["old": TestServer.password, "password": "short"])
        #expect(browser.page.status == 422 && weak.contains(#"id="new-wrong""#))
        let set = try await browser.send("/me/password", ["old": TestServer.password, "password": "another password"])
        #expect(set.contains("Your password has been changed") && browser.page.status == 200)
        #expect(try server.accounts.verify("ann", password: "another password") != nil)
    }

    @Test("a form that is refused comes back as it was filled in, and says at the field what is wrong with it")
    func typed() async throws {
        try await browser.logIn("ann")
        let long = String(repeating: "x", count: 600)
        for (page, path, fields, field) in [
            ("/me/details", "/me/details", ["name": "Anna", "phone": long], "phone"),
            ("/me/suggestions", "/me/suggestions", ["name": "Optics", "college": "Physics", "isbn": "978x"], "isbn"),
            ("/me/listings/new", "/me/listings", ["name": "Optics", "kind": "sell", "price": "dear"], "price"),
            (
                "/me/listings/new", "/me/listings", ["name": "", "kind": "sell", "price": "2", "note": "Hardly read"],
                "name"
            ),
            ("/me/listings/new", "/me/listings", ["isbn": "978", "kind": "sell", "price": "2"], "isbn"),
        ] {
            try await browser.open(page)
            let again = try await browser.send(path, fields)
            #expect(browser.page.status == 400, "\(fields)")
            for text in fields.values where !text.isEmpty {
                #expect(again.contains(">\(text)<") || again.contains("value=\"\(text)\""), "\(text): \(again)")
            }
            #expect(again.contains("<a href=\"#\(field)\">") && again.contains("id=\"\(field)-wrong\""), "\(again)")
        }
        let visitor = PageBrowser(server)
        try await visitor.open("/sign-up")
        let form = ["username": "zoe", "password": "a good password", "name": "Zoe", "phone": long]
        let again = try await visitor.send("/sign-up", form)
        #expect(visitor.page.status == 422 && again.contains(#"value="Zoe""#) && again.contains("id=\"phone-wrong\""))
        #expect(again.contains(#"value="zoe""#) && !again.contains("a good password"))
    }

    @Test("messages are shown, and marked as read one by one or all at once")
    func notifications() async throws {
        for number in 1...3 {
            let message: JSON = [
                "patron": "ann", "subject": .string("News \(number)"), "body": "Line one\nLine <two>",
                "key": .string("k\(number)"),
            ]
            _ = try await server.ask(.post, "/notifications", message, as: "staff")
        }
        try await browser.logIn("ann")
        let page = try await browser.open("/me/notifications")
        #expect(page.contains("News 2") && page.contains("Line one\nLine &lt;two&gt;"))
        #expect(page.contains(#"<span class="badge">3"#))
        let notice = try #require(page.firstMatch(of: /\/me\/notifications\/(\d+)\/read/)?.1)
        #expect(try await browser.send("/me/notifications/\(notice)/read").contains(#"<span class="badge">2"#))
        #expect(try await browser.send("/me/notifications/read").contains("class=\"badge\"") == false)
    }

    @Test("a title is kept among the favourites and taken off again, by its page or the list")
    func favourites() async throws {
        try await browser.logIn("ann")
        let title = try await browser.open("/titles/9780141439587")
        let path = try #require(title.firstMatch(of: /action="(\/titles\/\d+)\/favourite"/)?.1)
        #expect(try await browser.send("\(path)/favourite").contains("Emma was added to your favourites."))
        #expect(browser.page.text.contains("Remove from favourites"))
        let list = try await browser.open("/me/favourites")
        #expect(list.contains("<a href=\"\(path)\">Emma</a>"), "\(list)")
        let form = try #require(list.firstMatch(of: /\/me\/favourites\/\d+\/remove/)?.0)
        #expect(try await browser.send(String(form)).contains("Emma was removed from your favourites."))
        #expect(browser.page.text.contains("You have no favourites yet."))
    }

    @Test("a forgotten password is set anew by the link, whose token stands in no address that is kept")
    func reset() async throws {
        try await browser.open("/forgotten")
        #expect(try await browser.send("/forgotten", ["username": "ann"]).contains("we have sent a link"))
        let known = browser.page.text
        #expect(try await browser.send("/forgotten", ["username": "nobody"]).count == known.count)
        let link = try #require(server.teller.all.links.first)
        #expect(server.teller.all.links.count == 1)
        let path = String(link.dropFirst(server.settings.url.count))
        let moved = await browser.ask("GET", path)
        #expect(moved.status == 303 && moved.fields["Location"] == "/reset")
        #expect(!server.teller.all.lines.joined().contains("msr_"))
        try await browser.open("/reset")
        #expect(!browser.page.text.contains("msr_"))
        #expect(try await browser.send("/reset", ["password": "short"]).contains("id=\"wrong\""))
        #expect(
            try await browser.send("/reset", ["password": "another password"]).contains(
                "Your new password has been set"))
        #expect(try server.accounts.verify("ann", password: "another password") != nil)
        _ = await browser.ask("GET", path)
        try await browser.open("/reset")
        #expect(try await browser.send("/reset", ["password": "one more password"]).contains("no longer valid"))
    }

    @Test("mistyped words are answered by what was meant, and the page says so")
    func spelling() async throws {
        try server.desk.write { session in
            for number in 1...5 {
                _ = try session.catalogue.add(Title(title: "Dubliners \(number)", authors: ["James Joyce"]))
            }
            _ = try session.catalogue.add(Title(title: "Joice"))
        }
        let page = try await browser.open("/search?query=dublinners+joice&by=all")
        #expect(page.contains("No results for “dublinners joice”."))
        #expect(page.contains(#"<a href="/search?query=dubliners%20joyce">dubliners joyce</a>"#))
        #expect(page.contains("5\u{A0}titles found") && page.contains("<a href=\"/titles/"))
        // Where something is found, it is shown, and what is much more common is offered.
        let asked = try await browser.open("/search?query=joice")
        #expect(asked.contains("1\u{A0}title found"))
        #expect(asked.contains(#"Did you mean <a href="/search?query=joyce">joyce</a>?"#))
        let nothing = try await browser.open("/search?query=%3Cscript%3Eulises")
        #expect(nothing.contains("&lt;script&gt;") && nothing.contains("0\u{A0}titles found"))
        #expect(!(try await browser.open("/search?query=ulysses").contains("Did you mean")))
    }

    @Test("lists of titles come a page at a time, and search keeps its words")
    func search() async throws {
        try server.desk.write { session in
            for number in 1...45 { _ = try session.catalogue.add(Title(title: "Logic \(number)", authors: ["Boole"])) }
        }
        let first = try await browser.open("/search?query=logic&by=title")
        #expect(
            first.contains("45\u{A0}titles found") && first.contains("Page 1 of 3") && !first.contains("rel=\"prev\""))
        let next = try #require(first.firstMatch(of: /rel="next" href="([^"]*)"/)?.1)
        let second = try await browser.open(String(next).replacing("&amp;", with: "&"))
        #expect(second.contains("Page 2 of 3") && second.contains("rel=\"prev\""))
        #expect(try await browser.open("/search?query=logic&available=yes").contains("0\u{A0}titles found"))
        #expect(try await browser.open("/search?page=99999999999999999999&by=nonsense").contains("Page 1 of"))
    }

    @Test(
        "a search is narrowed by links with counts, which combine and are taken away again, and put in order"
    )
    func narrowing() async throws {
        try server.desk.write { session in
            for number in 1...45 {
                _ = try session.catalogue.add(
                    Title(
                        title: "Logic \(number)",
                        authors: [number.isMultiple(of: 3) ? "Boole & Sons" : "Frege"],
                        year: 1850 + Int64(number), language: "en", genres: ["Logic"], subjects: ["<Proof>"]))
            }
        }
        func link(_ name: String) throws -> String {
            let pattern = try Regex(
                "<a[^>]*href=\"([^\"]*)\"[^>]*>(<span class=\"unseen\">Remove </span>)?[^<]*" + name)
            let match = try #require(browser.page.text.firstMatch(of: pattern), "\(name)")
            return String(match[1].substring ?? "").replacing("&amp;", with: "&")
        }
        let all = try await browser.open("/search?query=logic")
        #expect(all.contains("45\u{A0}titles found") && all.contains("<h2 id=\"narrow\">"))
        #expect(all.contains(#">Boole &amp; Sons</a> <span class="soft">15<"#))
        // What all have is not offered.
        #expect(!all.contains("&lt;Proof&gt;</a>") && !all.contains("<h3>Language</h3>"))
        let boole = try await browser.open(try link("Boole &amp; Sons</a> <"))
        #expect(boole.contains("15\u{A0}titles found") && boole.contains("Author: Boole &amp; Sons"))
        let decade = try await browser.open(try link("1860s"))
        #expect(decade.contains("3\u{A0}titles found") && decade.contains("Decade: 1860s"))
        let year = try await browser.open(try link("1862"))
        #expect(year.contains("0\u{A0}titles") == false && year.contains("1\u{A0}title found"))
        let back = try await browser.open(try link("Author: Boole"))
        #expect(back.contains("Year: 1862") && !back.contains("Author: "))
        let ordered = try await browser.open("/search?query=logic&order=year")
        #expect(ordered.contains(#"<strong aria-current="true">Year</strong>"#))
        let first = try #require(ordered.firstRange(of: "Logic 45")?.lowerBound)
        #expect(first < (try #require(ordered.firstRange(of: "Logic 44")?.lowerBound)))
        #expect(
            try await browser.open(try link("<span class=\"unseen\">Page </span>3")).contains(
                "Page 3 of 3"))
        // What a person types into the address is taken as far as it makes sense.
        for path in [
            "year=x&decade=5&language=\(String(repeating: "e", count: 99))", "order=nonsense&branch=nowhere",
            "author=%21",
        ] {
            let page = try await browser.open("/search?\(path)")
            #expect(browser.page.status == 200 && page.contains("found."), "\(path)")
        }
    }

    @Test("a title's authors, genres and subjects lead to what else there is of them")
    func links() async throws {
        let id = try server.desk.write { session in
            try session.catalogue.add(
                Title(
                    title: "Whales", authors: ["Ann & Bo"], year: 1851, language: "en", genres: ["Nature"],
                    subjects: ["Whales -- \"Sea\""])
            ).value?.id ?? 0
        }
        let page = try await browser.open("/titles/\(id)")
        for (link, name) in [
            ("author=Ann%20%26%20Bo", "Ann &amp; Bo"), ("genre=Nature", "Nature"), ("year=1851", "1851"),
            ("language=en", "English"),
            ("genre=Whales%20--%20%22Sea%22", "Whales -- &quot;Sea&quot;"),
        ] {
            #expect(page.contains("<a href=\"/search?\(link)\">\(name)</a>"), "\(link)")
            #expect(
                try await browser.open("/search?\(link)").contains("href=\"/titles/\(id)\""), "\(link)")
        }
    }

    @Test("every page that is looked at is shown whole, to a patron and to staff")
    func whole() async throws {
        #expect(PageTable.brokenTemplates == [])
        for name in ["ann", "staff"] {
            let browser = PageBrowser(server)
            try await browser.logIn(name)
            let offer: JSON = ["seller": .string(name), "isbn": "9780441013593", "kind": "sell", "price": "4.50"]
            let listing = try await server.ask(.post, "/listings", offer, as: name).json["id"]?.integerValue ?? 0
            for path in PageTable.shownPaths
            where ![
                "/assets/", "/cart/checkout", "/desk/reports/", "/new.rss", "/opds", "/market/{listing}/price",
            ].contains(where: path.hasPrefix) {
                let page = try await browser.open(
                    path.replacing("{listing}", with: "\(listing)").replacing(/{[a-z]+}/, with: "1"))
                #expect([200, 404].contains(browser.page.status), "\(path): \(page)")
                #expect(page.hasPrefix("<!DOCTYPE html>") && page.hasSuffix("</html>\n"), "\(path)")
                // A policy has braces of its own.
                #expect(path == "/desk/policy" || !page.contains("{{") && !page.contains("Optional("), "\(path)")
            }
        }
        #expect(server.teller.all.faults == [])
    }
}
