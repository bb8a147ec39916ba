import Circulation
import Desk
import DeskSupport
import Scripting
import Server
import Testing
import TextFormats

@Suite("Pages of the market")
struct MarketPagesTests {
    private let server: TestServer
    private let seller: PageBrowser
    private let buyer: PageBrowser
    private static let dune = "9780441013593"

    init() throws {
        server = try TestServer()
        seller = PageBrowser(server)
        buyer = PageBrowser(server)
    }

    /// Offers Dune by the form.
    private func publish(_ fields: [String: String]) async throws -> String {
        try await seller.logIn("ann")
        try await seller.open("/me/listings/new?isbn=\(Self.dune)")
        let sent = ["isbn": Self.dune, "quantity": "2"].merging(fields) { $1 }
        let page = try await seller.send("/me/listings", sent)
        #expect(page.contains("Dune has been saved."), "\(page)")
        return String(try #require(page.firstMatch(of: /href="(\/market\/\d+)"/)?.1))
    }

    @Test("a book is offered, found by words, course and seller, bought, and handed over")
    func sale() async throws {
        let path = try await publish(["kind": "sell", "price": "4.50", "condition": "Read once"])
        for query in ["", "?text=dune", "?seller=ann", "?kind=sell", "?kind=nonsense"] {
            let found = try await buyer.open("/market\(query)")
            #expect(found.contains(path) && found.contains("4.50\u{A0}EUR") && found.contains("from ann"), "\(query)")
        }
        for query in ["?text=emma", "?seller=bob", "?kind=rent", "?course=X1", "?college=Y"] {
            #expect(try await buyer.open("/market\(query)").contains("No offers found"), "\(query)")
        }
        #expect(try await buyer.open(path).contains("Log in to buy, rent or swap"))
        try await buyer.logIn("bob")
        try await buyer.open(path)
        let orders = try await buyer.send("\(path)/buy", ["quantity": "1"])
        #expect(
            orders.contains("1 × <a href=\"/titles/1\">Dune</a>, from ann") && orders.contains("To be handed over"),
            "\(orders)")
        #expect(orders.contains("4.80\u{A0}EUR with the seller"), "\(orders)")
        #expect(try await !buyer.open("/me").contains("You owe"))
        let sold = try await seller.open("/me/orders")
        let order = try #require(sold.firstMatch(of: /\/me\/orders\/(\d+)\/hand-over/)?.1)
        #expect(try await seller.send("/me/orders/\(order)/hand-over").contains("Recorded as handed over."))
        #expect(try await buyer.open("/titles/1").contains("On the market"))
        #expect(try await buyer.open(path).contains("Price history"))
    }

    @Test("a book is rented until a date and given back; the lender alone says so")
    func rental() async throws {
        let path = try await publish(["kind": "rent", "price": "1.00", "period": "P1W"])
        try await buyer.logIn("bob")
        #expect(try await buyer.open(path).contains("1.00\u{A0}EUR per week"))
        let rented = try await buyer.send("\(path)/rent", ["ends_on": "2026-03-20", "quantity": "1"])
        #expect(rented.contains("20\u{A0}March\u{A0}2026") && rented.contains("<td>ann</td>"), "\(rented)")
        server.clock.set(try server.clock.now().adding(hours: 24 * 30))
        try await buyer.logIn("bob")
        #expect(try await buyer.open("/me/rentals").contains(">Overdue</strong>"))
        try await seller.logIn("ann")
        let lent = try await seller.open("/me/rentals")
        let rental = try #require(lent.firstMatch(of: /\/me\/rentals\/(\d+)\/give-back/)?.1)
        #expect(try await seller.send("/me/rentals/\(rental)/give-back").contains("Recorded as returned"))
        #expect(!(try await buyer.open("/me/rentals").contains("Overdue")))
    }

    @Test("what is found begins like the words that were typed; one's own offers and recommended ones are listed alone")
    func finding() async throws {
        let path = try await publish(["kind": "sell", "price": "4.50", "recommended": "yes"])
        for query in ["?text=dun", "?recommended=yes", "?text=du&kind=sell"] {
            #expect(try await buyer.open("/market\(query)").contains(path), "\(query)")
        }
        #expect(try await !buyer.open("/market?text=d").contains(path))
        #expect(try await seller.open("/market?seller=me").contains(path))
        #expect(try await seller.open(path).contains("Recommended by its seller"))
        #expect(await buyer.ask("GET", "/market", fields: []).status == 200)
        let asked = await buyer.ask("GET", "/market?seller=me")
        #expect(asked.status == 303 && asked.fields["Location"]?.hasPrefix("/log-in") == true)
        let edit = "/me/listings/\(path.dropFirst("/market/".count))"
        #expect(try await seller.open(edit).contains(#"value="yes" checked"#))
        #expect(try await !seller.send(edit, ["price": "4.50"]).contains("refused"))
        #expect(try await buyer.open("/market?recommended=yes").contains("No offers found"))
        #expect(server.teller.all.faults == [])
    }

    @Test("colleges are chosen from those of the catalogue, and another may be typed")
    func colleges() async throws {
        _ = try await server.ask(.patch, "/titles/9780441013593", ["college": "Letters <&>"], as: "staff")
        _ = try await publish(["kind": "donate"])
        let page = try await seller.open("/me/listings/new")
        #expect(page.contains(#"list="college-list""#) && page.contains(#"<option value="Letters &lt;&amp;&gt;">"#))
        let market = try await buyer.open("/market?college=Letters%20%3C%26%3E")
        #expect(market.contains("<option selected>Letters &lt;&amp;&gt;</option>") && market.contains("Dune"))
    }

    @Test("what it costs is said before it is bought, with and without JavaScript")
    func cost() async throws {
        let path = try await publish(["kind": "sell", "price": "4.50"])
        #expect(try await !buyer.open(path).contains("<script"))
        #expect(await buyer.ask("GET", "\(path)/price?quantity=2").status == 303)
        try await buyer.logIn("bob")
        let page = try await buyer.open(path)
        #expect(page.contains("4.80\u{A0}EUR in total (Dune: 4.50\u{A0}EUR; Taxes (6.62 %): 0.30\u{A0}EUR)"), "\(page)")
        let two = await buyer.ask("GET", "\(path)/price?quantity=2")
        #expect(two.fields["Content-Type"] == "application/json")
        #expect(two.json["words"]?.stringValue?.hasPrefix("9.60\u{A0}EUR in total") == true, "\(two.text)")
        for (query, words) in [
            ("quantity=3", "Sold out."), ("quantity=0", "from 1 to"), ("quantity=x", "whole number"),
            ("ends_on=never", "a date"),
        ] {
            let answer = await buyer.ask("GET", "\(path)/price?\(query)")
            #expect(
                answer.status == 200 && answer.json["words"]?.stringValue?.contains(words) == true, "\(answer.text)")
        }
        #expect(await buyer.ask("GET", "/market/999/price").status == 404)
        // The button, where no script runs, shows the same page with what was typed.
        let again = try await buyer.send("\(path)/price", ["quantity": "2"])
        #expect(again.contains(#"value="2""#) && again.contains("9.60\u{A0}EUR in total"), "\(again)")
        // The one script is named by its digest, and asks this server alone.
        let policy = buyer.page.fields["Content-Security-Policy"] ?? ""
        #expect(policy.contains("script-src 'sha256-") && policy.contains("connect-src 'self'"))
        #expect(!policy.contains("unsafe") && buyer.page.text.matches(of: /<script>/).count == 1)
        #expect(server.teller.all.faults == [])
    }

    @Test("an owner records a rental by the borrower's public name, who may say that it is not so")
    func recording() async throws {
        let path = try await publish(["kind": "rent", "price": "1.00", "period": "P1W"])
        let edit = "/me/listings/\(path.dropFirst("/market/".count))"
        let form = try await seller.open(edit)
        #expect(form.contains("Record a rental") && form.contains(#"max="2""#))
        let wrong = try await seller.send("\(edit)/rentals", ["borrower": "nobody", "ends_on": "2026-03-20"])
        #expect(wrong.contains("There is no member called nobody."), "\(wrong)")
        // Each of the two forms has its own pieces.
        #expect(wrong.contains(#"value="nobody""#) && wrong.contains(/id="listing-quantity"[^>]* value="2"/))
        try await seller.open(edit)
        let missing = try await seller.send("\(edit)/rentals", ["borrower": "bob", "ends_on": "soon"])
        #expect(missing.contains("a date"), "\(missing)")
        try await seller.open(edit)
        let lent = try await seller.send("\(edit)/rentals", ["borrower": "bob", "ends_on": "2026-03-20"])
        #expect(lent.contains("The rental has been recorded") && lent.contains("<td>bob</td>"), "\(lent)")
        try await buyer.logIn("bob")
        #expect(
            try await buyer.open("/me/notifications").contains(
                "ann has written down that you rent Dune until 20 March 2026"))
        #expect(try await !buyer.open("/me").contains("You owe"))
        let rented = try await buyer.open("/me/rentals")
        let rental = try #require(rented.firstMatch(of: /\/me\/rentals\/(\d+)\/give-back/)?.1)
        #expect(try await buyer.send("/me/rentals/\(rental)/give-back").contains("Recorded as returned"))
        #expect(try await buyer.open(path).contains("<dd>2</dd>"))
        #expect(server.teller.all.faults == [])
    }

    @Test("prices and sales are drawn, month by month, from orders and what an import brought")
    func charts() async throws {
        let path = try await publish(["kind": "sell", "price": "4.50"])
        #expect(try await !buyer.open(path).contains("<svg class=\"chart\""))
        let past: JSON = ["extra": ["older": ["months": [["month": "2026-01", "sold": 3, "price": "20.00 EUR"]]]]]
        let changed = try await server.ask(.patch, "/titles/9780441013593", past, as: "staff")
        #expect(changed.status == 200, "\(changed.text)")
        let page = try await buyer.open(path)
        #expect(page.matches(of: /<svg class="chart"/).count == 2 && page.contains("2026-01: 20"), "\(page)")
        #expect(page.contains("2026-01: 3") && !page.contains("style="))
    }

    @Test("what is offered goes into the cart, another way is chosen there, and it is paid by one order")
    func cart() async throws {
        let sale = try await publish(["kind": "sell", "price": "4.50"])
        _ = try await publish(["kind": "rent", "price": "1.00", "period": "P1W"])
        try await buyer.logIn("bob")
        try await buyer.open(sale)
        let cart = try await buyer.send("/cart")
        #expect(
            cart.contains("Cost") && cart.contains("4.50\u{A0}EUR") && cart.contains("Borrow it"), "\(cart)")
        let line = try #require(cart.firstMatch(of: /\/cart\/(\d+)\/instead/)?.1)
        let changed = try await buyer.send("/cart/\(line)", ["quantity": "2"])
        #expect(changed.contains("9.00\u{A0}EUR"))
        let instead = try await buyer.send("/cart/\(line)/instead", ["choice": "title 1"])
        #expect(instead.contains("<p class=\"soft\">Borrow</p>") && !instead.contains("4.50\u{A0}EUR at"), "\(instead)")
        #expect(try await buyer.send("/cart/checkout").contains("Checked out"))
    }

    @Test("a form that the library refuses is shown again as it was filled in, with the reason")
    func again() async throws {
        try await seller.logIn("ann")
        try await seller.open("/me/listings/new")
        let page = try await seller.send(
            "/me/listings", ["isbn": "123", "kind": "sell", "price": "dear", "note": "My <own> words", "quantity": "3"])
        #expect(seller.page.status == 400 && page.contains("role=\"alert\""))
        #expect(
            page.contains("My &lt;own&gt; words") && page.contains(#"value="dear""#) && page.contains(#"value="3""#))
        try await seller.open("/me/suggestions")
        let wrong = try await seller.send("/me/suggestions", ["name": "Optics", "isbn": "123"])
        #expect(seller.page.status == 400 && wrong.contains(#"value="Optics""#))
    }

    @Test("an offer is changed, hidden and withdrawn by its owner; to others it is not there")
    func changing() async throws {
        let path = try await publish(["kind": "sell", "price": "4.50", "note": "First"])
        let id = path.dropFirst("/market/".count)
        let edit = "/me/listings/\(id)"
        #expect(try await seller.open(edit).contains(">First</textarea>"))
        let changed = try await seller.send(edit, ["price": "3.00", "note": "", "state": "hidden", "quantity": "1"])
        #expect(changed.contains("3.00\u{A0}EUR") && changed.contains("Hidden"), "\(changed)")
        for name in ["bob", "staff"] {
            try await buyer.logIn(name)
            let (own, none) = (await buyer.ask("GET", edit), await buyer.ask("GET", "/me/listings/999"))
            #expect(own.status == 404 && own.body == none.body)
            let form = try buyer.form("/log-out")
            for action in [edit, edit + "/withdraw"] {
                #expect(await buyer.ask("POST", action, form).status == 404, "\(name) \(action)")
            }
        }
        try await buyer.logIn("bob")
        let (hidden, missing) = (await buyer.ask("GET", path), await buyer.ask("GET", "/market/999"))
        #expect(hidden.status == 404 && hidden.body == missing.body)
        try await seller.open("/me/listings")
        #expect(try await seller.send("\(edit)/withdraw").contains("has been withdrawn"))
    }

    @Test("the owner gets a message without an address, and the owner's address stays hidden")
    func contact() async throws {
        let path = try await publish(["kind": "trade"])
        try await buyer.logIn("bob")
        try await buyer.open(path)
        let page = try await buyer.send("\(path)/contact", ["text": "Would you take\r\nEmma?"])
        #expect(page.contains("Your message has been sent") && !page.contains("example.org"))
        let got = try await seller.open("/me/notifications")
        #expect(got.contains("Would you take\nEmma?") && got.contains("bob") && !got.contains("bob@example.org"))
    }

    @Test("both answer on a page of their own, which a third does not find, and one may take no more messages")
    func conversation() async throws {
        let path = try await publish(["kind": "trade"])
        try await buyer.logIn("bob")
        try await buyer.open(path)
        try await buyer.send("\(path)/contact", ["text": "Would you take Emma?"])
        let thread = String(try #require(buyer.page.text.firstMatch(of: /\/me\/messages\/[0-9]+/)).output)
        #expect(try await seller.open("/me/messages").contains("1 new"))
        #expect(try await seller.open(thread).contains("Would you take Emma?"))
        #expect(try await seller.send("\(thread)/read").contains("Marked as read."))
        #expect(try await !seller.open("/me/messages").contains("1 new"))
        try await seller.open(thread)
        #expect(try await seller.send(thread, ["text": "<b>Gladly</b>"]).contains("&lt;b&gt;Gladly&lt;/b&gt;"))
        #expect(try await buyer.open(thread).contains("Gladly"))
        #expect(try await !buyer.open(thread).contains("@example.org"))
        #expect(try await seller.send("\(thread)/block").contains("You have blocked messages from"))
        #expect(
            try await buyer.send(thread, ["text": "Hello?"]).contains("This member does not accept messages from you."))
        #expect(try await seller.send("\(thread)/unblock").contains("This member can write to you again."))
        let stranger = PageBrowser(server)
        try await stranger.open("/sign-up")
        try await stranger.send("/sign-up", ["username": "eve", "password": "a good password"])
        #expect(await stranger.ask("GET", thread).status == 404)
        let form = try stranger.form("/log-out")
        for action in ["", "/read", "/block", "/unblock"] {
            let answer = await stranger.ask("POST", thread + action, form + "&text=Hi")
            #expect(answer.status != 200 && !answer.text.contains("Gladly"), "\(action)")
        }
    }

    @Test("orders and rentals of others cannot be touched by guessing numbers")
    func guesses() async throws {
        let path = try await publish(["kind": "sell", "price": "4.50"])
        try await buyer.logIn("bob")
        try await buyer.open(path)
        try await buyer.send("\(path)/buy")
        let stranger = PageBrowser(server)
        try await stranger.open("/sign-up")
        try await stranger.send("/sign-up", ["username": "eve", "password": "a good password"])
        let form = try stranger.form("/log-out")
        for action in ["orders/{}/cancel", "orders/{}/hand-over", "rentals/{}/give-back"] {
            let seen = await stranger.ask("POST", "/me/" + action.replacing("{}", with: "1"), form)
            let missing = await stranger.ask("POST", "/me/" + action.replacing("{}", with: "999"), form)
            #expect(seen.status == 404 && seen.body == missing.body, "\(action)")
        }
        #expect(try await buyer.open("/me/orders").contains("To be handed over"))
    }

    @Test("a title is suggested, and its outcome is shown")
    func suggestions() async throws {
        try await seller.logIn("ann")
        try await seller.open("/me/suggestions")
        let sent = try await seller.send(
            "/me/suggestions", ["name": "Optics", "isbn": "9780133977226", "authors": "Hecht, Zajac"])
        #expect(sent.contains("Under review") && sent.contains("Hecht, Zajac"), "\(sent)")
        _ = try await server.ask(.post, "/suggestions/1/approve", ["message": "Gladly"], as: "staff")
        let told = try await seller.open("/me/suggestions")
        #expect(told.contains("In the catalogue") && told.contains("Gladly") && told.contains("/titles/4"))
    }
}
