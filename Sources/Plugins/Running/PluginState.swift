import Circulation
import Desk
import LuaRuntime
import Scripting
import TextFormats

/// What a plugin keeps, as a handler sees it: what is in the store, under what the handler has set so far. It is written
/// down in the transaction in which the event is done with.
final class PluginState {
    private let plugin: String
    private unowned let context: ScriptContext
    /// By key what was set; nil: taken away.
    private var changes: [String: PluginValue?] = [:]

    /// Whether each change is written when it is made, in the transaction that is open or in one of its own.
    private var keepsAtOnce: Bool

    /// Why nothing may be set just now; nil: it may.
    private var refusal: String?

    private static let longestKey = 200
    private static let pageSize: Int64 = 500

    init(of plugin: String, in context: ScriptContext, keepsAtOnce: Bool = false) {
        self.plugin = plugin
        self.keepsAtOnce = keepsAtOnce
        self.context = context
        context.beforePart = { [unowned self] in mark() }
        context.keepsValues = true
    }

    /// - Returns: what undoes all that is set from now on.
    func mark() -> () -> Void { { [unowned self, changes = self.changes] in self.changes = changes } }

    /// What was set since this was asked before.
    func takeChanges() -> [String: PluginValue?] {
        defer { changes = [:] }
        return changes
    }

    /// Runs the body so that each change is written when it is made, and not by the caller.
    func keepingAtOnce<Result>(_ body: () throws -> Result) rethrows -> Result {
        let before = keepsAtOnce
        keepsAtOnce = true
        defer { keepsAtOnce = before }
        return try body()
    }

    /// Runs the body so that nothing can be set.
    ///
    /// - Parameter reason: why, as a sentence such as "a page changes nothing".
    func refusing<Result>(_ reason: String, _ body: () throws -> Result) rethrows -> Result {
        let before = refusal
        refusal = reason
        defer { refusal = before }
        return try body()
    }

    private func change(_ key: String, _ value: PluginValue?) throws {
        guard keepsAtOnce else {
            changes[key] = .some(value)
            return
        }
        try context.write { try $0.plugins.keep([key: value], of: plugin) }
    }

    /// Makes `state.get`, `state.set` and `state.each` known.
    func define(in environment: LuaEnvironment? = nil, of state: LuaState) throws {
        try state.define("state.get", in: environment) { [unowned self] in try get($0) }
        try state.define("state.set", in: environment) { [unowned self] in
            try set($0)
            return []
        }
        try state.define("state.each", in: environment) { [unowned self] in try each($0) }
    }

    /// `state.get(key)`
    func get(_ arguments: LuaArguments) throws -> [LuaValue] {
        [try get(Self.key(arguments[0], "get")).map { .json($0.value) } ?? .nil]
    }

    /// `for key, value in state.each(prefix) do`
    func each(_ arguments: LuaArguments) throws -> [LuaValue] {
        let prefix = arguments.count == 0 ? "" : try Self.key(arguments[0], "each")
        var rest = try all(beginningWith: prefix)[...]
        return [
            .callback { _ in
                guard let next = rest.popFirst() else { return [.nil] }
                return [.string(next.key), .json(next.value)]
            }
        ]
    }

    private static func key(_ value: LuaValue, _ word: String) throws -> String {
        guard let key = value.stringValue, key.utf8.count <= longestKey, !key.utf8.contains(0) else {
            throw LuaHostError("state.\(word): a key is a text of at most \(longestKey) bytes")
        }
        return key
    }

    private func get(_ key: String) throws -> PluginValue? {
        if let changed = changes[key] { return changed }
        return try context.read { try $0.plugins.value(key, of: plugin) }
    }

    /// `state.set(key, value, patron)`
    func set(_ arguments: LuaArguments) throws {
        if let refusal { throw LuaHostError("state.set: \(refusal)") }
        let key = try Self.key(arguments[0], "set")
        guard !key.isEmpty else { throw LuaHostError("state.set: a key is not empty") }
        let value = try arguments.value(at: 1)
        if value.isNil {
            return try change(key, nil)
        }
        guard let json = JSON(plain: value) else {
            throw LuaHostError("state.set: a value is a text, a number, true, false or a table of such")
        }
        guard Int64(json.text().utf8.count) <= PluginService.mostState else {
            throw LuaHostError("state.set: \(PluginStateFull())")
        }
        let about = arguments.count > 2 ? try arguments.value(at: 2) : .nil
        try change(key, PluginValue(key: key, value: json, patron: try patron(about)))
    }

    /// The id of a patron that is given as a record, an id or a username.
    private func patron(_ value: LuaValue) throws -> Int64? {
        let key: PatronKey
        switch value {
        case .nil: return nil
        case .integer(let id): key = .id(id)
        case .string(let name): key = .username(name)
        case .table(let record):
            guard case .integer(let id) = record["id"] else {
                throw LuaHostError("state.set: the third argument is the patron whom it is about")
            }
            key = .id(id)
        default: throw LuaHostError("state.set: the third argument is the patron whom it is about")
        }
        guard let patron = try context.read({ try $0.patrons.get(key) }) else {
            throw LuaHostError("state.set: there is no such patron")
        }
        return patron.id
    }

    private func all(beginningWith prefix: String) throws -> [PluginValue] {
        var values: [String: PluginValue] = [:]
        try context.read { session in
            var last = ""
            while true {
                let page = try session.plugins.values(of: plugin, after: last, limit: Self.pageSize)
                for value in page where value.key.hasPrefix(prefix) { values[value.key] = value }
                guard let end = page.last, page.count == Int(Self.pageSize) else { return }
                last = end.key
            }
        }
        for (key, value) in changes where key.hasPrefix(prefix) { values[key] = value }
        return values.values.sorted { $0.key < $1.key }
    }
}
