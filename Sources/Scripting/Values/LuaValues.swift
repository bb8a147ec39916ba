package import LuaRuntime

/// The domain's values in Lua: money, dates, instants, periods, percentages, and the words `unlimited` and `none`.
///
/// ```swift
/// let context = LuaValueContext(currency: .eur, zone: zone, calendar: calendar)
/// try LuaValues.install(in: state, context: context)
/// ```
/// Policies and scripts share them. All are small immutable values that print, compare, add and subtract; whatever
/// cannot be reckoned raises an error that says what was expected.
package enum LuaValues {
    /// The numbers of the types. Numbers from 32 on are free for others.
    package enum TypeID {
        package static let money = LuaValueType.ID(rawValue: 1)
        package static let date = LuaValueType.ID(rawValue: 2)
        package static let instant = LuaValueType.ID(rawValue: 3)
        package static let period = LuaValueType.ID(rawValue: 4)
        package static let percent = LuaValueType.ID(rawValue: 5)
        package static let unlimited = LuaValueType.ID(rawValue: 6)
        package static let none = LuaValueType.ID(rawValue: 7)
    }

    /// Registers the types and defines the ``words``.
    package static func install(in state: LuaState, context: LuaValueContext) throws(LuaError) {
        try register(in: state, context: context)
        for word in words {
            switch word.meaning {
            case .constant(let value): try state.define(word.name, value: value)
            case .function(let body):
                try state.defineConstructor(word.name) { arguments in [try raising { try body(arguments, context) }] }
            }
        }
    }

    /// Registers the types alone, for a state whose words are defined elsewhere.
    package static func register(in state: LuaState, context: LuaValueContext) throws(LuaError) {
        for type in [
            moneyType(context), dateType(context), instantType(context), periodType(context), percentType,
            unlimitedType,
            noneType,
        ] {
            try state.register(raising(type))
        }
    }

    /// What a value is called in messages: `money`, `date`, `number`, `nil`.
    package static func typeName(of value: LuaValue) -> String {
        guard let small = value.smallValue else { return value.typeName }
        return switch small.type {
        case TypeID.money: "money"
        case TypeID.date: "date"
        case TypeID.instant: "instant"
        case TypeID.period: "period"
        case TypeID.percent: "percent"
        case TypeID.unlimited: "unlimited"
        case TypeID.none: "none"
        default: "userdata"
        }
    }
}

/// How errors of values are worded.
enum ValueFault {
    static func cannot(_ operation: LuaOperator, _ left: LuaValue, _ right: LuaValue, _ hint: String = "")
        -> LuaHostError
    {
        let hint = hint.isEmpty ? "" : "; \(hint)"
        let leftName = LuaValues.typeName(of: left)
        let rightName = LuaValues.typeName(of: right)
        return switch operation {
        case .negate: LuaHostError("\(leftName) cannot be negated\(hint)")
        default: LuaHostError("\(leftName) \(operation.symbol) \(rightName) has no meaning\(hint)")
        }
    }

    static func cannotCompare(_ left: LuaValue, _ right: LuaValue, _ hint: String = "") -> LuaHostError {
        let hint = hint.isEmpty ? "" : "; \(hint)"
        return LuaHostError(
            "\(LuaValues.typeName(of: left)) cannot be compared with \(LuaValues.typeName(of: right))\(hint)")
    }

    static func noField(_ type: String, _ field: String, among fields: [String]) -> LuaHostError {
        LuaHostError("\(type) has no field '\(field)' (it has \(fields.joined(separator: ", ")))")
    }
}
