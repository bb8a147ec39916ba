import Desk
import Scripting
import Server
import Testing
import TextFormats

@Suite("What is no e-mail address, over HTTP")
struct EmailRouteTests {
    private let server: TestServer

    init() throws { server = try TestServer() }

    private func expectRefused(_ answer: WebResponse) {
        #expect(answer.status == 422, "\(answer.text)")
        #expect(answer.json["code"] == "invalid_email", "\(answer.text)")
        let detail = answer.json["detail"]?.stringValue ?? ""
        #expect(detail.contains("e-mail address") && detail.contains("ada@example.org"), "\(answer.text)")
    }

    @Test(
        "is refused with 422 by every route that takes one",
        arguments: ["nonsense", "ann@", "a b@example.org", "a@b\nc"])
    func routes(text: String) async throws {
        let email = JSON.string(text)
        expectRefused(
            try await server.ask(
                .post, "/accounts", ["username": "zoe", "password": "two ducks, one pond", "email": email]))
        expectRefused(
            try await server.ask(
                .post, "/patrons/me/email", ["email": email, "password": .string(TestServer.password)], as: "ann"))
        expectRefused(
            try await server.ask(.post, "/patrons", ["username": "zoe", "email": email], as: "staff"))
        expectRefused(try await server.ask(.patch, "/patrons/ann", ["email": email], as: "staff"))
        #expect(try server.desk.read { try $0.patrons.get(.username("zoe")) } == nil)
    }

    @Test("is refused by every route whose request has a field 'email'")
    func allRoutes() {
        let taking = RouteTable.all.filter { $0.otherParameters.contains { $0.name == "email" } }.map(\.name)
        #expect(
            Set(taking) == ["post /accounts", "post /patrons/me/email", "post /patrons", "patch /patrons/{patron}"])
    }

    @Test("is said at the field on the pages, and by Text Trader's routes")
    func pages() async throws {
        let visitor = PageBrowser(server)
        try await visitor.open("/sign-up")
        let again = try await visitor.send(
            "/sign-up", ["username": "zoe", "password": "two ducks, one pond", "email": "zoe(at)example.org"])
        #expect(visitor.page.status == 422 && again.contains("id=\"email-wrong\""), "\(again)")
        try server.use(plugin: "texttrader")
        let body = #"{"name":"Zoe","email":"zoe","username":"zoe","password":"two ducks, one pond"}"#
        let answer = await server.web.answer(
            WebRequest(
                "POST", "/register", fields: [("content-type", "application/json"), ("x-api-key", "any")],
                body: Array(body.utf8)))
        #expect(answer.status == 401 && answer.text.contains("ada@example.org"), "\(answer.text)")
        #expect(try server.desk.read { try $0.patrons.get(.username("zoe")) } == nil)
    }
}
