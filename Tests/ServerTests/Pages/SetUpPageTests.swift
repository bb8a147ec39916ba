import Circulation
import Desk
import DeskSupport
import Secrets
import Server
import Testing

@Suite("The page that sets a library up")
struct SetUpPageTests {
    private let token = SecretToken(kind: "msu")

    private var settings: ServerSettings {
        var settings = ServerSettings(burst: 100_000)
        settings.setUpToken = token
        return settings
    }

    private let fields = [
        "library": "Our Library", "time_zone": "Europe/Berlin", "currency": "eur", "name": "Rita", "username": "rita",
        "password": "two ducks, one pond", "email": "",
    ]

    @Test("the link of the terminal makes the first administrator, who is logged in, and opens nothing any more")
    func first() async throws {
        let server = try TestServer(settings: settings, isEmpty: true)
        let browser = PageBrowser(server)
        let path = "/set-up?token=\(token.text)"
        #expect(try await browser.open(path).contains("Set up the library"))
        for (name, value, status) in [
            ("password", "short", 422), ("time_zone", "Mars/Base", 422), ("currency", "money", 422),
            ("username", "", 422),
            ("library", " ", 422), ("username", "17", 422),
        ] {
            try await browser.open(path)
            let wrong = try await browser.send("/set-up", fields.merging([name: value]) { $1 })
            #expect(browser.page.status == status && wrong.contains("id=\"\(name)-wrong\""), "\(name): \(wrong)")
            #expect(!wrong.contains("two ducks"))
        }
        #expect(try server.desk.read { try $0.patrons.count() } == 0)
        try await browser.open(path)
        let done = try await browser.send("/set-up", fields)
        #expect(done.contains("<h1>Library</h1>") && done.contains("Our Library"), "\(done)")
        // The next thing to do.
        #expect(done.contains("No lending policy is in force yet.") && done.contains("href=\"/desk/policy\""))
        let rita = try #require(try server.desk.read { try $0.patrons.get(.username("rita")) })
        #expect(rita.role == .admin)
        let library = try server.desk.read { try $0.settings.library() }
        #expect(library.zone.identifier == "Europe/Berlin" && library.currency.code == "EUR")
        #expect(await PageBrowser(server).ask("GET", path).status == 404)
    }

    @Test("without the token, with another or with people in the library there is no such page")
    func guarded() async throws {
        let other = SecretToken(kind: "msu").text
        for server in [
            try TestServer(settings: settings), try TestServer(isEmpty: true),
            try TestServer(settings: settings, isEmpty: true),
        ] {
            let browser = PageBrowser(server)
            for query in ["", "?token=", "?token=\(other)", "?token=x"] {
                #expect(await browser.ask("GET", "/set-up\(query)").status == 404, "\(query)")
            }
            #expect(await browser.ask("GET", "/set-up?token=%00").status == 400)
            try await browser.open("/log-in")
            let seal = try browser.form("/log-in")
            #expect(await browser.ask("POST", "/set-up", seal + "&token=\(other)&username=eve").status == 404)
            #expect(try server.desk.read { try $0.patrons.get(.username("eve")) } == nil)
        }
        let filled = PageBrowser(try TestServer(settings: settings))
        #expect(await filled.ask("GET", "/set-up?token=\(token.text)").status == 404)
    }
}
