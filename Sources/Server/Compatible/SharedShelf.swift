import Circulation
import Desk
import Interchange
import TextFormats

/// The routes of Book SWAG's shelf, with its fields and statuses, over the same catalogue and the same loans.
///
/// What differs is said in `docs/systems.md`: who has a book follows from its loans, a book on loan stays with the
/// patron who has it, and the roles of the library say who changes the shelf.
struct SharedShelf {
    /// What is asked for, behind the key if there is one.
    enum Place: Hashable, Sendable {
        case books, clean
        /// As it stands in the path.
        case book(String)

        init?(_ segments: some Collection<String>) {
            switch Array(segments) {
            case ["books"]: self = .books
            case ["clean"]: self = .clean
            case let path where path.count == 2 && path[0] == "books": self = .book(path[1])
            default: return nil
            }
        }

        var name: String {
            switch self {
            case .books: "/books"
            case .clean: "/clean"
            case .book: "/books/{id}"
            }
        }

        var methods: [String] {
            switch self {
            case .books: ["GET", "HEAD", "POST"]
            case .clean: ["DELETE"]
            case .book: ["DELETE", "GET", "HEAD", "PUT"]
            }
        }
    }

    private let services: Services
    private let request: WebRequest
    private let place: Place
    /// nil: it is in the header, if anywhere.
    private let key: String?

    /// - Returns: nil for a path that is none of the shelf's.
    init?(_ segments: [String], _ request: WebRequest, _ services: Services) {
        if let place = Place(segments) {
            (self.place, key) = (place, nil)
        } else if let first = segments.first, let place = Place(segments.dropFirst()) {
            (self.place, key) = (place, first)
        } else {
            return nil
        }
        self.request = request
        self.services = services
    }

    /// The name under which a request is counted: a key never is part of it.
    var route: String {
        "shared shelf \(place.methods.contains(request.method) ? request.method.lowercased() : "other") \(place.name)"
    }

    /// - Throws: ``Problem``, what the desk throws.
    func answer() throws -> WebResponse {
        let caller = try caller()
        try caller.check("catalogue", changes: !["GET", "HEAD"].contains(request.method))
        switch (place, request.method) {
        case (.books, "GET"), (.books, "HEAD"): return try books(caller)
        case (.books, "POST"): return try add(caller)
        case (.book(let id), "GET"), (.book(let id), "HEAD"):
            return try services.desk.read { session in
                let title = try Self.known(id, session)
                return WebResponse(200, json: try Self.json(title, caller, session))
            }
        case (.book(let id), "PUT"): return try change(id, caller)
        case (.book(let id), "DELETE"):
            return try writing(caller) { session in
                _ = try Self.done(session.catalogue.remove(.id(Self.known(id, session).id)))
                return WebResponse(204)
            }
        case (.clean, "DELETE"):
            return try writing(caller) { session in
                WebResponse(200, json: ["deleted": .integer(Int64(try Self.done(session.catalogue.removeAll())))])
            }
        default:
            let allowed = place.methods.joined(separator: ", ")
            throw Problem(405, "method", "This can be asked for by \(allowed) alone.", fields: ["Allow": allowed])
        }
    }

    /// The owner of the key; an invalid key is answered like a shelf that does not exist.
    private func caller() throws -> Caller {
        guard let key else {
            let caller = try Authentication(services).caller(request)
            guard caller.patron != nil else { throw Problem.noToken }
            return caller
        }
        guard let holder = try services.accounts.holder(of: key) else { throw Problem.notFound }
        return Caller(patron: holder.patron, token: holder.token)
    }

    private func writing(_ caller: Caller, _ body: (DeskSession) throws -> WebResponse) throws -> WebResponse {
        try services.desk.acting(as: caller.actor).write(isRepeatable: true, body)
    }

    static func known(_ id: String, _ session: DeskSession) throws -> Title {
        guard let title = try Int64(id).flatMap({ try session.catalogue.get(.id($0)) }) else { throw Problem.notFound }
        return title
    }

    /// - Throws: ``Problem`` for a refusal, which undoes what was done before it.
    static func done<Value>(_ outcome: Outcome<Value>) throws -> Value {
        switch outcome {
        case .done(let value): return value
        case .refused(let refusal): throw Problem.refusal(refusal.json.objectValue ?? [:])
        }
    }
}

// MARK: - Books

extension SharedShelf {
    /// How many books one answer has; the rest is a `Link` away.
    private static let most: Int64 = 1_000

    private func books(_ caller: Caller) throws -> WebResponse {
        let query = try WebRequest.members(of: request.query ?? "")
        func number(_ name: String, _ range: ClosedRange<Int64>, else usual: Int64) throws -> Int64 {
            guard let text = query.first(where: { $0.name == name })?.value else { return usual }
            guard let number = Int64(text), range.contains(number) else {
                throw Problem.input("'\(name)' is a number from \(range.lowerBound) to \(range.upperBound).")
            }
            return number
        }
        let limit = try number("limit", 1...10_000, else: Self.most)
        let offset = try number("offset", 0...1_000_000_000, else: 0)
        return try services.desk.read { session in
            let found = try session.catalogue.search(
                CatalogueQuery(order: .id, limit: Int(limit) + 1, offset: Int(offset)))
            let shown = try found.prefix(Int(limit)).map { try Self.json($0, caller, session) }
            var answer = WebResponse(200, json: .array(shown))
            if found.count > limit {
                // Relative, so that no key gets into it.
                answer.fields["Link"] = "<?limit=\(limit)&offset=\(offset + limit)>; rel=\"next\""
            }
            return answer
        }
    }

    private func add(_ caller: Caller) throws -> WebResponse {
        let fields = try SharedShelfFields(request)
        guard fields.title != nil else { throw Problem.input("'title' is missing.") }
        return try writing(caller) { session in
            var title = Title(title: "")
            fields.change(&title)
            let added = try Self.done(session.catalogue.add(title))
            _ = try Self.done(session.catalogue.addCopies(of: .id(added.id)))
            if let name = fields.borrower { try lend(added, to: name, caller, session) }
            // Its app takes nothing but 200 for a success.
            return WebResponse(
                200, json: try Self.json(added, caller, session),
                fields: ["Location": SharedShelfShape.address(of: added)])
        }
    }

    private func change(_ id: String, _ caller: Caller) throws -> WebResponse {
        let given = try SharedShelfFields(request)
        return try writing(caller) { session in
            var title = try Self.known(id, session)
            let fields = given.changes(of: try Self.json(title, caller, session))
            var changed = title
            fields.change(&changed)
            if changed != title {
                title = try Self.done(session.catalogue.update(.id(title.id)) { fields.change(&$0) })
            }
            if let name = fields.borrower { try lend(title, to: name, caller, session) }
            return WebResponse(200, json: try Self.json(title, caller, session))
        }
    }

    /// Lends a copy to the key's owner; for a key of staff, to the patron whose name is given.
    private func lend(_ title: Title, to name: String, _ caller: Caller, _ session: DeskSession) throws {
        guard let holder = caller.patron else { throw Problem.noToken }
        try caller.check("loans", changes: true)
        let patron = caller.isStaff ? try Self.patron(called: name, session) : holder
        _ = try Self.done(
            session.loans.checkout(CheckoutRequest(patron: .id(patron.id), wanted: .titles([.id(title.id)]))))
    }

    /// The patron of a username, or else the only one of a name.
    private static func patron(called name: String, _ session: DeskSession) throws -> Patron {
        let found = try session.patrons.called(name)
        guard let patron = found.first else {
            throw Problem(422, "unknown_patron", "No patron has this name or username.")
        }
        guard found.count == 1 else {
            throw Problem(422, "ambiguous", "\(found.count) patrons have this name; give the username.")
        }
        return patron
    }

    /// A book as the shelf's clients know it. Its last borrower is shown to that patron and to those who may see
    /// patrons.
    private static func json(_ title: Title, _ caller: Caller, _ session: DeskSession) throws -> JSON {
        let loan = try session.loans.latest(of: title.id)
        var name: String?
        if let patron = loan?.patron, caller.seesPatrons || patron == caller.patron?.id {
            name = try session.patrons.get(.id(patron))?.fullName
        }
        return SharedShelfShape.book(title, lent: loan?.lentAt, to: name)
    }
}
