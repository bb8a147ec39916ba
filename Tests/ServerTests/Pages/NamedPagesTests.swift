import Circulation
import Desk
import DeskSupport
import Scripting
import Server
import Testing
import TextFormats

@Suite("Pages that say names, and lead on")
struct NamedPagesTests {
    private let server: TestServer
    private let browser: PageBrowser

    init() throws {
        server = try TestServer()
        browser = PageBrowser(server)
    }

    @Test("the page of the library says what a new entry is, in English and in German")
    func settings() async throws {
        try await browser.logIn("root")
        let page = try await browser.open("/desk/settings")
        for words in ["New branch", "New category", "New item type"] {
            #expect(page.contains(">\(words)</a>"), "\(words): \(page)")
        }
    }

    @Test("the cash desk says who took the money by name")
    func cash() async throws {
        try await browser.logIn("staff")
        let ann = try server.id(of: "ann")
        try await browser.open("/desk/patrons/\(ann)")
        try await browser.send("/desk/patrons/\(ann)/charge", ["amount": "2.50", "label": "Lost card"])
        try await browser.send("/desk/patrons/\(ann)/pay", ["amount": "2.50"])
        let page = try await browser.open("/desk/cash")
        #expect(page.contains("staff Smith"), "\(page)")
        #expect(try await browser.open("/desk/cash/closing").contains("Taken by staff Smith"))
    }

    @Test("a rental leads to its title, and a listing to its own page where there is no title")
    func links() async throws {
        let made = try await server.ask(
            .post, "/listings",
            ["isbn": "9780441013593", "kind": "rent", "price": "1.00", "period": "P1W", "quantity": 1], as: "ann")
        let listing = try #require(made.json["id"]?.integerValue, "\(made.text)")
        _ = try await server.ask(.post, "/listings/\(listing)/rent", ["ends_on": "2026-03-20"], as: "bob")
        try await browser.logIn("bob")
        let page = try await browser.open("/me/rentals")
        #expect(page.contains("<a href=\"/titles/1\">Dune</a>"), "\(page)")
    }

    @Test("at the desk an offer to be reviewed is by its seller's full name")
    func seller() async throws {
        let made = try await server.ask(
            .post, "/listings", ["name": "Own verses", "kind": "donate", "quantity": 1], as: "ann")
        #expect(made.status == 201, "\(made.text)")
        try await browser.logIn("staff")
        let page = try await browser.open("/desk/suggestions")
        #expect(page.contains("from ann Smith"), "\(page)")
    }

    @Test("a status that a form does not offer is said in words")
    func status() async throws {
        try server.activatePolicy()
        _ = try await server.ask(.post, "/loans", ["patron": "ann", "isbn": "9780441013593"], as: "staff")
        let copies = try server.desk.read { try $0.catalogue.copies(of: .isbn(ISBN("9780441013593"))) }
        let lent = try #require(copies.first { $0.status == .onLoan }?.barcode)
        try await browser.logIn("staff")
        let page = try await browser.open("/desk/copies/\(lent)/edit")
        #expect(page.contains("<option value=\"on_loan\" selected>On loan</option>"), "\(page)")
    }
}
