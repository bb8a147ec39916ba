import Circulation
import LuaRuntime

extension LuaValues {
    static func dateType(_ context: LuaValueContext) -> LuaValueType {
        LuaValueType(
            id: TypeID.date, name: "date",
            arithmetic: { operation, left, right in
                switch (operation, left.dateValue, right.dateValue) {
                case (.subtract, let left?, let right?): return LuaValue(Period.days(Int64(left.days(since: right))))
                case (.subtract, let left?, nil) where right.instantValue != nil:
                    return LuaValue(Period.days(Int64(left.days(since: date(of: right, context) ?? left))))
                case (.add, let date?, nil), (.subtract, let date?, nil):
                    return try LuaValue(moved(date, operation, right, left, context))
                case (.add, nil, let date?): return try LuaValue(moved(date, operation, left, right, context))
                default: throw ValueFault.cannot(operation, left, right, "add days(14) to a date")
                }
            },
            compare: { try dateComparison($0, $1, $2, context) },
            text: { $0.date?.description ?? "date" },
            field: { value, name in
                guard let date = value.date, let part = datePart(date, name) else {
                    throw ValueFault.noField("date", name, among: dateFields)
                }
                return .integer(Int64(part))
            })
    }

    private static let dateFields = ["year", "month", "day", "weekday", "yearday"]

    private static func datePart(_ date: CivilDate, _ name: String) -> Int? {
        switch name {
        case "year": date.year
        case "month": date.month
        case "day": date.day
        case "weekday": date.weekday.rawValue
        case "yearday": date.dayOfYear
        default: nil
        }
    }

    /// A date so many days, weeks, months or years later or earlier.
    static func moved(
        _ date: CivilDate, _ operation: LuaOperator, _ by: LuaValue, _ asWritten: LuaValue, _ context: LuaValueContext
    ) throws -> CivilDate {
        guard let period = by.periodValue else {
            throw ValueFault.cannot(operation, asWritten, by, "add a period such as days(14)")
        }
        if period.isElapsed {
            throw ValueFault.cannot(operation, asWritten, by, "a date has no time of day; add hours to an instant")
        }
        return try (operation == .add ? period : period.negated()).added(to: date, calendar: context.calendar)
    }

    /// A date and an instant are compared by the instant's date at the branch.
    static func dateComparison(
        _ comparison: LuaComparison, _ left: LuaValue, _ right: LuaValue, _ context: LuaValueContext
    ) throws -> Bool {
        if let one = left.instantValue, let other = right.instantValue {
            return comparison == .less ? one < other : one <= other
        }
        guard let one = date(of: left, context), let other = date(of: right, context) else {
            throw ValueFault.cannotCompare(left, right, "write dates as date \"2026-12-24\"")
        }
        return comparison == .less ? one < other : one <= other
    }

    /// The date of a date or an instant, at the branch.
    static func date(of value: LuaValue, _ context: LuaValueContext) -> CivilDate? {
        value.dateValue ?? value.instantValue.map(context.zone.date(of:))
    }

    static func instantType(_ context: LuaValueContext) -> LuaValueType {
        LuaValueType(
            id: TypeID.instant, name: "instant",
            arithmetic: { operation, left, right in
                switch (operation, left.instantValue, right.instantValue) {
                case (.subtract, let left?, let right?):
                    return LuaValue(Period.minutes(left.microseconds(since: right) / microsecondsPerMinute))
                case (.subtract, let left?, nil) where right.dateValue != nil:
                    let date = context.zone.date(of: left)
                    return LuaValue(Period.days(Int64(date.days(since: right.dateValue ?? date))))
                case (.add, .some, nil), (.subtract, .some, nil):
                    return try moved(left, operation, right, context)
                case (.add, nil, .some): return try moved(right, operation, left, context)
                default: throw ValueFault.cannot(operation, left, right, "add days(7) or hours(3) to an instant")
                }
            },
            compare: { try dateComparison($0, $1, $2, context) },
            text: { $0.instant?.description ?? "instant" },
            field: { value, name in
                let (date, time) = context.zone.local(of: value.instant ?? .earliest)
                switch name {
                case "date": return LuaValue(date)
                case "hour": return .integer(Int64(time.hour))
                case "minute": return .integer(Int64(time.minute))
                case "second": return .integer(Int64(time.second))
                default:
                    guard let part = datePart(date, name) else {
                        throw ValueFault.noField(
                            "instant", name, among: dateFields + ["date", "hour", "minute", "second"])
                    }
                    return .integer(Int64(part))
                }
            })
    }

    private static let microsecondsPerMinute: Int64 = 60_000_000

    /// A moment so long after or before another.
    static func moved(
        _ value: LuaValue, _ operation: LuaOperator, _ by: LuaValue, _ context: LuaValueContext
    ) throws -> LuaValue {
        guard let instant = value.instantValue, let period = by.periodValue else {
            throw ValueFault.cannot(operation, value, by, "add a period such as days(7) or hours(3)")
        }
        let step = operation == .add ? period : try period.negated()
        let result = try step.added(to: instant, in: context.zone, calendar: context.calendar)
        return LuaValue(result, period.isElapsed ? .exact : .dateLike)
    }
}
