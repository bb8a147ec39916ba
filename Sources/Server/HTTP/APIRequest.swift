import Circulation
import Desk
import LuaRuntime
import Scripting
import Storage
import TextFormats

/// One request of the API, on a thread of the desk.
struct APIRequest {
    let request: WebRequest
    let route: Route
    let found: RouteMatch.Found
    let matches: RouteMatch
    let services: Services

    /// - Throws: ``Problem``, what the desk throws.
    func perform() throws -> WebResponse {
        let caller = try Authentication(services).caller(request)
        let call = try RouteCall(
            route: route, caller: caller, services: services, origin: .address(request.origin))
        try call.checkAccess()
        do {
            guard route.isWriting else { return route.isBeside ? try onceBeside(call) : try answer(call) }
            return try call.context.inOneTransaction { try once(call) }
        } catch let fault as APIArgumentFault {
            throw Problem.input(fault.description)
        } catch is CapabilityError {
            throw Problem.notAllowed
        }
    }

    // MARK: - Arguments

    /// What the path, the query and the body say.
    func members() throws -> APIMembers {
        var members = APIMembers(path: found.members(of: route))
        if route.takesBody {
            members.others = try body()
        } else if try ["GET", "HEAD", "DELETE"].contains(request.method)
            ? !request.body.isEmpty : !request.jsonObject().isEmpty
        {
            throw Problem.input("The request body must be empty.")
        }
        let query = try RequestText.members(of: request.query ?? "")
        guard !route.takesBody || query.isEmpty else { throw Problem.input("Arguments belong in the body.") }
        for member in query {
            let type = route.otherParameters.first { $0.name == member.name }?.type
            members.others[member.name] = type?.json(ofText: member.value) ?? .string(member.value)
        }
        return members
    }

    /// The body as an object of JSON; one that is a picture is the argument of a route that takes one.
    private func body() throws(Problem) -> JSONObject {
        let isPicture = RequestText.media(request.field("content-type"))?.hasPrefix("image/") == true
        guard isPicture, let name = route.pictureArgument else { return try request.jsonObject() }
        return [name: .string(Base64Text.of(request.body))]
    }

    // MARK: - Repetition

    /// Carries out the request, unless that was done before under its key.
    private func once(_ call: RouteCall) throws -> WebResponse {
        guard let repetition = try Repetition(of: request, route.name, by: call.holder) else {
            return try changing(call)
        }
        if let given = try call.context.look({ try repetition.given(in: $0) }) { return given }
        let answer = try changing(call)
        try call.context.look { try repetition.keep(answer, in: $0) }
        return answer
    }

    /// The same for work that takes too long for a transaction: the answer is kept in a separate one. Failures
    /// of external services are not kept, so that the request can be tried again.
    private func onceBeside(_ call: RouteCall) throws -> WebResponse {
        guard let repetition = try Repetition(of: request, route.name, by: call.holder) else { return try answer(call) }
        if let given = try call.context.look({ try repetition.given(in: $0) }) { return given }
        let answer = try answer(call)
        guard answer.status < 500 else { return answer }
        return try call.context.inOneTransaction {
            if let given = try call.context.look({ try repetition.given(in: $0) }) { return given }
            try call.context.look { try repetition.keep(answer, in: $0) }
            return answer
        }
    }

    // MARK: - Conditions

    private func changing(_ call: RouteCall) throws -> WebResponse {
        if let wanted = request.field("if-match") { try checkTag(wanted, call) }
        return try answer(call)
    }

    /// The record must still be the version that the caller has seen.
    private func checkTag(_ wanted: String, _ call: RouteCall) throws {
        guard let twin = found.ways[.get] else {
            throw Problem.input("'If-Match' has no meaning here.")
        }
        let seen = try RouteCall(
            route: twin, caller: call.caller, services: services, origin: call.origin, context: call.context)
        let members = try seen.complete(APIMembers(path: found.members(of: twin)))
        let answer = try web(try seen.answer(members), twin, members)
        let tags = wanted.split(separator: ",").map { String($0).trimmingSpaces() }
        guard wanted == "*" || tags.contains(answer.tag) else {
            throw Problem(412, "changed", "It has been changed in the meantime. Please look at it again.")
        }
    }

    // MARK: - Answers

    private func answer(_ call: RouteCall) throws -> WebResponse {
        let members = try call.complete(try members())
        var answer = try web(try call.answerTelling(members), route, members)
        guard route.verb == .get, answer.status == 200 else { return answer }
        answer.fields["ETag"] = answer.tag
        answer.fields["Cache-Control"] = call.caller.patron == nil ? "no-cache" : "private, no-cache"
        let known = request.field("if-none-match")?.split(separator: ",").map { String($0).trimmingSpaces() } ?? []
        if known.contains(answer.tag) || known.contains("W/" + answer.tag) || known == ["*"] {
            answer = WebResponse(304, fields: answer.fields.filter { $0.key != "Content-Type" })
        }
        return answer
    }

    private func web(_ answer: APIResponse, _ route: Route, _ members: APIMembers) throws -> WebResponse {
        switch answer {
        case .nothing: return WebResponse(204)
        case .notFound: throw Problem.notFound
        case .refused(let refusal): return WebResponse(Problem.refusal(refusal))
        case .value(let json) where route.media != nil: return batch(json, route, members)
        case .value(.array(let rows)) where !route.creates: return page(rows, route, members)
        case .value(let json):
            let shown: JSON
            switch json {
            case .object: shown = json
            case .array: shown = .object(["items": json])
            default: shown = .object(["value": json])
            }
            let place = route.creates ? location(of: json, route) : nil
            return WebResponse(
                route.creates ? 201 : 200, json: shown, fields: place.map { ["Location": $0] } ?? [:])
        }
    }

    /// A list of a media type of its own, with the address of what follows it, now or later.
    private func batch(_ json: JSON, _ route: Route, _ members: APIMembers) -> WebResponse {
        var others = members.others
        others["after"] = json["after"]
        let fields = ["Link": "<\(address(with: others, route))>; rel=\"next\""]
        return WebResponse(200, route.media, body: Array((json["items"] ?? .array([])).text().utf8), fields: fields)
    }

    /// The request's address with other arguments.
    private func address(with others: JSONObject, _ route: Route) -> String {
        let query = others.entries.compactMap { entry -> String? in
            guard !route.hidden.contains(entry.key) else { return nil }
            let texts = entry.value.arrayValue?.compactMap(\.stringValue)
            let text = texts?.joined(separator: ",") ?? entry.value.stringValue ?? entry.value.text()
            return "\(PercentEncoding.encoded(entry.key))=\(PercentEncoding.encoded(text))"
        }
        return "\(request.path)?\(query.joined(separator: "&"))"
    }

    /// A page of a list, with the address of the next one if more may follow.
    private func page(_ rows: [JSON], _ route: Route, _ members: APIMembers) -> WebResponse {
        var object: JSONObject = ["items": .array(rows)]
        let limit = members["limit"]?.integerValue ?? Int64(rows.count + 1)
        guard route.isPaged, rows.count >= limit, limit > 0 else { return WebResponse(200, json: .object(object)) }
        var others = members.others
        others["offset"] = .integer((members["offset"]?.integerValue ?? 0) + limit)
        let next = address(with: others, route)
        object["next"] = .string(next)
        return WebResponse(200, json: .object(object), fields: ["Link": "<\(next)>; rel=\"next\""])
    }

    /// The address of the new record, if it has one.
    private func location(of json: JSON, _ route: Route) -> String? {
        guard let id = json["id"]?.integerValue else { return nil }
        for path in [route.path, "/" + (route.function.recordName ?? "") + "s"] {
            let segments = path.split(separator: "/").map(String.init) + [String(id)]
            if matches.find(segments)?.ways[.get] != nil {
                return RouteTable.root + "/" + segments.map(PercentEncoding.encoded).joined(separator: "/")
            }
        }
        return nil
    }
}

extension APIFunction {
    /// The type of record that a call returns.
    fileprivate var recordName: String? {
        if case .record(let name)? = result.type { name } else { nil }
    }
}

extension RouteCall {
    /// - Parameter context: the one in whose transaction the call is; nil: one of its own.
    init(
        route: Route, caller: Caller, services: Services, origin: AttemptOrigin, context: ScriptContext? = nil
    ) throws {
        let context = try context ?? Self.context(caller, services)
        self.init(route: route, caller: caller, context: context, services: services, origin: origin)
    }

    /// What calls of functions of the API are made in.
    ///
    /// - Parameter isReading: nothing is written by them; its transactions are looks at one moment.
    static func context(_ caller: Caller, _ services: Services, isReading: Bool = false) throws -> ScriptContext {
        let granted = Capability.grantable.filter { $0 != .sql && ($0 != .loansOverride || caller.isStaff) }
        let context = try ScriptContext(
            desk: services.desk.acting(as: caller.actor), clock: { [clock = services.clock] in clock.now() },
            output: RecordedOutput(), permissions: .interactive(granted: isReading ? [] : Set(granted)), machine: nil)
        context.caller = caller
        return context
    }
}
