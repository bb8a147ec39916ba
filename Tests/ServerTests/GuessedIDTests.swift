import Circulation
import Desk
import Scripting
import Server
import Testing
import TextFormats

@Suite("Guessed ids of other patrons' records over HTTP")
struct GuessedIDTests {
    @Test("another patron's record answers like a missing one, byte for byte, and does not change")
    func guessed() async throws {
        let server = try TestServer()
        func make(_ path: String, _ body: JSON, as name: String = "bob") async throws -> Int64 {
            let answer = try await server.ask(.post, path, body, as: name)
            return try #require(answer.json["id"]?.integerValue, "\(path): \(answer.text)")
        }
        let loan = try await make("/loans", ["isbn": "9780441013593"])
        let hold = try await make("/holds", ["isbn": "9780141439587"])
        let draft = try await make(
            "/listings", ["seller": "bob", "isbn": "9780441013593", "kind": "sell", "price": "1", "draft": true])
        let offer = try await make(
            "/listings", ["seller": "bob", "isbn": "9780441013593", "kind": "rent", "price": "1", "period": "P1W"])
        _ = try await server.ask(.post, "/listings/\(offer)/rent", ["ends_on": "2026-03-09"], as: "staff")
        let favourite = try await make("/patrons/me/favourites", ["title": "9780141439587"])
        let notice = try await make(
            "/notifications", ["patron": "bob", "subject": "News", "body": "Body", "key": "k"], as: "staff")
        _ = try await server.ask(.post, "/patrons/me/cart", ["title": "9780141439587", "kind": "borrow"], as: "bob")
        let session = try #require(try server.accounts.holder(of: try server.token(of: "bob"))).token.id
        _ = try await server.ask(.post, "/keys", ["label": "shelf"], as: "bob")
        let key = try #require(
            try await server.ask(.get, "/keys", as: "bob").json["items"]?.arrayValue?[0]["id"]?.integerValue)
        // Logging in is an event, too.
        _ = try server.token(of: "ann")
        let before = try server.desk.read { try $0.events.list(EventQuery(limit: 10_000)).count }
        for (verb, path, id) in [
            (.get, "/loans/{}", loan), (.get, "/loans/{}/explanation", loan), (.post, "/loans/{}/renew", loan),
            (.get, "/holds/{}", hold), (.delete, "/holds/{}", hold), (.post, "/holds/{}/suspend", hold),
            (.post, "/holds/{}/resume", hold), (.get, "/listings/{}", draft), (.patch, "/listings/{}", offer),
            (.delete, "/listings/{}", offer), (.post, "/listings/{}/buy", draft), (.post, "/orders/{}/cancel", 1),
            (.post, "/orders/{}/hand-over", 1), (.post, "/rentals/{}/give-back", 1),
            (.post, "/notifications/{}/read", notice), (.delete, "/patrons/me/favourites/{}", favourite),
            (.delete, "/patrons/me/cart/{}", 1), (.delete, "/sessions/{}", session), (.delete, "/keys/{}", key),
        ] as [(Route.Verb, String, Int64)] {
            let body: JSON? = verb == .post || verb == .patch ? [:] : nil
            let seen = try await server.ask(verb, path.replacing("{}", with: "\(id)"), body, as: "ann")
            let missing = try await server.ask(verb, path.replacing("{}", with: "424242"), body, as: "ann")
            #expect(seen.status == 404 && seen.body == missing.body, "\(path): \(seen.text) \(missing.text)")
        }
        let after = try server.desk.read {
            try $0.events.list(EventQuery(limit: 10_000)).filter { $0.kind != "request.refused" }.count
        }
        #expect(after <= before)
        #expect(try await server.ask(.get, "/keys", as: "bob").json["items"]?.arrayValue?.count == 1)
        #expect(server.teller.all.faults == [])
    }
}
