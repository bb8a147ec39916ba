import Circulation
import Desk
import Scripting
import TextFormats

/// One request for a page on its way, on a thread of the desk: what was asked, by whom, and the desk to ask.
struct PageCall {
    let request: WebRequest
    let visitor: PageVisitor
    let services: Services
    /// What stands where the page's path has names, in their order.
    let values: [String]
    /// What stands behind the question mark.
    let query: PageForm
    /// What was sent; empty where nothing was.
    private(set) var form: PageForm
    let context: ScriptContext
    let library: LibrarySettings
    /// What is wrong with the form that is shown again, by the names of its fields.
    var wrong: [String: String] = [:]
    private let routes: RouteMatch

    var caller: Caller { visitor.caller }
    /// By what is counted what it tries.
    var origin: AttemptOrigin { .address(request.origin) }
    var now: Instant { services.clock.now() }
    var words: PageWords { PageWords(zone: library.zone, now: now) }

    /// - Parameter page: the page that was found.
    /// - Throws: ``Problem`` for a query or a form that makes no sense; what the store throws.
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

    /// The same as if nothing had been filled in.
    var afresh: PageCall {
        get throws {
            var call = self
            call.form = try PageForm(query: nil)
            return call
        }
    }

    /// Whoever has logged in.
    ///
    /// - Throws: ``Problem`` where nobody has.
    func holder() throws -> Patron {
        guard let patron = caller.patron else { throw Problem.noToken }
        return patron
    }

    // MARK: - Asking the API

    /// Asks by a route of the API, with all its checks: who may, whose it is, what the arguments are.
    ///
    /// - Parameters:
    ///   - path: as in the API, `me` included; what stands in it is percent-encoded (``segment(_:)``).
    ///   - members: the other arguments, as JSON has them.
    /// - Throws: ``Problem``, what the desk throws.
    func ask(_ verb: Route.Verb = .get, _ path: String, _ members: JSONObject = [:]) throws -> APIAnswer {
        let segments = try path.split(separator: "/").map { part throws(Problem) in try PercentCoding.decoded(part) }
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
    /// - Throws: ``Problem`` where there is none, or the answer is no.
    func record(_ path: String, _ members: JSONObject = [:]) throws -> JSON {
        switch try ask(.get, path, members) {
        case .value(let json): return json
        case .nothing, .notFound: throw Problem.notFound
        case .refused(let refusal): throw Problem.refusal(refusal)
        }
    }

    /// A record; nil where there is none.
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

    /// Has something done, and tells what came of it.
    ///
    /// - Parameters:
    ///   - back: where the browser goes on, also after a refusal unless `refusedTo` says otherwise.
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

    /// Fields of the form in the types that a route's arguments have; fields in which nothing was written are left out.
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
    static func segment(_ text: String) -> String { PercentCoding.encoded(text) }

    /// The segment of the page's own path, for a path of the API.
    func value(_ index: Int = 0) -> String { Self.segment(values[index]) }

    /// The name of a title by its id, nil for one that is gone.
    func titleName(_ id: Int64?) throws -> String? {
        guard let id else { return nil }
        return try context.look { try $0.catalogue.get(.id(id))?.title }
    }

    /// The name of a branch by its code.
    func branchName(_ code: String?) throws -> String? {
        guard let code else { return nil }
        return try context.look { try $0.settings.branch(code)?.name } ?? code
    }
}
