import Circulation
package import LuaRuntime
package import TextFormats

// Values of the API as programs that speak JSON write and read them: instants, dates and money as their texts, periods as
// `P14D`, records as objects without the fields that have no value, lists as arrays even where they are empty.

extension APIType {
    /// A value of this type as JSON has it; what cannot be written is null.
    package func json(_ value: LuaValue) -> JSON {
        switch (self, value) {
        case (.list(let element), .table(let table)): .array(table.array.map(element.json))
        case (.record(let name), .table(let table)): Self.record(table, LuaAPI.record(name)?.fields ?? [])
        case (.fields(let fields), .table(let table)): Self.record(table, fields)
        case (.optional(let type), _): type.json(value)
        default: JSON(plain: value) ?? .null
        }
    }

    private static func record(_ table: LuaTable, _ fields: [APIParameter]) -> JSON {
        var object = JSONObject()
        for field in fields {
            let value = table[field.name]
            guard !value.isNil || field.isRequired else { continue }
            object[field.name] = field.type.json(value)
        }
        if fields.contains(where: { $0.owner != nil }) {
            for entry in table.entries {
                // The fields of the library's own are there where the library has them.
                guard case .string(let name) = entry.key, !fields.contains(where: { $0.name == name }) else { continue }
                object[name] = JSON(plain: entry.value)
            }
        }
        return .object(object)
    }

    /// The argument that JSON means where this type is expected. What does not fit is handed on, to be refused with the
    /// words of the check.
    func argument(_ json: JSON) -> LuaValue {
        switch (self, json) {
        case (.optional(let type), _): type.argument(json)
        case (.list(let element), .array(let values)): .table(LuaTable(array: values.map(element.argument)))
        case (.fields(let fields), .object(let object)): .table(Self.table(object, fields))
        case (.period, .string(let text)): (try? Period(parsing: text)).map(LuaValue.period) ?? .json(json)
        case (.percent, .string(let text)): (try? Percent(parsing: text)).map(LuaValue.percent) ?? .json(json)
        case (.money, .string(let text)): (try? Money(parsing: text)).map(LuaValue.money) ?? .json(json)
        default: .json(json)
        }
    }

    static func table(_ object: JSONObject, _ fields: [APIParameter]) -> LuaTable {
        LuaTable(
            entries: object.entries.compactMap { entry in
                let field = fields.first { $0.name == entry.key }
                if entry.value.isNull, field?.canBeNone == true { return (.string(entry.key), .value(.none)) }
                let value = field?.type.argument(entry.value) ?? .json(entry.value)
                return value.isNil ? nil : (key: .string(entry.key), value: value)
            })
    }

    /// What a text, as an address has it, means where this type is expected.
    package func json(ofText text: String) -> JSON {
        switch self {
        case .optional(let type): type.json(ofText: text)
        case .integer: Int64(text).map(JSON.integer) ?? .string(text)
        case .number: Double(text).map(JSON.number) ?? .string(text)
        case .boolean: ["true": .bool(true), "false": .bool(false)][text] ?? .string(text)
        case .list(let element):
            .array(text.split(separator: ",").map { element.json(ofText: String($0)) })
        case .reference(let reference): reference.json(ofText: text)
        default: .string(text)
        }
    }
}

extension APIReference {
    /// Digits are an id, but for barcodes, and for as many digits as an ISBN has.
    fileprivate func json(ofText text: String) -> JSON {
        guard hasID, self != .copy, !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }),
            !(self == .title && [10, 13].contains(text.utf8.count)), let id = Int64(text)
        else { return .string(text) }
        return .integer(id)
    }
}
