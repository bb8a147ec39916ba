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
    /// What luacheck has to know of policies, their tests and scripts, as `.luacheckrc`.
    case luacheck

    /// The whole API; the text ends with a line feed.
    ///
    /// - Parameters:
    ///   - testWords: the words of the tests of policies, for the pages that policies and their tests are checked with.
    ///   - testNames: all that such a test may name.
    ///   - api: the API as a library has it.
    package func render(
        testWords: [PolicyWord] = [], testNames: [String] = [], api: LibraryAPI = .plain
    ) -> String {
        switch self {
        case .text: LuaAPI.modules.map { TextReference.text(of: $0, api) }.joined(separator: "\n\n") + "\n"
        case .markdown: MarkdownReference(api: api).render()
        case .luacats: LuaCATSReference(testWords: testWords, api: api).render()
        case .json: JSONReference(api: api).render()
        case .luacheck: LuacheckReference(testNames: testNames).render()
        }
    }
}

enum TextReference {
    /// A module with all that is known about its functions.
    static func text(of module: APIModule, _ api: LibraryAPI) -> String {
        let title = module.name.isEmpty ? "Global functions" : module.name
        let functions = module.functions.compactMap { HelpText.about($0.fullName, in: api) }
        return (["\(title): \(module.summary)"] + functions).joined(separator: "\n\n")
    }
}
