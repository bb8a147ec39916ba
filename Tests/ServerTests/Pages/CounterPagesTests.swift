import Circulation
import Desk
import DeskSupport
import Scripting
import Server
import Testing
import TextFormats

@Suite("Pages of holds, returns, money and hours at the desk")
struct CounterPagesTests {
    private let server: TestServer
    private let browser: PageBrowser

    init() throws {
        server = try TestServer()
        browser = PageBrowser(server)
    }

    private func barcode(_ isbn: String = "9780441013593") throws -> String {
        try #require(try server.desk.read { try $0.catalogue.copies(of: .isbn(ISBN(isbn))).first?.barcode })
    }

    @Test("holds are placed for patrons at the title and at the patron, moved in the queue and ended")
    func holds() async throws {
        try server.activatePolicy()
        _ = try await server.ask(.post, "/loans", ["patron": "root", "isbn": "9780441013593"], as: "staff")
        try await browser.logIn("staff")
        try await browser.open("/desk/titles/1")
        let one = try await browser.send("/desk/titles/1/hold", ["patron": "ann", "pickup_branch": "main"])
        #expect(one.contains("A hold on Dune has been placed for ann Smith, number 1 in the queue."), "\(one)")
        let unknown = try await browser.send("/desk/titles/1/hold", ["patron": "nobody"])
        #expect(browser.page.status == 400 && unknown.contains(#"id="hold-patron-wrong""#), "\(unknown)")
        let twice = try await browser.send("/desk/titles/1/hold", ["patron": "ann"])
        #expect(browser.page.status == 409 && twice.contains(#"role="alert""#))
        let bob = try server.id(of: "bob")
        try await browser.open("/desk/patrons/\(bob)")
        let two = try await browser.send("/desk/patrons/\(bob)/hold", ["item": "9780441013593"])
        #expect(two.contains("A hold on Dune has been placed for bob Smith, number 2 in the queue."), "\(two)")
        try await browser.send("/desk/patrons/\(bob)/hold", ["item": "nothing"])
        #expect(browser.page.status == 404)
        let queue = try server.desk.read { try $0.holds.queue(of: .id(1)) }
        let last = try #require(queue.last?.hold)
        try await browser.open("/desk/titles/1")
        let moved = try await browser.send("/desk/titles/1/holds/\(last.id)/move", ["position": "1"])
        #expect(moved.contains("The hold is now number 1 in the queue."), "\(moved)")
        #expect(try server.desk.read { try $0.holds.queue(of: .id(1)).first?.hold.patron } == bob)
        try await browser.send("/desk/titles/1/holds/\(last.id)/move", ["position": "first"])
        #expect(browser.page.status == 400)
        let first = try #require(queue.first?.hold.id)
        let page = try await browser.open("/desk/titles/1")
        #expect(page.contains("Reorder the queue") && page.contains(#"name="place_\#(first)""#), "\(page)")
        let arranged = try await browser.send(
            "/desk/titles/1/queue", ["place_\(first)": "1", "place_\(last.id)": "2"])
        #expect(arranged.contains("The queue has been reordered."), "\(arranged)")
        #expect(try server.desk.read { try $0.holds.queue(of: .id(1)).map(\.hold.id) } == [first, last.id])
        let gap = try await browser.send("/desk/titles/1/queue", ["place_\(first)": "1", "place_\(last.id)": "3"])
        #expect(browser.page.status == 409 && gap.contains("each used once"), "\(gap)")
        try await browser.open("/desk/titles/1")
        try await browser.send("/desk/titles/1/queue", ["place_\(first)": "one"])
        #expect(browser.page.status == 400)
        try await browser.open("/desk/titles/1")
        #expect(
            try await browser.send("/desk/titles/1/holds/\(last.id)/cancel").contains("the hold has been cancelled"))
        #expect(try server.desk.read { try $0.holds.queue(of: .id(1)).count } == 1)
    }

    @Test("what is checked in stays in a list with what to do with it, and a hold has a slip and a place on the shelf")
    func returns() async throws {
        try server.activatePolicy()
        for (name, isbn) in [("bob", "9780441013593"), ("bob", "9780141439587")] {
            _ = try await server.ask(.post, "/loans", ["patron": .string(name), "isbn": .string(isbn)], as: "staff")
        }
        _ = try await server.ask(.post, "/holds", ["patron": "ann", "isbn": "9780441013593"], as: "staff")
        let emma = try #require(
            try server.desk.read { session in
                try session.loans.active(of: .username("bob")).compactMap { loan in
                    try loan.copy.flatMap { try session.catalogue.copy(id: $0)?.barcode }
                }
            }.last)
        try await browser.logIn("staff")
        try await browser.open("/desk/returns")
        let first = try await browser.send("/desk/check-in", ["item": try barcode()])
        #expect(first.contains("Put it on the hold shelf for ann Smith") && first.contains("/slip\">"), "\(first)")
        let second = try await browser.send("/desk/check-in", ["item": emma])
        #expect(
            second.contains("Shelve it.") && second.contains(">Dune</td>") && second.contains(">Emma</td>"), "\(second)"
        )
        let rows = second.ranges(of: "<tr><td>").count
        #expect(rows == 2)
        let refused = try await browser.send("/desk/check-in", ["item": "unheard-of"])
        #expect(browser.page.status == 404 && refused.contains(">Dune</td>"), "the list stays")
        let other = PageBrowser(server)
        try await other.logIn("root")
        let list = try #require(second.firstMatch(of: /name="list" value="([0-9a-f.]+)"/)?.1)
        #expect(try await other.open("/desk/returns?list=\(list)").contains(">Dune</td>") == false)
        #expect(try await browser.open("/desk/returns?list=../..%00.zz").contains("Checked in</h2>") == false)
        let shelf = try await browser.open("/desk/holds")
        #expect(shelf.contains("ann Smith") && shelf.contains(">Dune</a>"), "\(shelf)")
        let hold = try #require(try server.desk.read { try $0.holds.queue(of: .id(1)).first?.hold.id })
        let slip = try await browser.open("/desk/holds/\(hold)/slip")
        #expect(slip.contains(#"class="slip""#) && slip.contains("ann Smith") && slip.contains("Dune"), "\(slip)")
        #expect(await browser.ask("GET", "/desk/holds?branch=nowhere").status == 404)
        #expect(await browser.ask("GET", "/desk/holds/999/slip").status == 404)
    }

    @Test("the pull list has the copies to fetch, and is of one branch or of all")
    func pullList() async throws {
        try server.activatePolicy()
        _ = try await server.ask(.post, "/holds", ["patron": "ann", "isbn": "9780441013593"], as: "staff")
        try await browser.logIn("staff")
        for path in ["/desk/holds/pull", "/desk/holds/pull?branch=", "/desk/holds/pull?branch=main"] {
            let page = try await browser.open(path)
            #expect(try page.contains(barcode()) && page.contains("A. Dune"), "\(path): \(page)")
        }
    }

    @Test("a copy in the patron's field says who has it, and a card in the copy's field makes that patron the next")
    func recognition() async throws {
        _ = try await server.ask(.post, "/loans", ["patron": "bob", "isbn": "9780441013593"], as: "staff")
        try await browser.logIn("staff")
        let item = try await browser.open("/desk?patron=\(try barcode())")
        #expect(item.contains("on loan to <a href=\"/desk?id=") && item.contains("bob Smith"), "\(item)")
        #expect(!item.contains("No patron found"))
        try await browser.open("/desk?patron=ann")
        let next = try await browser.send("/desk/check-out", ["item": "bob"])
        #expect(
            next.contains(
                "That is the library card of bob Smith, who is now the patron at the "
                    + "desk.") && next.contains(">bob Smith</a></h2>"))
        let id = try server.id(of: "ann")
        try await browser.send("/desk/check-out", ["item": "\(id)"])
        #expect(browser.page.status == 404, "a number is no card here")
        try await browser.open("/desk/returns")
        #expect(
            try await browser.send("/desk/check-in", ["item": "bob"]).contains("That is the library card of bob Smith"))
    }

    @Test("a payment has a receipt, and a day's closing says what was taken, by kind and by whom")
    func money() async throws {
        let ann = try server.id(of: "ann")
        try await browser.logIn("staff")
        try await browser.open("/desk/patrons/\(ann)")
        try await browser.send("/desk/patrons/\(ann)/charge", ["amount": "5,00", "label": "Card"])
        let paid = try await browser.send("/desk/patrons/\(ann)/pay", ["amount": "3.00", "note": "Cash"])
        let entry = try #require(paid.firstMatch(of: /receipt\/(\d+)"/)?.1)
        let receipt = try await browser.open("/desk/patrons/\(ann)/receipt/\(entry)")
        #expect(receipt.contains("Payment: Cash") && receipt.contains("2.00\u{A0}EUR"), "\(receipt)")
        #expect(await browser.ask("GET", "/desk/patrons/\(ann)/receipt/999").status == 404)
        #expect(try await browser.open("/desk/patrons/\(ann)/receipt").contains("Fee: Card"))
        let root = PageBrowser(server)
        try await root.logIn("root")
        try await root.open("/desk/patrons/\(ann)")
        try await root.send("/desk/patrons/\(ann)/pay", ["amount": "1.00", "note": "Cash"])
        try await root.send("/desk/patrons/\(ann)/refund", ["amount": "0.50", "reason": "Too much"])
        let cash = try await browser.open("/desk/cash")
        #expect(cash.contains(">staff Smith</td><td class=\"figure\">3.00\u{A0}EUR"), "\(cash)")
        #expect(
            cash.contains(">root Smith</td><td class=\"figure\">1.00\u{A0}EUR</td><td class=\"figure\">0.50\u{A0}EUR"))
        #expect(cash.contains("3.50\u{A0}EUR</td></tr></tfoot>") && cash.contains("/desk/patrons/\(ann)#fees"))
        let closing = try await browser.open("/desk/cash/closing")
        #expect(closing.contains("In the till") && closing.contains("3.50\u{A0}EUR"))
        server.clock.set(try server.clock.now().adding(hours: 30))
        try await browser.logIn("staff")
        #expect(try await browser.open("/desk/cash").contains("Nothing was posted"))
        #expect(try await browser.open("/desk/cash?day=2026-03-02").contains("3.50\u{A0}EUR"))
        for day in ["tomorrow", "2999-01-01", "2020-01-01"] {
            let wrong = try await browser.open("/desk/cash?day=\(day)")
            #expect(browser.page.status == 422 && wrong.contains(#"id="on-wrong""#), "\(day)")
        }
    }

    @Test("overdue loans lead to patrons and copies, in pages, and are renewed or declared lost from there")
    func overdue() async throws {
        try server.activatePolicy()
        _ = try await server.ask(.post, "/loans", ["patron": "ann", "isbn": "9780441013593"], as: "staff")
        try await browser.logIn("staff")
        #expect(try await browser.open("/desk/overdue").contains("No loan is overdue."))
        server.clock.set(try server.clock.now().adding(hours: 24 * 20))
        try await browser.logIn("staff")
        let page = try await browser.open("/desk/overdue")
        let ann = try server.id(of: "ann")
        #expect(
            page.contains("/desk/patrons/\(ann)\"") && page.contains(">Dune</a>") && page.contains("6\u{A0}days"),
            "\(page)")
        #expect(try await browser.open("/desk/overdue?page=2").contains("No loan is overdue."))
        try await browser.open("/desk/overdue")
        let loan = try #require(try server.desk.read { try $0.loans.active(of: .id(ann)).first?.id })
        // The policy of these tests has no notices.
        let none = try await browser.send("/desk/loans/\(loan)/remind")
        #expect(
            browser.page.status == 422 || none.contains("There is no notice for this loan yet: it is due on"),
            "\(none)")
        try await browser.open("/desk/overdue")
        let lost = try await browser.send("/desk/loans/\(loan)/lost")
        #expect(lost.contains("Dune has been declared lost."), "\(lost)")
        try await browser.open("/desk/overdue")
        #expect(try await browser.send("/desk/loans/\(loan)/found").contains("Dune has been marked as found."))
        #expect(await browser.ask("POST", "/desk/loans/999/renew", try browser.form("/log-out")).status == 404)
    }

    @Test("weekly hours are read as people write them, and a closure says what it would move before it is kept")
    func calendar() async throws {
        try server.activatePolicy()
        _ = try await server.ask(.post, "/loans", ["patron": "ann", "isbn": "9780441013593"], as: "staff")
        try await browser.logIn("root")
        try await browser.open("/desk/calendar/main")
        let saved = try await browser.send(
            "/desk/calendar/main/hours", ["mon": "9-12, 14:00-18:00", "sun": "", "tue": "00:00-24:00"])
        #expect(
            saved.contains("The weekly hours have been saved.") && saved.contains("09:00-12:00, 14:00-18:00"),
            "\(saved)")
        let wrong = try await browser.send("/desk/calendar/main/hours", ["mon": "18-9"])
        #expect(browser.page.status == 400 && wrong.contains(#"id="hours-mon-wrong""#), "\(wrong)")
        // The loan of two weeks is due on Monday, 16 March.
        let preview = try await browser.open("/desk/calendar/main/closing?from=2026-03-16&to=2026-03-17&reason=Works")
        #expect(
            preview.contains("1\u{A0}due date would move") && preview.contains("18\u{A0}March\u{A0}2026"), "\(preview)")
        #expect(try server.desk.read { try $0.settings.branch("main")?.calendar.closed.count } == 0)
        let kept = try await browser.send("/desk/calendar/main/closing", ["move_due": "true"])
        #expect(kept.contains("1\u{A0}due date has been moved.") && kept.contains("Works"), "\(kept)")
        let due = try server.desk.read { try $0.loans.active(of: .username("ann")).first?.due?.date.description }
        #expect(due == "2026-03-18")
        let open = try await browser.send("/desk/calendar/main/opening", ["date": "2026-03-16", "hours": "10-12"])
        #expect(open.contains("The branch will be open on that day."), "\(open)")
        let back = try await browser.send("/desk/calendar/main/reopen")
        #expect(
            back.contains("The closure has been cancelled.")
                && back.contains("There are no upcoming closures."))
        for query in ["", "?from=x", "?from=2026-03-17&to=2026-03-16"] {
            #expect(await browser.ask("GET", "/desk/calendar/main/closing\(query)").status == 400, "\(query)")
        }
        #expect(await browser.ask("GET", "/desk/calendar/nowhere").status == 404)
    }

    @Test("notices that were given up are tried again, one or all; runs of jobs say what they said")
    func notices() async throws {
        for key in ["a", "b", "c"] {
            _ = try await server.ask(
                .post, "/notifications",
                [
                    "patron": "ann", "channel": "email", "subject": .string("News \(key)"), "body": "B",
                    "key": .string(key),
                ],
                as: "staff")
        }
        _ = try server.desk.write { session in
            for id in [Int64(1), 2] { _ = try session.notices.markFailed(id, givenUp: true) }
        }
        try await browser.logIn("staff")
        let page = try await browser.open("/desk/notices")
        #expect(page.contains("/desk/notices/1/retry") && page.contains("News c"), "\(page)")
        #expect(try await browser.send("/desk/notices/1/retry").contains("It will go out with the next delivery."))
        #expect(try await browser.send("/desk/notices/retry").contains("1\u{A0}notice will go out"))
        #expect(try await browser.open("/desk/notices").contains("There are no undelivered notices."))
        #expect(try await browser.send("/desk/notices/3/cancel").contains("removed from the queue"))
        let root = PageBrowser(server)
        try await root.logIn("root")
        #expect(try await root.open("/desk/jobs").contains("No jobs have been run yet."))
        #expect(await root.ask("GET", "/desk/jobs/77").status == 404)
    }
}
