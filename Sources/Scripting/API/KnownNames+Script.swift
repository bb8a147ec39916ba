package import LuaSyntax
import TextFormats

/// The parser's own type, so that callers who know scripts alone need not know the parser.
package typealias KnownNames = LuaSyntax.KnownNames

extension KnownNames {
    /// What scripts find: the libraries of Lua that the script profile keeps, and the API.
    package static let script: KnownNames = {
        let libraries = KnownNames.libraries.flatMap { module, names in names.map { "\(module).\($0)" } }
        return KnownNames(
            paths: KnownNames.basics + ["args", "none", "require"] + libraries + LuaAPI.functions.map(\.fullName))
    }()

    /// The names of globals that are values or functions.
    package var globals: [String] { members.filter { $0.value.members.isEmpty }.keys.sorted() }

    /// The names of globals that are tables, with the names in them.
    package var modules: [String: [String]] {
        members.mapValues { $0.members.keys.sorted() }.filter { !$0.value.isEmpty }
    }

    /// What to say about a global that does not exist.
    package func unknownGlobal(_ name: String) -> String {
        let meant = NameSuggestion.foreign[name] ?? NameSuggestion.nearest(to: name, among: members.keys.sorted())
        let hint = meant.map { ", did you mean '\($0)'?" }
        return "there is no global '\(APIText.quotable(name))'" + (hint ?? "")
    }

    /// What to say about a function that a module does not have.
    package func unknownMember(_ name: String, of module: String) -> String {
        let names = modules[module] ?? []
        let hint = NameSuggestion.nearest(to: name, among: names).map { "did you mean '\(module).\($0)'?" }
        let help = "help(\"\(module)\") lists what there is"
        return "\(module) has no function '\(APIText.quotable(name))'; \(hint ?? help)"
    }

    /// What begins with a text: `loans.ch` gives `loans.checkin` and `loans.checkout`.
    package func completions(of prefix: String) -> [String] {
        guard let dot = prefix.lastIndex(of: ".") else {
            return members.keys.filter { $0.hasPrefix(prefix) }.sorted()
        }
        let module = String(prefix[..<dot])
        let start = prefix[prefix.index(after: dot)...]
        return (modules[module] ?? []).filter { $0.hasPrefix(start) }.map { "\(module).\($0)" }
    }

    // MARK: - Lua itself

    /// The functions of the base library in the script profile.
    private static let basics: [String] = [
        "assert", "error", "ipairs", "next", "pairs", "pcall", "print", "select", "tonumber", "tostring", "type",
        "xpcall", "setmetatable", "getmetatable", "load", "_VERSION",
    ]

    private static let libraries: [String: [String]] = [
        "string": [
            "byte", "char", "find", "format", "gmatch", "gsub", "len", "lower", "match", "rep", "reverse", "sub",
            "upper", "pack", "packsize", "unpack",
        ],
        "table": ["concat", "insert", "move", "pack", "remove", "sort", "unpack"],
        "math": [
            "abs", "acos", "asin", "atan", "ceil", "cos", "deg", "exp", "floor", "fmod", "huge", "log", "max",
            "maxinteger", "min", "mininteger", "modf", "pi", "rad", "random", "randomseed", "sin", "sqrt", "tan",
            "tointeger",
            "type", "ult",
        ],
        "utf8": ["char", "charpattern", "codepoint", "codes", "len", "offset"],
        "coroutine": ["create", "isyieldable", "resume", "running", "status", "wrap", "yield", "close"],
    ]
}
