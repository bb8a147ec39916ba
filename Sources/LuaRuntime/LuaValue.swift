/// A value on its way between Swift and Lua. Tables are copied deeply, both ways.
package enum LuaValue {
    case `nil`
    case boolean(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    /// A Lua string that is not valid UTF-8.
    case bytes([UInt8])
    case table(LuaTable)
    case function(LuaFunction)
    case value(LuaSmallValue)
    /// A closure of the host, to be pushed as a Lua function. It comes back as `.function`.
    case callback(LuaCallback)
}

/// A function that Lua calls. It may throw ``LuaHostError``, which raises a Lua error; any other error passes through
/// Lua and is thrown by the outermost call, unless the script catches it.
package typealias LuaCallback = (LuaArguments) throws -> [LuaValue]

extension LuaValue {
    package var isNil: Bool { if case .nil = self { true } else { false } }

    package var booleanValue: Bool? { if case .boolean(let value) = self { value } else { nil } }

    /// The integer, also of a float with an integral value.
    package var integerValue: Int64? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int64(exactly: value)
        default: nil
        }
    }

    package var numberValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    package var stringValue: String? { if case .string(let value) = self { value } else { nil } }
    package var tableValue: LuaTable? { if case .table(let value) = self { value } else { nil } }
    package var functionValue: LuaFunction? { if case .function(let value) = self { value } else { nil } }
    package var smallValue: LuaSmallValue? { if case .value(let value) = self { value } else { nil } }

    /// The name `type` gives in Lua.
    package var typeName: String {
        switch self {
        case .nil: "nil"
        case .boolean: "boolean"
        case .integer, .number: "number"
        case .string, .bytes: "string"
        case .table: "table"
        case .function, .callback: "function"
        case .value: "userdata"
        }
    }

    /// A copy in which functions and callbacks are nil.
    package var withoutFunctions: LuaValue {
        switch self {
        case .function, .callback: .nil
        case .table(let table):
            .table(
                LuaTable(
                    entries: table.entries.compactMap { entry in
                        let key = entry.key.withoutFunctions
                        return key.isNil ? nil : (key, entry.value.withoutFunctions)
                    }))
        default: self
        }
    }
}

/// Functions are equal when they are the same reference; callbacks never are.
extension LuaValue: Equatable {
    package static func == (left: LuaValue, right: LuaValue) -> Bool {
        switch (left, right) {
        case (.nil, .nil): true
        case (.boolean(let a), .boolean(let b)): a == b
        case (.integer(let a), .integer(let b)): a == b
        case (.number(let a), .number(let b)): a == b
        case (.string(let a), .string(let b)): Array(a.utf8) == Array(b.utf8)
        case (.bytes(let a), .bytes(let b)): a == b
        case (.table(let a), .table(let b)): a == b
        case (.function(let a), .function(let b)): a === b
        case (.value(let a), .value(let b)): a == b
        default: false
        }
    }
}

extension LuaValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(nilLiteral: ()) { self = .nil }
    package init(booleanLiteral value: Bool) { self = .boolean(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(floatLiteral value: Double) { self = .number(value) }
    package init(stringLiteral value: String) { self = .string(value) }
    package init(arrayLiteral elements: LuaValue...) { self = .table(LuaTable(array: elements)) }
    package init(dictionaryLiteral elements: (LuaValue, LuaValue)...) {
        self = .table(LuaTable(entries: elements.map { (key: $0.0, value: $0.1) }))
    }
}

extension LuaValue: CustomStringConvertible {
    package var description: String {
        switch self {
        case .nil: "nil"
        case .boolean(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        case .string(let value): value.debugDescription
        case .bytes(let value): "<\(value.count) bytes>"
        case .table(let table): table.description
        case .function, .callback: "function"
        case .value(let value): "value(\(value.type.rawValue), \(value.a), \(value.b))"
        }
    }
}
