/// A copy of a Lua table: its entries in the order in which `pairs` gives them.
package struct LuaTable: Equatable, CustomStringConvertible {
    package typealias Entry = (key: LuaValue, value: LuaValue)

    package var entries: [Entry]
    /// Whether it was made as a list, which distinguishes an empty list from a table of names; of a table that a script
    /// wrote, Lua does not know.
    package private(set) var isList: Bool

    package init(entries: [Entry] = [], isList: Bool = false) {
        self.entries = entries
        self.isList = isList
    }

    /// The sequence 1...n.
    package init(array: [LuaValue]) {
        self.init(
            entries: array.enumerated().map { (key: .integer(Int64($0.offset) + 1), value: $0.element) }, isList: true)
    }

    package init(fields: KeyValuePairs<String, LuaValue>) {
        self.init(entries: fields.map { (key: .string($0.key), value: $0.value) })
    }

    package init(fields: [(String, LuaValue)]) {
        self.init(entries: fields.map { (key: .string($0.0), value: $0.1) })
    }

    /// The value of a field, `.nil` if there is none. Linear in the number of entries.
    package subscript(name: String) -> LuaValue {
        get {
            for entry in entries {
                if case .string(let key) = entry.key, key == name { return entry.value }
            }
            return .nil
        }
        set {
            entries.removeAll { entry in
                if case .string(let key) = entry.key { key == name } else { false }
            }
            if !newValue.isNil { entries.append((key: .string(name), value: newValue)) }
        }
    }

    /// The values of the keys 1...n, up to the first that is missing.
    package var array: [LuaValue] {
        var found: [LuaValue] = []
        var inOrder = true
        for entry in entries {
            guard case .integer(let key) = entry.key, key > 0 else { continue }
            if key == Int64(found.count) + 1 { found.append(entry.value) } else { inOrder = false }
        }
        return inOrder ? found : sequenceOfUnordered
    }

    private var sequenceOfUnordered: [LuaValue] {
        var byKey: [Int64: LuaValue] = [:]
        for entry in entries {
            if case .integer(let key) = entry.key { byKey[key] = entry.value }
        }
        var found: [LuaValue] = []
        while let value = byKey[Int64(found.count) + 1] { found.append(value) }
        return found
    }

    package var isEmpty: Bool { entries.isEmpty }

    package static func == (left: LuaTable, right: LuaTable) -> Bool {
        left.entries.count == right.entries.count
            && zip(left.entries, right.entries).allSatisfy { $0.key == $1.key && $0.value == $1.value }
    }

    package var description: String {
        "{" + entries.map { "[\($0.key)] = \($0.value)" }.joined(separator: ", ") + "}"
    }
}
