import Circulation
import Desk
import Foundation
import Scripting
import Server
import Synchronization
import Testing

@Suite("New titles filled in by their ISBN")
struct TitleLookUpTests {
    private static let solaris = "9780156027601"
    private static let path = "/desk/titles/look-up"

    /// Knows one book, and counts how often it is asked.
    private final class Library: BookDataSource {
        let days: Int64 = 30
        let asked = Mutex(0)
        let isAway = Mutex(false)

        func find(_ isbn: ISBN) throws(BookDataFailure) -> BookData {
            asked.withLock { $0 += 1 }
            if isAway.withLock({ $0 }) { throw BookDataFailure("No service could be asked about this book.") }
            guard isbn.digits13 == TitleLookUpTests.solaris else { return BookData() }
            return BookData(
                description: "An ocean \"thinks\" & waits", year: 1970, subjects: ["Oceans", "Planets"],
                title: "Solaris", authors: ["Stanisław Lem", "Joanna Kilmartin"], publisher: "Walker", language: "en")
        }

        var count: Int { asked.withLock { $0 } }
    }

    private let library = Library()
    private let server: TestServer
    private let browser: PageBrowser

    init() throws {
        server = try TestServer(bookData: library)
        browser = PageBrowser(server)
    }

    private func value(_ name: String, _ page: String) -> String {
        let fields = page.components(separatedBy: "<div class=\"field\">")
        let field = fields.first { $0.contains("name=\"\(name)\"") } ?? ""
        let found = field.firstMatch(of: /value="([^"]*)"/) ?? field.firstMatch(of: /<textarea[^>]*>([^<]*)</)
        return found.map { String($0.output.1) } ?? ""
    }

    private func look(_ fields: [String: String]) async throws -> String {
        try await browser.open("/desk/titles/new")
        return try await browser.send(Self.path, fields)
    }

    @Test("the form is filled in by what services know, what was typed stays, and nothing is added before it is sent")
    func filled() async throws {
        try await browser.logIn("staff")
        #expect(try await browser.open("/desk/titles/new").contains("formaction=\"\(Self.path)\""))
        let page = try await look(["isbn": "978-0-15-602760-1", "publisher": "Faber", "college": "North"])
        #expect(browser.page.status == 200 && page.contains("Check it before you add it"), "\(page)")
        #expect(value("title", page) == "Solaris" && value("year", page) == "1970")
        #expect(value("publisher", page) == "Faber" && value("college", page) == "North")
        #expect(value("authors", page) == "Stanisław Lem\nJoanna Kilmartin")
        #expect(value("subjects", page) == "Oceans\nPlanets")
        let description = value("description", page)
        #expect(description == "An ocean &quot;thinks&quot; &amp; waits", "\(description)")
        #expect(try server.desk.read { try $0.catalogue.get(.isbn(ISBN(Self.solaris))) } == nil)
        let added = try await browser.send(
            "/desk/titles/new",
            ["isbn": Self.solaris, "title": "Solaris", "authors": "Stanisław Lem", "recommended": "false"])
        #expect(added.contains("Solaris has been added."), "\(added)")
        // What was answered is kept.
        #expect(library.count == 1)
    }

    @Test("a title that the library has fills the form without a service, and the page leads there")
    func own() async throws {
        try await browser.logIn("staff")
        let id = try #require(try server.desk.read { try $0.catalogue.get(.isbn(ISBN("9780441013593")))?.id })
        let page = try await look(["isbn": "0441013597"])
        #expect(value("title", page) == "Dune" && page.contains("The library already has this title."), "\(page)")
        #expect(page.contains("<a href=\"/desk/titles/\(id)\">") && library.count == 0)
    }

    @Test("what is no ISBN, what no service knows and services that are away are said, and what was typed stays")
    func refused() async throws {
        try await browser.logIn("staff")
        for (isbn, words) in [
            ("", "Type or scan the ISBN first"), ("9780156027602", "Type or scan the ISBN first"),
            ("9780306406157", "None of the book data services knows this book."),
        ] {
            let page = try await look(["isbn": isbn, "title": "Typed"])
            #expect(browser.page.status == 422 && page.contains(words), "\(page)")
            #expect(value("title", page) == "Typed" && value("isbn", page) == isbn)
        }
        library.isAway.withLock { $0 = true }
        #expect(try await look(["isbn": Self.solaris]).contains("No service could be asked"))
        let off = try TestServer()
        let browser = PageBrowser(off)
        try await browser.logIn("staff")
        try await browser.open("/desk/titles/new")
        #expect(try await browser.send(Self.path, ["isbn": Self.solaris]).contains("switched off here"))
    }

    @Test("patrons cause no question to a service, and a new record of another kind has no such button")
    func others() async throws {
        try await browser.logIn("ann")
        #expect(await browser.ask("POST", Self.path, "isbn=\(Self.solaris)").status == 404)
        let actor = Actor(name: "patron:1", role: .patron, channel: .web)
        let outcome = try server.desk.acting(as: actor).bookData(on: ISBN(Self.solaris))
        #expect(outcome.refusal?.code == "not_allowed" && library.count == 0)
        let staff = PageBrowser(server)
        try await staff.logIn("staff")
        #expect(try await !staff.open("/desk/patrons/new").contains("look-up"))
    }

    @Test("answers that were kept before titles were known are asked for again")
    func former() throws {
        let isbn = try ISBN(Self.solaris)
        try server.desk.write { session in
            try session.catalogue.keep(BookData(description: "Old"), of: isbn, by: library)
        }
        #expect(try server.desk.bookData(on: isbn).value?.title == "Solaris" && library.count == 1)
        #expect(try server.desk.bookData(on: isbn).value?.authors.count == 2 && library.count == 1)
    }
}
