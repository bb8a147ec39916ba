import Circulation
import Desk
import Foundation
import Scripting
import Server
import Testing
import TextFormats

@Suite("Accounts of staff")
struct StaffAccountsPageTests {
    private static let path = "/desk/staff"
    private let server: TestServer
    private let browser: PageBrowser

    init() throws {
        server = try TestServer()
        browser = PageBrowser(server)
    }

    private func staff() throws -> Int64 { try server.id(of: "staff") }

    private func logsIn(_ name: String, _ password: String = TestServer.password) async throws -> Bool {
        try await server.ask(
            .post, "/sessions", ["username": .string(name), "password": .string(password)], as: nil
        ).status == 201
    }

    @Test("administrators see who is staff, in what role and when they last were here; others learn of no such page")
    func listed() async throws {
        try await browser.logIn("root")
        var page = try await browser.open(Self.path)
        #expect(page.contains("<td>staff</td><td>Staff</td>"), "\(page)")
        #expect(page.contains("<td>root</td><td>Admin</td>"))
        #expect(!page.contains("<td>ann</td>") && page.contains("none recorded"))
        #expect(try await logsIn("staff"))
        page = try await browser.open(Self.path)
        let row = try #require(page.components(separatedBy: "<tr>").first { $0.contains("<td>staff</td>") })
        #expect(!row.contains("none recorded") && row.contains("<time datetime="), "\(row)")
        #expect(row.contains("<td>Open</td>"))
        for name in ["staff", "ann"] {
            let other = PageBrowser(server)
            try await other.logIn(name)
            #expect(await other.ask("GET", Self.path).status == 404)
            #expect(try await server.ask(.get, "/staff", as: name).status == 403)
        }
        let listed = try await server.ask(.get, "/staff", as: "root")
        let names = (listed.json["items"]?.arrayValue ?? listed.json.arrayValue ?? []).compactMap { $0["username"] }
        #expect(names.contains("staff") && names.contains("root") && !names.contains("ann"), "\(listed.text)")
    }

    @Test("a closed account lets nobody in by password, session, key or link, until it is opened again")
    func closed() async throws {
        let id = try staff()
        let key = try await server.ask(.post, "/keys", ["label": "k"], as: "staff")
        #expect(key.status == 201, "\(key.text)")
        let colleague = PageBrowser(server)
        try await colleague.logIn("staff")
        try await browser.logIn("root")
        try await browser.open(Self.path)
        let page = try await browser.send("\(Self.path)/\(id)/close")
        #expect(
            page.contains("The account staff has been closed.") && page.contains("Closed</strong> since"), "\(page)")
        #expect(await colleague.ask("GET", "/desk").status != 200)
        #expect(try await !logsIn("staff"))
        #expect(try server.desk.read { try $0.accounts.tokens(of: id, .key) }.isEmpty)
        // Nobody opens it by asking for a new password.
        _ = try server.desk.write { session in
            try session.patrons.update(.id(id)) { $0.email = "staff@example.org" }
        }
        #expect(try await server.ask(.post, "/passwords/forgotten", ["username": "staff"], as: nil).status == 204)
        #expect(server.teller.all.mails.allSatisfy { $0.to != "staff@example.org" || $0.kind == .addressChanged })
        let link = try await server.ask(.post, "/patrons/staff/password-link", [:], as: "root")
        #expect(link.status == 409 && link.code == "account_closed", "\(link.text)")
        #expect(try await server.ask(.post, "/patrons/staff/close-account", [:], as: "root").code == "account_closed")
        let opened = try await browser.send("\(Self.path)/\(id)/open")
        #expect(opened.contains("The account staff has been reopened."), "\(opened)")
        #expect(try await logsIn("staff"))
        let events = try server.desk.read { try $0.events.list(EventQuery(patron: id, limit: 100)) }
        let changes = events.filter { $0.kind == "account.changed" }.map(\.payload)
        #expect(changes.contains { $0.contains("\"closed\"") } && changes.contains { $0.contains("\"opened\"") })
    }

    @Test("nobody closes their own account, and staff close none")
    func own() async throws {
        try await browser.logIn("root")
        let root = try server.id(of: "root")
        let page = try await browser.open(Self.path)
        let colleague = try staff()
        #expect(!page.contains("\(Self.path)/\(root)/close") && page.contains("\(Self.path)/\(colleague)/close"))
        let own = try await server.ask(.post, "/patrons/root/close-account", [:], as: "root")
        #expect(own.status == 409 && own.code == "own_account", "\(own.text)")
        for path in ["close-account", "open-account", "password-link"] {
            #expect(try await server.ask(.post, "/patrons/root/\(path)", [:], as: "staff").status == 403)
        }
        #expect(try await server.ask(.post, "/patrons/nobody/close-account", [:], as: "root").status == 404)
        #expect(try await logsIn("root"))
    }

    @Test("a link is shown once; it sets a password once, and the one before it is good no more")
    func links() async throws {
        try await browser.logIn("root")
        let id = try staff()
        func make() async throws -> String {
            try await browser.open(Self.path)
            let page = try await browser.send("\(Self.path)/\(id)/link")
            let link = try #require(page.firstMatch(of: /reset\?token=(msr_[^<]+)</)?.output.1, "\(page)")
            #expect(page.contains("A link for staff"))
            return String(link)
        }
        let former = try await make()
        let token = try await make()
        #expect(try await !browser.open(Self.path).contains("msr_"))
        func set(_ token: String) async throws -> Int {
            try await server.ask(
                .post, "/passwords/reset", ["token": .string(token), "password": "an entirely new one"], as: nil
            ).status
        }
        #expect(try await set(former) == 422)
        // The password stays until the link is used.
        #expect(try await logsIn("staff"))
        #expect(try await set(token) == 204)
        #expect(try await !logsIn("staff"))
        #expect(try await logsIn("staff", "an entirely new one"))
        #expect(try await set(token) == 422)
    }
}
