import Circulation
import Desk
import Scripting
import Server
import Testing
import TextFormats

@Suite("Ratings on pages and routes")
struct RatingPagesTests {
    private static let dune = "9780441013593"
    private let server: TestServer
    private let browser: PageBrowser

    init() throws {
        server = try TestServer()
        browser = PageBrowser(server)
    }

    private func title() throws -> Int64 {
        try #require(try server.desk.read { try $0.catalogue.get(.isbn(ISBN(Self.dune)))?.id })
    }

    @Test("a member rates a title on its page, and everyone sees the average and the review")
    func rating() async throws {
        let id = try title()
        try await browser.logIn("ann")
        #expect(try await browser.open("/titles/\(id)").contains("No ratings yet."))
        let rated = try await browser.send(
            "/titles/\(id)/rating", ["stars": "4", "review": "Sand <b>everywhere</b>.\r\nStill."])
        #expect(
            rated.contains("Your rating of") && rated.contains("4.0 out of 5 stars, from 1\u{A0}rating"), "\(rated)")
        let stranger = PageBrowser(server)
        let seen = try await stranger.open("/titles/\(id)")
        #expect(seen.contains("Sand &lt;b&gt;everywhere"))
        #expect(seen.contains(#"<span class="unseen">4 out of 5 stars</span>"#))
        #expect(seen.contains(#"<span class="stars" aria-hidden="true">★★★★☆</span>"#))
        #expect(seen.contains("A member: ") && !seen.contains("ann"), "\(seen)")
        #expect(!seen.contains("/report"))
        let summary = try await server.ask(.get, "/titles/\(id)/ratings", as: nil)
        #expect(summary.json["average"]?.doubleValue == 4, "\(summary.text)")
        _ = try await server.ask(.patch, "/patrons/me", ["display_name": "Lady Ann"], as: "ann")
        #expect(try await stranger.open("/titles/\(id)").contains("Lady Ann: "))
        #expect(try await browser.open("/titles/\(id)").contains("signed Lady Ann."))
        try await browser.send("/titles/\(id)/rating/remove")
        #expect(try await stranger.open("/titles/\(id)").contains("No ratings yet."))
    }

    @Test("a review is reported, hidden and shown from pages, and staff see who wrote it")
    func moderation() async throws {
        let id = try title()
        let made = try await server.ask(
            .put, "/titles/\(id)/rating", ["stars": 1, "review": "Rubbish"], as: "ann")
        let review = try #require(made.json["id"]?.integerValue, "\(made.text)")
        try await browser.logIn("bob")
        #expect(try await browser.open("/titles/\(id)").contains("/reviews/\(review)/report"))
        let thanks = try await browser.send("/reviews/\(review)/report", ["back": "/titles/\(id)"])
        #expect(thanks.contains("Library staff will look"))
        let staff = PageBrowser(server)
        try await staff.logIn("staff")
        #expect(try await staff.open("/titles/\(id)").contains("/desk/reviews/\(review)/hide"))
        let desk = try await staff.open("/desk/suggestions")
        #expect(desk.contains("Rubbish") && desk.contains("the review by "))
        try await staff.send("/desk/reviews/\(review)/hide", ["back": "/desk/suggestions"])
        #expect((400..<500).contains(staff.page.status) && staff.page.text.contains("reason"))
        try await staff.open("/desk/suggestions")
        try await staff.send(
            "/desk/reviews/\(review)/hide", ["back": "/desk/suggestions", "reason": "No <b>words</b>"])
        #expect(try await !browser.open("/titles/\(id)").contains("Rubbish"))
        let hidden = try await server.ask(.get, "/titles/\(id)/reviews", as: "bob")
        #expect(hidden.json["items"]?.arrayValue?.isEmpty == true)
        let own = PageBrowser(server)
        try await own.logIn("ann")
        let told = try await own.open("/titles/\(id)")
        #expect(told.contains("Staff have hidden your review") && told.contains("Their reason: No &lt;b&gt;words"))
        let shown = try await server.ask(.post, "/reviews/\(review)/show", [:], as: "staff")
        #expect(shown.status == 200 && shown.json["state"] == "kept")
        #expect(try await server.ask(.post, "/reviews/\(review)/hide", ["reason": "x"], as: "bob").status == 403)
        #expect(try await server.ask(.post, "/reviews/\(review)/show", [:], as: "bob").status == 403)
        #expect(try await server.ask(.get, "/reviews/reported", as: "bob").status == 403)
        // What everyone is told of a review says neither whose account it is nor what staff think of it.
        let open = try await server.ask(.get, "/titles/\(id)/reviews", as: nil)
        let item = try #require(open.json["items"]?.arrayValue?.first?.objectValue)
        #expect(Set(item.keys).subtracting(["reader_name"]) == ["id", "title", "stars", "review", "changed_at"])
    }

    @Test("searches show stars and words for them, and put what is liked best first")
    func search() async throws {
        let titles = try server.desk.read { try $0.catalogue.search(CatalogueQuery(order: .title, limit: 3)) }
        for (title, stars) in zip(titles, [2, 5, 4] as [Int64]) {
            for name in ["ann", "bob"] {
                _ = try await server.ask(
                    .put, "/titles/\(title.id)/rating", ["stars": .integer(stars)], as: name)
            }
        }
        let page = try await browser.open("/search?order=rated")
        #expect(page.contains(#"<span class="unseen">5.0 out of 5 stars, from 2\#u{A0}ratings</span>"#), "\(page)")
        let listed = try await server.ask(.get, "/titles?order=rated", as: nil)
        let items = try #require(listed.json["items"]?.arrayValue, "\(listed.text)")
        #expect(items.prefix(2).map { $0["id"]?.integerValue } == [titles[1].id, titles[2].id])
        #expect(items.last?["id"]?.integerValue == titles[0].id)
        #expect(items.first?["rating"]?.doubleValue == 5 && items.first?["ratings"] == 2)
        _ = try server.desk.write { try $0.settings.setLibrary(hasRatings: false) }
        let silent = try await browser.open("/search")
        #expect(!silent.contains("of 5 stars, from") && !silent.contains("order=rated"))
        let off = try await server.ask(.get, "/titles/\(titles[1].id)", as: nil)
        #expect(off.json["ratings"] == 0 && off.json["rating"] == nil)
    }

    @Test("many reviews come a page at a time")
    func pages() async throws {
        let id = try title()
        _ = try server.desk.write { session in
            for number in 1...60 {
                _ = try session.patrons.add(
                    Patron(username: "reader-\(number)", category: "undergraduate", homeBranch: "main")
                )
                _ = try session.ratings.rate(
                    .id(id), stars: 3, review: "Word \(number).", by: .username("reader-\(number)")
                )
            }
        }
        let page = try await browser.open("/titles/\(id)")
        #expect(page.contains("Word 60.") && !page.contains("Word 55.") && page.contains("/titles/\(id)/reviews"))
        let first = try await browser.open("/titles/\(id)/reviews")
        #expect(first.contains("Word 36.") && !first.contains("Word 35.") && first.contains("reviews?page=2"))
        let last = try await browser.open("/titles/\(id)/reviews?page=3")
        #expect(last.contains("Word 1.") && last.contains("reviews?page=2") && !last.contains("page=4"))
        for page in ["0", "-1", "x", "99999999999999999999"] {
            try await browser.open("/titles/\(id)/reviews?page=\(page)")
            #expect(browser.page.status == 200, "\(page)")
        }
        _ = try server.desk.write { try $0.settings.setLibrary(hasRatings: false) }
        try await browser.open("/titles/\(id)/reviews")
        #expect(browser.page.status == 404)
        #expect(try await !browser.open("/titles/\(id)").contains("Member ratings"))
    }

    @Test("forms that ask for what cannot be change nothing")
    func malformed() async throws {
        let id = try title()
        try await browser.logIn("ann")
        for fields in [
            ["stars": "0"], ["stars": "6"], ["stars": "x"], [:],
            ["stars": "3", "review": String(repeating: "x", count: 2_001)], ["stars": "3", "review": "a\u{0}b"],
        ] {
            try await browser.open("/titles/\(id)")
            try await browser.send("/titles/\(id)/rating", fields)
            #expect((400..<500).contains(browser.page.status), "\(fields.values.map { $0.prefix(9) })")
        }
        #expect(try server.desk.read { try $0.ratings.list(of: .username("ann")) }.isEmpty)
    }
}
