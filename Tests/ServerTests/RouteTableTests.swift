import Scripting
import Server
import Testing
import TextFormats

@Suite("Routes")
struct RouteTableTests {
    @Test("each name in the path of a route is an argument of its function")
    func sound() {
        for route in RouteTable.all {
            #expect(route.pathParameters.map(\.name) == route.pathNames, "\(route.name)")
        }
        #expect(Set(RouteTable.all.map(\.name)).count == RouteTable.all.count)
    }

    @Test("what a function of the API writes is asked for by no GET, and what only reads by GET or a body")
    func verbs() {
        for route in RouteTable.all where route.verb == .get { #expect(!route.isWriting, "\(route.name)") }
        for route in RouteTable.all where route.verb == .delete { #expect(!route.takesBody, "\(route.name)") }
    }

    @Test("no caller reaches a route that their role does not allow", arguments: [nil, "ann", "staff"])
    func access(name: String?) async throws {
        let server = try TestServer()
        for route in RouteTable.all {
            let path = route.path.replacing(#/\{\w+\}/#, with: "77")
            // Some routes end the session that they are asked with.
            let token = try name.map { try server.freshToken(of: $0) }
            let fields = token.map { [(name: "authorization", value: "Bearer \($0)")] } ?? []
            let status = try await server.ask(route.verb, path, route.takesBody ? [:] : nil, fields: fields).status
            switch (route.access, name) {
            case (.everyone, _), (.holder, "ann"), (.holder, "staff"), (.staff, "staff"):
                #expect(status != 401 || route.path == "/sessions", "\(route.name)")
            case (_, nil): #expect(status == 401, "\(route.name)")
            default: #expect(status == 403, "\(route.name)")
            }
            #expect(status < 500, "\(route.name)")
            #expect(status != 405, "\(route.name)")
        }
        #expect(server.teller.all.faults == [])
    }

    /// An address has 16 KB at most, and a letter takes up to twelve of them.
    @Test("what is written into an address is short enough for it")
    func lengths() throws {
        for route in RouteTable.all where !route.takesBody {
            for parameter in route.otherParameters {
                guard case .text(let most) = parameter.type else { continue }
                #expect(most <= 1000, "\(route.name): \(parameter.name)")
            }
        }
    }

    @Test("operations of the OpenAPI document have names of their own, and every kind of record is described")
    func document() throws {
        let document = OpenAPIDocument(url: "https://books.example.org").json
        let paths = try #require(document["paths"]?.objectValue)
        let operations = paths.entries.flatMap { $0.value.objectValue?.entries.map(\.value) ?? [] }
        #expect(operations.count == RouteTable.all.count)
        #expect(Set(operations.compactMap { $0["operationId"]?.stringValue }).count == operations.count)
        let shapes = paths.entries.map { $0.key.replacing(#/\{\w+\}/#, with: "{}") }
        #expect(Set(shapes).count == shapes.count, "paths of one shape are one path")
        for path in paths.entries {
            let named = path.key.matches(of: #/\{(\w+)\}/#).map { String($0.1) }
            for operation in path.value.objectValue?.entries ?? [] {
                let parameters = operation.value["parameters"]?.arrayValue ?? []
                let found = parameters.filter { $0["in"] == "path" }.compactMap { $0["name"]?.stringValue }
                #expect(found == named, "\(operation.key) \(path.key)")
            }
        }
        let text = document.text()
        for match in text.matches(of: #/"#/components/(\w+)/(\w+)"/#) {
            #expect(document["components"]?[String(match.1)]?[String(match.2)] != nil, "\(match.0)")
        }
    }
}
