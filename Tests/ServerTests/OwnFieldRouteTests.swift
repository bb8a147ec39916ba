import Circulation
import Desk
import Scripting
import Server
import Testing
import TextFormats

@Suite("Fields of the library's own over HTTP")
struct OwnFieldRouteTests {
    private let server: TestServer

    init() throws {
        server = try TestServer()
        var house = CustomField(.patron, "house", .text, label: "House")
        house.values = ["red", "blue"]
        let files = [PolicyBundle.File(name: "plugin.lua", source: "")]
        let candidate = PluginCandidate(
            bundle: PolicyBundle(sha256: PolicyBundle.digest(of: files), files: files), name: "library", version: "1",
            needs: [], settings: [:],
            fields: [
                house, CustomField(.patron, "guardian", .patron, label: "Guardian"),
                CustomField(.title, "weight", .number, label: "Weight"),
                CustomField(.copy, "shelf", .text, label: "Shelf mark"),
            ])
        let used = try server.desk.write { try $0.plugins.use(candidate, allowing: []) }
        #expect(used.value != nil)
    }

    @Test("they are written by their names, checked, answered, and part of the document; patrons cannot change theirs")
    func routes() async throws {
        let bob = try server.id(of: "bob")
        let changed = try await server.ask(.patch, "/patrons/ann", ["house": "red", "guardian": "bob"], as: "staff")
        #expect(
            changed.status == 200 && changed.json["house"] == "red" && changed.json["guardian"] == .integer(bob),
            "\(changed.text)")
        #expect(try await server.ask(.get, "/patrons/me", as: "ann").json["house"] == "red")
        let odd = try await server.ask(.patch, "/patrons/ann", ["house": "green"], as: "staff")
        #expect(odd.status == 400 && odd.json["detail"]?.stringValue?.contains("house") == true, "\(odd.text)")
        let unknown = try await server.ask(.patch, "/patrons/ann", ["hose": "red"], as: "staff")
        #expect(unknown.json["detail"]?.stringValue?.contains("did you mean 'house'?") == true, "\(unknown.text)")
        let gone = try await server.ask(.patch, "/patrons/ann", ["guardian": "eve"], as: "staff")
        #expect(gone.status == 422 && gone.code == "unknown_patron", "\(gone.text)")
        #expect(gone.json["detail"] == "'guardian' does not name a known patron.")
        #expect(try await server.ask(.patch, "/patrons/me", ["house": "blue"], as: "ann").status >= 400)
        #expect(try server.desk.read { try $0.patrons.get(.username("ann"))?.extra["house"] } == "red")
        let document = try await server.ask(.get, "/openapi.json").json
        let schema = document["components"]?["schemas"]?["patron"]?["properties"]
        #expect(schema?["house"]?["enum"] == ["red", "blue"] && schema?["guardian"]?["type"] == "integer")
        let body = document["paths"]?["/patrons/{patron}"]?["patch"]?["requestBody"]?["content"]?["application/json"]?[
            "schema"]
        #expect(body?["properties"]?["house"] != nil && body?["properties"]?["weight"] == nil)
    }

    @Test("pages show them by their labels: those of titles and copies to everyone, those of patrons to staff")
    func pages() async throws {
        let title = try await server.ask(.patch, "/titles/9780441013593", ["weight": 1.5], as: "staff")
        let id = try #require(title.json["id"]?.integerValue)
        let copies = try await server.ask(.get, "/titles/\(id)/copies").json
        let barcode = try #require(copies["items"]?.arrayValue?.first?["barcode"]?.stringValue)
        _ = try await server.ask(.patch, "/copies/\(barcode)", ["shelf": "A <7>"], as: "staff")
        _ = try await server.ask(.patch, "/patrons/ann", ["guardian": "bob"], as: "staff")
        let browser = PageBrowser(server)
        let page = try await browser.open("/titles/\(id)")
        #expect(page.contains("<dt>Weight</dt><dd>1.5</dd>") && page.contains("Shelf mark: A &lt;7&gt;"), "\(page)")
        try await browser.logIn("staff")
        let ann = try server.id(of: "ann")
        #expect(try await browser.open("/desk/patrons/\(ann)").contains("Guardian: bob Smith"))
    }

    @Test("staff write them by a form; what was emptied is gone, and what is wrong is said")
    func forms() async throws {
        let ann = try server.id(of: "ann")
        let path = "/desk/patrons/\(ann)/fields"
        func kept() throws -> JSONObject? { try server.desk.read { try $0.patrons.get(.id(ann))?.extra } }
        let browser = PageBrowser(server)
        #expect(await browser.ask("GET", path).status != 200)
        try await browser.logIn("staff")
        #expect(try await browser.open("/desk/patrons/\(ann)").contains("href=\"\(path)\""))
        #expect(try await browser.open(path).contains("<option value=\"blue\">blue</option>"))
        #expect(try await browser.send(path, ["house": "blue", "guardian": "bob"]).contains("Guardian: bob Smith"))
        let form = try await browser.open(path)
        #expect(form.contains("<option value=\"blue\" selected>") && form.contains("value=\"bob\""), "\(form)")
        let wrong = await browser.ask("POST", path, try browser.form(path, ["house": "red", "guardian": "eve"]))
        #expect(wrong.text.contains("does not name a known patron"), "\(wrong.text)")
        #expect(try kept()?["house"] == "blue")
        _ = try await browser.open(path)
        _ = try await browser.send(path, ["house": "", "guardian": "bob"])
        #expect(try kept()?["house"] == nil && kept()?["guardian"] != nil)
        let title = try await server.ask(.get, "/titles/9780441013593").json["id"]?.integerValue ?? 0
        let page = try await browser.open("/titles/\(title)")
        #expect(page.contains("href=\"/desk/titles/\(title)/fields\"") && page.contains("/fields\">Change<span"))
        _ = try await browser.open("/desk/titles/\(title)/fields")
        #expect(try await browser.send("/desk/titles/\(title)/fields", ["weight": "2,5"]).contains("<dd>2.5</dd>"))
        #expect(await browser.ask("GET", "/desk/copies/nothing/fields").status == 404)
    }
}
