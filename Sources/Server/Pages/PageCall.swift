import Circulation
import Desk
import Scripting
import TextFormats

/// One request for a page, on a thread of the desk: the request, the caller and the desk.
struct PageCall {
    let request: WebRequest
    let visitor: PageVisitor
    let services: Services
    /// The values of the named segments of the page's path, in order.
    let values: [String]
    /// The query.
    let query: PageForm
    /// The form's fields; empty without a body.
    private(set) var form: PageForm
    let context: ScriptContext
    let library: LibrarySettings
    /// The errors of a form that is shown again, by the names of its fields.
    var wrong: [String: String] = [:]
    private let routes: RouteMatch

    var caller: Caller { visitor.caller }
    /// The client address under which attempts are counted.
    var origin: AttemptOrigin { .address(request.origin) }
    var now: Instant { services.clock.now() }
    var words: PageWords { PageWords(zone: library.zone, now: now) }

    /// - Parameter page: the page that was found.
    /// - Throws: ``Problem`` for an invalid query or form; errors of the store.
    init(
        _ request: WebRequest, _ page: Page, _ values: [String], visitor: PageVisitor, form: PageForm,
        services: Services, routes: RouteMatch
    ) throws {
        self.request = request
        self.visitor = visitor
        self.values = values
        self.services = services
        self.routes = routes
        self.form = form
        query = try PageForm(query: request.query)
        context = try RouteCall.context(visitor.caller, services, isReading: page.verb == .get)
        library = try context.look { try $0.settings.library() }
    }

    /// The same call with an empty form.
    var afresh: PageCall {
        get throws {
            var call = self
            call.form = try PageForm(query: nil)
            return call
        }
    }

    /// The patron who is logged in.
    ///
    /// - Throws: ``Problem`` if no patron is logged in.
    func holder() throws -> Patron {
        guard let patron = caller.patron else { throw Problem.noToken }
        return patron
    }

    // MARK: - Asking the API

    /// Calls a route of the API, with all its checks of role, ownership and arguments.
    ///
    /// - Parameters:
    ///   - path: as in the API, `me` included; its values are percent-encoded (``segment(_:)``).
    ///   - members: the other arguments, as JSON has them.
    /// - Throws: ``Problem``, errors of the desk.
    func ask(_ verb: Route.Verb = .get, _ path: String, _ members: JSONObject = [:]) throws -> APIResponse {
        let segments = try path.split(separator: "/").map { part throws(Problem) in try PercentEncoding.checked(part) }
        guard let found = routes.find(segments), let route = found.ways[verb] else { throw Problem.notFound }
        let call = RouteCall(
            route: route, caller: caller, context: context, services: services, origin: origin)
        try call.checkAccess()
        do {
            let complete = try call.complete(APIMembers(path: found.members(of: route), others: members))
            return try call.answerTelling(complete)
        } catch let fault as APIArgumentFault {
            throw PageField.problem(fault, of: route)
        } catch let error as DeskError where error.code == .input {
            throw Problem.input(error.message, argument: error.field)
        } catch is CapabilityError {
            throw Problem.notAllowed
        }
    }

    /// A record, or a value.
    ///
    /// - Throws: ``Problem`` if the record does not exist or the caller may not see it.
    func record(_ path: String, _ members: JSONObject = [:]) throws -> JSON {
        switch try ask(.get, path, members) {
        case .value(let json): return json
        case .nothing, .notFound: throw Problem.notFound
        case .refused(let refusal): throw Problem.refusal(refusal)
        }
    }

    /// A record; nil if it does not exist.
    func recordIfAny(_ path: String, _ members: JSONObject = [:]) throws -> JSON? {
        do {
            return try record(path, members)
        } catch let problem as Problem where problem.status == 404 {
            return nil
        }
    }

    /// The records of a list.
    ///
    /// - Throws: as ``record(_:_:)``.
    func list(_ path: String, _ members: JSONObject = [:]) throws -> [JSON] {
        try record(path, members).arrayValue ?? []
    }

    /// Carries out an action through the API and returns its outcome.
    ///
    /// - Parameters:
    ///   - back: the page that the browser shows next, also after a refusal unless `refusedTo` is given.
    ///   - saying: the words for what was done.
    func act(
        _ verb: Route.Verb, _ path: String, _ members: JSONObject = [:], back: String, refusedTo: String? = nil,
        saying: (JSON) throws -> String
    ) throws -> PageOutcome {
        switch try ask(verb, path, members) {
        case .value(let json): return .done(to: back, saying: try saying(json))
        case .nothing: return .done(to: back, saying: try saying(.null))
        case .notFound: throw Problem.notFound
        case .refused(let refusal): return .refused(refusal, back: refusedTo ?? back)
        }
    }

    /// The picture of the form, as routes that take one have it.
    ///
    /// - Throws: ``Problem`` where none was chosen.
    func picture() throws(Problem) -> JSONObject {
        guard let bytes = form.file("image") else { throw Problem.input("Choose a picture.", argument: "image") }
        return ["image": .string(Base64Text.of(bytes))]
    }

    /// Fields of the form in the types of a route's arguments; empty fields are left out.
    func members(_ names: [String], of verb: Route.Verb, _ path: String) -> JSONObject {
        let route = RouteTable.all.first { $0.verb == verb && $0.path == path }
        var members = JSONObject()
        for name in names {
            guard let text = form.text(name) else { continue }
            switch route?.otherParameters.first(where: { $0.name == name })?.type {
            case .list: members[name] = .array(form.parts(name).map { .string($0) })
            case let type?: members[name] = type.json(ofText: text.replacing("\r\n", with: "\n"))
            case nil: members[name] = .string(text)
            }
        }
        return members
    }
}

extension PageCall {
    /// A text as one segment of a path.
    static func segment(_ text: String) -> String { PercentEncoding.encoded(text) }

    /// The segment of the page's own path, for a path of the API.
    func value(_ index: Int = 0) -> String { Self.segment(values[index]) }

    /// The name of a title by its id, nil for a removed one.
    func titleName(_ id: Int64?) throws -> String? {
        guard let id else { return nil }
        return try context.look { try $0.catalogue.get(.id(id))?.title }
    }

    /// The name of a branch by its code.
    func branchName(_ code: String?) throws -> String? {
        guard let code else { return nil }
        return try context.look { try $0.settings.branch(code)?.name } ?? code
    }

    /// What people call the shelving location of a copy, for a page; nil: it has none.
    func locationName(of copy: JSON) throws -> String? {
        guard let code = copy["location"]?.stringValue else { return nil }
        return PageWords.safe(try context.look { try $0.settings.name(ofLocation: code) })
    }
}
