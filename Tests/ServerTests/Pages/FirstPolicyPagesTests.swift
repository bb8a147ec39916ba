import Circulation
import Desk
import DeskSupport
import Scripting
import Secrets
import Server
import Testing
import TextFormats

@Suite("A library comes to its first policy in the page")
struct FirstPolicyPagesTests {
    private static let path = "/desk/policy"
    private static let names = ["bitbooks", "public", "textbooks", "university"]

    private static var settings: ServerSettings {
        var settings = ServerSettings(burst: 100_000)
        settings.policies = PluginFolders.policies
        return settings
    }

    private let notice = "No lending policy is in force yet."

    /// A library that was just set up: an administrator, somebody of the staff, and nothing else.
    private func empty() async throws -> (TestServer, PageBrowser) {
        let server = try TestServer(settings: Self.settings, isEmpty: true)
        for (name, role) in [("root", Patron.Role.admin), ("staff", .staff)] {
            let patron = Patron(username: name, name: name, category: "patron", homeBranch: "main", role: role)
            _ = try #require(try server.accounts.signUp(patron, password: TestServer.password).value)
        }
        let browser = PageBrowser(server)
        try await browser.logIn("root")
        return (server, browser)
    }

    private func inForce(_ server: TestServer) throws -> PolicyActivation? {
        try server.desk.read { try $0.policies.inForce() }
    }

    @Test("as long as no policy is in force administrators read so, and what it means, and where one is chosen")
    func notices() async throws {
        let (server, browser) = try await empty()
        for path in ["/desk", "/desk/settings"] {
            let page = try await browser.open(path)
            #expect(page.contains(notice) && page.contains("nothing can be lent"), "\(page)")
            #expect(page.contains("<a href=\"/desk/policy\">Choose or write a policy</a>"))
        }
        let page = try await browser.open(Self.path)
        #expect(page.contains(notice) && !page.contains("Choose or write a policy"))
        let staff = PageBrowser(server)
        try await staff.logIn("staff")
        #expect(try await !staff.open("/desk").contains(notice))
        let theirs = try await staff.open(Self.path)
        #expect(theirs.contains("An administrator puts one into force.") && !theirs.contains("Open as a draft"))
        // One that is to come is no policy yet.
        let policy = try ParsedPolicy(name: "a.lua", source: "return policy { api = 1, name = 'a', rules = { } }")
        try server.desk.write { session in
            _ = try #require(
                try session.policies.activate(policy.bundle, from: try server.clock.now().adding(hours: 48)).value)
        }
        #expect(try await browser.open("/desk").contains("Until a comes into force on"))
        try server.activatePolicy()
        for path in ["/desk", "/desk/settings", Self.path] {
            #expect(try await !browser.open(path).contains(notice), "\(path)")
        }
    }

    @Test(
        "the policies that come along are shown with what they say of themselves, and open as drafts with their tests")
    func shipped() async throws {
        let (server, browser) = try await empty()
        let page = try await browser.open(Self.path)
        #expect(page.contains("The lending rules of a town's public library".replacing("'", with: "&#39;")), "\(page)")
        #expect(page.ranges(of: "Open as a draft").count == Self.names.count)
        for name in Self.names {
            #expect(page.contains("href=\"/desk/policy/draft?from=\(name)\""), "\(name)")
            let draft = try await browser.open("/desk/policy/draft?from=\(name)")
            #expect(draft.contains("name=\"name-0\" value=\"\(name).lua\"") && draft.contains("return policy {"))
            #expect(draft.contains("test(&quot;") && draft.contains("comes with the program"), "\(draft)")
        }
        for name in ["none", "public_test", "..%2Fpolicies%2Fpublic", ""] {
            let answer = await browser.ask("GET", "/desk/policy/draft?from=\(name)")
            #expect(answer.status == (name.isEmpty ? 200 : 404), "\(name)")
        }
        try server.activatePolicy()
        #expect(try await browser.open(Self.path).contains("Start from a policy that comes with the program"))
        let staff = PageBrowser(server)
        try await staff.logIn("staff")
        #expect(try await !staff.open(Self.path).contains("Open as a draft"))
        #expect(await staff.ask("GET", "/desk/policy/draft?from=public").status == 404)
    }

    @Test("each is checked and tested, says which codes the library lacks, and comes into force", arguments: names)
    func use(name: String) async throws {
        let (server, browser) = try await empty()
        let draft = try await browser.open("/desk/policy/draft?from=\(name)")
        let policy = ShippedText(name)
        let fields = ["name-0": "\(name).lua", "source-0": policy.source, "tests": policy.tests]
        let checked = try await browser.send("/desk/policy/draft", fields)
        #expect(checked.contains("can be used") && checked.contains("tests pass."), "\(checked)")
        #expect(!checked.contains("“”"))
        let lacks = ["public": "child", "university": "guest", "textbooks": "undergraduate"][name]
        for page in [draft, checked] {
            let says = page.contains("The policy names codes that the library does not have.")
            #expect(says == (lacks != nil), "\(page)")
            if let lacks {
                #expect(page.contains("<a href=\"/desk/settings#categories\">Patron categories</a>"))
                #expect(page.contains(lacks))
            }
        }
        let sent = fields.merging(["note": "To begin with"]) { $1 }
        let used = try await browser.send("/desk/policy/draft/use", sent)
        #expect(try used.contains("\(name) is in force.") && inForce(server)?.name == name, "\(used)")
        #expect(!used.contains(notice))
    }

    @Test("codes that are added are missed no more")
    func codes() async throws {
        let (server, browser) = try await empty()
        let source = """
            return policy { api = 1, name = "a", rules = {
                { category = "zzzzqqqq", loan = days(1) }, { item_type = "kite", branch = "attic", loan = days(2) },
                { loan = days(3) },
            } }
            """
        try await browser.open("/desk/policy/draft")
        let fields = ["name-0": "a.lua", "source-0": source, "tests": ""]
        let page = try await browser.send("/desk/policy/draft", fields)
        for words in ["zzzzqqqq</span>", "kite</span>", "attic</span>", "#item-types", "#branches", "#categories"] {
            #expect(page.contains(words), "\(words) is not in \(page)")
        }
        // There is no name near it, so none is proposed.
        #expect(page.contains("the library has no category") && !page.contains("Did you mean “”"), "\(page)")
        try server.desk.write { session in
            _ = try #require(session.settings.addCategory(Category(code: "zzzzqqqq", name: "Z")).value)
            _ = try #require(session.settings.addItemType(ItemType(code: "kites", name: "Kites")).value)
        }
        try await browser.open("/desk/policy/draft")
        let fewer = try await browser.send("/desk/policy/draft", fields)
        #expect(!fewer.contains("zzzzqqqq</span>") && fewer.contains("kite</span>"))
        #expect(fewer.contains("Did you mean “kites”?"), "\(fewer)")
    }

    @Test("the page says truthfully whether a draft can be used, and why not")
    func truthful() async throws {
        let (_, browser) = try await empty()
        try await browser.open("/desk/policy/draft")
        func words(_ source: String, tests: String = "", prove: Bool = false) async throws -> String {
            var fields = ["name-0": "a.lua", "source-0": source, "tests": tests]
            if prove { fields["prove"] = "yes" }
            let page = try await browser.send("/desk/policy/draft", fields)
            let said = try #require(page.firstMatch(of: #/<p role="status"><strong>([^<]*)<\/strong>/#)?.1)
            #expect(page.contains("Use this policy") == said.contains("can be used"), "\(page)")
            return String(said)
        }
        let plain = "return policy { api = 1, name = \"a\", rules = { { loan = days(14) } } }"
        let odd = plain.replacing("{ loan", with: "{ category = \"q\", loan = days(9) }, { loan")
        func test(_ answer: String) -> String {
            "test(\"everybody borrows\", function() expect(given { }, { answer = \"\(answer)\" }) end)"
        }
        #expect(try await words(plain) == "It can be used.")
        #expect(try await words(odd) == "The policy can be used, but check the warnings.")
        #expect(try await words(plain, tests: test("allow")) == "It can be used.")
        #expect(try await words(plain, tests: test("deny")) == "It cannot be used: its tests do not pass.")
        #expect(try await words(odd, tests: test("deny")) == "It cannot be used: its tests do not pass.")
        #expect(try await words(plain, tests: "test(") == "It cannot be used: its tests do not pass.")
        let promise = """
            always("nobody borrows", "checkout", function(_, decision) return decision.answer == "deny" end)
            """
        #expect(
            try await words(plain, tests: promise, prove: true)
                == "It cannot be used: it does not keep what it promises.")
        #expect(try await words("return policy {") == "The policy cannot be read.")
        #expect(try await words("return 1") == "The policy has errors.")
    }
}

/// The files of a policy that comes along.
private struct ShippedText {
    let source: String
    let tests: String

    init(_ name: String) {
        func text(_ file: String) -> String {
            (try? SourceFiles().text(at: PluginFolders.policies + "/" + file, named: file)) ?? ""
        }
        source = text("\(name).lua")
        tests = text("\(name)_test.lua")
    }
}
