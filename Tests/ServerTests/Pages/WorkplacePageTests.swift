import Circulation
import Desk
import Foundation
import Scripting
import Server
import Testing
import TextFormats

@Suite("Where staff work")
struct WorkplacePageTests {
    private let server: TestServer
    private let browser: PageBrowser

    init() throws {
        server = try TestServer()
        browser = PageBrowser(server)
        try server.activatePolicy()
    }

    private func addBranch() async throws {
        let added = try await server.ask(.post, "/branches", ["code": "river", "name": "By the <river>"], as: "root")
        #expect(added.status == 201, "\(added.text)")
    }

    /// A hold of Ann's for the other branch, and the barcode of a copy that it would get.
    private func placeHold() async throws -> String {
        let hold = try await server.ask(
            .post, "/holds", ["patron": "ann", "isbn": "9780441013593", "pickup_branch": "river"], as: "staff")
        #expect(hold.status == 201, "\(hold.text)")
        return try #require(
            try server.desk.read { try $0.catalogue.copies(of: .isbn(ISBN("9780441013593"))).first?.barcode })
    }

    @Test("a copy that travels for a hold arrives where the member of staff works who scans it")
    func arrival() async throws {
        try await addBranch()
        let barcode = try await placeHold()
        try await browser.logIn("staff")
        let before = try await browser.open("/desk/returns")
        #expect(before.contains("<summary>You work at ") && before.contains(#"<option value="river">"#), "\(before)")
        let sent = try await browser.send("/desk/check-in", ["item": barcode])
        #expect(sent.contains("send it to By the &lt;river&gt;"), "\(sent)")
        let again = try await browser.send("/desk/check-in", ["item": barcode])
        #expect(again.contains("send it to By the &lt;river&gt;"), "it has not gone anywhere yet: \(again)")
        let there = try await browser.send("/desk/branch", ["branch": "river"])
        #expect(there.contains("<summary>You work at By the &lt;river&gt;</summary>"), "\(there)")
        try await browser.open("/desk/returns")
        let shelf = try await browser.send("/desk/check-in", ["item": barcode])
        #expect(shelf.contains("Put it on the hold shelf for "), "\(shelf)")
        // The lists begin with what is there.
        #expect(try await browser.open("/desk/holds").contains(barcode))
        try await browser.open("/desk/holds")
        try await browser.send("/desk/branch", ["branch": "main"])
        #expect(!(try await browser.open("/desk/holds")).contains(barcode))
    }

    @Test("a loan is of the branch where it was made; programs name theirs by a field of the request")
    func lending() async throws {
        try await addBranch()
        func lend(_ fields: [(name: String, value: String)], _ isbn: String) async throws -> WebResponse {
            try await server.ask(
                .post, "/loans", ["patron": "ann", "isbn": .string(isbn)], as: "staff", fields: fields)
        }
        let here = try await lend([], "9780441013593")
        #expect(here.json["branch"] == "main", "\(here.text)")
        let there = try await lend([("moonshelf-branch", "river")], "9780141182803")
        #expect(there.status == 201 && there.json["branch"] == "river", "\(there.text)")
        let nowhere = try await lend([("moonshelf-branch", "moon")], "9780141439587")
        #expect(nowhere.status == 400 && nowhere.text.contains("Moonshelf-Branch"), "\(nowhere.text)")
        // Of patrons it is not asked.
        let own = try await server.ask(
            .get, "/patrons/me/loans", as: "ann", fields: [("moonshelf-branch", "moon")])
        #expect(own.status == 200)
    }

    @Test("a branch that was removed meanwhile, and one that never was, is no place to work")
    func unknown() async throws {
        try await addBranch()
        try await browser.logIn("staff")
        try await browser.open("/desk")
        try await browser.send("/desk/branch", ["branch": "moon"])
        #expect(browser.page.status == 400, "\(browser.page.text)")
        try await browser.open("/desk")
        try await browser.send("/desk/branch", ["branch": "river"])
        #expect(browser.cookies["moonshelf-branch"] == "river")
        #expect(try await server.ask(.delete, "/branches/river", as: "root").status < 300)
        let page = try await browser.open("/desk")
        #expect(browser.page.status == 200 && !page.contains("You work at"), "one branch is no choice: \(page)")
        // The choice is for staff alone.
        let reader = PageBrowser(server)
        try await reader.logIn("ann")
        reader.cookies["moonshelf-branch"] = "main"
        #expect(try await reader.open("/me").contains("You work at") == false)
        #expect(await reader.ask("POST", "/desk/branch", "branch=main").status == 404)
    }

    @Test("what stands in the head of each page is never taken from the page's own fields")
    func head() async throws {
        // Mails that wait are a list of the page of notices under the name of a badge.
        _ = try await server.ask(
            .post, "/notifications", ["patron": "ann", "channel": "email", "subject": "News", "body": "B", "key": "m"],
            as: "staff")
        try await browser.logIn("staff")
        let page = try await browser.open("/desk/notices")
        #expect(page.contains("News"), "the notice is on the page: \(page)")
        let head = try #require(page.firstMatch(of: #/(?s)<header class="top">.*?<\/header>/#)).output
        #expect(!head.contains("class=\"badge\""), "\(head)")
    }

    @Test("call numbers stand with their copies, and the pull list goes along the shelves")
    func callNumbers() async throws {
        try await browser.logIn("staff")
        let copies = try server.desk.read { session in
            try ["9780441013593", "9780141182803"].map { isbn in
                try #require(try session.catalogue.copies(of: .isbn(ISBN(isbn))).first)
            }
        }
        for (copy, number) in zip(copies, ["823 <Z>", "510 A"]) {
            try await browser.open("/desk/copies/\(copy.barcode)/edit")
            let page = try await browser.send("/desk/copies/\(copy.barcode)/edit", ["call_number": "  \(number) "])
            #expect(page.contains("823 &lt;Z&gt;") || page.contains("510 A"), "\(page)")
        }
        #expect(try await browser.open("/titles/\(copies[0].title)").contains("823 &lt;Z&gt;"))
        for isbn in ["9780441013593", "9780141182803"] {
            let hold = try await server.ask(.post, "/holds", ["patron": "ann", "isbn": .string(isbn)], as: "staff")
            #expect(hold.status == 201, "\(hold.text)")
        }
        let list = try await browser.open("/desk/holds/pull")
        let (first, second) = (list.range(of: "510 A"), list.range(of: "823 &lt;Z&gt;"))
        #expect(try #require(first).lowerBound < #require(second).lowerBound, "\(list)")
        _ = try await browser.open("/desk/returns")
        _ = try await browser.send("/desk/check-in", ["item": copies[0].barcode])
        let hold = try #require(try server.desk.read { try $0.holds.setAside(at: nil, limit: 1) }.first)
        #expect(try await browser.open("/desk/holds/\(hold.id)/slip").contains("823 &lt;Z&gt;"))
        let long = String(repeating: "9", count: 201)
        try await browser.open("/desk/copies/\(copies[0].barcode)/edit")
        try await browser.send("/desk/copies/\(copies[0].barcode)/edit", ["call_number": long])
        #expect(browser.page.status == 400, "\(browser.page.text)")
    }

    @Test("a loan that is not overdue yet is declared lost, and claimed returned, on its patron's page")
    func lostEarly() async throws {
        let lent = try await server.ask(.post, "/loans", ["patron": "ann", "isbn": "9780441013593"], as: "staff")
        let loan = try #require(lent.json["id"]?.integerValue)
        try await browser.logIn("staff")
        let page = try await browser.open("/desk?patron=ann")
        #expect(!page.contains("/desk/loans/\(loan)/remind"), "there is nothing to be said of it yet")
        let claimed = try await browser.send("/desk/loans/\(loan)/claim")
        #expect(claimed.contains("Claimed returned"), "\(claimed)")
        try await browser.open("/desk?patron=ann")
        let lost = try await browser.send("/desk/loans/\(loan)/lost")
        #expect(lost.contains("has been declared lost"), "\(lost)")
        try await browser.open("/desk?patron=ann")
        #expect(try await browser.send("/desk/loans/\(loan)/found").contains("has been marked as found"))
    }
}
