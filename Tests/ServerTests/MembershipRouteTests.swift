import Circulation
import Desk
import DeskSupport
import Scripting
import Server
import Testing
import TextFormats

/// It is 2 March 2026; memberships end on 30 September, those of staff have no end.
@Suite("Memberships that end as the policy says, on the web")
struct MembershipRouteTests {
    private let server: TestServer
    private let browser: PageBrowser

    init() throws {
        server = try TestServer()
        browser = PageBrowser(server)
        try server.activatePolicy(
            """
            rules = { { loan = days(14) } },
            membership = { { category = "staff", lasts = unlimited }, { until_day = "09-30", at_least = days(30) } },
            """)
    }

    private func end(of name: String) throws -> String? {
        try server.desk.read { try $0.patrons.get(.username(name)) }?.expiresOn?.description
    }

    @Test("a program that registers a patron gets the policy's day, gives its own, or says that there is none")
    func registering() async throws {
        func add(_ members: JSONObject) async throws -> JSON? {
            var members = members
            members["category"] = members["category"] ?? "undergraduate"
            let answer = try await server.ask(.post, "/patrons", .object(members), as: "staff")
            #expect(answer.status == 201)
            return answer.json["expires_on"]
        }
        #expect(try await add(["username": "eve"]) == "2026-09-30")
        #expect(try await add(["username": "fay", "expires_on": "2026-04-01"]) == "2026-04-01")
        #expect(try await add(["username": "gus", "expires_on": .null]) ?? .null == .null)
        #expect(try end(of: "gus") == nil)
        #expect(try await add(["username": "hal", "category": "staff"]) ?? .null == .null)
        let wrong = try await server.ask(
            .post, "/patrons", ["username": "ian", "expires_on": "soon"], as: "staff")
        #expect(try wrong.status == 400 && end(of: "ian") == nil)
    }

    @Test("who signs up is a member until the policy's day")
    func signUp() async throws {
        let members: JSON = ["username": "newcomer", "password": "a long enough one", "email": "n@example.org"]
        let answer = try await server.ask(.post, "/accounts", members)
        #expect(answer.status == 201, "\(answer.json)")
        #expect(try end(of: "newcomer") == "2026-09-30")
    }

    @Test("staff renew a membership by a route, once, and patrons do not")
    func renewing() async throws {
        let path = "/patrons/ann/renew-membership"
        let none = try await server.ask(.post, path, as: "bob")
        #expect(none.status == 403)
        let first = try await server.ask(.post, path, as: "staff")
        #expect(first.status == 200 && first.json["expires_on"] == "2026-09-30", "\(first.json)")
        let second = try await server.ask(.post, path, as: "staff")
        #expect(second.json["expires_on"] == "2027-09-30")
        _ = try await server.ask(.patch, "/patrons/ann", ["category": "staff"], as: "staff")
        #expect(try end(of: "ann") == "2027-09-30", "another category changes no end")
        #expect(try await server.ask(.post, path, as: "staff").status == 200)
        let last = try await server.ask(.post, path, as: "staff")
        #expect(try last.status == 409 && last.json["code"] == "not_extended" && end(of: "ann") == nil)
        #expect(try await server.ask(.post, "/patrons/9999/renew-membership", as: "staff").status == 404)
    }

    @Test("the patron's page has a button that names the day, and goes where nothing would change")
    func page() async throws {
        let ann = try server.id(of: "ann")
        try await browser.logIn("staff")
        let before = try await browser.open("/desk/patrons/\(ann)")
        #expect(before.contains("Renew membership until 30\u{A0}September\u{A0}2026"), "\(before)")
        let after = try await browser.send("/desk/patrons/\(ann)/renew-membership")
        #expect(after.contains("The membership has been renewed until 30\u{A0}September\u{A0}2026."), "\(after)")
        #expect(after.contains("Renew membership until 30\u{A0}September\u{A0}2027"))
        _ = try await server.ask(.patch, "/patrons/\(ann)", ["category": "staff"], as: "staff")
        let endless = try await browser.open("/desk/patrons/\(ann)")
        #expect(endless.contains("Renew membership, with no end date"))
        #expect(try await browser.send("/desk/patrons/\(ann)/renew-membership").contains("renewed, with no end date."))
        #expect(try await browser.open("/desk/patrons/\(ann)").contains("Renew membership") == false)
        try server.activatePolicy("rules = { { loan = days(14) } },")
        #expect(try await browser.open("/desk/patrons/\(ann)").contains("Renew membership") == false)
    }

    @Test("a patron who is registered on the page without a day gets the policy's")
    func form() async throws {
        try await browser.logIn("staff")
        #expect(
            try await browser.open("/desk/patrons/new").contains(
                "Leave empty to use the policy&#39;s, or for no end date."))
        let fields = ["username": "C-1", "surname": "Hopper", "category": "undergraduate", "expires_on": ""]
        #expect(try await browser.send("/desk/patrons/new", fields).contains("has been added."))
        #expect(try end(of: "C-1") == "2026-09-30")
        let eve = try server.id(of: "C-1")
        #expect(
            try await browser.open("/desk/patrons/\(eve)/edit").contains("The last day. Leave empty for no end date."))
        try await browser.send("/desk/patrons/\(eve)/edit", fields)
        #expect(try end(of: "C-1") == nil)
    }
}
