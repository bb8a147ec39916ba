import Circulation
import LuaRuntime
import LuaSyntax
import Scripting
import TextFormats

/// Writes values as the tests of a policy have them.
enum LuaText {
    /// The widest line.
    private static let width = 100

    /// A table of plain data; null, which takes a part of a case away, is `false`.
    static func table(_ object: JSONObject, indent: Int = 0) -> String {
        if object.isEmpty { return "{}" }
        return list(object.map { "\(key($0.key)) = \(value($0.value, indent: indent + 1))" }, indent)
    }

    private static func value(_ json: JSON, indent: Int) -> String {
        switch json {
        case .null: "false"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        case .string(let text): quoted(text)
        case .array(let array):
            array.isEmpty ? "{}" : list(array.map { value($0, indent: indent + 1) }, indent)
        case .object(let object): table(object, indent: indent)
        }
    }

    /// On one line where it fits.
    private static func list(_ parts: [String], _ indent: Int) -> String {
        let line = "{ \(parts.joined(separator: ", ")) }"
        if line.count + indent * 4 <= width - 20, !line.contains("\n") { return line }
        let inner = String(repeating: "    ", count: indent + 1)
        return "{\n" + parts.map { "\(inner)\($0),\n" }.joined() + String(repeating: "    ", count: indent) + "}"
    }

    /// A value as `expect` would state it; nil where it has no short form.
    static func literal(_ value: LuaValue) -> String? {
        switch value {
        case .nil: return "none"
        case .boolean(let value): return "\(value)"
        case .integer(let value): return "\(value)"
        case .number(let value): return value.isFinite ? "\(value)" : nil
        case .string(let text): return quoted(text)
        case .value(let small): return literal(small)
        case .table(let table) where table.isEmpty: return "{}"
        case .table, .bytes, .function, .callback: return nil
        }
    }

    private static func literal(_ small: LuaSmallValue) -> String? {
        if let money = small.money {
            let words = money.description.split(separator: " ")
            return words.last == "EUR" ? "money \(quoted(String(words[0])))" : "money \(quoted(money.description))"
        }
        if let date = small.date { return "date \(quoted(date.description))" }
        if let instant = small.instant { return quoted(instant.description) }
        if let period = small.period { return "\(period.unit.rawValue)(\(period.count))" }
        if small.isUnlimited { return "unlimited" }
        return small.isNone ? "none" : small.percent.map { "percent \(quoted($0.description))" }
    }

    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\u{0}"..."\u{1F}", "\u{7F}": result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    static func key(_ name: String) -> String { LuaName.isName(name) ? name : "[\(quoted(name))]" }
}
