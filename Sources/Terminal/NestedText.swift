import Circulation
import LuaRuntime
import Reports
import Scripting
import TextFormats

/// A table in a table, laid out for reading: short ones on one line, others indented below their name.
struct NestedText {
    let width: Int
    let moment: (Instant) -> String

    /// Deeper ones are written on one line.
    private static let deepest = 6

    func lines(of table: LuaTable) -> [String] { lines(of: table, depth: 0) }

    private func lines(of table: LuaTable, depth: Int) -> [String] {
        let indent = String(repeating: "  ", count: depth)
        let isList = table.array.count == table.entries.count
        return table.entries.enumerated().flatMap { index, entry -> [String] in
            let name = isList ? "\(index + 1):" : name(of: entry.key) + ":"
            let flat = "\(indent)\(name) \(text(of: entry.value))"
            guard case .table(let inner) = entry.value, !inner.isEmpty, depth < NestedText.deepest,
                DisplayWidth.of(flat) > width
            else { return [flat] }
            return [indent + name] + lines(of: inner, depth: depth + 1)
        }
    }

    private func name(of key: LuaValue) -> String {
        if case .string(let name) = key {
            SafeText.line(name)
        } else {
            "[\(ScriptEvaluator.texts(of: [key]).joined())]"
        }
    }

    private func text(of value: LuaValue) -> String {
        if case .value(let small) = value, let instant = small.instant {
            return moment(instant)
        }
        return ScriptEvaluator.texts(of: [value]).joined()
    }
}
