import Circulation
import Desk
import DeskSupport
import Scripting
import Server
import Testing
import TextFormats

@Suite("Pages about the policy")
struct PolicyPagesTests {
    private let server: TestServer
    private let browser: PageBrowser

    init() throws {
        server = try TestServer()
        browser = PageBrowser(server)
    }

    private let source = """
        return policy {
            api = 1, name = "short & <b>odd</b>",
            limits = { { category = "staff", max = 9 }, { max = 1 } },
            rules = {
                { category = "staff", loan = days(90) },
                { loan = days(14), fine = none },
            },
            checkout = function(case)
                local owed = case.patron.fees_owed
                if owed > money "5.00" then return deny("owes", "Pay first.") end
            end,
        }
        """

    private func activate() throws {
        let policy = try ParsedPolicy(name: "short.lua", source: source)
        let activated = try server.desk.write {
            try $0.policies.activate(policy.bundle, note: "For <i>trial</i>").value
        }
        #expect(activated != nil)
    }

    @Test("the policy in force is shown with its source line by line, and the versions before it")
    func inForce() async throws {
        try activate()
        try await browser.logIn("staff")
        let page = try await browser.open("/desk/policy")
        #expect(page.contains("short &amp; &lt;b&gt;odd&lt;/b&gt;") && page.contains("For &lt;i&gt;trial&lt;/i&gt;"))
        #expect(page.contains(##"<div id="short-lua-line-6"><a class="number" href="#short-lua-line-6""##), "\(page)")
        #expect(page.contains("In force since") && !page.contains("<b>odd"))
        let before = try #require(
            page.firstMatch(of: /\?version=([0-9a-f]{64})">[^<]*<\/a><\/td><\/tr>\s*<\/tbody>/)?.1)
        let older = try await browser.open("/desk/policy?version=\(before)")
        #expect(older.contains("Not in force") && older.contains("textbooks") && !older.contains("Explain</button>"))
        #expect(await browser.ask("GET", "/desk/policy?version=abc").status == 404)
    }

    @Test(
        "the promises of the policy in force are shown in words, with what was proved of each; other versions have theirs"
    )
    func promises() async throws {
        try activate()
        try await browser.logIn("staff")
        #expect(try await !browser.open("/desk/policy").contains("What the policy promises"))
        let current = try #require(try server.desk.read { try $0.policies.inForce()?.policy })
        let kept = [
            KeptPromise(name: "a <b>child</b> reads", point: .checkout, kind: "never", status: "proved"),
            KeptPromise(
                name: "fines stay low", point: .fine, kind: "always", status: "unknown", reason: "short.lua:9: a loop"),
        ]
        try server.desk.write { session in
            try session.policies.keep(kept, of: String(repeating: "0", count: 64))
            try session.policies.keep(Array(kept.prefix(1)), of: current)
            try session.policies.keep(kept, of: current)
        }
        let found = try #require(try server.desk.read { try $0.policies.promises(of: current) })
        #expect(found.promises == kept && found.count("proved") == 1)
        let page = try await browser.open("/desk/policy")
        #expect(page.contains("1 proved, 1 unknown when the policy was put into force on"), "\(page)")
        #expect(page.contains("<td>never: a &lt;b&gt;child&lt;/b&gt; reads</td><td class=\"code\">checkout</td>"))
        #expect(page.contains("<strong class=\"tag good\">proved</strong>") && page.contains("short.lua:9: a loop"))
        let before = try #require(
            page.firstMatch(of: /\?version=([0-9a-f]{64})">[^<]*<\/a><\/td><\/tr>\s*<\/tbody>/)?.1)
        #expect(try await !browser.open("/desk/policy?version=\(before)").contains("What the policy promises"))
    }

    @Test("an explanation says the sentence, each group with its row, why rows before it did not match, and what ran")
    func explained() async throws {
        try activate()
        try await browser.logIn("staff")
        let page = try await browser.open("/desk/policy?patron=ann&item=9780441013593")
        #expect(
            page.contains("ann Smith requests <cite>Dune</cite>") && page.contains("Allowed, due 2026-03-16"), "\(page)"
        )
        #expect(page.contains(##"<a href="#short-lua-line-6">rules row 2, short.lua:6</a>"##))
        #expect(page.contains("category is undergraduate, the row wants staff"))
        #expect(page.contains(#"<div id="short-lua-line-6" class="won">"#) && page.contains(#"class="passed">"#))
        #expect(page.contains("owed = 0.00 EUR") && page.contains(#"<div id="short-lua-line-9" class="ran">"#))
        #expect(try server.desk.read { try $0.loans.active(of: .username("ann")).isEmpty })
    }

    @Test("a refusal is explained with the limit that is full; an unknown patron or item is named")
    func refused() async throws {
        try activate()
        _ = try await server.ask(.post, "/loans", ["isbn": "9780141439587"], as: "ann")
        try await browser.logIn("staff")
        let page = try await browser.open("/desk/policy?patron=ann&item=9780441013593")
        #expect(
            page.contains(#"<p class="answer" role="status">Refused:"#) && page.contains("<td>full</td>"), "\(page)")
        #expect(try await browser.open("/desk/policy?patron=ghost&item=1").contains("No patron has this username"))
        #expect(try await browser.open("/desk/policy?patron=ann&item=1").contains("No copy has this barcode"))
        #expect(server.teller.all.faults == [])
    }

    @Test("administrators see what a policy beside the one in force decides otherwise, escaped, and metrics count it")
    func shadow() async throws {
        try await browser.logIn("root")
        #expect(try await browser.open("/desk/policy/shadow").contains("There is no shadow policy"))
        let policy = try ParsedPolicy(
            name: "none.lua", source: source.replacing("{ max = 1 }", with: "{ max = 0 }"))
        _ = try #require(try server.desk.write { try $0.shadow.begin(policy.bundle, note: "<i>try</i>").value })
        let lent = try server.desk.write { session in
            try session.loans.checkout(CheckoutRequest(patron: .username("ann"), wanted: .titles([.id(1)]))).value
        }
        #expect(lent != nil)
        #expect(try server.desk.followShadow() > 0)
        let page = try await browser.open("/desk/policy/shadow")
        #expect(page.contains("1 of them different") && page.contains("&lt;i&gt;try&lt;/i&gt;"), "\(page)")
        #expect(page.contains("limit, limits row 2, none.lua:3"), "\(page)")
        let metrics = await server.web.answer(WebRequest("GET", "/metrics")).text
        #expect(metrics.contains("moonshelf_policy_shadow_decisions_total{outcome=\"otherwise\"} 1"))
        try await browser.logIn("staff")
        #expect(await browser.ask("GET", "/desk/policy/shadow").status == 404)
    }
}
