import Circulation
import Desk
import Server
import Testing

@Suite("The page for which notices go together")
struct GatheredSettingPageTests {
    private static func ticked(_ kind: String) -> String {
        "name=\"gathered_\(kind)\" type=\"checkbox\" value=\"yes\" checked"
    }

    private func send(_ server: TestServer, _ browser: PageBrowser, _ kinds: [String]) async throws -> String {
        try await browser.open("/desk/settings")
        let fields = ["name": "Library", "time_zone": "Europe/Berlin", "currency": "EUR"]
        let body = try browser.form("/desk/settings", fields) + kinds.map { "&gathered_\($0)=yes" }.joined()
        let answer = await browser.ask("POST", "/desk/settings", body)
        #expect(answer.status == 303, "\(answer.text)")
        return answer.text
    }

    @Test("administrators tick the kinds of notices that go together, and none in the end")
    func ticked() async throws {
        let server = try TestServer()
        let browser = PageBrowser(server)
        try await browser.logIn("root")
        let page = try await browser.open("/desk/settings")
        #expect(page.contains("name=\"gathered_hold_ready\"") && page.contains("Ready for pickup"))
        #expect(!page.contains(" checked"), "no notices will go together unless the library says so")
        _ = try await send(server, browser, ["overdue", "hold_ready", "order"])
        #expect(try server.desk.read { try $0.settings.library().gatheredKinds } == [.overdue, .holdReady])
        let saved = try await browser.open("/desk/settings")
        #expect(saved.contains(Self.ticked("overdue")) && saved.contains(Self.ticked("hold_ready")))
        #expect(!saved.contains(Self.ticked("due_soon")))
        // A form that lacks the name is shown again as it was sent.
        try await browser.open("/desk/settings")
        let body = try browser.form("/desk/settings", ["name": ""]) + "&gathered_due_soon=yes"
        let again = await browser.ask("POST", "/desk/settings", body).text
        #expect(again.contains(Self.ticked("due_soon")) && !again.contains(Self.ticked("overdue")))
        #expect(try server.desk.read { try $0.settings.library().gatheredKinds } == [.overdue, .holdReady])
        _ = try await send(server, browser, [])
        #expect(try server.desk.read { try $0.settings.library().gatheredKinds } == [])
    }
}
