import Circulation
import Desk
import Foundation
import Server
import Testing
import TextFormats

@Suite("Pages for staff")
struct StaffPagesTests {
    private let server: TestServer
    private let browser: PageBrowser

    init() throws {
        let scripts = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../scripts")
        server = try TestServer(
            settings: ServerSettings(
                burst: 100_000, scripts: scripts.standardizedFileURL.path(percentEncoded: false)))
        browser = PageBrowser(server)
    }

    private func barcode(_ title: Int64) throws -> String {
        try #require(try server.desk.read { try $0.catalogue.copies(of: .id(title)).first?.barcode })
    }

    @Test("a patron is found by number, username and name, is lent a copy and has it renewed and taken back")
    func desk() async throws {
        try await browser.logIn("staff")
        let id = try server.id(of: "ann")
        for words in ["ann", String(id)] {
            #expect(try await browser.open("/desk/patrons?query=\(words)").contains("<h1>ann Smith</h1>"), "\(words)")
        }
        #expect(try await browser.open("/desk/patrons?query=smith").contains("/desk/patrons/\(id)\""))
        #expect(try await browser.open("/desk/patrons?query=nobody%2F..").contains("Nobody is called so"))
        let page = try await browser.open("/desk/patrons/\(id)")
        #expect(page.contains("autofocus") && page.contains("Nothing is on loan"))
        let path = "/desk/patrons/\(id)"
        let lent = try await browser.send("\(path)/check-out", ["barcode": try barcode(2)])
        #expect(lent.contains("Emma is lent until") && lent.contains("autofocus"), "\(lent)")
        let loan = try #require(lent.firstMatch(of: /name="loan" value="(\d+)"/)?.1)
        try await browser.send("\(path)/renew", ["loan": String(loan)])
        #expect([200, 409].contains(browser.page.status))
        let wrong = try await browser.send("\(path)/check-out", ["barcode": "no such copy"])
        #expect(
            browser.page.status == 404 && wrong.contains("role=\"alert\"") && wrong.contains(#"value="no such copy""#))
        try await browser.open("/desk")
        #expect(try await browser.send("/desk/check-in", ["barcode": try barcode(2)]).contains("Emma is back."))
        let again = try await browser.send("/desk/check-in", ["barcode": "nothing"])
        #expect(browser.page.status == 404 && again.contains("role=\"alert\""))
    }

    @Test("a copy that somebody waits for is to be set aside, and the page says for whom")
    func holds() async throws {
        _ = try await server.ask(.post, "/loans", ["isbn": "9780441013593"], as: "ann")
        _ = try await server.ask(.post, "/holds", ["isbn": "9780441013593"], as: "bob")
        try await browser.logIn("staff")
        try await browser.open("/desk")
        let page = try await browser.send("/desk/check-in", ["barcode": try barcode(1)])
        #expect(page.contains("Dune is back. Set it aside for bob"), "\(page)")
    }

    @Test("what staff may go on in spite of asks for a reason, which is written down")
    func override() async throws {
        _ = try await server.ask(.patch, "/patrons/ann", ["expires_on": "2026-01-01"], as: "staff")
        try await browser.logIn("staff")
        let path = "/desk/patrons/\(try server.id(of: "ann"))"
        #expect(try await browser.open(path).contains("The membership has ended"))
        let refused = try await browser.send("\(path)/check-out", ["barcode": try barcode(2)])
        #expect(browser.page.status == 409 && refused.contains("role=\"alert\""), "\(refused)")
        if refused.contains("Lend it all the same") {
            let sent = ["barcode": try barcode(2), "override": "yes", "reason": "New card tomorrow"]
            #expect(try await browser.send("\(path)/check-out", sent).contains("is lent until"))
        }
        _ = try await server.ask(.post, "/patrons/ann/charges", ["amount": "2.50", "label": "Card"], as: "staff")
        #expect(try await browser.open(path).contains("2.50\u{A0}EUR"))
        #expect(
            try await browser.send("\(path)/pay", ["amount": "2.50", "note": "Cash"]).contains("Taken: 2.50\u{A0}EUR"))
    }

    @Test("suggestions and offers are approved and turned down with a word to whoever made them")
    func suggestions() async throws {
        for name in ["Optics", "Alchemy"] {
            _ = try await server.ask(.post, "/suggestions", ["name": .string(name), "patron": "ann"], as: "ann")
        }
        try await browser.logIn("staff")
        let page = try await browser.open("/desk/suggestions")
        #expect(page.contains("<h3>Optics</h3>") && page.contains("suggested by ann"))
        let yes = try await browser.send("/desk/suggestions/1/approve", ["message": "Gladly"])
        #expect(yes.contains("Optics is in the catalogue now.") && !yes.contains("<h3>Optics</h3>"))
        let form = try browser.form("/desk/suggestions/2/approve", ["message": "No gold"])
        #expect(await browser.ask("POST", "/desk/suggestions/2/reject", form).status == 303)
        let told = try await server.ask(.get, "/suggestions", as: "ann").text
        #expect(told.contains("Gladly") && told.contains("No gold") && told.contains("rejected"))
        let offer: JSON = ["seller": "ann", "isbn": "9780441013593", "kind": "sell", "price": "99.00"]
        _ = try await server.ask(.post, "/listings", offer, as: "ann")
        let offered = try await browser.open("/desk/suggestions")
        #expect(offered.contains("99.00\u{A0}EUR"), "\(offered)")
        #expect(try await browser.send("/desk/listings/1/approve").contains("Dune is offered now."))
    }

    @Test("the policy is shown with the numbers of its lines, and says which row decides for a patron and a title")
    func policy() async throws {
        try await browser.logIn("staff")
        let page = try await browser.open("/desk/policy?patron=ann&isbn=9780141439587")
        #expect(page.contains("<strong>textbooks</strong>") && page.contains("textbooks.lua"))
        #expect(page.contains("Allowed, due") && page.contains("limits = {"), "\(page)")
        #expect(page.contains("How many may be had at once") && page.contains("row 1, textbooks.lua line"))
        #expect(page.contains(#"<span class="soft">not <a href="#))
        let link = try #require(page.firstMatch(of: /<a href="#(f1-l\d+)">/)?.1, "\(page)")
        #expect(page.contains("id=\"\(link)\""))
        _ = try await server.ask(.post, "/loans", ["isbn": "9780441013593"], as: "bob")
        let refused = try await browser.open("/desk/policy?patron=ann&isbn=9780441013593")
        #expect(refused.contains("It is refused.") && refused.contains("no_copies"))
        #expect(try await browser.open("/desk/policy?patron=nobody&isbn=123").contains("role=\"status\""))
        let loans = try server.desk.read { try $0.loans.active(of: .username("ann")).count }
        #expect(loans == 0)
    }

    @Test("reports of the library are listed, asked for with their arguments, and can change nothing")
    func reports() async throws {
        try await browser.logIn("staff")
        let list = try await browser.open("/desk/reports")
        #expect(list.contains("/desk/reports/overdue\"") && !list.contains("extend_due_dates"))
        let form = try await browser.open("/desk/reports/overdue")
        #expect(form.contains(#"name="as_of""#) && form.contains("Overdue on this day."), "\(form)")
        let report = await browser.ask("GET", "/desk/reports/overdue/result?as_of=2026-12-31&limit=")
        #expect(report.status == 200 && report.text.contains("Overdue loans"), "\(report.text)")
        let policy = report.fields["Content-Security-Policy"] ?? ""
        #expect(policy.contains("script-src 'sha256-") && policy.contains("frame-ancestors 'none'"))
        let wrong = await browser.ask("GET", "/desk/reports/overdue/result?as_of=yesterweek")
        #expect(wrong.status == 422 && wrong.text.contains("<h1>"))
        for name in ["extend_due_dates", "nothing", "..%2Fpolicies%2Funiversity", "OVERDUE", "overdue.lua"] {
            #expect(await browser.ask("GET", "/desk/reports/\(name)").status == 404, "\(name)")
        }
    }

    @Test("none of it is for patrons, and visitors are asked to log in")
    func closed() async throws {
        let paths = [
            "/desk", "/desk/patrons?query=bob", "/desk/patrons/1", "/desk/suggestions", "/desk/reports", "/desk/policy",
        ]
        for path in paths + ["/desk/reports/overdue/result"] {
            #expect(await browser.ask("GET", path).status == 303, "\(path)")
        }
        try await browser.logIn("ann")
        let form = try browser.form("/log-out") + "&barcode=1&loan=1"
        for path in paths + ["/desk/reports/overdue/result"] {
            #expect(await browser.ask("GET", path).status == 403, "\(path)")
        }
        for path in [
            "/desk/check-in", "/desk/patrons/1/check-out", "/desk/patrons/1/pay", "/desk/suggestions/1/approve",
        ] {
            #expect(await browser.ask("POST", path, form).status == 403, "\(path)")
        }
        #expect(!(try await browser.open("/me")).contains("/desk"))
    }
}
