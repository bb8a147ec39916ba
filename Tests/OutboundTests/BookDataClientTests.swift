import Circulation
import Foundation
import Outbound
import PostSupport
import Testing
import TextFormats

@Suite(
    "Books asked for over the network", .enabled(if: !PythonServer.isMissing, Comment(rawValue: PythonServer.reason)))
struct BookDataClientTests {
    private static let google = """
        {"items": [{"volumeInfo": {"industryIdentifiers": [{"identifier": "9780000000002"}], "description": "Another"}},
        {"volumeInfo": {"industryIdentifiers": [{"type": "ISBN_10", "identifier": "0441013597"}], "publishedDate": "2005-08-02",
        "description": "<p>Set on <b>Arrakis</b> &amp; beyond.\\u001b[31m\\u202e</p>", "pageCount": 528,
        "imageLinks": {"thumbnail": "http://books.google.com/books/content?id=1"}, "categories": ["Fiction", "Fiction"]},
        "accessInfo": {"webReaderLink": "javascript:alert(1)"}}]}
        """
    private static let openLibrary = """
        {"ISBN:9780441013593": {"url": "https://openlibrary.org/books/OL1M", "number_of_pages": 412, "publish_date": "June 1990",
        "subjects": [{"name": "Deserts"}, {"name": 7}], "cover": {"large": "https://covers.openlibrary.org/b/1-L.jpg"}}}
        """
    private static let bodies: JSONObject = [
        "google": .string(google), "open": .string(openLibrary), "none": #"{"totalItems": 0}"#, "nobody": "{}",
        "html": "<html><body>Sign in</body></html>", "deep": .string(String(repeating: "[", count: 1_000)),
        "types":
            #"{"items": [7, {"volumeInfo": []}, {"volumeInfo": {"industryIdentifiers": "x"}}], "ISBN:9780441013593": [1]}"#,
    ]

    private let server: PythonServer

    init() throws { server = try PythonServer("odd", ["bodies": .object(Self.bodies)]) }

    private func endpoint(_ path: String?, seconds: Double = 20) throws -> WebEndpoint? {
        try path.map {
            try WebEndpoint(
                "http://127.0.0.1:\(server.port)/\($0)",
                limits: OutboundLimits(inAll: .seconds(seconds), answerBytes: 100_000))
        }
    }

    private func find(_ google: String?, _ open: String?, key: String? = nil, seconds: Double = 20) throws -> BookData {
        try BookDataClient(
            googleBooks: endpoint(google, seconds: seconds), openLibrary: endpoint(open, seconds: seconds),
            googleKey: key
        ).find(ISBN("9780441013593"))
    }

    @Test("what both know is put together, without markup, control characters and addresses that are none")
    func both() throws {
        #expect(
            try find("google", "open", key: "a key")
                == BookData(
                    description: "Set on Arrakis & beyond. [31m",
                    coverURL: "https://books.google.com/books/content?id=1",
                    previewURL: "https://openlibrary.org/books/OL1M", pages: 528, year: 2005, subjects: ["Fiction"]))
        let paths = try server.records().compactMap { $0["path"]?.stringValue }
        #expect(
            paths == [
                "/google?q=isbn%3A9780441013593&key=a%20key",
                "/open?bibkeys=ISBN%3A9780441013593&jscmd=data&format=json",
            ])
    }

    @Test("one of them does, whatever becomes of the other")
    func one() throws {
        let data = try find("503", "open")
        #expect(data.pages == 412 && data.year == 1990 && data.subjects == ["Deserts"] && data.description == nil)
        #expect(try find("google", "drop").pages == 528)
        #expect(try find(nil, "open").pages == 412)
        #expect(try find("none", "nobody") == BookData())
        #expect(try find("types", "types") == BookData())
    }

    @Test(
        "an answer that is none is a failure, and nothing of it is read",
        arguments: ["html", "deep", "huge", "nonsense", "drop", "silence", "redirect", "500", "404"])
    func failures(path: String) throws {
        #expect(throws: OutboundFailure.self) { try find(path, "nobody") }
    }

    @Test("who stalls is left when the time is over")
    func stalls() throws {
        do {
            _ = try find("stall", nil, seconds: 0.2)
            Issue.record("It answered.")
        } catch let failure as OutboundFailure {
            #expect(failure.code == .timedOut)
        }
    }
}
