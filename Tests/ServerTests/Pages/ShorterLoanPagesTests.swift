import Circulation
import Desk
import Scripting
import Server
import Testing
import TextFormats

@Suite("Loans until a day that is asked for, over HTTP and on the page of the desk")
struct ShorterLoanPagesTests {
    private let server: TestServer
    private let browser: PageBrowser

    // 2026-03-02 is a Monday; the policy lends for 14 days.
    init() throws {
        server = try TestServer()
        browser = PageBrowser(server)
        try server.activatePolicy()
    }

    private func due(_ name: String) throws -> [String] {
        try server.desk.read { try $0.loans.active(of: .username(name)) }.compactMap { $0.due?.date.description }
    }

    private func barcode(_ isbn: String) throws -> String {
        try #require(try server.desk.read { try $0.catalogue.copies(of: .isbn(ISBN(isbn))).first?.barcode })
    }

    @Test("the form takes a day, and lends as long as the policy says where it is left empty")
    func form() async throws {
        try await browser.logIn("staff")
        let page = try await browser.open("/desk?patron=ann")
        #expect(page.contains(#"name="wanted_until" type="date""#) && page.contains(">Until <"), "\(page)")
        let lent = try await browser.send(
            "/desk/check-out", ["item": try barcode("9780441013593"), "wanted_until": "2026-03-06"])
        #expect(browser.page.status == 200 && lent.contains("has been checked out to ann Smith until 6"), "\(lent)")
        // The next copy is lent as usual.
        #expect(!lent.contains(#"value="2026-03-06""#))
        let other = try barcode("9780141182803")
        _ = try await browser.send("/desk/check-out", ["item": other, "wanted_until": ""])
        #expect(try due("ann") == ["2026-03-06", "2026-03-16"])
    }

    @Test(
        "what is no day, or a day before today, is said at the field, and nothing is lent",
        arguments: ["soon", "2026-02-30", "2026-03-01", "2026-03-06T10:00", "<b>"])
    func wrong(day: String) async throws {
        try await browser.logIn("staff")
        try await browser.open("/desk?patron=ann")
        let item = try barcode("9780441013593")
        let page = try await browser.send("/desk/check-out", ["item": item, "wanted_until": day])
        #expect(browser.page.status == 400 && page.contains(#"id="check-out-wanted_until-wrong""#), "\(page)")
        #expect(!page.contains("<b>\""))
        #expect(try due("ann").isEmpty)
    }

    @Test("an override lends until the same day")
    func override() async throws {
        try server.activatePolicy(
            """
            rules = { { loan = days(14) } },
            checkout = function() return confirm("fragile", "Has it been looked at?") end,
            """)
        try await browser.logIn("staff")
        try await browser.open("/desk?patron=ann")
        let asked = try await browser.send(
            "/desk/check-out", ["item": try barcode("9780441013593"), "wanted_until": "2026-03-06"])
        #expect(asked.contains("Has it been looked at?"))
        _ = try await browser.send("/desk/check-out", ["reason": "Looked at"])
        #expect(try due("ann") == ["2026-03-06"])
    }

    @Test("over HTTP patrons ask for themselves, and a trial says the same")
    func http() async throws {
        let body: JSON = ["patron": "ann", "isbn": "9780441013593", "wanted_until": "2026-03-06"]
        let tried = try await server.ask(.post, "/loans/check", body, as: "ann")
        #expect(tried.status == 200 && tried.json["due_on"] == "2026-03-06", "\(tried.text)")
        let lent = try await server.ask(.post, "/loans", body, as: "ann")
        #expect(lent.status == 201 && lent.json["due_on"] == "2026-03-06", "\(lent.text)")
        let document = try await server.ask(.get, "/openapi.json").json
        let schema = document["paths"]?["/loans"]?["post"]?["requestBody"]?["content"]?["application/json"]?["schema"]
        let wanted = schema?["properties"]?["wanted_until"]
        #expect(wanted?["anyOf"] == [["type": "string", "format": "date"], ["type": "null"]], "\(document)")
    }

    @Test(
        "over HTTP what is no day is an error about that argument",
        arguments: ["soon", "2026-03-01", 7, true, []] as [JSON])
    func malformed(day: JSON) async throws {
        let body: JSON = ["patron": "ann", "isbn": "9780441013593", "wanted_until": day]
        for path in ["/loans", "/loans/check"] {
            let answer = try await server.ask(.post, path, body, as: "staff")
            #expect(answer.status == 400 || answer.status == 422, "\(answer.text)")
            #expect(answer.text.contains("wanted_until"), "\(answer.text)")
        }
        #expect(try due("ann").isEmpty)
    }
}
