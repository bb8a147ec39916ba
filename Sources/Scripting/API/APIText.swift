import Circulation
package import LuaRuntime
import LuaSyntax
import TextFormats

/// Lua values and texts as the desk writes them: in the REPL, in examples, in errors.
package enum APIText {
    /// Text without control characters, cut for an error message.
    static func quotable(_ text: String) -> String {
        let longest = 60
        let head = text.prefix(longest + 1)
        return SafeText.line(head.count > longest ? head.dropLast() + "..." : text)
    }

    static func safe(_ text: String) -> String { SafeText.line(text) }

    /// A value as a person would write it in Lua: `{ id = 1, title = "Dune" }`; dates, money and periods as their text.
    ///
    /// - Parameter maximumDepth: tables nested deeper are written as `{...}`.
    package static func text(of value: LuaValue, maximumDepth: Int = 6) -> String {
        switch value {
        case .nil: "nil"
        case .boolean(let it): String(it)
        case .integer(let it): String(it)
        case .number(let it): number(it)
        case .string(let it): quoted(it)
        case .bytes(let it): quoted(String(decoding: it, as: UTF8.self))
        case .function, .callback: "function"
        case .value(let it): it.text
        case .table(let table): text(of: table, depth: maximumDepth)
        }
    }

    private static func text(of table: LuaTable, depth: Int) -> String {
        if table.isEmpty { return "{}" }
        guard depth > 0 else { return "{...}" }
        let isSequence = table.array.count == table.entries.count
        let parts = table.entries.map { entry in
            let value = text(of: entry.value, maximumDepth: depth - 1)
            if isSequence { return value }
            if case .string(let name) = entry.key, LuaName.isName(name) { return "\(name) = \(value)" }
            return "[\(text(of: entry.key, maximumDepth: depth - 1))] = \(value)"
        }
        return "{ " + parts.joined(separator: ", ") + " }"
    }

    private static func number(_ value: Double) -> String {
        if value.isNaN { return "nan" }
        if value.isInfinite { return value < 0 ? "-inf" : "inf" }
        return value.description
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                let safe = SafeText.line(String(scalar))
                // Two spellings of one byte or character would hide what a name really is: unsafe ones are written out.
                result += safe == String(scalar) ? safe : "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return result + "\""
    }
}
