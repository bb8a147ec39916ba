import Circulation
import Desk
import Server
import Testing
import TextFormats

/// Requests as the apps of Book SWAG's shelf send them, each with the fields of the header that its HTTP library
/// writes.
@Suite("Requests of Book SWAG's apps")
struct ClientRequestTests {
    private let server: TestServer

    init() throws {
        server = try TestServer()
        try server.use(plugin: "bookswag")
    }

    /// - Parameter head: the request's line and its header, without the key before the path.
    private func send(_ head: String, _ body: String = "", as name: String) async throws -> WebResponse {
        let lines = head.split(separator: "\n")
        let words = lines[0].split(separator: " ")
        let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var fields = lines.dropFirst().map { line -> (name: String, value: String) in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (parts[0].lowercased(), parts[1].trimmingPrefix(" ").description)
        }
        fields.append(("content-length", String(body.utf8.count)))
        return await server.web.answer(
            WebRequest(
                String(words[0]), "/\(try server.token(of: name))\(target[0])",
                query: target.count > 1 ? String(target[1]) : nil, fields: fields, body: Array(body.utf8)))
    }

    private static let foundation = """
        Accept: */*
        Accept-Language: en-us
        Accept-Encoding: gzip, deflate
        User-Agent: Library/1 CFNetwork/758.5.3 Darwin/15.6.0
        Connection: keep-alive
        """
    private static let okHTTP = """
        Content-Type: application/json; charset=UTF-8
        Accept-Encoding: gzip
        User-Agent: okhttp/3.4.1
        Connection: Keep-Alive
        """

    @Test("a form with blanks in it, and with a date of the app's own, lends")
    func form() async throws {
        let head = "PUT /books/1 HTTP/1.1\nContent-Type: application/x-www-form-urlencoded\n" + Self.foundation
        let lent = try await send(
            head, "lastCheckedOutBy=bob smith&lastCheckedOut=2016-05-02 14:03:22 EDT", as: "staff")
        #expect(lent.status == 200 && lent.json["lastCheckedOutBy"] == "bob Smith", "\(lent.text)")
        #expect(lent.json["lastCheckedOut"] == "2026-03-02 09:00:00", "the desk's own moment")
        let broken = try await send(head, "lastCheckedOutBy=100% bob", as: "staff")
        #expect(
            broken.status == 400
                && broken.json["detail"] == "This is not correctly encoded: a '%' is not followed by two digits.")
    }

    @Test("a whole book with borrower and date lends as well, by patrons too, and changes nothing else")
    func wholeBook() async throws {
        let head = "PUT /books/2/ HTTP/1.1\nContent-Type: application/json\n" + Self.foundation
        var book = try #require(
            try await send("GET /books/2/ HTTP/1.1\n" + Self.foundation, as: "ann").json.objectValue)
        book["lastCheckedOut"] = "2016-05-02 14:03:22"
        book["lastCheckedOutBy"] = "Ann"
        let lent = try await send(head, JSON.object(book).text(), as: "ann")
        #expect(lent.status == 200 && lent.json["lastCheckedOutBy"] == "Ann", "\(lent.text)")
        for name in ["author", "categories", "id", "publisher", "title", "url"] {
            #expect(lent.json[name] == book[name])
        }
        // Sent back as it was shown, the date with its zone: no second loan, though there is a second copy.
        var echo = try #require(lent.json.objectValue)
        echo["lastCheckedOut"] = "2026-03-02 09:00:00 GMT"
        #expect(try await send(head, JSON.object(echo).text(), as: "ann").status == 200)
        #expect(try server.desk.read { try $0.loans.active(of: .username("ann")) }.count == 1)
        // A patron may not change the book, and then gets no loan either.
        book["title"] = "Mine"
        #expect(try await send(head, JSON.object(book).text(), as: "bob").status == 403)
        #expect(try server.desk.read { try $0.loans.active(of: .username("bob")) }.isEmpty)
    }

    @Test("an app that fills every field of a new book, with empty texts where no patron is meant, adds it")
    func emptyFields() async throws {
        let body = #"""
            {"author":"Ash Maurya","title":"Running Lean","publisher":"O'REILLY","categories":"process",
             "lastCheckedOut":"","lastCheckedOutBy":"","id":"9"}
            """#
        let head = "POST /books HTTP/1.1\nContent-Type: application/json\n" + Self.foundation
        let made = try await send(head, body, as: "staff")
        #expect(made.status == 200 && made.json["lastCheckedOutBy"] == JSON.null, "\(made.text)")
        let id = try #require(made.json["id"]?.integerValue)
        var whole = try #require(made.json.objectValue)
        (whole["categories"], whole["lastCheckedOut"], whole["lastCheckedOutBy"]) = ("process, lean", "", "")
        let edit = "PUT /books/\(id)/ HTTP/1.1\nContent-Type: application/json\n" + Self.foundation
        let edited = try await send(edit, JSON.object(whole).text(), as: "staff")
        #expect(edited.status == 200 && edited.json["categories"] == "process, lean", "\(edited.text)")
        #expect(try server.desk.read { try $0.loans.latest(of: id) } == nil)
    }

    @Test("Retrofit's requests, without the fields that are null, and with a slash at the end")
    func retrofit() async throws {
        let added = try await send(
            "POST /books/ HTTP/1.1\n" + Self.okHTTP, #"{"author":"A","categories":"c","publisher":"P","title":"T"}"#,
            as: "staff")
        let id = try #require(added.json["id"]?.integerValue)
        let lent = try await send(
            "PUT /books/\(id)/ HTTP/1.1\n" + Self.okHTTP, #"{"lastCheckedOutBy":"Ann"}"#, as: "ann")
        #expect(lent.status == 200 && lent.json["lastCheckedOutBy"] == "Ann")
        try server.desk.write { session in
            let loan = try session.loans.latest(of: id)
            _ = try session.loans.checkin(.id(try #require(loan).id))
        }
        #expect(try await send("DELETE /books/\(id)/ HTTP/1.1\n" + Self.okHTTP, as: "staff").status == 204)
        #expect(try await send("DELETE /clean/ HTTP/1.1\n" + Self.okHTTP, as: "root").status == 200)
    }

    @Test(
        "lists are asked for with an empty query, and with a type of a body that is not there",
        arguments: [
            "GET /books? HTTP/1.1\n", "GET /books/ HTTP/1.1\nContent-Type: application/json;charset=UTF-8\n",
        ])
    func lists(head: String) async throws {
        let listed = try await send(head + Self.foundation, as: "ann")
        #expect(listed.status == 200 && listed.json.arrayValue?.count == 3)
    }
}
