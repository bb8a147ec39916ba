import Circulation
import Desk
import Foundation
import Market
import Secrets
import TextFormats

/// The routes of Text Trader, with its fields, words and statuses, over the same accounts and the same market.
///
/// What differs is said in `docs/systems.md`: both failures of a log-in are answered alike, passwords have to be ones
/// that the library takes, and books are listings of the market.
struct TextTrader {
    private let services: Services
    private let request: WebRequest

    init(_ request: WebRequest, _ services: Services) {
        self.request = request
        self.services = services
    }

    /// Whether a path is one of Text Trader's.
    static func knows(_ segments: [String]) -> Bool {
        switch segments {
        case ["register"], ["login"], ["verify"], ["api", "books"]: true
        default: segments.count == 3 && segments.starts(with: ["api", "books"])
        }
    }

    /// The name under which a request is counted.
    static func route(_ segments: [String], _ method: String) -> String {
        let path = segments.count == 3 ? "/api/books/{id}" : "/" + segments.joined(separator: "/")
        return
            "text trader \(["GET", "POST", "PUT", "DELETE"].contains(method) ? method.lowercased() : "other") \(path)"
    }

    /// - Throws: what the desk throws.
    func answer(_ segments: [String]) throws -> WebResponse {
        var answer: WebResponse
        do {
            answer = try found(segments)
        } catch let error as AttemptBudget.Exhausted {
            let problem = Problem.tooOften(error.seconds)
            answer = Self.message(problem.status, problem.detail)
            answer.fields.merge(problem.fields) { $1 }
        } catch let problem as Problem {
            answer = Self.message(problem.status, problem.detail)
            answer.fields.merge(problem.fields) { $1 }
        }
        // It carries tokens in headers and no cookies: any page may ask.
        answer.fields["Access-Control-Allow-Origin"] = "*"
        return answer
    }

    private func found(_ segments: [String]) throws -> WebResponse {
        switch (segments, request.method) {
        case (["register"], "POST"): return try register()
        case (["login"], "POST"): return try logIn()
        case (["verify"], "POST"): return try verify()
        case (["api", "books"], "GET"): return try books()
        case (["api", "books"], "POST"): return try add()
        case (_, "GET") where segments.count == 3: return try book(segments[2])
        case (_, "PUT") where segments.count == 3: return try change(segments[2])
        case (_, "DELETE") where segments.count == 3: return try remove(segments[2])
        case (_, "OPTIONS"):
            return WebResponse(
                204,
                fields: [
                    "Access-Control-Allow-Methods": "GET, POST, PUT, DELETE",
                    "Access-Control-Allow-Headers": "Authorization, Content-Type, X-API-Key",
                ])
        default: return WebResponse(404, json: "404 Not found")
        }
    }

    private static func message(_ status: Int, _ words: String) -> WebResponse {
        WebResponse(status, json: ["message": .string(words)])
    }

    /// The members of a body that are texts, trimmed; nil where the body is not an object.
    private func texts() -> [String: String]? {
        guard let object = try? request.jsonObject() else { return nil }
        var texts: [String: String] = [:]
        for entry in object.entries {
            texts[entry.key] = entry.value.stringValue?.trimmingSpaces()
        }
        return texts
    }

    // MARK: - Accounts

    private func register() throws -> WebResponse {
        let given = texts() ?? [:]
        guard let name = given["name"], let email = given["email"], let username = given["username"],
            let password = given["password"], ![name, email, username, password].contains("")
        else { return Self.message(401, "All fields are required") }
        guard services.settings.allowsSignUp else {
            return Self.message(403, "The library's staff make accounts.")
        }
        var patron = try services.newPatron(username: username)
        patron.name = name
        patron.email = email
        switch try services.accounts.signUp(patron, password: password, from: .address(request.origin)) {
        case .done: return WebResponse(200, json: ["username": .string(username)])
        case .refused(let refusal) where refusal.code == "exists":
            return Self.message(401, "username taken, please choose a different one.")
        case .refused(let refusal): return Self.message(401, refusal.message)
        }
    }

    private func logIn() throws -> WebResponse {
        let given = texts() ?? [:]
        guard let username = given["username"], let password = given["password"], !username.isEmpty, !password.isEmpty
        else { return Self.message(401, "username and password are required") }
        guard
            let entry = try services.accounts.logIn(
                username, password: password, from: .address(request.origin))
        else {
            return Self.message(403, "Password does not match")
        }
        return WebResponse(
            200,
            json: [
                "user": ["username": .string(entry.patron.username), "name": .string(entry.patron.name)],
                "token": .string(entry.token.text),
            ])
    }

    private func verify() throws -> WebResponse {
        func failed(_ words: String) -> WebResponse {
            WebResponse(401, json: ["verified": false, "message": .string(words)])
        }
        guard let object = try? request.jsonObject(), let username = object["user"]?["username"]?.stringValue,
            let token = object["token"]?.stringValue
        else { return failed("incorrect request body") }
        guard let holder = try services.accounts.holder(of: token) else { return failed("invalid token") }
        guard holder.patron.username == username else { return failed("invalid user") }
        return WebResponse(
            200,
            json: [
                "verified": true, "message": "success", "user": object["user"] ?? .null, "token": .string(token),
            ])
    }

    // MARK: - Books

    private func books() throws -> WebResponse {
        let query = try WebRequest.members(of: request.query ?? "")
        let words = query.first { $0.name == "title" || $0.name == "query" }?.value
        let rows = try services.desk.read { session in
            try session.market.listings(ListingQuery(words: words, limit: 1_000)).map { try Self.json($0, session) }
        }
        return WebResponse(200, json: .array(rows))
    }

    private func book(_ id: String) throws -> WebResponse {
        let caller = try Authentication(services).caller(request)
        try caller.check("market", changes: false)
        let json = try services.desk.read { session -> JSON? in
            guard let listing = try Int64(id).flatMap({ try session.market.get($0) }),
                listing.state == .active || listing.seller != nil && listing.seller == caller.patron?.id
            else { return nil }
            return try Self.json(listing, session)
        }
        guard let json else { return WebResponse(404, json: "404 Not found") }
        return WebResponse(200, json: json)
    }

    private func add() throws -> WebResponse {
        let holder = try holder()
        let given = texts() ?? [:]
        guard let title = given["title"], !title.isEmpty else { return Self.message(400, "A book needs a title.") }
        let proposal = TitleProposal(
            isbn: try given["isbn"].flatMap { $0.isEmpty ? nil : try Self.isbn($0) }, title: title,
            authors: given["author"].map { [$0] } ?? [])
        let price = try price()
        return try outcome(201, holder) { session in
            try session.market.publish(
                ListingRequest(
                    seller: .id(holder.id), proposal: proposal, kind: Self.kind(given["status"], price), price: price,
                    condition: given["condition"] ?? "", edition: given["edition"] ?? "", picture: given["imageName"],
                    note: given["note"] ?? ""))
        }
    }

    private func change(_ id: String) throws -> WebResponse {
        let holder = try holder()
        let listing = try own(id, holder)
        let given = texts() ?? [:]
        let update = ListingUpdate(
            price: try price(), condition: given["condition"], edition: given["edition"], picture: given["imageName"],
            note: given["note"])
        return try outcome(200, holder) { try $0.market.update(listing, update, by: .id(holder.id)) }
    }

    private func remove(_ id: String) throws -> WebResponse {
        let holder = try holder()
        let listing = try own(id, holder)
        let answer = try outcome(200, holder) { try $0.market.withdraw(listing, by: .id(holder.id)) }
        return answer.status == 200 ? WebResponse(204) : answer
    }

    private func holder() throws -> Patron {
        let caller = try Authentication(services).caller(request)
        guard let patron = caller.patron else { throw Problem.noToken }
        try caller.check("market", changes: true)
        return patron
    }

    /// The id of a patron's listing.
    ///
    /// - Throws: ``Problem`` where they have none of this id.
    private func own(_ id: String, _ holder: Patron) throws -> Int64 {
        let listing = try Int64(id).flatMap { id in try services.desk.read { try $0.market.get(id) } }
        guard let listing, listing.seller == holder.id else { throw Problem.notFound }
        return listing.id
    }

    private func outcome(
        _ status: Int, _ holder: Patron, _ body: (DeskSession) throws -> Outcome<Listing>
    ) throws -> WebResponse {
        let actor = Caller(patron: holder, token: nil).actor
        return try services.desk.acting(as: actor).write { session in
            switch try body(session) {
            case .done(let listing): WebResponse(status, json: try Self.json(listing, session))
            case .refused(let refusal): Self.message(409, refusal.message)
            }
        }
    }

    private static func isbn(_ text: String) throws -> ISBN {
        do {
            return try ISBN(text)
        } catch {
            throw Problem.input("'isbn': \(error)")
        }
    }

    /// A price as a number or a text; nil where none is given.
    private func price() throws -> Money? {
        let text: String
        switch try request.jsonObject()["price"] {
        case .string(let given)?: text = given
        case .integer(let given)?: text = String(given)
        case .number(let given)?: text = String(given)
        default: return nil
        }
        let currency = try services.desk.read { try $0.settings.library().currency }
        do {
            return try Money(parsing: text, currency: currency)
        } catch {
            throw Problem.input("'price': \(error)")
        }
    }

    /// Text Trader's `Trade` and `Donate`; what has a price is sold.
    private static func kind(_ status: String?, _ price: Money?) -> Listing.Kind {
        switch status?.lowercased() {
        case "donate": .donate
        case "trade": .trade
        default: price == nil ? .trade : .sell
        }
    }

    private static func json(_ listing: Listing, _ session: DeskSession) throws -> JSON {
        let title = try listing.title.flatMap { try session.catalogue.get(.id($0)) }
        let seller = try listing.seller.flatMap { try session.patrons.get(.id($0))?.publicName }
        return [
            "id": .integer(listing.id), "title": .string(try session.market.label(of: listing)),
            "author": .string((title?.authors ?? listing.proposal?.authors ?? []).joined(separator: "; ")),
            "isbn": (title?.isbn ?? listing.proposal?.isbn).map { .string($0.digits13) } ?? .null,
            "price": listing.price.flatMap { Double($0.amountText) }.map { .number($0) } ?? .null,
            "edition": .string(listing.edition), "condition": .string(listing.condition),
            "imageName": listing.picture.map { .string($0) } ?? .null, "note": .string(listing.note),
            "status": .string(listing.kind.rawValue.capitalized), "owner": seller.map { .string($0) } ?? .null,
            "uploadDate": .string(listing.createdAt.description),
        ]
    }
}
