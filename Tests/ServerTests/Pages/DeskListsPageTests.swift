import Circulation
import Desk
import Scripting
import Server
import Testing
import TextFormats

@Suite("Lists that staff take down")
struct DeskListsPageTests {
    private static let dune = "9780441013593"
    private let server: TestServer
    private let staff: PageBrowser

    init() async throws {
        server = try TestServer()
        staff = PageBrowser(server)
        try await staff.logIn("staff")
    }

    private func make(_ name: String, _ visibility: String = "public", as patron: String = "ann") async throws -> JSON {
        let made = try await server.ask(
            .post, "/patrons/me/lists", ["name": .string(name), "visibility": .string(visibility)], as: patron)
        let id = made.json["id"]?.integerValue ?? 0
        _ = try await server.ask(.post, "/patrons/me/lists/\(id)/titles", ["title": .string(Self.dune)], as: patron)
        return made.json
    }

    private func id(_ list: JSON) -> Int64 { list["id"]?.integerValue ?? 0 }

    private func list(_ id: Int64) throws -> TitleList? { try server.desk.read { try $0.lists.get(id) } }

    @Test("staff find a list by its name and take it down; its owner still sees it, is told why, and cannot share it")
    func takenDown() async throws {
        let list = try await make("Hateful <b>things</b>")
        _ = try await make("Sea stories", as: "bob")
        let found = try await staff.open("/desk/lists?query=HATEFUL")
        #expect(found.contains("Hateful &lt;b&gt;things") && !found.contains("Sea stories"), "\(found)")
        #expect(try await staff.open("/desk/lists?query=nowhere").contains("No public lists match your search"))
        try await staff.open("/desk/lists")
        // Without a reason nothing happens.
        try await staff.send("/desk/lists/\(id(list))/take-down", ["reason": " "])
        #expect((400..<500).contains(staff.page.status) && staff.page.text.contains("reason"))
        #expect(try self.list(id(list))?.isPublic == true)
        try await staff.open("/desk/lists")
        let said = try await staff.send("/desk/lists/\(id(list))/take-down", ["reason": "It names ann <i>others</i>"])
        #expect(said.contains("has been taken down") && said.contains("It names … &lt;i&gt;others"), "\(said)")

        let stranger = PageBrowser(server)
        #expect(await stranger.ask("GET", "/lists/\(id(list))").status == 404)
        #expect(await stranger.ask("GET", "/lists/\(id(list))/titles.csv").status == 404)
        #expect(try await !stranger.open("/lists").contains("Hateful"))
        let owner = PageBrowser(server)
        try await owner.logIn("ann")
        let own = try await owner.open("/lists/\(id(list))")
        #expect(own.contains("Staff have taken this list down") && own.contains("Dune") && own.contains("It names"))
        #expect(!own.contains("name=\"visibility\"") && !own.contains("/desk/lists"), "\(own)")
        #expect(try await owner.open("/me/lists").contains("Taken down"))
        let inbox = try await owner.open("/me/notifications")
        #expect(inbox.contains("List taken down: Hateful") && inbox.contains("for the following reason"), "\(inbox)")
        for wanted in ["public", "link"] {
            let refused = try await server.ask(
                .patch, "/patrons/me/lists/\(id(list))", ["visibility": .string(wanted)], as: "ann")
            #expect(refused.status == 409 || refused.status == 422 || refused.status == 403, "\(refused.text)")
            #expect(refused.text.contains("taken_down"), "\(refused.text)")
        }
        let renamed = try await server.ask(.patch, "/patrons/me/lists/\(id(list))", ["name": "Things"], as: "ann")
        #expect(renamed.status == 200 && renamed.json["visibility"] == "private", "\(renamed.text)")
        let kinds = try server.desk.read { try $0.events.list(EventQuery()).map(\.kind) }
        #expect(kinds.contains("list.taken_down"))
        #expect(try server.desk.examine().broken.isEmpty)
    }

    @Test("what was taken down is shared again once staff let it be, and not before its owner does so")
    func restored() async throws {
        let list = try await make("Things")
        try await staff.open("/lists/\(id(list))")
        try await staff.send("/desk/lists/\(id(list))/take-down", ["reason": "Names others"])
        // Staff look at it again.
        #expect(try await staff.open("/lists/\(id(list))").contains("Allow sharing again"))
        let said = try await staff.send("/desk/lists/\(id(list))/restore")
        #expect(said.contains("may be shared again") && said.contains("No list has been taken down"), "\(said)")
        #expect(try self.list(id(list))?.visibility == .private)
        #expect(await staff.ask("GET", "/lists/\(id(list))").status == 404, "it is private again, for staff too")
        let shared = try await server.ask(
            .patch, "/patrons/me/lists/\(id(list))", ["visibility": "public"], as: "ann")
        #expect(shared.status == 200 && shared.json["decision"] == nil)
        #expect(await PageBrowser(server).ask("GET", "/lists/\(id(list))").status == 200)
        #expect(try server.desk.examine().broken.isEmpty)
    }

    @Test("a list that is shared by a link is taken down by who has the link; a private one is none for staff")
    func linked() async throws {
        let list = try await make("For the jury", "link")
        let key = try #require(list["link_key"]?.stringValue)
        let path = "/lists/\(id(list))/take-down"
        #expect(try await server.ask(.post, path, ["reason": "No"], as: "staff").status == 404)
        let page = try await staff.open("/lists/\(id(list))?key=\(key)")
        #expect(page.contains("For staff"))
        try await staff.send("/desk/lists/\(id(list))/take-down", ["reason": "No"])
        #expect(try self.list(id(list))?.takenDownAt != nil)
        #expect(await PageBrowser(server).ask("GET", "/lists/\(id(list))?key=\(key)").status == 404)
        let secret = try await make("Secret", "private")
        for name in ["take-down", "restore"] {
            let members: JSONObject = name == "restore" ? [:] : ["reason": "No"]
            let asked = try await server.ask(.post, "/lists/\(id(secret))/\(name)", .object(members), as: "staff")
            #expect((400..<500).contains(asked.status) && !asked.text.contains("Secret"), "\(name): \(asked.text)")
        }
        #expect(try self.list(id(secret))?.takenDownAt == nil)
    }

    @Test("members take nothing down and see no list of it")
    func members() async throws {
        let list = try await make("Things")
        for name in [nil, "bob", "ann"] as [String?] {
            let taken = try await server.ask(.post, "/lists/\(id(list))/take-down", ["reason": "No"], as: name)
            #expect([401, 403].contains(taken.status))
            #expect(try await [401, 403].contains(server.ask(.get, "/lists/taken-down", as: name).status))
        }
        let bob = PageBrowser(server)
        try await bob.logIn("bob")
        #expect(try await !bob.open("/lists/\(id(list))").contains("/take-down"))
        #expect(await bob.ask("GET", "/desk/lists").status == 404)
    }

    @Test("members find public lists by their names, page by page")
    func search() async throws {
        for number in 1...52 { _ = try await make("Straße \(number)", as: "bob") }
        _ = try await make("Other")
        let browser = PageBrowser(server)
        let first = try await browser.open("/lists?query=STRASSE")
        #expect(
            first.contains("Straße 52") && !first.contains(">Other<") && first.contains("page=2&amp;query=STRASSE"),
            "\(first)")
        let second = try await browser.open("/lists?page=2&query=STRASSE")
        #expect(second.contains(">Straße 1<") && !second.contains("page=3"))
    }
}
