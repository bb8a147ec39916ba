import Circulation
import Desk
import Scripting
import Server
import Testing
import TextFormats

@Suite("Filters of lists")
struct ListingFilterTests {
    /// A list with a filter, and the ids that it gives.
    private static let wanted: [(path: String, ids: [Int64])] = [
        ("/listings", [4, 3, 1]),
        ("/listings?isbn=9780441013593", [4, 1]), ("/listings?text=emma", [3]), ("/listings?text=nothing", []),
        ("/listings?kind=rent", [4]), ("/listings?seller=ann", [3, 1]), ("/listings?seller=bob", [4]),
        ("/listings?seller=me", [3, 1]), ("/listings?seller=ann&state=draft", [2]), ("/listings?limit=1", [4]),
        ("/listings?limit=1&offset=1", [3]), ("/listings?course=CS1", [4, 1]), ("/listings?college=Baliol", [3]),
        ("/listings?seller=me&state=all", [3, 2, 1]),
        ("/orders", [1]), ("/orders?buyer=me", [1]), ("/orders?seller=me", [2]), ("/orders?state=open", [1]),
        ("/orders?state=done", []), ("/orders?seller=me&limit=0", []),
        ("/rentals", [1]), ("/rentals?borrower=me", [1]), ("/rentals?lender=me", []), ("/rentals?state=ended", []),
    ]

    @Test("each filter of a list lets pass what it says, in the order that it says")
    func table() async throws {
        let server = try TestServer()
        try await Self.fill(server)
        for (path, ids) in Self.wanted {
            let answer = try await server.ask(.get, path, as: "ann")
            let found = (answer.json["items"]?.arrayValue ?? []).compactMap { $0["id"]?.integerValue }
            #expect(found == ids, "\(path): \(answer.text)")
        }
    }

    @Test("staff may say 'me' wherever a route takes a patron")
    func me() async throws {
        let server = try TestServer()
        try await Self.fill(server)
        let own = try await server.ask(.get, "/orders?buyer=me", as: "staff").json["items"]?.arrayValue
        #expect(own?.count == 0)
        for route in RouteTable.all where route.verb == .get {
            for parameter in route.otherParameters where parameter.type == .reference(.patron) {
                let path = route.path.replacing(#/\{patron\}/#, with: "me").replacing(#/\{\w+\}/#, with: "1")
                let named = try await server.ask(.get, "\(path)?\(parameter.name)=staff", as: "staff")
                let me = try await server.ask(.get, "\(path)?\(parameter.name)=me", as: "staff")
                #expect(me.status == named.status && me.body == named.body, "\(route.name) \(parameter.name)")
            }
        }
    }

    private static func fill(_ server: TestServer) async throws {
        func make(_ path: String, _ body: JSON, as name: String) async throws {
            let answer = try await server.ask(.post, path, body, as: name)
            #expect(answer.status < 300, "\(path): \(answer.text)")
        }
        for (id, changes) in [
            (1, ["courses": [["code": "CS1"]]]), (2, ["college": "Baliol", "genres": ["Novel"]]),
        ] as [(Int, JSON)] {
            let answer = try await server.ask(.patch, "/titles/\(id)", changes, as: "staff")
            #expect(answer.status < 300, "\(answer.text)")
        }
        let dune: JSON = "9780441013593"
        try await make("/listings", ["isbn": dune, "kind": "sell", "price": "4", "quantity": 9], as: "ann")
        try await make("/listings", ["isbn": dune, "kind": "sell", "price": "4", "draft": true], as: "ann")
        try await make("/listings", ["isbn": "9780141439587", "kind": "donate"], as: "ann")
        try await make(
            "/listings", ["isbn": dune, "kind": "rent", "price": "1", "period": "P1W", "quantity": 9], as: "bob")
        try await make("/listings/4/rent", ["ends_on": "2026-03-09"], as: "ann")
        try await make("/listings/1/buy", ["quantity": 1], as: "bob")
    }
}
