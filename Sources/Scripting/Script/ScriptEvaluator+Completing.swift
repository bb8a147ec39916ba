package import Circulation
import Desk
import LuaRuntime

/// What an editor asks during typing.
extension ScriptEvaluator {
    /// The zone in which moments are shown.
    package var zone: Zone { context.zone }

    /// The names of the fields that a value of the session has.
    ///
    /// - Parameter path: names and indices from a global on; nothing is called on the way but what the value's own
    ///   metatable says, for 50 ms at most.
    package func fieldNames(of path: String) -> [String] {
        let names = glance(
            at: path,
            """
            local names = {}
            if type(value) == "table" then
                for name in pairs(value) do
                    if type(name) == "string" then names[#names + 1] = name end
                    if #names >= 200 then break end
                end
            end
            return names
            """)
        guard case .table(let names)? = names else { return [] }
        return names.array.compactMap { if case .string(let name) = $0 { name } else { nil } }
    }

    /// What `type` says of a value of the session, found as the names of fields are.
    package func typeName(of path: String) -> String? {
        if case .string(let name)? = glance(at: path, "return type(value)") { name } else { nil }
    }

    private func glance(at path: String, _ body: String) -> LuaValue? {
        let source = "local isThere, value = pcall(function() return \(path) end)\nif not isThere then return end\n"
        guard case .success(let function) = compiling(source + body) else { return nil }
        return try? context.state.call(function, limits: LuaLimits(deadline: .milliseconds(50))).first
    }

    /// Records of a kind whose key begins with a text, by key; none if the kind has no key or the store does not
    /// answer.
    package func keys(of kind: APIReference, beginningWith text: String, limit: Int64) -> [KeyOfRecord] {
        let table: KeyedTable
        switch kind {
        case .title: table = .titles
        case .copy: table = .copies
        case .patron: table = .patrons
        case .branch: table = .branches
        case .category: table = .categories
        case .itemType: table = .itemTypes
        case .location: table = .locations
        default: return []
        }
        return (try? context.read { try $0.keys(of: table, beginningWith: text, limit: limit) }) ?? []
    }

    /// Whether a text is a whole statement or expression, right or wrong, and not the beginning of one.
    package func isComplete(_ text: String) -> Bool {
        guard case .failure(let error) = compiling(text) else { return true }
        return !error.isIncomplete
    }

    /// Whether Lua reads a text as it stands: statements, with nothing missing.
    package func parses(_ text: String) -> Bool {
        (try? context.state.load(text, chunk: "=input", environment: context.environment)) != nil
    }
}
