import Circulation
import Desk
import DeskSupport
import Scripting
import Server
import Testing
import TextFormats

@Suite("Pages of the desk")
struct DeskPagesTests {
    private let server: TestServer
    private let browser: PageBrowser

    init() throws {
        server = try TestServer()
        browser = PageBrowser(server)
    }

    private func loans(of name: String) throws -> Int {
        try server.desk.read { try $0.loans.active(of: .username(name)).count }
    }

    private func barcode(_ isbn: String) throws -> String {
        try #require(try server.desk.read { try $0.catalogue.copies(of: .isbn(ISBN(isbn))).first?.barcode })
    }

    /// A policy that asks for confirmation about Emma and can be overridden about Ulysses.
    private func activateAskingPolicy() throws {
        try server.activatePolicy(
            """
            limits = { { max = 3 } }, rules = { { loan = days(14) } },
            checkout = function(case)
                if case.title.id == 2 then return confirm("fragile", "Has it been looked at?") end
                if case.title.id == 3 then return deny("dear", "It is dear.", { override = true }) end
            end,
            """)
    }

    @Test("patrons and visitors find at the staff's addresses what they find nowhere, byte for byte")
    func notForOthers() async throws {
        let patron = PageBrowser(server)
        try await patron.logIn("ann")
        let staff = PageTable.shownPaths.filter { $0.hasPrefix("/desk") }
        #expect(staff.count >= 4)
        for other in [patron, browser] {
            let nowhere = await other.ask("GET", "/nowhere")
            let form = try? patron.form("/log-out")
            for path in staff.map({ $0.replacing(/{[a-z]+}/, with: "1") }) {
                let answer = await other.ask("GET", path)
                #expect(answer.status == 404 && answer.body == nowhere.body, "\(path)")
            }
            for path in ["/desk/check-out", "/desk/check-in", "/desk/renew", "/desk/patrons/1/pay"] {
                for method in ["GET", "POST"] {
                    let answer = await other.ask(method, path, method == "POST" ? form ?? "" : "")
                    #expect(answer.status == 404 && answer.body == nowhere.body, "\(method) \(path)")
                }
            }
        }
        #expect(try await patron.open("/").contains("/desk") == false)
        try await browser.logIn("staff")
        #expect(try await browser.open("/").contains(#"<a href="/desk">Desk</a>"#))
    }

    @Test("a card and a barcode lend, the same barcode renews, and Enter is all that has to be pressed")
    func counter() async throws {
        try server.activatePolicy()
        try await browser.logIn("staff")
        #expect(try await browser.open("/desk").contains(#"name="patron" autofocus"#))
        let page = try await browser.open("/desk?patron=ann")
        #expect(page.contains(#"id="item" name="item" autofocus"#) && page.contains("The patron has no loans"))
        let dune = try barcode("9780441013593")
        let form = try browser.form("/desk/check-out", ["item": dune])
        let lent = try await browser.send("/desk/check-out", ["item": dune])
        #expect(lent.contains(#"role="status">Dune has been checked out to ann Smith until 16"#), "\(lent)")
        #expect(await browser.ask("POST", "/desk/check-out", form).status == 303)
        let loan = try #require(try server.desk.read { try $0.loans.get(.barcode(dune)) })
        #expect(loan.channel == .desk && loan.renewals == 0)
        #expect(try loans(of: "ann") == 1)
        server.clock.set(try server.clock.now().adding(hours: 24))
        try await browser.logIn("staff")
        try await browser.open("/desk?patron=ann")
        #expect(try await browser.send("/desk/check-out", ["item": dune]).contains("Dune has been renewed until"))
        #expect(try await browser.send("/desk/renew").contains("Nothing was changed because:"))
        #expect(browser.page.status == 409)
        let id = try server.id(of: "ann")
        for words in ["\(id)", "ann", "smith+ann", "ann%40example.org"] {
            #expect(try await browser.open("/desk?patron=\(words)").contains("number \(id)"), "\(words)")
        }
        #expect(try await browser.open("/desk?patron=smith").contains("Matching patrons"))
        #expect(try await browser.open("/desk?patron=nobody").contains("No patron found"))
    }

    @Test("an ISBN works in place of a barcode, and a text that is neither is refused")
    func isbns() async throws {
        try await browser.logIn("staff")
        try await browser.open("/desk?patron=ann")
        #expect(
            try await browser.send("/desk/check-out", ["item": "978-0-14-118280-3"]).contains(
                "Ulysses has been checked out to"))
        for item in ["12345", "9780000000000", "%", "../patrons"] {
            let page = try await browser.send("/desk/check-out", ["item": item])
            #expect(browser.page.status == 404 && page.contains("No copy has this barcode"), "\(item)")
            try await browser.open("/desk?patron=ann")
        }
        try await browser.open("/desk/returns")
        #expect(
            try await browser.send("/desk/check-in", ["item": "9780141182803"]).contains(
                "Ulysses has been checked in from ann"))
        let page = try await browser.send("/desk/check-in", ["item": "9780141182803"])
        #expect(browser.page.status == 409 && page.contains("Scan the barcode of the copy"))
        #expect(try loans(of: "ann") == 0)
    }

    @Test(
        "what the policy asks is answered with a reason and asked again; what it leaves to staff they may do all the same"
    )
    func questions() async throws {
        try activateAskingPolicy()
        try await browser.logIn("staff")
        try await browser.open("/desk?patron=ann")
        let (emma, ulysses) = (try barcode("9780141439587"), try barcode("9780141182803"))
        let asked = try await browser.send("/desk/check-out", ["item": emma])
        #expect(
            browser.page.status == 409 && asked.contains("Has it been looked at?") && asked.contains("Yes, continue"))
        #expect(asked.contains("Please confirm first:") && !asked.contains("in spite of it"))
        let wordless = await browser.ask("POST", "/desk/check-out", try browser.form("/desk/check-out"))
        #expect(wordless.status == 400 && wordless.text.contains("reason"), "\(wordless.text)")
        #expect(try loans(of: "ann") == 0)
        #expect(
            try await browser.send("/desk/check-out", ["reason": "Looked at"]).contains(
                "Emma has been checked out to ann"))
        let refused = try await browser.send("/desk/check-out", ["item": ulysses])
        #expect(refused.contains("It is dear.") && refused.contains(">Override<"))
        #expect(refused.contains("you can override them") && !refused.contains("Please confirm first:"))
        #expect(
            try await browser.send("/desk/check-out", ["reason": "The head said so"]).contains(
                "Ulysses has been checked out")
        )
        #expect(try loans(of: "ann") == 2)
        try server.desk.write { session in
            for reason in ["Lost card", "Unpaid bill"] {
                _ = try session.patrons.block(.username("ann"), BlockRequest(kind: "manual", reason: reason))
            }
        }
        let blocked = try await browser.send("/desk/check-out", ["item": try barcode("9780441013593")])
        #expect(blocked.contains("Lost card") && blocked.contains("Unpaid bill") && !blocked.contains("Yes, go on"))
        #expect(try loans(of: "ann") == 2)
    }

    @Test("a return says what to do with the copy and what the patron has to pay")
    func returns() async throws {
        try server.activatePolicy()
        let dune = try barcode("9780441013593")
        _ = try await server.ask(.post, "/loans", ["patron": "ann", "barcode": .string(dune)], as: "staff")
        _ = try await server.ask(.post, "/holds", ["isbn": "9780441013593"], as: "bob")
        server.clock.set(try server.clock.now().adding(hours: 24 * 20))
        try await browser.logIn("staff")
        #expect(try await browser.open("/desk?patron=ann").contains(#"<strong class="tag late">Overdue</strong>"#))
        try await browser.open("/desk/returns")
        let page = try await browser.send("/desk/check-in", ["item": dune])
        #expect(
            page.contains(
                "Dune has been checked in from ann Smith. Put it on the hold shelf for bob Smith until"), "\(page)")
        #expect(page.contains("6.00\u{A0}EUR") && page.contains(#"id="item" name="item" autofocus"#))
        #expect(try await browser.open("/desk?patron=bob").contains("Ready for pickup"))
        #expect(try await browser.open("/desk?patron=ann").contains("Owes 6.00\u{A0}EUR"))
    }

    @Test("what came back earlier costs up to then, and the moment stays for the next scan")
    func earlierReturns() async throws {
        try server.activatePolicy()
        let copies = try ["9780441013593", "9780141439587"].map(barcode)
        for copy in copies {
            _ = try await server.ask(.post, "/loans", ["patron": "ann", "barcode": .string(copy)], as: "staff")
        }
        server.clock.set(try server.clock.now().adding(hours: 24 * 20))
        try await browser.logIn("staff")
        try await browser.open("/desk/returns")
        for (at, status) in [("2026-03-01T09:00", 409), ("2026-04-24T09:00", 409), ("yesterday", 400)] {
            let again = try await browser.send("/desk/check-in", ["item": copies[0], "at": at])
            #expect(browser.page.status == status && again.contains("value=\"\(at)\""), "\(at): \(again)")
        }
        let first = try await browser.send("/desk/check-in", ["item": copies[0], "at": "2026-03-17T09:00"])
        #expect(
            first.contains("Dune has been checked in from ann Smith.") && first.contains("1.00\u{A0}EUR"), "\(first)")
        #expect(first.contains(#"value="2026-03-17T09:00""#) && first.contains("<details open>"))
        let loan = try #require(
            try server.desk.read { try $0.loans.history(of: .username("ann")).first { $0.title == 1 } })
        #expect(loan.returnedAt == (try Instant(parsing: "2026-03-17T09:00:00Z")))
        let late = try await browser.send("/desk/check-in", ["item": copies[1], "at": ""])
        #expect(late.contains("6.00\u{A0}EUR") && !late.contains("<details open>"), "\(late)")
    }

    @Test("staff charge, give a payment back, and pause a patron's hold")
    func charges() async throws {
        let id = try server.id(of: "ann")
        let path = "/desk/patrons/\(id)"
        func owed() throws -> String { try server.desk.read { try $0.fees.owed(by: .id(id)) }.description }
        _ = try await server.ask(.post, "/holds", ["isbn": "9780441013593"], as: "ann")
        try await browser.logIn("staff")
        let bare = try await browser.open(path)
        #expect(bare.contains("The patron owes nothing.") && !bare.contains("<h3>Refund</h3>"))
        let again = try await browser.send("\(path)/charge", ["amount": "much", "label": "Card"])
        #expect(browser.page.status == 400 && again.contains("<a href=\"#charge-amount\">Amount</a>: This must be"))
        #expect(again.contains("value=\"much\"") && again.contains("value=\"Card\""))
        let form = try browser.form("\(path)/charge", ["amount": "3,50", "label": "Card"])
        for _ in 0..<2 { #expect(await browser.ask("POST", "\(path)/charge", form).status == 303) }
        #expect(try owed() == "3.50 EUR")
        try await browser.open(path)
        #expect(try await browser.send("\(path)/pay", ["amount": "2.00"]).contains("2.00\u{A0}EUR paid."))
        #expect(try await browser.send("\(path)/refund", ["amount": "9", "reason": "Wrong"]).contains("<li>"))
        #expect(browser.page.status == 409 && browser.page.text.contains("value=\"9\""))
        let part = try await browser.send("\(path)/refund", ["amount": "0.50", "reason": "Wrong"])
        #expect(try part.contains("0.50\u{A0}EUR to be refunded.") && owed() == "1.50 EUR")
        let paid = try await browser.send("\(path)/pay", ["amount": "1.00"])
        let entry = try #require(paid.firstMatch(of: /<summary>Refund<.*?name="entry" value="(\d+)"/)?.1)
        let words = try browser.form("/log-out") + "&entry=\(entry)"
        #expect(await browser.ask("POST", "\(path)/refund", words).status == 400, "no reason is given")
        #expect(await browser.ask("POST", "\(path)/refund", words + "&reason=Mistake").status == 303)
        let page = try await browser.open(path)
        let hold = try #require(page.firstMatch(of: /\/holds\/(\d+)\/pause/)?.1)
        #expect(try await browser.send("\(path)/holds/\(hold)/pause").contains("paused until it is resumed"))
        #expect(try await browser.send("\(path)/holds/\(hold)/resume").contains("the hold is active again"))
        #expect(server.teller.all.faults == [])
    }

    @Test("fees are paid and waived, accounts restricted and freed, holds ended on a patron's page")
    func patron() async throws {
        let id = try server.id(of: "ann")
        for (amount, label) in [("5.00", "Card"), ("2.50", "Copies")] {
            let charge: JSON = ["amount": .string(amount), "label": .string(label)]
            _ = try await server.ask(.post, "/patrons/\(id)/charges", charge, as: "staff")
        }
        _ = try await server.ask(.post, "/holds", ["isbn": "9780441013593"], as: "ann")
        try await browser.logIn("staff")
        #expect(try await browser.open("/desk/patrons?query=smi").contains("/desk/patrons/\(id)"))
        let path = "/desk/patrons/\(id)"
        #expect(try await browser.open(path).contains("The patron owes 7.50\u{A0}EUR."))
        #expect(try await browser.send("\(path)/pay", ["amount": "1,50"]).contains("1.50\u{A0}EUR paid."))
        let tooMuch = try await browser.send("\(path)/pay", ["amount": "99"])
        #expect(browser.page.status == 409 && tooMuch.contains("<li>"))
        try await browser.open(path)
        #expect(
            try await browser.send("\(path)/waive", ["amount": "1", "reason": "Kind"]).contains("1.00\u{A0}EUR waived.")
        )
        let entry = try #require(
            browser.page.text.firstMatch(of: /\/waive">(?:<input[^>]*>){2}<input[^>]*name="entry" value="(\d+)"/)?.1)
        let whole = try browser.form("\(path)/waive", ["entry": String(entry), "reason": "Wrong"])
        #expect(await browser.ask("POST", "\(path)/waive", whole).status == 303)
        for amount in ["", "abc", "-1"] {
            try await browser.open(path)
            try await browser.send("\(path)/pay", ["amount": amount])
            #expect(browser.page.status == 400 && browser.page.text.contains("id=\"pay-amount-wrong\""), "\(amount)")
        }
        let evil = "<script>alert(1)</script>"
        try await browser.open(path)
        let blocked = try await browser.send("\(path)/block", ["reason": evil, "ends": "2026-12-24"])
        #expect(blocked.contains("&lt;script&gt;alert(1)") && blocked.contains("24\u{A0}December\u{A0}2026"))
        #expect(!blocked.contains("<script"))
        #expect(try await browser.send("\(path)/unblock").contains("The restriction has been lifted."))
        let hold = try #require(browser.page.text.firstMatch(of: /\/holds\/(\d+)\/cancel/)?.1)
        #expect(try await browser.send("\(path)/holds/\(hold)/cancel").contains("the hold has been cancelled"))
        #expect(await browser.ask("GET", "/desk/patrons/999").status == 404)
        #expect(server.teller.all.faults == [])
    }
}
