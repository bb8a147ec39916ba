import Circulation
import Desk
import Foundation
import Scripting
import Server
import Testing
import TextFormats

@Suite("Lists that are private, shared by a link, or public")
struct SharedListTests {
    private static let dune = "9780441013593"
    private let server: TestServer
    private let browser: PageBrowser

    init() throws {
        server = try TestServer()
        browser = PageBrowser(server)
    }

    private func make(_ name: String, _ visibility: String, as patron: String = "ann") async throws -> JSON {
        let made = try await server.ask(
            .post, "/patrons/me/lists", ["name": .string(name), "visibility": .string(visibility)], as: patron)
        let list = made.json["id"]?.integerValue ?? 0
        _ = try await server.ask(
            .post, "/patrons/me/lists/\(list)/titles", ["title": .string(Self.dune)], as: patron)
        return made.json
    }

    private func id(_ list: JSON) -> Int64 { list["id"]?.integerValue ?? 0 }

    private func change(_ list: JSON, _ members: JSONObject) async throws -> JSON {
        try await server.ask(.patch, "/patrons/me/lists/\(id(list))", .object(members), as: "ann").json
    }

    @Test("who has the link sees the list, its titles and its table; a number, a wrong key or half of it show nothing")
    func linked() async throws {
        let list = try await make("For the jury", "link")
        let key = try #require(list["link_key"]?.stringValue)
        #expect(key.count == 32 && list["visibility"] == "link" && list["is_public"] == false)
        let stranger = PageBrowser(server)
        for suffix in ["", "/titles.csv"] {
            let path = "/lists/\(id(list))\(suffix)"
            #expect(await stranger.ask("GET", "\(path)?key=\(key)").text.contains("Dune"), "\(path)")
            let other = String(key.dropLast()) + (key.last == "0" ? "1" : "0")
            for wrong in ["", "?key=", "?key=\(other)", "?key=\(key.prefix(16))", "?key=\(key)0"] {
                #expect(await stranger.ask("GET", path + wrong).status == 404, "\(path)\(wrong)")
            }
        }
        for name in [nil, "bob", "staff"] as [String?] {
            let path = "/lists/\(id(list))/titles"
            #expect(try await server.ask(.get, path, as: name).status == 404)
            let seen = try await server.ask(.get, "\(path)?key=\(key)", as: name)
            #expect(seen.status == 200 && seen.text.contains("Dune"))
        }
        // What is seen by the link is not changed by it.
        #expect(
            try await server.ask(.patch, "/patrons/me/lists/\(id(list))", ["name": "Mine"], as: "bob").status == 404)
        // The owner's page says the link.
        try await browser.logIn("ann")
        let page = try await browser.open("/lists/\(id(list))")
        #expect(page.contains("/lists/\(id(list))?key=\(key)") && page.contains("Shared by link"), "\(page)")
    }

    @Test("a link that was replaced or taken back leads nowhere, also once the list is shared again")
    func takenBack() async throws {
        let list = try await make("For the jury", "link")
        let first = try #require(list["link_key"]?.stringValue)
        try await browser.logIn("ann")
        try await browser.open("/lists/\(id(list))")
        let renewed = try await browser.send("/me/lists/\(id(list))/link")
        #expect(renewed.contains("The list has a new link"), "\(renewed)")
        let second = try #require(try server.desk.read { try $0.lists.get(id(list)) }?.linkKey)
        #expect(second != first)
        #expect(try await change(list, ["name": "Renamed"])["link_key"] == .string(second))
        #expect(try await change(list, ["is_public": false])["visibility"] == "link")
        #expect(try await change(list, ["visibility": "private"])["link_key"] == nil)
        let third = try #require(try await change(list, ["visibility": "link"])["link_key"]?.stringValue)
        #expect(Set([first, second, third]).count == 3)
        let stranger = PageBrowser(server)
        for (key, status) in [(first, 404), (second, 404), (third, 200)] {
            #expect(await stranger.ask("GET", "/lists/\(id(list))?key=\(key)").status == status)
        }
        #expect(try await change(list, ["visibility": "public"])["link_key"] == nil)
        #expect(try await change(list, ["is_public": false])["visibility"] == "private")
        #expect(try server.desk.examine().broken.isEmpty)
    }

    @Test("public lists are listed for everyone, the latest first; others are not, and no key is told")
    func listed() async throws {
        for (name, visibility) in [("First", "public"), ("Secret", "private"), ("Linked", "link"), ("Last", "public")] {
            _ = try await make(name, visibility)
        }
        let listed = try await server.ask(.get, "/lists", as: nil)
        let items = listed.json["items"]?.arrayValue ?? listed.json.arrayValue ?? []
        #expect(items.compactMap { $0["name"]?.stringValue } == ["Last", "First"], "\(listed.text)")
        #expect(!listed.text.contains("link_key"))
        let page = try await browser.open("/lists")
        #expect(page.contains(">Last</a>") && page.contains(">First</a>") && page.contains("by a member"))
        #expect(!page.contains("Secret") && !page.contains("Linked"))
        for number in 1...51 { _ = try await make("List \(number)", "public", as: "bob") }
        let first = try await browser.open("/lists")
        #expect(first.contains("/lists?page=2") && first.contains(">List 51<") && !first.contains(">First<"))
        let second = try await browser.open("/lists?page=2")
        #expect(second.contains(">First<") && second.contains("/lists?page=1") && !second.contains("page=3"))
        #expect(await browser.ask("GET", "/lists?page=x").status == 200)
    }

    @Test("the forms say who may see a list")
    func forms() async throws {
        try await browser.logIn("ann")
        let page = try await browser.open("/me/lists")
        for words in ["Only you", "Anyone with the link", "Everyone"] { #expect(page.contains(">\(words)<")) }
        try await browser.send("/me/lists", ["name": "Open", "visibility": "public"])
        try await browser.send("/me/lists", ["name": "Closed"])
        let lists = try server.desk.read { try $0.lists.list(of: .username("ann")) }
        #expect(lists.map(\.visibility) == [.public, .private])
        try await browser.open("/lists/\(lists[0].id)")
        let saved = try await browser.send("/me/lists/\(lists[0].id)", ["name": "Open", "visibility": "link"])
        #expect(saved.contains("<option value=\"link\" selected>") && saved.contains("Create a new link"), "\(saved)")
        try await browser.send("/me/lists/\(lists[0].id)", ["name": "Open", "visibility": "nobody"])
        #expect(browser.page.status == 400 || browser.page.status == 422)
        #expect(try server.desk.read { try $0.lists.get(lists[0].id) }?.visibility == .link)
    }
}
