import Circulation
package import LuaRuntime
package import TextFormats

extension JSON {
    /// Plain data of Lua, with money, dates and periods as their texts, and null for a `none` in a table. Nil where there
    /// is a function in it.
    package init?(plain value: LuaValue) {
        switch value {
        case .nil: self = .null
        case .boolean(let value): self = .bool(value)
        case .integer(let value): self = .integer(value)
        case .number(let value): self = value.isFinite ? .number(value) : .null
        case .string(let value): self = .string(value)
        case .bytes, .function, .callback: return nil
        case .value(let small): self = .string(small.plainText)
        case .table(let table): self.init(table: table)
        }
    }

    private init?(element value: LuaValue) {
        if case .value(let small) = value, small.isNone { self = .null } else { self.init(plain: value) }
    }

    private init?(table: LuaTable) {
        let list = table.array
        if list.count == table.entries.count, !list.isEmpty || table.isList {
            var values: [JSON] = []
            for element in list {
                guard let value = JSON(element: element) else { return nil }
                values.append(value)
            }
            self = .array(values)
            return
        }
        var object = JSONObject()
        for entry in table.entries {
            guard let key = entry.key.stringValue, let value = JSON(element: entry.value) else { return nil }
            object[key] = value
        }
        self = .object(object)
    }
}

extension LuaSmallValue {
    /// As JSON writes the value: `0.20 EUR`, `2026-12-24`, `2026-12-24T18:00:00Z`, `P14D`.
    package var plainText: String {
        if let money { return money.description }
        if let date { return date.description }
        if let instant { return instant.description }
        if let period { return period.isoText }
        if let percent { return percent.description }
        return isUnlimited ? "unlimited" : "none"
    }
}
