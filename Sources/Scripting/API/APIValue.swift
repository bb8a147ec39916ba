package import Circulation
package import LuaRuntime
package import TextFormats

/// A checked argument: of the type that its declaration names.
package enum APIValue {
    case boolean(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case date(CivilDate)
    case instant(Instant)
    case money(Money)
    case percent(Percent)
    case period(Period)
    case json(JSON)
    case key(RecordKey)
    case list([APIValue])
    case fields(APIArguments)
    case lua(LuaValue)
    case function(LuaFunction)
    /// What takes away the value that is there.
    case nothing
}

/// What identifies a record: its id, or its own key.
package enum RecordKey: Hashable, Sendable {
    case id(Int64)
    case text(String)
}

/// A type that a checked argument can be taken as.
package protocol APIArgument {
    static func argument(_ value: APIValue) -> Self?
}

extension Bool: APIArgument {
    package static func argument(_ value: APIValue) -> Bool? { if case .boolean(let it) = value { it } else { nil } }
}
extension Int64: APIArgument {
    package static func argument(_ value: APIValue) -> Int64? { if case .integer(let it) = value { it } else { nil } }
}
extension Double: APIArgument {
    package static func argument(_ value: APIValue) -> Double? { if case .number(let it) = value { it } else { nil } }
}
extension String: APIArgument {
    package static func argument(_ value: APIValue) -> String? { if case .text(let it) = value { it } else { nil } }
}
extension CivilDate: APIArgument {
    package static func argument(_ value: APIValue) -> CivilDate? { if case .date(let it) = value { it } else { nil } }
}
extension Instant: APIArgument {
    package static func argument(_ value: APIValue) -> Instant? { if case .instant(let it) = value { it } else { nil } }
}
extension Money: APIArgument {
    package static func argument(_ value: APIValue) -> Money? { if case .money(let it) = value { it } else { nil } }
}
extension Percent: APIArgument {
    package static func argument(_ value: APIValue) -> Percent? { if case .percent(let it) = value { it } else { nil } }
}
extension Period: APIArgument {
    package static func argument(_ value: APIValue) -> Period? { if case .period(let it) = value { it } else { nil } }
}
extension JSON: APIArgument {
    package static func argument(_ value: APIValue) -> JSON? { if case .json(let it) = value { it } else { nil } }
}
extension RecordKey: APIArgument {
    package static func argument(_ value: APIValue) -> RecordKey? { if case .key(let it) = value { it } else { nil } }
}
extension LuaValue: APIArgument {
    package static func argument(_ value: APIValue) -> LuaValue? { if case .lua(let it) = value { it } else { nil } }
}
extension LuaFunction: APIArgument {
    package static func argument(_ value: APIValue) -> LuaFunction? {
        if case .function(let it) = value { it } else { nil }
    }
}
extension APIArguments: APIArgument {
    package static func argument(_ value: APIValue) -> APIArguments? {
        if case .fields(let it) = value { it } else { nil }
    }
}
extension Array: APIArgument where Element: APIArgument {
    package static func argument(_ value: APIValue) -> [Element]? {
        guard case .list(let values) = value else { return nil }
        return values.compactMap(Element.argument)
    }
}
