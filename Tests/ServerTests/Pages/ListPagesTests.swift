import Circulation
import Desk
import Scripting
import Server
import Testing
import TextFormats

@Suite("Lists of titles on pages and routes")
struct ListPagesTests {
    private static let dune = "9780441013593"
    private let server: TestServer
    private let browser: PageBrowser

    init() throws {
        server = try TestServer()
        browser = PageBrowser(server)
    }

    private func title() throws -> Int64 {
        try #require(try server.desk.read { try $0.catalogue.get(.isbn(ISBN(Self.dune)))?.id })
    }

    @Test("a list is made, filled from a title and from a search, shown, printed and kept for a spreadsheet")
    func lists() async throws {
        let id = try title()
        try await browser.logIn("ann")
        try await browser.open("/me/lists")
        let made = try await browser.send("/me/lists", ["name": "For the seminar"])
        #expect(made.contains("The list For the seminar has been created."), "\(made)")
        let list = try #require(try server.desk.read { try $0.lists.list(of: .username("ann")).first?.id })
        try await browser.open("/titles/\(id)")
        let added = try await browser.send(
            "/me/lists/add", ["title": "\(id)", "list": "\(list)", "name": "", "back": "/titles/\(id)"])
        #expect(added.contains("1 title is now on the list For the seminar."))
        #expect(added.contains("/me/lists/\(list)/titles/\(id)/remove"))
        let search = try await browser.open("/search?query=emma")
        #expect(search.contains(#"form="to-list""#) && search.contains(#"id="to-list""#))
        let emma = try #require(
            try server.desk.read { try $0.catalogue.search(CatalogueQuery(words: "emma", limit: 1)).first?.id })
        try await browser.send("/me/lists/add", ["title": "\(emma)", "list": "", "name": "New", "back": "/search"])
        #expect(try server.desk.read { try $0.lists.list(of: .username("ann")).map(\.name) }.contains("New"))
        let page = try await browser.open("/lists/\(list)")
        #expect(page.contains("Dune") && page.contains("/lists/\(list)/titles.csv"))
        let sheet = await browser.ask("GET", "/lists/\(list)/titles.csv")
        #expect(sheet.fields["Content-Disposition"]?.contains("Fortheseminar.csv") == true)
        #expect(sheet.text.hasPrefix("Title,Authors,Year,Publisher,ISBN\r\nDune,"), "\(sheet.text)")
        try await browser.open("/lists/\(list)")
        let removed = try await browser.send("/me/lists/\(list)/titles/\(id)/remove")
        #expect(removed.contains("has been removed from the list"))
        try await browser.send("/me/lists/\(list)/remove")
        #expect(try server.desk.read { try $0.lists.get(list) } == nil)
    }

    @Test("all titles that are ticked in a search go on the list at once")
    func ticked() async throws {
        try await browser.logIn("ann")
        try await browser.open("/search?query=emma")
        let titles = try server.desk.read { try $0.catalogue.search(CatalogueQuery(limit: 3)).map(\.id) }
        try #require(titles.count == 3)
        let form = try browser.form("/me/lists/add", ["list": "", "name": "Three", "back": "/search"])
        let boxes = titles.map { "&title=\($0)" }.joined()
        let answer = await browser.ask("POST", "/me/lists/add", form + boxes)
        #expect(answer.status == 303, "\(answer.text)")
        let list = try #require(try server.desk.read { try $0.lists.list(of: .username("ann")).first })
        let page = try await browser.open("/lists/\(list.id)/titles.csv")
        #expect(page.split(separator: "\r\n").count == 4, "\(page)")
        // What is no box is still taken once alone.
        let twice = await browser.ask("POST", "/me/lists/add", form + boxes + "&name=Four")
        #expect(twice.status == 400 && twice.text.contains("given twice"))
    }

    @Test("a private list exists for its owner alone, a public one for everyone who has its address")
    func privacy() async throws {
        let made = try await server.ask(.post, "/patrons/me/lists", ["name": "Secret"], as: "ann")
        let list = try #require(made.json["id"]?.integerValue, "\(made.text)")
        _ = try await server.ask(.post, "/patrons/me/lists/\(list)/titles", ["title": .string(Self.dune)], as: "ann")
        for name in [nil, "bob", "staff", "root"] as [String?] {
            for path in ["/lists/\(list)", "/lists/\(list)/titles"] {
                let seen = try await server.ask(.get, path, as: name)
                let missing = try await server.ask(.get, path.replacing("\(list)", with: "424242"), as: name)
                #expect(seen.status == 404 && seen.body == missing.body, "\(name ?? "-") \(path): \(seen.text)")
            }
        }
        #expect(try await server.ask(.get, "/lists/\(list)", as: "ann").json["titles"] == 1)
        let stranger = PageBrowser(server)
        #expect(await stranger.ask("GET", "/lists/\(list)").status == 404)
        #expect(await stranger.ask("GET", "/lists/\(list)/titles.csv").status == 404)
        #expect(await stranger.ask("GET", "/lists/x").status == 404)
        for verb in [Route.Verb.patch, .delete] {
            let body: JSON? = verb == .patch ? ["name": "Mine"] : nil
            #expect(try await server.ask(verb, "/patrons/me/lists/\(list)", body, as: "bob").status == 404)
        }
        _ = try await server.ask(.patch, "/patrons/me/lists/\(list)", ["is_public": true], as: "ann")
        #expect(try await stranger.open("/lists/\(list)").contains("Secret"))
        let open = try await server.ask(.get, "/lists/\(list)/titles", as: nil)
        #expect(open.json["items"]?.arrayValue?.count == 1 || open.json.arrayValue?.count == 1, "\(open.text)")
    }

    @Test("forms that ask for what cannot be change nothing")
    func malformed() async throws {
        let id = try title()
        try await browser.logIn("ann")
        for fields in [
            ["title": "", "list": ""], ["title": "x"], ["title": "\(id)", "list": "99"],
            ["title": "\(id)", "list": "", "name": ""], ["title": "99999", "list": "", "name": "N"],
        ] {
            try await browser.open("/titles/\(id)")
            try await browser.send("/me/lists/add", fields)
            #expect((400..<500).contains(browser.page.status), "\(fields)")
        }
        #expect(try server.desk.read { try $0.lists.list(of: .username("ann")) }.isEmpty)
    }
}
