import Circulation
import Desk
import Foundation
import FoundationXML
import Server
import Testing

/// The elements of a document, read by a parser of XML.
private final class ReadDocument: NSObject, XMLParserDelegate {
    struct Element {
        var name: String
        var attributes: [String: String]
        var text = ""
        var path: [String]
    }

    private(set) var elements: [Element] = []
    private var open: [Int] = []

    init(_ text: String) throws {
        super.init()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = self
        try #require(
            parser.parse(),
            "\(parser.parserError.map { "\($0)" } ?? "") line \(parser.lineNumber)\n\(text)")
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        open.append(elements.count)
        elements.append(
            Element(name: name, attributes: attributes, path: open.dropLast().map { elements[$0].name }))
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        if let last = open.last { elements[last].text += text }
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
        open.removeLast()
    }

    /// The texts of elements of a name within one of another.
    func texts(_ name: String, in parent: String) -> [String] {
        elements.filter { $0.name == name && $0.path.last == parent }.map(\.text)
    }

    func links(_ relation: String) -> [[String: String]] {
        elements.filter { $0.name == "link" && $0.attributes["rel"] == relation }.map(\.attributes)
    }
}

@Suite("Feeds of titles")
struct FeedTests {
    private static let evil = "<b>&amp; \"quoted\" ]]> 'it' \u{1}\u{FFFE}\u{202E}猫"
    private let server: TestServer
    private let browser: PageBrowser

    init() throws {
        server = try TestServer()
        browser = PageBrowser(server)
        try server.desk.write { session in
            _ = try session.catalogue.add(
                Title(
                    title: Self.evil, authors: [Self.evil, "Ann"], year: 851, language: "en",
                    genres: [Self.evil, "Whales"],
                    subjects: ["Whales"], description: "Line one\nline two & more",
                    coverURL: "https://example.org/a.jpg"))
        }
    }

    private func read(_ path: String, _ type: String) async throws -> ReadDocument {
        let answer = await browser.ask("GET", path)
        #expect(
            answer.status == 200 && answer.fields["Content-Type"] == type + "; charset=utf-8", "\(path)")
        return try ReadDocument(answer.text)
    }

    private static let shownEvil = "<b>&amp; \"quoted\" ]]> 'it' 猫"

    @Test("new titles are a feed that programs read, whatever the titles are called")
    func rss() async throws {
        let feed = try await read("/new.rss", "application/rss+xml")
        #expect(feed.elements.first?.attributes["version"] == "2.0")
        for name in ["title", "link", "description"] {
            #expect(feed.texts(name, in: "channel").count == 1, "\(name)")
        }
        #expect(feed.texts("title", in: "item").first == Self.shownEvil)
        #expect(feed.texts("dc:creator", in: "item").prefix(2) == [Self.shownEvil, "Ann"])
        #expect(feed.texts("description", in: "item").first == "Line one\nline two & more")
        let guids = feed.texts("guid", in: "item")
        #expect(Set(guids).count == guids.count && guids == feed.texts("link", in: "item"))
        #expect(guids.allSatisfy { $0.hasPrefix("http") && $0.contains("/titles/") })
        #expect(
            try await browser.open("/").contains(
                #"type="application/rss+xml" title="New titles" href="/new.rss""#))
    }

    private static let navigation = "application/atom+xml;profile=opds-catalog;kind=navigation"
    private static let acquisition = "application/atom+xml;profile=opds-catalog;kind=acquisition"

    @Test("the catalogue leads reading programs from its root to every title")
    func opds() async throws {
        let root = try await read("/opds", Self.navigation)
        #expect(root.links("self").first?["type"] == Self.navigation && root.links("search").count == 1)
        let subjects = try #require(root.links("subsection").first?["href"])
        #expect(subjects.hasSuffix("/opds/subjects"))
        for relation in ["sort/new", "sort/popular", "featured"] {
            let link = try #require(root.links("http://opds-spec.org/" + relation).first, "\(relation)")
            let path = try #require(link["href"]?.firstRange(of: "/opds/")).lowerBound
            let feed = try await read(String((link["href"] ?? "")[path...]), Self.acquisition)
            try expectEntries(feed)
            if relation == "sort/new" {
                #expect(feed.texts("title", in: "entry").first == Self.shownEvil)
            }
        }
        let list = try await read("/opds/subjects", Self.navigation)
        #expect(list.texts("title", in: "entry").contains("Whales"))
        let whales = try await read("/opds/titles?genre=Whales", Self.acquisition)
        #expect(whales.texts("title", in: "entry") == [Self.shownEvil])
        try expectEntries(whales)
        #expect(
            whales.texts("dc:issued", in: "entry") == ["0851"]
                && whales.links("http://opds-spec.org/image").count == 1)
    }

    /// What Atom and OPDS want of each entry and of the feed.
    private func expectEntries(_ feed: ReadDocument) throws {
        let entries = feed.elements.count { $0.name == "entry" }
        for name in ["id", "title", "updated"] {
            #expect(
                feed.texts(name, in: "entry").count == entries && feed.texts(name, in: "feed").count == 1,
                "\(name)")
        }
        #expect(feed.links("http://opds-spec.org/acquisition/borrow").count == entries)
        #expect(feed.texts("updated", in: "feed").allSatisfy { (try? Instant(parsing: $0)) != nil })
    }

    @Test("reading programs search, and page through what they find")
    func search() async throws {
        try server.desk.write { session in
            for number in 1...60 {
                _ = try session.catalogue.add(Title(title: "Logic \(number)", authors: ["Boole"]))
            }
        }
        let description = try await read("/opds/search.xml", "application/opensearchdescription+xml")
        let template = try #require(
            description.elements.first { $0.name == "Url" && $0.attributes["type"] == Self.acquisition }?
                .attributes["template"])
        #expect(template.hasSuffix("/opds/titles?query={searchTerms}"))
        let first = try await read("/opds/titles?query=logic", Self.acquisition)
        #expect(first.elements.count { $0.name == "entry" } == 50 && first.links("previous").isEmpty)
        #expect(
            first.links("next").first?["href"]?.hasSuffix("/opds/titles?query=logic&page=2") == true)
        let second = try await read("/opds/titles?query=logic&page=2", Self.acquisition)
        #expect(second.elements.count { $0.name == "entry" } == 10 && second.links("next").isEmpty)
        for path in [
            "/opds/titles?query=%3C%26%22", "/opds/titles?page=99999999999999999999",
            "/opds/titles?list=nothing&author=%00",
            "/opds/titles?query=\(String(repeating: "a%20", count: 200))",
        ] {
            let answer = await browser.ask("GET", path)
            #expect([200, 400].contains(answer.status), "\(path)")
            if answer.status == 200 { _ = try ReadDocument(answer.text) }
        }
        #expect(server.teller.all.faults == [])
    }
}
