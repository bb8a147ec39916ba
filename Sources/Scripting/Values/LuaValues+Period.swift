import Circulation
import LuaRuntime

extension LuaValues {
    static func periodType(_ context: LuaValueContext) -> LuaValueType {
        LuaValueType(
            id: TypeID.period, name: "period",
            arithmetic: { operation, left, right in
                if operation == .add, let date = right.dateValue {
                    return try LuaValue(moved(date, operation, left, right, context))
                }
                if operation == .add, right.instantValue != nil { return try moved(right, operation, left, context) }
                return try periodArithmetic(operation, left, right)
            },
            compare: periodComparison,
            text: { $0.period?.description ?? "period" },
            field: { value, name in
                switch name {
                case "count": .integer(value.a)
                case "unit": .string(value.period?.unit.rawValue ?? "")
                default: throw ValueFault.noField("period", name, among: ["count", "unit"])
                }
            })
    }

    private static func periodArithmetic(_ operation: LuaOperator, _ left: LuaValue, _ right: LuaValue) throws
        -> LuaValue
    {
        switch (operation, left.periodValue, right.periodValue) {
        case (.negate, let period?, _): return try LuaValue(period.negated())
        case (.add, let left?, let right?): return try LuaValue(sum(left, right))
        case (.subtract, let left?, let right?): return try LuaValue(sum(left, right.negated()))
        case (.multiply, let period?, nil): return try LuaValue(product(period, right, operation, left))
        case (.multiply, nil, let period?): return try LuaValue(product(period, left, operation, right))
        default: throw ValueFault.cannot(operation, left, right, "add a period to a date, an instant or a like period")
        }
    }

    private static func product(
        _ period: Period, _ factor: LuaValue, _ operation: LuaOperator, _ asWritten: LuaValue
    ) throws -> Period {
        guard let number = factor.integerValue else {
            throw ValueFault.cannot(operation, asWritten, factor, "multiply a period by a whole number")
        }
        let (count, overflow) = period.count.multipliedReportingOverflow(by: number)
        if overflow { throw LuaHostError("the period is too long") }
        return Period(count, period.unit)
    }

    private static func sum(_ left: Period, _ right: Period) throws -> Period {
        guard let (one, other, unit) = commonUnit(left, right) else {
            throw LuaHostError("\(left) and \(right) cannot be added: their units are unlike")
        }
        let (count, overflow) = one.addingReportingOverflow(other)
        if overflow { throw LuaHostError("the period is too long") }
        return Period(count, unit)
    }

    private static func periodComparison(_ comparison: LuaComparison, _ left: LuaValue, _ right: LuaValue) throws
        -> Bool
    {
        if let answer = comparedWithUnlimited(comparison, left, right) { return answer }
        guard let one = left.periodValue, let other = right.periodValue else {
            throw ValueFault.cannotCompare(left, right, "write periods as days(14)")
        }
        guard let (first, second, _) = commonUnit(one, other) else {
            throw LuaHostError("\(one) and \(other) cannot be compared: their units are unlike")
        }
        return comparison == .less ? first < second : first <= second
    }

    /// Weeks are seven days, hours sixty minutes; other units go with themselves alone.
    private static func commonUnit(_ left: Period, _ right: Period) -> (Int64, Int64, Period.Unit)? {
        if left.unit == right.unit { return (left.count, right.count, left.unit) }
        guard let (one, unit) = inSmallestUnit(left), let (other, otherUnit) = inSmallestUnit(right), unit == otherUnit
        else { return nil }
        return (one, other, unit)
    }

    private static func inSmallestUnit(_ period: Period) -> (Int64, Period.Unit)? {
        let (factor, unit): (Int64, Period.Unit) =
            switch period.unit {
            case .weeks: (7, .days)
            case .hours: (60, .minutes)
            default: (1, period.unit)
            }
        let (count, overflow) = period.count.multipliedReportingOverflow(by: factor)
        return overflow ? nil : (count, unit)
    }
}
