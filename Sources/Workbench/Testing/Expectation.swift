package import Circulation
package import LuaRuntime
import Scripting

/// Compares a value with what a test expects of it.
///
/// Of a table only the named fields count; a list must have as many elements. `none` stands for nothing. A text equals a
/// date, an amount or a period that is written so. Instants are equal if they are the same moment.
package enum Expectation {
    /// The first path that differs, with expected and got; nil if nothing does.
    ///
    /// Of a decision that failed everything is absent, so that most of what is expected to be nothing would hold: it fits
    /// only who expects that the policy fails.
    ///
    /// - Parameter failure: why the decision that was asked for last is none.
    package static func difference(_ value: LuaValue, _ expected: LuaValue, failure: PolicyFailure?) -> String? {
        let difference = difference(value, expected)
        guard let failure else { return difference }
        if value.tableValue?["answer"].stringValue == Decision.Answer.failed.rawValue, !expectsFailure(expected) {
            return words(failure)
        }
        // `given(case).fine`
        if value.isNil { return (difference.map { "\($0): " } ?? "") + words(failure) }
        return difference
    }

    private static func expectsFailure(_ expected: LuaValue) -> Bool {
        guard let wanted = expected.tableValue else { return false }
        return wanted["answer"].stringValue == Decision.Answer.failed.rawValue || wanted["failure"].tableValue != nil
            || wanted["code"].stringValue == "policy_failed"
    }

    /// `the policy failed at school.lua:5: attempt to compare nil with number`
    private static func words(_ failure: PolicyFailure) -> String {
        let place = failure.file.map { " at \($0)" + (failure.line.map { ":\($0)" } ?? "") } ?? ""
        return "the policy failed\(place): \(failure.message)"
    }

    private static func difference(_ value: LuaValue, _ expected: LuaValue, path: String = "") -> String? {
        if let wanted = expected.tableValue { return tableDifference(value, wanted, path: path) }
        return isEqual(value, expected) ? nil : describe(path, expected, value)
    }

    private static func tableDifference(_ value: LuaValue, _ wanted: LuaTable, path: String) -> String? {
        guard let table = value.tableValue else { return describe(path, .table(wanted), value) }
        let list = wanted.array
        let isList = !list.isEmpty && list.count == wanted.entries.count
        if isList || wanted.isEmpty {
            let count = table.array.count
            if count != list.count || (wanted.isEmpty && !table.isEmpty) {
                let name = path.isEmpty ? "the list" : path
                return "\(name): expected \(list.count) elements, got \(max(count, table.entries.count))"
            }
        }
        for entry in wanted.entries {
            let found = table.entries.first { $0.key == entry.key }?.value ?? .nil
            if let difference = difference(found, entry.value, path: join(path, entry.key)) { return difference }
        }
        return nil
    }

    private static func isEqual(_ value: LuaValue, _ expected: LuaValue) -> Bool {
        switch (value, expected) {
        case (.nil, .nil): return true
        case (.nil, .value(let small)): return small.isNone
        case (.integer, .number), (.number, .integer): return value.numberValue == expected.numberValue
        case (.value(let one), .value(let other)):
            if let left = one.instant, let right = other.instant { return left == right }
            return one == other
        case (.value(let small), .string(let text)): return small.plainText == text
        default: return value == expected
        }
    }

    private static func join(_ path: String, _ key: LuaValue) -> String {
        if let index = key.integerValue { return "\(path)[\(index)]" }
        let name = key.stringValue ?? key.description
        return path.isEmpty ? name : "\(path).\(name)"
    }

    private static func describe(_ path: String, _ expected: LuaValue, _ got: LuaValue) -> String {
        let name = path.isEmpty ? "" : "\(path): "
        return "\(name)expected \(words(expected)), got \(words(got))"
    }

    /// A table as it would be written, as far as it is short.
    private static func words(_ table: LuaTable) -> String {
        let isList = table.array.count == table.entries.count
        var text = "{"
        for (index, entry) in table.entries.enumerated() {
            let key = isList ? "" : "\(entry.key.stringValue ?? "[\(entry.key.description)]") = "
            text += (index == 0 ? " " : ", ") + key + words(entry.value)
            if text.count > longestTable { return text.prefix(longestTable) + " ... }" }
        }
        return table.isEmpty ? "{}" : text + " }"
    }

    private static let longestTable = 120

    private static func words(_ value: LuaValue) -> String {
        switch value {
        case .nil: "nothing"
        case .value(let small): small.isNone ? "nothing" : small.period?.description ?? small.plainText
        case .string(let text): text.debugDescription
        case .table(let table): words(table)
        case .function, .callback: "a function"
        default: value.description
        }
    }
}
