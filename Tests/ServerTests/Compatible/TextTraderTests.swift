import Server
import Testing
import TextFormats

@Suite("Text Trader's routes")
struct TextTraderTests {
    private let server: TestServer

    init() throws {
        server = try TestServer()
        try server.use(plugin: "texttrader")
    }

    private func ask(
        _ method: String, _ path: String, _ body: String = "", as name: String? = nil
    ) async throws -> WebResponse {
        var fields = [(name: "content-type", value: "application/json"), (name: "x-api-key", value: "any")]
        if let name { fields.append(("authorization", "Bearer \(try server.token(of: name))")) }
        return await server.web.answer(WebRequest(method, path, fields: fields, body: Array(body.utf8)))
    }

    @Test("an account is made, logged in and verified with its words and statuses")
    func accounts() async throws {
        let person = #"{"name":"Zoe Zola","email":"zoe@example.org","username":" zoe ","password":"a good password"}"#
        let made = try await ask("POST", "/register", person)
        #expect(made.status == 200 && made.json == ["username": "zoe"])
        #expect(made.fields["Access-Control-Allow-Origin"] == "*")
        let again = try await ask("POST", "/register", person)
        #expect(again.status == 401 && again.json["message"] == "username taken, please choose a different one.")
        for body in ["", "{}", "[", #"{"name":"","email":"e","username":"u","password":"p"}"#, #"{"name":1}"#] {
            let answer = try await ask("POST", "/register", body)
            #expect(answer.status == 401 && answer.json["message"] == "All fields are required", "\(body)")
        }
        let entry = try await ask("POST", "/login", #"{"username":"zoe","password":"a good password"}"#)
        #expect(entry.status == 200 && entry.json["user"] == ["username": "zoe", "name": "Zoe Zola"])
        let token = try #require(entry.json["token"]?.stringValue)
        let verified = try await ask("POST", "/verify", #"{"user":{"username":"zoe"},"token":"\#(token)"}"#)
        #expect(
            verified.status == 200
                && verified.json == [
                    "verified": true, "message": "success", "user": ["username": "zoe"], "token": .string(token),
                ])
        let user = #"{"username":"zoe","name":null,"a":[],"o":{},"n":1.50}"#
        let echoed = try await ask("POST", "/verify", #"{"token":"\#(token)", "user": \#(user)}"#)
        let written = user.replacing("1.50", with: "1.5")
        #expect(echoed.text == #"{"verified":true,"message":"success","user":\#(written),"token":"\#(token)"}"#)
        for (body, words) in [
            ("{}", "incorrect request body"), (#"{"user":{"username":"zoe"}}"#, "incorrect request body"),
            (#"{"user":{"username":"zoe"},"token":"mss_x"}"#, "invalid token"),
            (#"{"user":{"username":"ann"},"token":"\#(token)"}"#, "invalid user"),
        ] {
            let answer = try await ask("POST", "/verify", body)
            #expect(answer.status == 401 && answer.json == ["verified": false, "message": .string(words)], "\(body)")
        }
    }

    @Test("both failures of a log-in have the same message")
    func failures() async throws {
        let wrong = try await ask("POST", "/login", #"{"username":"ann","password":"wrong horses"}"#)
        let unknown = try await ask("POST", "/login", #"{"username":"nobody","password":"wrong horses"}"#)
        #expect(wrong.status == 403 && wrong.json == ["message": "Password does not match"])
        #expect(wrong.body == unknown.body && unknown.status == 403)
        let empty = try await ask("POST", "/login", #"{"username":"ann"}"#)
        #expect(empty.status == 401 && empty.json["message"] == "username and password are required")
    }

    @Test("a book is posted, found, changed and deleted, by its owner alone")
    func books() async throws {
        let body = #"{"title":"Dune","author":"Frank Herbert","isbn":"9780441013593","price":4.5,"edition":"2nd"}"#
        #expect(try await ask("POST", "/api/books", body).status == 401)
        let posted = try await ask("POST", "/api/books", body, as: "ann")
        #expect(posted.status == 201, "\(posted.text)")
        let id = try #require(posted.json["id"]?.integerValue)
        #expect(
            posted.json["price"] == .number(4.5) && posted.json["owner"] == "ann" && posted.json["status"] == "Sell")
        let swap = #"{"title":"Emma","isbn":"9780141439587","status":"Trade"}"#
        let trade = try await ask("POST", "/api/books", swap, as: "bob")
        #expect(trade.json["status"] == "Trade" && trade.json["price"] == .number(0) && !trade.text.contains("null"))
        let all = try await ask("GET", "/api/books")
        #expect(all.json.arrayValue?.count == 2)
        #expect(try await ask("GET", "/api/books/\(id)").json["isbn"] == "9780441013593")
        #expect(try await ask("PUT", "/api/books/\(id)", #"{"price":"3.00"}"#, as: "bob").status == 404)
        #expect(try await ask("PUT", "/api/books/\(id)", #"{"price":"3.00"}"#, as: "ann").json["price"] == .number(3))
        #expect(try await ask("DELETE", "/api/books/\(id)", as: "bob").status == 404)
        #expect(try await ask("DELETE", "/api/books/\(id)", as: "ann").status == 204)
        #expect(try await ask("GET", "/api/books/\(id)").status == 404)
        for bad in [#"{"title":"X","isbn":"123"}"#, #"{"title":"X","price":"dear"}"#, #"{"title":""}"#, "{", "[]"] {
            #expect(try await ask("POST", "/api/books", bad, as: "ann").status == 400, "\(bad)")
        }
        #expect(try await ask("PATCH", "/api/books").status == 404)
        #expect(server.teller.all.faults == [])
    }
}
