import Circulation
import Desk
import DeskSupport
import Foundation
import Scripting
import Server
import Testing
import TextFormats

@Suite("The page of patrons who are likely registered twice")
struct DuplicatesPageTests {
    private let server: TestServer
    private let browser: PageBrowser

    init() throws {
        server = try TestServer()
        browser = PageBrowser(server)
    }

    @discardableResult
    private func add(_ username: String, _ name: String, email: String? = nil, born: String? = nil) throws -> Int64 {
        var patron = Patron(
            username: username, name: name, surname: "Hall", email: email, category: "undergraduate", homeBranch: "main"
        )
        patron.birthDate = try born.map { try CivilDate(parsing: $0) }
        return try #require(try server.desk.write { try $0.patrons.add(patron).value }).id
    }

    @Test("both records of each stand there with why, and lead to the merge, after which they are gone")
    func pairs() async throws {
        try await browser.logIn("staff")
        let none = try await browser.open("/desk/duplicates")
        #expect(none.contains("No likely duplicates were found."), "\(none)")
        let first = try add("t1", "Cleo", born: "2012-03-04")
        let second = try add("t2", "<Cleo>", born: "2012-03-04")
        let found = try await browser.open("/desk/duplicates")
        #expect(found.contains("The same name and date of birth") && found.contains(">t1<") && found.contains(">t2<"))
        #expect(found.contains("/desk/patrons/\(first)/merge?other=\(second)") && !found.contains("<Cleo>"))
        let merge = try await browser.open("/desk/patrons/\(first)/merge")
        #expect(merge.contains("other=\(second)"))
        try await browser.open("/desk/patrons/\(first)/merge?other=\(second)")
        try await browser.send("/desk/patrons/\(first)/merge", ["reason": "twice"])
        #expect(try await browser.open("/desk/duplicates").contains("No likely duplicates were found."))
    }

    @Test("many are shown page by page, each once")
    func paging() async throws {
        for number in 0..<45 { try add("o\(number)", "N\(number)", email: "office@example.org") }
        try await browser.logIn("staff")
        var path: String? = "/desk/duplicates"
        var seen = 0
        var pages = 0
        while let next = path, pages < 10 {
            let page = try await browser.open(next)
            seen += page.components(separatedBy: "merge?other=").count - 1
            pages += 1
            path = page.firstMatch(of: #/href="(/desk/duplicates\?after=[^"]+)"/#).map { String($0.1) }
        }
        #expect(seen == 44 && pages == 3)
    }

    @Test("patrons see neither the page nor the list, and a place that no part said is refused")
    func rights() async throws {
        let asPatron = try await server.ask(.get, "/duplicates/patrons", as: "ann")
        #expect(asPatron.status == 403, "\(asPatron.text)")
        let wrong = try await server.ask(.get, "/duplicates/patrons?after=nowhere", as: "staff")
        #expect(wrong.status == 422 || wrong.status == 400, "\(wrong.text)")
        let part = try await server.ask(.get, "/duplicates/patrons?limit=1", as: "staff")
        #expect(part.status == 200 && part.text.contains("looked_at"), "\(part.text)")
        try await browser.logIn("ann")
        try await browser.open("/desk/duplicates")
        #expect(browser.page.status == 404)
    }
}
