import Circulation
package import Plugins
package import Scripting
package import TextFormats

/// The OpenAPI 3.1 document of the routes, made from them.
package struct OpenAPIDocument: Sendable {
    private let url: String
    private let api: LibraryAPI
    private let plugins: [PluginRoute]

    /// - Parameters:
    ///   - url: where the server is reached.
    ///   - api: the API as the library has it.
    ///   - plugins: the routes of plugins in force.
    package init(url: String, api: LibraryAPI = .plain, plugins: [PluginRoute] = []) {
        self.url = url
        self.api = api
        self.plugins = plugins
    }

    package var json: JSON {
        .object([
            "openapi": "3.1.0",
            "info": [
                "title": "Moonshelf", "version": "1",
                "description": .string(Self.description),
            ],
            "servers": [["url": .string(url + RouteTable.root)]],
            "paths": .object(paths()),
            "components": [
                "securitySchemes": ["bearer": ["type": "http", "scheme": "bearer"]],
                "schemas": .object(schemas()),
                "responses": .object(problems()),
            ],
        ])
    }

    private static let description = """
        A library's circulation desk. Instants are written 2026-12-24T18:00:00Z, dates 2026-12-24, periods P14D, money \
        "0.20 EUR". Fields without a value are left out. A refusal is a problem document with the status 409, whose \
        `code` says why; what is another person's answers like what is not there. GET answers carry an ETag; \
        `If-Match` keeps a change from what was changed meanwhile. With an `Idempotency-Key` the same request is \
        carried out once within a day. An address, or a field of the head, of more than 16 KB is refused; a head of more than \
        64 KB is no request: it is answered 400 without a problem document, and the connection ends.
        """

    // MARK: - Paths

    private func paths() -> JSONObject {
        var paths = JSONObject()
        let routes = Dictionary(grouping: RouteTable.all.map { $0.having(api) }) { Self.path($0.path) }
        for (path, routes) in routes.sorted(by: { $0.key < $1.key }) {
            var item = JSONObject()
            for verb in APIRoute.Verb.allCases {
                guard let route = routes.first(where: { $0.verb == verb }) else { continue }
                item[verb.rawValue] = operation(route, as: path)
            }
            paths[path] = .object(item)
        }
        addPlugins(to: &paths)
        return paths
    }

    /// Routes of plugins stand at the root of the server, whatever the API has at the same path.
    private func addPlugins(to paths: inout JSONObject) {
        for (path, routes) in Dictionary(grouping: plugins, by: \.path).sorted(by: { $0.key < $1.key }) {
            var item: JSONObject = ["servers": [["url": .string(url)]]]
            for route in routes where route.verb != .others { item[route.verb.rawValue] = operation(route) }
            if item.count > 1 { paths[paths[path] == nil ? path : path + "#plugin"] = .object(item) }
        }
    }

    private func operation(_ route: PluginRoute) -> JSON {
        let words = route.name.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        let parameters = route.pathNames.map { name -> JSON in
            ["name": .string(name), "in": "path", "required": true, "schema": ["type": "string", "minLength": 1]]
        }
        let isOpen = route.access == .everyone || route.tokenName != nil
        return [
            "operationId": .string(words.joined(separator: "_")), "tags": [.string("plugin \(route.plugin.name)")],
            "description": .string("Answered by the plugin '\(route.plugin.name)' \(route.plugin.version)."),
            "parameters": .array(parameters), "security": isOpen ? [[:], ["bearer": []]] : [["bearer": []]],
            "responses": ["default": ["description": "What the plugin answers."]],
        ]
    }

    /// A path of the routes as the document has it: of those that differ in the names of their parameters alone it knows one,
    /// with the names that most routes have.
    package static func path(_ path: String) -> String { names[shape(path)] ?? path }

    private static let names: [String: String] = {
        let shapes = Dictionary(grouping: RouteTable.all.map(\.path), by: shape)
        return shapes.compactMapValues { paths in
            Dictionary(grouping: paths, by: \.self).max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.key
        }
    }()

    private static func shape(_ path: String) -> String { path.replacing(#/\{\w+\}/#, with: "{}") }

    private static func parameterNames(_ path: String) -> [String] {
        path.matches(of: #/\{(\w+)\}/#).map { String($0.1) }
    }

    private func operation(_ route: Route, as path: String) -> JSON {
        let names = Dictionary(
            zip(Self.parameterNames(route.path), Self.parameterNames(path)), uniquingKeysWith: { first, _ in first })
        var operation: JSONObject = [
            "operationId": .string(Self.operationName(route)), "tags": [.string(route.group)],
            "summary": .string(route.function.summary),
        ]
        if !route.function.details.isEmpty { operation["description"] = .string(route.function.details) }
        var parameters = route.pathParameters.map { parameter($0, "path", isRequired: true, named: names[$0.name]) }
        if !route.takesBody {
            parameters += route.otherParameters.map { parameter($0, "query", isRequired: route.isRequired($0)) }
        }
        if route.isRepeatable {
            parameters.append([
                "name": "Idempotency-Key", "in": "header", "required": false,
                "schema": ["type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"],
            ])
        }
        if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
        if route.takesBody { operation["requestBody"] = body(route) }
        operation["responses"] = .object(responses(route))
        operation["security"] = route.access == .everyone ? [[:], ["bearer": []]] : [["bearer": []]]
        return .object(operation)
    }

    private static func operationName(_ route: Route) -> String {
        let words = route.path.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        return ([route.verb.rawValue] + words).joined(separator: "_")
    }

    private func parameter(
        _ parameter: APIParameter, _ place: String, isRequired: Bool, named name: String? = nil
    ) -> JSON {
        var object: JSONObject = [
            "name": .string(name ?? parameter.name), "in": .string(place), "required": .bool(isRequired),
            "schema": place == "path" ? SchemaWriter.segment(parameter.type) : SchemaWriter.argument(parameter.type),
        ]
        if case .list = parameter.type { object["style"] = "form"; object["explode"] = false }
        let words = Self.words(parameter)
        if !words.isEmpty { object["description"] = .string(words) }
        return .object(object)
    }

    private static func words(_ parameter: APIParameter) -> String {
        let standard = parameter.standard.map { "if left out: \($0)" }
        return [parameter.documentation, standard ?? ""].filter { !$0.isEmpty }.joined(separator: "; ")
    }

    private func body(_ route: Route) -> JSON {
        let required = route.otherParameters.filter(route.isRequired)
        var properties = JSONObject()
        for field in route.otherParameters {
            var schema = SchemaWriter.argument(field.type, isOptional: !route.isRequired(field))
            let words = Self.words(field)
            if !words.isEmpty, case .object(var object) = schema {
                object["description"] = .string(words)
                schema = .object(object)
            }
            properties[field.name] = schema
        }
        var schema: JSONObject = [
            "type": "object", "properties": .object(properties), "additionalProperties": false,
        ]
        if !required.isEmpty { schema["required"] = .array(required.map { .string($0.name) }) }
        return [
            "required": .bool(!required.isEmpty), "content": ["application/json": ["schema": .object(schema)]],
        ]
    }

    // MARK: - Answers

    private func responses(_ route: Route) -> JSONObject {
        var responses = JSONObject()
        if let schema = SchemaWriter.answer(of: route) {
            var content: JSONObject = [route.media ?? "application/json": ["schema": schema]]
            if route.isStreamed { content["text/event-stream"] = ["schema": ["type": "string"]] }
            responses[route.creates ? "201" : "200"] = ["description": "Done.", "content": .object(content)]
        } else {
            responses["204"] = ["description": "Done."]
        }
        if route.verb == .get { responses["304"] = ["description": "It is as the ETag says."] }
        for status in statuses(route).sorted() {
            responses[String(status)] = ["$ref": .string("#/components/responses/problem_\(status)")]
        }
        return responses
    }

    private func statuses(_ route: Route) -> Set<Int> {
        // What any request may come to.
        var statuses: Set = [400, 401, 429, 500, 503]
        if route.access != .everyone || !route.staffOnly.isEmpty { statuses.insert(403) }
        if !route.pathNames.isEmpty || route.function.result.mayBeMissing || !route.own.isEmpty || route.isWriting {
            statuses.insert(404)
        }
        if route.takesBody { statuses.formUnion([413, 415]) }
        if route.isRepeatable { statuses.formUnion([403, 409, 412, 422]) }
        if route.function.result.mayBeRefused || !route.function.refusals.isEmpty {
            statuses.formUnion([403, 409, 422])
        }
        if route.perform != nil || route.path == "/listings" { statuses.formUnion([403, 404, 409, 422]) }
        return statuses
    }

    private func problems() -> JSONObject {
        var responses = JSONObject()
        for (status, title) in Problem.titles.sorted(by: { $0.key < $1.key }) {
            responses["problem_\(status)"] = [
                "description": .string(title + "."),
                "content": ["application/problem+json": ["schema": ["$ref": "#/components/schemas/problem"]]],
            ]
        }
        return responses
    }

    // MARK: - Schemas

    private func schemas() -> JSONObject {
        var schemas: JSONObject = [
            "problem": [
                "type": "object", "required": ["type", "title", "status", "code", "detail"],
                "properties": [
                    "type": ["type": "string"], "title": ["type": "string"], "status": ["type": "integer"],
                    "code": ["type": "string"], "detail": ["type": "string"],
                ],
            ]
        ]
        for record in api.records + RouteTable.records { schemas[record.name] = SchemaWriter.record(record) }
        return schemas
    }
}

extension APIResult {
    /// Whether there may be nothing to answer with.
    fileprivate var mayBeMissing: Bool { if case .found = self { true } else { false } }

    fileprivate var mayBeRefused: Bool { if case .written = self { true } else { false } }
}
