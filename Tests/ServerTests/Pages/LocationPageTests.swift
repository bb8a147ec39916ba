import Circulation
import Desk
import Foundation
import Scripting
import Server
import Testing
import TextFormats

@Suite("Pages on which locations have names")
struct LocationPageTests {
    private let server: TestServer
    private let browser: PageBrowser

    init() throws {
        server = try TestServer()
        browser = PageBrowser(server)
    }

    /// The title that stands there, and the barcode of its first copy.
    private func place(at location: String?) throws -> (title: Int64, barcode: String) {
        let copy = try #require(
            try server.desk.read { try $0.catalogue.copies(of: .isbn(ISBN("9780441013593"))).first })
        _ = try server.desk.write { session in
            try session.catalogue.updateCopy(barcode: copy.barcode) { $0.location = location }
        }
        return (copy.title, copy.barcode)
    }

    @Test("a location is given a name, another one, and loses it; one where copies stand is kept")
    func declaration() async throws {
        let (_, barcode) = try place(at: "new books/1")
        try await browser.logIn("root")
        let before = try await browser.open("/desk/settings")
        #expect(before.contains(#"<h2 id="locations">Shelving locations</h2>"#))
        #expect(before.contains("/desk/locations/new"))
        try await browser.open("/desk/locations/new")
        let added = try await browser.send("/desk/locations/new", ["code": "new books/1", "name": "At the <door>"])
        #expect(added.contains("At the &lt;door&gt; has been added."), "\(added)")
        #expect(added.contains(#"<td class="code">new books/1</td>"#))
        let link = "/desk/locations/new%20books%2F1"
        #expect(added.contains("\(link)/edit"))
        try await browser.open("/desk/locations/new")
        try await browser.send("/desk/locations/new", ["code": "new books/1", "name": "Again"])
        #expect(browser.page.status == 409)
        let edit = try await browser.open("\(link)/edit")
        #expect(edit.contains(#"value="At the &lt;door&gt;""#) && !edit.contains(#"name="parent""#), "\(edit)")
        let renamed = try await browser.send("\(link)/edit", ["name": "New this month"])
        #expect(renamed.contains("New this month has been changed."), "\(renamed)")
        #expect(try server.desk.read { try $0.settings.locations().map(\.name) } == ["New this month"])
        try await browser.open("\(link)/edit")
        let kept = try await browser.send("\(link)/remove")
        #expect(browser.page.status == 409 && kept.contains("1 copy has it"), "\(kept)")
        #expect(await browser.ask("GET", "/desk/locations/kids/edit").status == 404)
        _ = try place(at: nil)
        try await browser.open("\(link)/edit")
        #expect(try await browser.send("\(link)/remove").contains("New this month has been removed."))
        #expect(try server.desk.read { try $0.settings.locations() } == [])
        #expect(try server.desk.read { try $0.catalogue.copy(barcode: barcode)?.location } == nil)
        for name in ["ann", "staff"] {
            let other = PageBrowser(server)
            try await other.logIn(name)
            #expect(await other.ask("GET", "/desk/locations/new").status == 404, "\(name)")
        }
    }

    @Test("readers and staff see the name, and one without a name as it is")
    func shown() async throws {
        let (title, _) = try place(at: "ref")
        try await browser.logIn("staff")
        let reader = PageBrowser(server)
        try await reader.logIn("ann")
        try server.activatePolicy()
        _ = try await server.ask(.post, "/holds", ["patron": "ann", "isbn": "9780441013593"], as: "staff")
        let paths = ["/desk/titles/\(title)", "/desk/holds/pull", "/titles/\(title)"]
        func pages() async throws -> [String] {
            var pages: [String] = []
            for path in paths { pages.append(try await browser.open(path)) }
            return pages + [try await reader.open(paths[2])]
        }
        for (place, page) in zip(paths + ["reader"], try await pages()) {
            #expect(page.contains(#", <span class="soft">ref</span>"#), "\(place): \(page)")
        }
        _ = try server.desk.write { try $0.settings.addLocation(ShelvingLocation(code: "ref", name: "Reading <room>")) }
        for (place, page) in zip(paths + ["reader"], try await pages()) {
            #expect(page.contains(#", <span class="soft">Reading &lt;room&gt;</span>"#), "\(place): \(page)")
            #expect(!page.contains(#"<span class="soft">ref</span>"#), "\(place)")
        }
        // Programs get the code.
        let copies = try await server.ask(.get, "/titles/\(title)/copies", as: "ann").json
        #expect(copies["items"]?.arrayValue?.first?["location"] == "ref")
        let pull = try await server.ask(.get, "/pull-list", as: "staff").json
        #expect(pull["items"]?.arrayValue?.first?["location"] == "ref")
    }

    @Test("the forms of copies offer the locations that have names, and take any other word")
    func offered() async throws {
        let (title, barcode) = try place(at: "loft")
        _ = try server.desk.write { try $0.settings.addLocation(ShelvingLocation(code: "ref", name: "Reading room")) }
        try await browser.logIn("staff")
        let option = #"<option value="ref">Reading room</option>"#
        let adding = try await browser.open("/desk/titles/\(title)")
        #expect(adding.contains(#"list="copies-location-list""#) && adding.contains(option), "\(adding)")
        let edit = try await browser.open("/desk/copies/\(barcode)/edit")
        #expect(edit.contains(#"value="loft" list="edit-location-list""#) && edit.contains(option), "\(edit)")
        let saved = try await browser.send(
            "/desk/copies/\(barcode)/edit",
            ["barcode": barcode, "branch": "main", "item_type": "book", "location": "kids-1"])
        #expect(saved.contains(#"<span class="soft">kids-1</span>"#), "\(saved)")
    }

    @Test("an import names the locations that have no name, and adds none of them")
    func imported() async throws {
        _ = try server.desk.write { try $0.settings.addLocation(ShelvingLocation(code: "ref", name: "Reading room")) }
        try await browser.logIn("root")
        try await browser.open("/desk/import")
        let rows = "barcode,isbn,location\nL1,9780441013593,ref\nL2,9780441013593,re<f\n"
        let report = try await browser.send("/desk/import", ["rows": rows, "keep": "yes"])
        #expect(
            report.contains("Shelving locations without a name, which are shown as they are: “re&lt;f”."), "\(report)")
        #expect(!report.contains("New codes"))
        #expect(try server.desk.read { try $0.settings.locations().map(\.code) } == ["ref"])
    }
}
