/// The Lua API written out, made from its declaration.
package enum APIReferencePage: String, Sendable, CaseIterable {
    /// For a terminal.
    case text
    /// For `docs/lua-api.md`.
    case markdown
    /// Type annotations for the Lua language server (LuaCATS), as a definition file.
    case luacats
    /// For programs.
    case json
    /// What luacheck has to know, as `.luacheckrc`.
    case luacheck

    /// The whole API; the text ends with a line feed.
    package func render() -> String {
        switch self {
        case .text: LuaAPI.modules.map { TextReference.text(of: $0) }.joined(separator: "\n\n") + "\n"
        case .markdown: MarkdownReference().render()
        case .luacats: LuaCATSReference().render()
        case .json: JSONReference().render()
        case .luacheck: LuacheckReference.render()
        }
    }
}

enum TextReference {
    /// A module with all that is known about its functions.
    static func text(of module: APIModule) -> String {
        let title = module.name.isEmpty ? "Global functions" : module.name
        let functions = module.functions.compactMap { HelpText.about($0.fullName) }
        return (["\(title): \(module.summary)"] + functions).joined(separator: "\n\n")
    }
}

enum LuacheckReference {
    static func render() -> String {
        var lines = [
            "-- What luacheck has to know of the Lua API. Generated from its declaration: `moonshelf api --luacheck`.",
            "std = \"lua54\"", "max_line_length = 120", "", "read_globals = {",
        ]
        for module in LuaAPI.modules {
            if module.name.isEmpty {
                lines += module.functions.map { "    \"\($0.name)\"," }
            } else {
                let fields = module.functions.map { "\"\($0.name)\"" }.joined(separator: ", ")
                lines.append("    \(module.name) = { fields = { \(fields) } },")
            }
        }
        return (lines + ["    \"args\",", "}"]).joined(separator: "\n") + "\n"
    }
}
