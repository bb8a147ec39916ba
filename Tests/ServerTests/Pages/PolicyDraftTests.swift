import Circulation
import Desk
import DeskSupport
import Scripting
import Secrets
import Server
import Testing
import TextFormats

@Suite("The policy is changed in the page")
struct PolicyDraftTests {
    private let server: TestServer
    private let browser: PageBrowser

    init() throws {
        server = try TestServer()
        browser = PageBrowser(server)
    }

    private let source = """
        return policy {
            api = 1, name = "short",
            limits = { { max = 1 } },
            rules = { { loan = days(14), fine = none } },
        }
        """

    private func inForce() throws -> PolicyActivation? { try server.desk.read { try $0.policies.inForce() } }

    private func fields(_ source: String, tests: String = "", note: String = "") -> [String: String] {
        ["name-0": "short.lua", "source-0": source, "tests": tests, "note": note]
    }

    @Test("a draft begins with the policy in force, and each fault stands by its line")
    func check() async throws {
        try await browser.logIn("root")
        let page = try await browser.open("/desk/policy/draft")
        #expect(page.contains(#"name="name-0" value="textbooks.lua""#) && page.contains("return policy {"), "\(page)")
        let before = try inForce()
        for (text, words) in [
            ("return policy { api = 1, name = \"a\", rules = {\n { loan = dais(14) } } }", "line 2"),
            ("return policy {", "The policy cannot be read."), ("return 1", "The policy has errors."),
        ] {
            let wrong = try await browser.send("/desk/policy/draft", fields(text))
            #expect(wrong.contains(words) && wrong.contains(">Error</strong>"), "\(wrong)")
            #expect(!wrong.contains("Use this policy") && wrong.contains("dais(14)") == text.contains("dais"))
        }
        #expect(try inForce() == before)
    }

    @Test("tests run with the check, and one that fails keeps the draft from being used")
    func tests() async throws {
        try await browser.logIn("root")
        try await browser.open("/desk/policy/draft")
        func test(_ answer: String) -> String {
            "test(\"everybody borrows\", function() expect(given { }, { answer = \"\(answer)\" }) end)"
        }
        let failing = try await browser.send("/desk/policy/draft", fields(source, tests: test("deny")))
        #expect(
            failing.contains("1 fail") && failing.contains("everybody borrows") && !failing.contains("Use this policy"),
            "\(failing)")
        let passing = try await browser.send("/desk/policy/draft", fields(source, tests: test("allow")))
        #expect(passing.contains("1\u{A0}test passes") && passing.contains("Use this policy"), "\(passing)")
        let before = try inForce()
        let draft = fields(source, tests: test("deny"), note: "Why not")
        let refused = try await browser.send("/desk/policy/draft/use", draft)
        #expect(
            try browser.page.status == 400 && refused.contains("a test fails") && inForce() == before, "\(refused)")
    }

    @Test("a draft is used with a note, once, and the version before comes back")
    func use() async throws {
        try await browser.logIn("root")
        try await browser.open("/desk/policy/draft")
        try await browser.send("/desk/policy/draft", fields(source))
        let silent = try await browser.send("/desk/policy/draft/use", fields(source))
        #expect(browser.page.status == 400 && silent.contains(#"id="use-note-wrong""#), "\(silent)")
        let form = try browser.form("/desk/policy/draft/use", fields(source, note: "Shorter loans"))
        let used = try await browser.send("/desk/policy/draft/use", fields(source, note: "Shorter loans"))
        #expect(used.contains("short is in force.") && used.contains("Shorter loans"), "\(used)")
        let active = try inForce()
        #expect(active?.name == "short" && active?.note == "Shorter loans")
        #expect(await browser.ask("POST", "/desk/policy/draft/use", form).status == 303)
        #expect(try server.desk.read { try $0.policies.history().count } == 2)
        let back = try await browser.send("/desk/policy/rollback", ["note": "Too short"])
        #expect(try back.contains("textbooks is in force again.") && inForce()?.name == "textbooks", "\(back)")
        try await browser.open("/desk/policy/draft?version=\(active?.policy ?? "")")
        #expect(browser.page.text.contains("loan = days(14), fine = none"))
        let later = try await browser.send(
            "/desk/policy/draft", fields(source)
        ).contains("Use this policy")
        #expect(later)
        var coming = fields(source, note: "In spring")
        coming["from"] = "2026-03-20"
        let planned = try await browser.send("/desk/policy/draft/use", coming)
        #expect(planned.contains("will come into force later") && planned.contains("Scheduled"), "\(planned)")
        #expect(try await browser.send("/desk/policy/withdraw").contains("short will not come into force."))
        coming["from"] = "2020-01-01"
        try await browser.open("/desk/policy/draft")
        try await browser.send("/desk/policy/draft", fields(source))
        try await browser.send("/desk/policy/draft/use", coming)
        #expect(browser.page.status == 409)
    }

    @Test("none but administrators find the draft, and what is too large or no draft is refused")
    func guarded() async throws {
        for name in ["ann", "staff"] {
            let browser = PageBrowser(server)
            try await browser.logIn(name)
            #expect(await browser.ask("GET", "/desk/policy/draft").status == 404)
            let form = try browser.form("/log-out")
            for path in [
                "/desk/policy/draft", "/desk/policy/draft/use", "/desk/policy/rollback", "/desk/policy/withdraw",
            ] {
                #expect(await browser.ask("POST", path, form).status == 404, "\(name) \(path)")
            }
        }
        try await browser.logIn("root")
        let form = try browser.form("/log-out")
        #expect(await browser.ask("POST", "/desk/policy/draft", form).status == 400)
        try await browser.open("/desk/policy/draft")
        let long = fields(source + String(repeating: "-- x\n", count: 60_000))
        try await browser.send("/desk/policy/draft", long)
        #expect(browser.page.status == 400)
        #expect(await browser.ask("GET", "/desk/policy/draft?version=abc").status == 404)
    }
}
