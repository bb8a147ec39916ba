import Circulation
import Desk
import LuaRuntime
import LuaSyntax
package import Scripting
import TextFormats

/// A request to a route of a plugin.
package struct PluginRequest: Sendable {
    /// As it was sent, such as `GET`.
    package var method: String
    /// As it was sent, percent-encoded, without the query.
    package var path: String
    /// What stands in the places of the names in the route's path.
    package var parameters: [(name: String, value: String)]
    package var query: String?
    /// The fields of the header; names in small letters.
    package var fields: [(name: String, value: String)]
    package var body: [UInt8]
    package var caller: Caller
    /// The address of the client, by which a plugin may count what comes.
    package var address: String?
    /// The way in for people who sign up and log in; nil: that of scripts.
    package var entrance: AccountEntrance?
    /// What was filled in, of a request by a form of the plugin.
    var arguments: LuaTable?

    package init(
        _ method: String, _ path: String, parameters: [(name: String, value: String)] = [], query: String? = nil,
        fields: [(name: String, value: String)] = [], body: [UInt8] = [], caller: Caller = .anonymous,
        address: String? = nil,
        entrance: AccountEntrance? = nil
    ) {
        self.method = method
        self.path = path
        self.parameters = parameters
        self.query = query
        self.fields = fields
        self.body = body
        self.caller = caller
        self.address = address
        self.entrance = entrance
    }

    /// What is in the request's table from the start.
    var table: LuaTable {
        var headers: [(String, LuaValue)] = []
        for name in Set(fields.map(\.name)).sorted() where !Self.secret.contains(name) {
            headers.append((name, .string(fields.filter { $0.name == name }.map(\.value).joined(separator: ", "))))
        }
        var table = LuaTable(fields: [
            ("method", .string(method)), ("path", .string(path)), ("params", Self.texts(parameters)),
            ("headers", .table(LuaTable(fields: headers))),
        ])
        if let patron = caller.patron { table["caller"] = .patron(patron) }
        if let arguments { table["args"] = .table(arguments) }
        if let address { table["address"] = .string(address) }
        return table
    }

    /// What of a header a plugin is not shown: by it, it could act as the caller elsewhere.
    private static let secret: Set = ["authorization", "cookie", "proxy-authorization"]

    /// What is read when it is asked for: what is wrong with it is the caller's fault then, and not before.
    static let lazy = ["query", "json", "form", "body"]

    /// - Throws: ``Problem`` for what is not as it has to be.
    func value(_ name: String) throws(Problem) -> LuaValue {
        switch name {
        case "query": return Self.texts(try RequestText.members(of: query ?? ""))
        case "json": return .json(.object(try RequestText.jsonObject(body, type: field("content-type"))))
        case "form":
            guard RequestText.media(field("content-type")) == "application/x-www-form-urlencoded" else {
                throw Problem(
                    415, "media_type",
                    "The body must be a form: 'Content-Type: application/x-www-form-urlencoded'.")
            }
            guard let text = String(validating: body, as: UTF8.self) else {
                throw Problem.input("The body is not UTF-8 text.")
            }
            return Self.texts(try RequestText.members(of: text))
        case "body": return String(validating: body, as: UTF8.self).map { .string($0) } ?? .bytes(body)
        default: return .nil
        }
    }

    /// The only value of a field of the header; nil if it is missing or occurs several times.
    private func field(_ name: String) -> String? {
        let values = fields.filter { $0.name == name }
        return values.count == 1 ? values[0].value : nil
    }

    private static func texts(_ members: [(name: String, value: String)]) -> LuaValue {
        .table(LuaTable(fields: members.map { ($0.name, .string($0.value)) }))
    }

    // MARK: - What the check follows

    /// The fields of the requests that a route is given.
    static func fields(of entry: Contribution, _ api: LibraryAPI) -> FieldTree? {
        guard let path = PluginRoute.parts(of: entry.name)?.path else { return nil }
        return tree(api, parameters: PluginRoute.names(in: path).filter { $0 != entry.values["token"]?.stringValue })
    }

    /// The same of a request whose path has names in it.
    static func tree(
        _ api: LibraryAPI, parameters: [String] = [], arguments: FieldTree? = nil
    ) -> FieldTree {
        func closed(_ names: [String]) -> FieldTree {
            FieldTree(Dictionary(names.map { ($0, .leaf) }, uniquingKeysWith: { first, _ in first }))
        }
        var fields: [String: FieldTree] = ["method": .leaf, "path": .leaf, "headers": .leaf, "address": .leaf]
        for name in lazy { fields[name] = .leaf }
        fields["params"] = closed(parameters)
        fields["args"] = arguments
        fields["caller"] = closed(LuaAPI.record("patron").map(api.record)?.fields.map(\.name) ?? [])
        return FieldTree(fields)
    }
}
