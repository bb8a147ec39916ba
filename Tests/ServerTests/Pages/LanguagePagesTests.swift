import Circulation
import Desk
import DeskSupport
import Foundation
import Scripting
import Testing
import TextFormats

@testable import Languages
@testable import Server

@Suite("Pages in the reader's language")
struct LanguagePagesTests {
    /// Words outside of a catalogue's brackets, in texts and in attributes that are read out.
    private static func untranslated(_ page: String) -> Set<String> {
        var page = page.replacing(#/(?s)<(script|style|svg|code|pre|title)\b.*?</\1>/#, with: " ")
        page = page.replacing(
            #/(?s)<nav aria-label="[^"]*"><ul class="inline">\s*<li>(?:<strong|<a href="/language).*?</nav>/#, with: " "
        )
        let attributes = page.matches(of: #/ (?:alt|aria-label|placeholder|title)="([^"]*)"/#).map {
            String($0.output.1)
        }
        let texts = page.replacing(#/<[^>]*>/#, with: "\n")
        var bare = ([texts] + attributes).joined(separator: "\n").replacing(#/&#?\w+;/#, with: " ")
        // A value within a text has brackets of its own.
        while let innermost = bare.firstMatch(of: #/(?s)\u{27E6}[^\u{27E6}\u{27E7}]*\u{27E7}/#) {
            bare.replaceSubrange(innermost.range, with: " ")
        }
        return Set(bare.matches(of: #/[A-Za-z]{2,}/#).map { String($0.output) })
    }

    /// What is a name, a code or a text of the library that the pages are made for.
    private static let data: Set<String> = [
        "Test", "Library", "Moonshelf", "Dune", "Emma", "Ulysses", "ann", "bob", "staff", "root", "Smith", "example",
        "org",
        "main", "Main", "EUR", "undergraduate", "reference", "desk", "copy", "equipment", "book", "ISBN", "UTC",
        "textbooks",
        "UTF", "LE", "BE", "Windows", "ISO", "Facebook", "WhatsApp", "Telegram", "English", "Pseudo", "The", "library",
        "Book", "Patron", "patron",
    ]

    @Test("no word of a page is said without its catalogue", arguments: [nil, "ann", "root"])
    func pseudo(name: String?) async throws {
        let languages = Languages(all: [.english, .pseudo], standard: .pseudo)
        let server = try TestServer(appearance: PageAppearance(languages: languages))
        _ = try await server.ask(.post, "/loans", ["isbn": "9780441013593"], as: "ann")
        let offer: JSON = ["seller": "ann", "isbn": "9780441013593", "kind": "sell", "price": "4.50"]
        let listing = try await server.ask(.post, "/listings", offer, as: "ann").json["id"]?.integerValue ?? 0
        let browser = PageBrowser(server)
        if let name { try await browser.logIn(name) }
        // Sources, and what people declare: policies, reports, plugins, the log.
        let others = [
            "/assets/", "/language/", "/desk/reports/", "/new.rss", "/opds", "/market/{listing}/price", "/desk/policy",
            "/cart/checkout",
        ]
        for path in PageTable.shownPaths where !others.contains(where: path.hasPrefix) {
            let page = try await browser.open(
                path.replacing("{listing}", with: "\(listing)").replacing(/{[a-z]+}/, with: "1"))
            #expect(page.contains("<html lang=\"en-XA\" dir=\"ltr\">"), "\(path)")
            let words = Self.untranslated(page).subtracting(Self.data).subtracting(LibrarySettings.usualReservedNames)
            #expect(words.isEmpty, "\(path): \(words.sorted())")
        }
        #expect(server.teller.all.faults == [])
    }

    @Test("readers see what the language of a title is called, and search by its code")
    func languageOfTitle() async throws {
        let server = try TestServer()
        let browser = PageBrowser(server)
        try server.desk.write { session in
            _ = try session.catalogue.update(.id(1)) { $0.language = "it" }
            _ = try session.catalogue.update(.id(2)) { $0.language = "zz9" }
        }
        #expect(try await browser.open("/titles/1").contains("<a href=\"/search?language=it\">Italian</a>"))
        #expect(try await browser.open("/titles/2").contains(">zz9</a>"))
        let german = await browser.ask("GET", "/titles/1", fields: [(name: "accept-language", value: "de")])
        #expect(german.text.contains(">Italienisch</a>"))
    }

    @Test("a reader is answered in the language that the browser asks for, that their record has, or that they picked")
    func choice() async throws {
        let server = try TestServer()
        let browser = PageBrowser(server)
        func page(_ accepted: String) async -> WebResponse {
            await browser.ask("GET", "/search", fields: [(name: "accept-language", value: accepted)])
        }
        #expect(await page("fr").text.contains("<html lang=\"en\" dir=\"ltr\">"))
        let german = await page("fr;q=0.9, de-CH;q=0.8, en;q=0.2")
        #expect(german.text.contains("<html lang=\"de\" dir=\"ltr\">") && german.fields["Content-Language"] == "de")
        let arabic = await page("ar")
        #expect(arabic.text.contains("<html lang=\"ar\" dir=\"rtl\">"))
        #expect(!arabic.text.contains(">Catalogue<") && arabic.text.contains("English</a>"))

        try server.desk.write { session in
            _ = try session.patrons.update(.username("ann")) { $0.language = "it" }
        }
        try await browser.logIn("ann")
        #expect(await page("de").text.contains("<html lang=\"it\""))
        let answer = await browser.ask(
            "GET", "/language/de", fields: [(name: "referer", value: "http://127.0.0.1:8080/market?text=a")])
        #expect(answer.status == 303 && answer.fields["Location"] == "/market?text=a")
        #expect(await page("en").text.contains("<html lang=\"de\""))
        #expect(await browser.ask("GET", "/language/tlh").status == 404)
        #expect(await browser.ask("GET", "/language/../x").status == 404)
    }

    @Test("refusals, dates and amounts are said in the reader's language, with what they say filled in")
    func refusals() async throws {
        let server = try TestServer()
        try server.activatePolicy("limits = { { max = 0 } }, rules = { { loan = days(14) } },")
        let browser = PageBrowser(server)
        try await browser.logIn("ann")
        let path = "/titles/1"
        let english = "No loans are allowed."
        #expect(try await browser.open(path).contains("<li>\(english)</li>"))
        _ = await browser.ask("GET", "/language/de")
        let german = try #require(Languages.shipped.language("de")).sentence(english)
        #expect(german != english)
        #expect(try await browser.open(path).contains("<li>\(german)</li>"))
    }
}
