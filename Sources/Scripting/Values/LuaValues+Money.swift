import Circulation
import LuaRuntime

extension LuaValues {
    static func moneyType(_ context: LuaValueContext) -> LuaValueType {
        LuaValueType(
            id: TypeID.money, name: "money", arithmetic: moneyArithmetic, compare: moneyComparison,
            text: { $0.money?.description ?? "money" },
            field: { value, name in
                switch name {
                case "currency": .string(value.money?.currency.code ?? "")
                case "minor_units": .integer(value.a)
                default: throw ValueFault.noField("money", name, among: ["currency", "minor_units"])
                }
            })
    }

    private static func moneyArithmetic(_ operation: LuaOperator, _ left: LuaValue, _ right: LuaValue) throws
        -> LuaValue
    {
        switch (operation, left.moneyValue, right.moneyValue) {
        case (.add, let left?, let right?): return try LuaValue(left.adding(right))
        case (.subtract, let left?, let right?): return try LuaValue(left.subtracting(right))
        case (.negate, let money?, _): return try LuaValue(money.negated())
        case (.multiply, let money?, nil): return try product(money, right, operation, left)
        case (.multiply, nil, let money?): return try product(money, left, operation, right)
        case (.divide, let money?, nil):
            guard let divisor = right.integerValue, divisor != 0 else {
                throw ValueFault.cannot(operation, left, right, "divide money by a whole number that is not zero")
            }
            return try LuaValue(money.multiplied(by: 1, over: divisor))
        case (.divide, let left?, let right?):
            guard left.currency == right.currency, !right.isZero else {
                throw ValueFault.cannot(operation, LuaValue(left), LuaValue(right), "one currency, and not zero")
            }
            return .number(Double(left.minorUnits) / Double(right.minorUnits))
        default:
            throw ValueFault.cannot(operation, left, right, "write amounts as money \"0.20\"")
        }
    }

    private static func product(
        _ money: Money, _ factor: LuaValue, _ operation: LuaOperator, _ asWritten: LuaValue
    ) throws -> LuaValue {
        if let percent = factor.percentValue { return try LuaValue(money.multiplied(by: percent)) }
        guard let number = factor.integerValue else {
            throw ValueFault.cannot(
                operation, asWritten, factor, "multiply money by a whole number or by percent \"6.62\"")
        }
        return try LuaValue(money.multiplied(by: number))
    }

    private static func moneyComparison(_ comparison: LuaComparison, _ left: LuaValue, _ right: LuaValue) throws -> Bool
    {
        if let answer = comparedWithUnlimited(comparison, left, right) { return answer }
        guard let one = left.moneyValue, let other = right.moneyValue else {
            throw ValueFault.cannotCompare(left, right, "write amounts as money \"25.00\"")
        }
        return comparison == .less ? try one.isLess(than: other) : try !other.isLess(than: one)
    }

    static var percentType: LuaValueType {
        LuaValueType(
            id: TypeID.percent, name: "percent",
            arithmetic: { operation, left, right in
                if left.moneyValue != nil || right.moneyValue != nil {
                    return try moneyArithmetic(operation, left, right)
                }
                throw ValueFault.cannot(operation, left, right, "a percent multiplies money")
            },
            compare: { comparison, left, right in
                guard let one = left.percentValue, let other = right.percentValue else {
                    throw ValueFault.cannotCompare(left, right)
                }
                return comparison == .less ? one < other : one <= other
            },
            text: { $0.percent?.description ?? "percent" },
            field: { _, name in throw LuaHostError("percent has no field '\(name)'") })
    }
}
