import Circulation
import Desk
import Plugins
import Scripting
import TextFormats

/// One request to a route of a plugin, on a thread for plugins.
struct PluginRouteRequest {
    let request: WebRequest
    let found: PathMatch<PluginRoute>.Found
    let services: Services
    let pool: PluginPool

    /// - Throws: ``Problem``, ``PluginFault`` with the plugin's name, what the store throws.
    func perform() throws -> WebResponse {
        // A key in the path that is none is answered like a path that does not exist, by whatever method.
        if let keyed = found.ways.values.first(where: { $0.tokenName != nil }) { _ = try caller(keyed) }
        let route = try found.way(by: request.method)
        return try pool.with(route.plugin) { plugin in
            do {
                return try answer(route, plugin)
            } catch let fault as PluginFault {
                throw fault.kept(of: route.plugin, route.entry, at: services.desk)
            }
        }
    }

    private func answer(_ route: PluginRoute, _ plugin: LoadedPlugin) throws -> WebResponse {
        // By a key in the path, the plugin could act as the caller elsewhere.
        let parameters = zip(route.pathNames, found.values).filter { $0.0 != route.tokenName }
        var asked = PluginRequest(
            request.method, request.maskedPath, parameters: parameters.map { ($0, $1) },
            query: request.query, fields: request.fields, body: request.body, address: request.origin.bare,
            entrance: services.entrance(from: .address(request.origin)))
        do {
            asked.caller = try caller(route)
            try asked.caller.check(
                route.access, group: route.scope, changes: !["GET", "HEAD"].contains(request.method))
            let repetition = try Repetition(of: request, route.name) {
                guard let patron = asked.caller.patron else { throw Problem.noToken }
                return patron
            }
            guard let repetition, route.verb != .get else { return web(try plugin.answer(route.entry, asked)) }
            return try once(repetition, asked.caller) { web(try plugin.answer(route.entry, asked)) }
        } catch let problem as Problem {
            return web(try plugin.answer(to: problem, route.entry, asked))
        }
    }

    /// Carries out a request, unless that was done before under its key. The answer is kept in a transaction of its own: the
    /// work has those that it opens.
    private func once(
        _ repetition: Repetition, _ caller: Caller, _ work: () throws -> WebResponse
    ) throws -> WebResponse {
        let desk = services.desk.acting(as: caller.actor)
        if let given = try desk.read({ try repetition.given(in: $0) }) { return given }
        let answer = try work()
        guard answer.status < 500 else { return answer }
        return try desk.write { session in
            if let given = try repetition.given(in: session) { return given }
            try repetition.keep(answer, in: session)
            return answer
        }
    }

    /// What a browser is shown may do no more than the library's own pages.
    private func web(_ answer: PluginAnswer) -> WebResponse {
        var web = WebResponse(answer.status, answer.type, body: answer.body, fields: answer.fields)
        let media = RequestText.media(answer.type) ?? ""
        if media != "application/json", media != "text/plain", !answer.body.isEmpty {
            web.fields.merge(PageFrame.safety) { $1 }
        }
        return web
    }

    /// Who asks, by the token that stands where the route says.
    private func caller(_ route: PluginRoute) throws -> Caller {
        if route.knowsNobody { return .anonymous }
        guard let place = route.tokenName.flatMap({ route.pathNames.firstIndex(of: $0) }) else {
            return try Authentication(services).caller(request)
        }
        guard let caller = try services.caller(token: found.values[place]) else { throw Problem.notFound }
        return caller
    }
}

extension PathMatch<PluginRoute>.Found {
    /// The name under which a request is counted: of methods that there are not, one.
    func name(by method: String) -> String {
        if let way = try? way(by: method) { return way.name }
        return ways.values.first.map { "plugin:\($0.plugin.name) other \($0.path)" } ?? "none"
    }

    /// The places of the path's segments that are tokens: for no log to keep.
    var secretPlaces: Set<Int> {
        Set(
            ways.values.flatMap { route in
                route.path.split(separator: "/").enumerated().filter { $1 == "{\(route.tokenName ?? "")}" }.map(
                    \.offset)
            })
    }
}

extension PluginFault {
    /// Keeps it among the plugin's failures, and gives it with what is at fault in front, for the log.
    func kept(of plugin: Plugin, _ entry: Contribution, at desk: Desk) -> PluginFault {
        keep(of: plugin, entry, at: desk)
        return PluginFault(code: code, message: "plugin \(plugin.name) \(plugin.version), \(entry.name): \(self)")
    }
}
