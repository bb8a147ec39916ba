import Circulation
import LuaRuntime

extension LuaValues {
    /// The words that make values, for policies and scripts alike.
    package static var words: [ValueWord] {
        [
            period("days", .days, "Steps of the calendar at the same wall clock."),
            period("weeks", .weeks, "Steps of the calendar, seven days each."),
            period("months", .months, "Steps of the calendar; the 31st becomes the last day of a shorter month."),
            period("years", .months, each: 12, "Steps of the calendar, twelve months each."),
            period("hours", .hours, "Elapsed time."),
            period("minutes", .minutes, "Elapsed time."),
            period("open_days", .openDays, "Days on which the branch is open."),
            ValueWord("money", "money \"0.20\"", "An amount in the library's currency.", .function(money)),
            ValueWord("percent", "percent \"6.62\"", "An exact percentage.", .function(percent)),
            ValueWord("date", "date \"2026-12-24\"", "A date; of an instant, its date at the branch.", .function(date)),
            ValueWord(
                "unlimited", "unlimited", "Above every number; ends the reading of limits.",
                .constant(.value(.unlimited))),
            ValueWord("none", "none", "Sets a field to nothing and stops the search.", .constant(.value(.none))),
        ]
    }

    /// - Parameter each: how many of the unit one is.
    private static func period(
        _ name: String, _ unit: Period.Unit, each: Int64 = 1, _ summary: String
    ) -> ValueWord {
        ValueWord(
            name, "\(name)(n)", summary,
            .function { arguments, _ in
                guard let count = arguments[0].integerValue else {
                    throw expected("a whole number", in: name, arguments)
                }
                return LuaValue(try Period(count, unit).times(each))
            })
    }

    private static func money(_ arguments: LuaArguments, _ context: LuaValueContext) throws -> LuaValue {
        if let money = arguments[0].moneyValue { return LuaValue(money) }
        guard let text = arguments[0].stringValue else {
            throw expected("a text such as \"0.20\" (a number would not be exact)", in: "money", arguments)
        }
        return try text.contains(" ")
            ? LuaValue(Money(parsing: text)) : LuaValue(Money(parsing: text, currency: context.currency))
    }

    private static func percent(_ arguments: LuaArguments, _ context: LuaValueContext) throws -> LuaValue {
        switch arguments[0] {
        case .string(let text): return LuaValue(try Percent(parsing: text))
        case .integer(let whole): return LuaValue(Percent(whole))
        default: throw expected("a text such as \"6.62\"", in: "percent", arguments)
        }
    }

    private static func date(_ arguments: LuaArguments, _ context: LuaValueContext) throws -> LuaValue {
        if let text = arguments[0].stringValue { return LuaValue(try CivilDate(parsing: text)) }
        guard let date = date(of: arguments[0], context) else {
            throw expected("a text such as \"2026-12-24\"", in: "date", arguments)
        }
        return LuaValue(date)
    }

    private static func expected(_ what: String, in function: String, _ arguments: LuaArguments) -> LuaHostError {
        let came = arguments.count == 0 ? "nothing" : typeName(of: arguments[0])
        return LuaHostError("\(function): argument 1 must be \(what), not \(came)")
    }
}
