import Circulation
import Desk
import Server
import Testing
import TextFormats

@Suite("Book SWAG's routes")
struct SharedShelfTests {
    private let server: TestServer

    init() throws {
        server = try TestServer()
        try server.use(plugin: "bookswag")
    }

    /// A request as its client sends them: the key in the path, JSON in both directions.
    private func ask(
        _ method: String, _ path: String, _ body: String = "", as name: String, type: String = "application/json"
    ) async throws -> WebResponse {
        let fields = [(name: "accept", value: "application/json"), (name: "content-type", value: type)]
        let path = "/\(try server.token(of: name))\(path)"
        return await server.web.answer(WebRequest(method, path, fields: fields, body: Array(body.utf8)))
    }

    private func book(_ isbn: String) throws -> Int64 {
        let title = try server.desk.read { try $0.catalogue.get(.isbn(ISBN(isbn))) }
        return try #require(title).id
    }

    private func loans() throws -> Int {
        try server.desk.read { session in
            var count = 0
            try session.loans.each(LoanQuery()) { _ in
                count += 1
                return true
            }
            return count
        }
    }

    @Test("a book is added, listed, lent and deleted by the requests of its client")
    func session() async throws {
        let body =
            #"{"author":"Jason Morris","categories":"interface, ui, android","publisher":"O'Reilly","title":"UI"}"#
        let made = try await ask("POST", "/books", body, as: "staff")
        #expect(made.status == 200, "\(made.text)")
        let id = try #require(made.json["id"]?.integerValue)
        let book: JSON = [
            "author": "Jason Morris", "categories": "interface, ui, android", "id": .integer(id),
            "lastCheckedOut": .null, "lastCheckedOutBy": .null, "publisher": "O'Reilly", "title": "UI",
            "url": .string("/books/\(id)/"),
        ]
        #expect(made.json == book && made.fields["Location"] == "/books/\(id)/")
        for path in ["/books/\(id)", "/books/\(id)/"] {
            #expect(try await ask("GET", path, as: "ann").json == book)
        }
        let all = try await ask("GET", "/books/", as: "ann")
        #expect(all.json.arrayValue?.count == 4 && all.json.arrayValue?.last == book)
        let lent = try await ask("PUT", "/books/\(id)", #"{"lastCheckedOutBy":"Whoever"}"#, as: "ann")
        #expect(lent.status == 200, "\(lent.text)")
        #expect(
            lent.json["lastCheckedOutBy"] == "Whoever" && lent.json["lastCheckedOut"] == "2026-03-02 09:00:00")
        #expect(try await ask("DELETE", "/books/\(id)", as: "staff").status == 409)
        try server.desk.write { session in
            let loan = try session.loans.latest(of: id)
            _ = try session.loans.checkin(.id(try #require(loan).id))
        }
        let gone = try await ask("DELETE", "/books/\(id)", as: "staff")
        #expect(gone.status == 204 && gone.body == [])
        #expect(try await ask("GET", "/books/\(id)", as: "staff").status == 404)
        #expect(server.teller.all.faults == [])
    }

    @Test("forms and the key in the header do as well")
    func forms() async throws {
        let body = "title=Fish+%26+Chips&author=A.+Cook&publisher=&categories=food"
        let made = try await ask("POST", "/books/", body, as: "root", type: "application/x-www-form-urlencoded")
        #expect(made.status == 200 && made.json["title"] == "Fish & Chips" && made.json["publisher"] == JSON.null)
        let token = try server.token(of: "ann")
        let bearer = [(name: "authorization", value: "Bearer \(token)")]
        let listed = await server.web.answer(WebRequest("GET", "/books", query: "limit=2", fields: bearer))
        #expect(listed.json.arrayValue?.count == 2)
        #expect(listed.fields["Link"] == "<?limit=2&offset=2>; rel=\"next\"")
        let rest = await server.web.answer(WebRequest("GET", "/books/", query: "limit=2&offset=2", fields: bearer))
        #expect(rest.json.arrayValue?.count == 2 && rest.fields["Link"] == nil)
        let ids = [listed, rest].flatMap { $0.json.arrayValue ?? [] }.compactMap { $0["id"]?.integerValue }
        #expect(ids == ids.sorted() && Set(ids).count == 4, "by id, though another order would come cheaper: \(ids)")
        let nobody = await server.web.answer(WebRequest("GET", "/books"))
        #expect(nobody.status == 401 && nobody.code == "no_token")
    }

    @Test("a book on loan stays with its borrower, whose name only the borrower and staff can read")
    func holders() async throws {
        let id = try book("9780441013593")
        #expect(try await ask("PUT", "/books/\(id)", #"{"lastCheckedOutBy":"ann"}"#, as: "ann").status == 200)
        let refused = try await ask("PUT", "/books/\(id)", #"{"lastCheckedOutBy":"bob"}"#, as: "bob")
        #expect(refused.status == 409 && refused.code == "no_copies")
        #expect(refused.json["details"]?["reasons"]?.arrayValue?.isEmpty == false)
        let (mine, others) = (
            try await ask("GET", "/books/\(id)", as: "ann"), try await ask("GET", "/books/\(id)", as: "bob")
        )
        #expect(mine.json["lastCheckedOutBy"] == "ann" && others.json["lastCheckedOutBy"] == JSON.null)
        #expect(mine.json["lastCheckedOut"] == others.json["lastCheckedOut"])
        let seen = try await ask("GET", "/books/\(id)", as: "staff")
        #expect(seen.json["lastCheckedOutBy"] == "ann Smith")
        // All that was shown, sent back with a word changed.
        var echo = try #require(seen.json.objectValue)
        echo["publisher"] = "Chilton"
        let edited = try await ask("PUT", "/books/\(id)", JSON.object(echo).text(), as: "staff")
        #expect(edited.status == 200 && edited.json["publisher"] == "Chilton")
        #expect(try loans() == 1)
    }

    @Test("at the desk a book is lent to whom the name says")
    func names() async throws {
        let id = try book("9780141182803")
        let byName = try await ask("PUT", "/books/\(id)/", #"{"lastCheckedOutBy":"BOB smith"}"#, as: "staff")
        #expect(byName.status == 200 && byName.json["lastCheckedOutBy"] == "bob Smith")
        let unknown = try await ask("PUT", "/books/\(id)", #"{"lastCheckedOutBy":"Zed"}"#, as: "staff")
        #expect(unknown.status == 422 && unknown.code == "unknown_patron")
        try server.desk.write { session in
            for username in ["twin1", "twin2"] {
                let twin = Patron(
                    username: username, name: "Al", surname: "Twin", category: "undergraduate", homeBranch: "main")
                _ = try session.patrons.add(twin)
            }
        }
        // What was changed beside a loan that is refused is not changed.
        let twins = try await ask(
            "PUT", "/books/\(id)", #"{"title":"Changed","lastCheckedOutBy":"Al Twin"}"#, as: "staff")
        #expect(twins.status == 422 && twins.code == "ambiguous")
        #expect(try await ask("GET", "/books/\(id)", as: "staff").json["title"] == "Ulysses")
        #expect(try await ask("PUT", "/books/\(id)", #"{"lastCheckedOutBy":"twin2"}"#, as: "staff").status == 200)
        #expect(try loans() == 2)
    }

    @Test("the shelf is changed by staff and emptied by administrators alone, and not while a book is out")
    func roles() async throws {
        let id = try book("9780141439587")
        for (method, path, body) in [
            ("POST", "/books", #"{"title":"Mine"}"#), ("PUT", "/books/\(id)", #"{"title":"Mine"}"#),
            ("DELETE", "/books/\(id)", ""), ("DELETE", "/clean", ""),
        ] {
            #expect(try await ask(method, path, body, as: "ann").status == 403, "\(method) \(path)")
        }
        #expect(try await ask("DELETE", "/clean", as: "staff").status == 403)
        #expect(try await ask("PUT", "/books/\(id)", #"{"lastCheckedOutBy":"me"}"#, as: "ann").status == 200)
        #expect(try await ask("DELETE", "/clean", as: "root").status == 409)
        try server.desk.write { session in
            let loan = try session.loans.latest(of: id)
            _ = try session.loans.checkin(.id(try #require(loan).id))
        }
        let emptied = try await ask("DELETE", "/clean/", as: "root")
        #expect(emptied.status == 200 && emptied.json == ["deleted": 3])
        #expect(try await ask("GET", "/books", as: "ann").json == [])
    }

    @Test(
        "a bad request is told what is wrong with it",
        arguments: [
            ("", "'title' is missing."), ("{}", "'title' is missing."), (#"{"title":" "}"#, "'title' is empty."),
            (#"{"title":1}"#, "'title' is a text."), (#"{"title":"A","categories":["a"]}"#, "'categories' is a text."),
            (#"{"title":"A","lastCheckedOutBy":7}"#, "'lastCheckedOutBy' is a text."), ("[]", nil), ("{", nil),
        ])
    func badRequests(body: String, words: String?) async throws {
        let answer = try await ask("POST", "/books", body, as: "staff")
        #expect(answer.status == 400, "\(answer.text)")
        if let words { #expect(answer.json["detail"] == .string(words)) }
        #expect(try await ask("GET", "/books", as: "staff").json.arrayValue?.count == 3)
        let nobody = try await ask("PUT", "/books/1", #"{"lastCheckedOutBy":""}"#, as: "staff")
        #expect(nobody.status == 400 && nobody.json["detail"] == "'lastCheckedOutBy' is empty.")
    }

    @Test("an invalid key leads nowhere, and keys appear in no log, metric or problem")
    func keys() async throws {
        let token = try server.token(of: "ann")
        let unknown = "msk_" + String(repeating: "x", count: 43)
        for path in ["/\(unknown)/books", "/short/books/1", "/short/clean", "/%6Dsk_\(unknown.dropFirst(4))/books/"] {
            let answer = await server.web.answer(WebRequest("GET", path))
            #expect(answer.status == 404 && answer.code == "not_found", "\(path)")
        }
        var told = ""
        for path in [
            "/\(token)/books", "/\(token)/books/1/", "//\(token)/books", "/\(token)/clean", "/\(token)/book",
            "/%6D\(token.dropFirst())/books/7",
        ] {
            let answer = await server.web.answer(WebRequest("GET", path))
            told += answer.text + answer.fields.description
        }
        told += server.teller.all.lines.joined() + server.teller.all.faults.joined()
        told += await server.web.answer(WebRequest("GET", "/metrics")).text
        #expect(!told.contains(token.dropFirst(5)) && !told.contains("xxxxx") && !told.contains("short"))
        #expect(told.contains("plugin:bookswag get /{key}/books/{id}") && told.contains("/.../books/1"))
        let method = try await ask("PATCH", "/books", as: "ann")
        #expect(method.status == 405 && method.fields["Allow"] == "GET, HEAD, POST")
    }
}
