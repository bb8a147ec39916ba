import Circulation
import Desk
import Scripting
import Server
import Testing
import TextFormats

@Suite("The links of a patron on the staff's pages")
struct PatronLinkPageTests {
    private let server: TestServer
    private let browser: PageBrowser

    init() throws {
        server = try TestServer()
        browser = PageBrowser(server)
    }

    private func links(_ name: String) throws -> [String] {
        try server.desk.read { session in
            try session.patrons.links(of: .username(name)).map { "\($0.relation) \($0.patron.username)" }
        }
    }

    @Test("staff link patrons by username or number, see them from both sides, and remove the link")
    func linking() async throws {
        try await browser.logIn("staff")
        let (ann, bob) = (try server.id(of: "ann"), try server.id(of: "bob"))
        try await browser.open("/desk/patrons/\(ann)")
        let added = try await browser.send("/desk/patrons/\(ann)/link", ["other": "bob", "relation": "guardian"])
        #expect(added.contains("has been added.") && added.contains(#"href="/desk/patrons/\#(bob)""#), "\(added)")
        #expect(try links("ann") == ["guardian bob"])
        let seen = try await browser.open("/desk/patrons/\(bob)")
        #expect(seen.contains("Dependent") && seen.contains(#"href="/desk/patrons/\#(ann)""#))
        let fields = ["other": "\(ann)", "relation": "dependent"]
        let removed = try await browser.send("/desk/patrons/\(bob)/unlink", fields)
        #expect(try removed.contains("has been removed.") && links("ann").isEmpty, "\(removed)")
        try await browser.send("/desk/patrons/\(bob)/link", fields)
        #expect(try links("ann") == ["guardian bob"])
        try await browser.send("/desk/patrons/\(bob)/link", ["other": "ann", "relation": "household"])
        #expect(try links("ann") == ["guardian bob", "household bob"])
    }

    @Test("patrons see to whom they are linked on their own page, by name alone; who has no links sees nothing of it")
    func own() async throws {
        try await browser.logIn("ann")
        #expect(try await !browser.open("/me").contains("Guardians and household"))
        let (ann, bob) = (try server.id(of: "ann"), try server.id(of: "bob"))
        _ = try server.desk.write { try $0.patrons.link(.id(ann), to: .id(bob), as: .guardian) }
        let page = try await browser.open("/me")
        #expect(page.contains("Guardians and household") && page.contains("Guardian: bob Smith, since"), "\(page)")
        #expect(!page.contains("/desk/patrons/"))
        let other = PageBrowser(server)
        try await other.logIn("bob")
        #expect(try await other.open("/me").contains("Dependent: ann Smith, since"))
        #expect(try await server.ask(.get, "/patrons/\(ann)/links", as: "bob").status == 403)
    }

    @Test("who is not there, and what cannot be, is said on the page, and nothing is written")
    func malformed() async throws {
        try await browser.logIn("staff")
        let ann = try server.id(of: "ann")
        try await browser.open("/desk/patrons/\(ann)")
        for (other, relation, status) in [
            ("nobody", "guardian", 400), ("", "guardian", 400), ("bob", "cousin", 400), ("bob", "", 400),
            ("ann", "guardian", 409), (String(repeating: "x", count: 10_000), "household", 400),
        ] {
            let page = try await browser.send(
                "/desk/patrons/\(ann)/link", ["other": other, "relation": relation])
            #expect(browser.page.status == status && page.contains("</html>"), "\(other.prefix(9)) \(relation)")
        }
        #expect(try links("ann").isEmpty)
        try await browser.open("/desk/patrons/\(ann)")
        try await browser.send("/desk/patrons/\(ann)/link", ["other": "bob", "relation": "guardian"])
        for (other, relation, status) in [("x", "guardian", 404), ("999", "guardian", 404), ("1", "", 400)] {
            try await browser.open("/desk/patrons/\(ann)")
            try await browser.send("/desk/patrons/\(ann)/unlink", ["other": other, "relation": relation])
            #expect(browser.page.status == status, "\(other) \(relation)")
        }
        #expect(try links("ann") == ["guardian bob"])
    }

    @Test("programs of staff link and list, patrons do neither")
    func routes() async throws {
        let made = try await server.ask(
            .post, "/patrons/ann/links", ["other": "bob", "kind": "household"], as: "staff")
        #expect(made.status == 201, "\(made)")
        let listed = try await server.ask(.get, "/patrons/bob/links", as: "staff")
        #expect(listed.status == 200 && listed.json.text().contains(#""username":"ann""#), "\(listed.json)")
        for name in ["ann", "bob"] {
            let seen = try await server.ask(.get, "/patrons/\(name)/links", as: name)
            let changed = try await server.ask(
                .post, "/patrons/\(name)/links", ["other": "staff", "kind": "guardian"], as: name)
            #expect([403, 404].contains(seen.status) && [403, 404].contains(changed.status))
        }
    }
}
