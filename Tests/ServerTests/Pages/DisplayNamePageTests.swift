import Circulation
import Desk
import Foundation
import Scripting
import Server
import Testing
import TextFormats

@Suite("Display names on pages and routes")
struct DisplayNamePageTests {
    private let server: TestServer
    private let browser: PageBrowser

    init() throws {
        server = try TestServer()
        browser = PageBrowser(server)
    }

    private func offer() async throws -> Int64 {
        let made = try await server.ask(
            .post, "/listings",
            ["seller": "ann", "isbn": "9780441013593", "kind": "sell", "quantity": 3, "price": "1.00"], as: "ann")
        return try #require(made.json["id"]?.integerValue, "\(made.text)")
    }

    @Test("a patron chooses a name among the details, and others see it in place of the username")
    func chosen() async throws {
        let listing = try await offer()
        try await browser.logIn("ann")
        let form = try await browser.open("/me/details")
        #expect(form.contains(#"name="display_name""#) && form.contains("Name shown to other members"))
        try await browser.send("/me/details", ["display_name": "Lady Ann"])
        #expect(try await browser.open("/me/details").contains(#"value="Lady Ann""#))
        let other = PageBrowser(server)
        try await other.logIn("bob")
        let page = try await other.open("/market/\(listing)")
        #expect(page.contains("Lady Ann"))
        #expect(!page.contains(">ann<"))
        let found = try await server.ask(.get, "/listings?seller=lady%20ann", as: "bob")
        #expect(found.json["items"]?.arrayValue?.count == 1, "\(found.text)")
        // The username behind the name is no way to find it, except for its owner and staff.
        for (name, count) in [("bob", 0), ("ann", 1), ("staff", 1)] {
            let found = try await server.ask(.get, "/listings?seller=ann", as: name)
            #expect(found.json["items"]?.arrayValue?.count == count, "\(name): \(found.text)")
        }
        try await browser.send("/me/details", ["display_name": ""])
        #expect(try await other.open("/market/\(listing)").contains("ann"))
    }

    @Test("what cannot be a name comes back with the reason at its field, and nothing is changed")
    func malformed() async throws {
        try await browser.logIn("ann")
        try await browser.open("/me/details")
        for name in ["x", "ann@example.org", "Staff", "bob", "Reader 2", String(repeating: "y", count: 5_000)] {
            let page = try await browser.send("/me/details", ["display_name": name])
            #expect((400..<500).contains(browser.page.status) && page.contains("</html>"), "\(name.prefix(20))")
        }
        #expect(try server.desk.read { try $0.patrons.get(.username("ann"))?.displayName } == nil)
        let wrong = try await browser.send("/me/details", ["display_name": "030 1234567"])
        #expect(wrong.contains(#"aria-describedby="display_name-hint display_name-wrong""#), "\(wrong)")
    }

    @Test(
        "a name that is the library's or another member's is marked at its own field, with what else was typed",
        arguments: [
            ("Staff", "That name could be mistaken for the library&#39;s. Please choose another one."),
            ("bob", "Another member already uses this name. Please choose another one."),
        ])
    func refused(name: String, words: String) async throws {
        try await browser.logIn("ann")
        try await browser.open("/me/details")
        let staff = PageBrowser(server)
        try await staff.logIn("staff")
        let path = "/desk/patrons/\(try server.id(of: "ann"))/edit"
        try await staff.open(path)
        for (browser, path, id) in [
            (browser, "/me/details", "display_name"), (staff, path, "edit-display_name"),
        ] {
            let page = try await browser.send(path, ["display_name": name, "surname": "Berg"])
            #expect(browser.page.status == 422)
            let field = try #require(
                page.components(separatedBy: "<div class=\"field\">").first { $0.contains("name=\"display_name\"") })
            #expect(field.contains("aria-invalid=\"true\"") && field.contains("value=\"\(name)\""), "\(field)")
            #expect(field.contains("<p class=\"wrong\" id=\"\(id)-wrong\">\(words)</p>"), "\(field)")
            #expect(field.contains("aria-describedby=\"\(id)-hint \(id)-wrong\""))
            // The list above the form leads there, and nothing else is at fault.
            #expect(page.contains("<li><a href=\"#\(id)\">Name shown to other members</a>: \(words)</li>"))
            #expect(page.components(separatedBy: "aria-invalid").count == 2 && page.contains("value=\"Berg\""))
        }
        #expect(try server.desk.read { try $0.patrons.get(.username("ann"))?.surname } != "Berg")
    }

    @Test("staff see who it is, change it, and say which words are the library's")
    func staff() async throws {
        let ann = try server.id(of: "ann")
        let set = try await server.ask(.patch, "/patrons/\(ann)", ["display_name": "Lady Ann"], as: "staff")
        #expect(set.status == 200 && set.json["display_name"] == "Lady Ann", "\(set.text)")
        try await browser.logIn("staff")
        let page = try await browser.open("/desk/patrons/\(ann)")
        #expect(page.contains("Name shown to other members: Lady Ann") && page.contains("ann, number"))
        #expect(try await browser.open("/desk/patrons?query=lady").contains("/desk/patrons/\(ann)"))
        let others = try await server.ask(.patch, "/patrons/\(ann)", ["display_name": "Knight"], as: "bob")
        #expect(others.status == 404)
        let taken = try await server.ask(.patch, "/patrons/me", ["display_name": "lady ann"], as: "bob")
        #expect(taken.status == 422 && taken.code == "exists", "\(taken.text)")
        let admin = PageBrowser(server)
        try await admin.logIn("root")
        try await admin.open("/desk/settings")
        try await admin.send(
            "/desk/settings",
            ["name": "Library", "time_zone": "Europe/Berlin", "currency": "EUR", "reserved_names": "Sir\r\n\r\nbeadle"])
        #expect(try server.desk.read { try $0.settings.library().reservedNames } == ["Sir", "beadle"])
        let sir = try await server.ask(.patch, "/patrons/me", ["display_name": "Sir Bob"], as: "bob")
        #expect(sir.status == 422 && sir.code == "reserved_name", "\(sir.text)")
    }
}
