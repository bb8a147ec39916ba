import Circulation
import LuaRuntime

extension LuaValues {
    /// `unlimited` stands above every number, period and amount.
    static var unlimitedType: LuaValueType {
        LuaValueType(
            id: TypeID.unlimited, name: "unlimited",
            arithmetic: { throw ValueFault.cannot($0, $1, $2) },
            compare: { comparison, left, right in
                guard let answer = comparedWithUnlimited(comparison, left, right) else {
                    throw ValueFault.cannotCompare(left, right)
                }
                return answer
            },
            text: { _ in "unlimited" },
            field: { _, name in throw LuaHostError("unlimited has no field '\(name)'") })
    }

    /// `none` is what a row says to set a field to nothing; it is for tables, not for reckoning.
    static var noneType: LuaValueType {
        LuaValueType(
            id: TypeID.none, name: "none",
            arithmetic: { throw ValueFault.cannot($0, $1, $2) },
            compare: { throw ValueFault.cannotCompare($1, $2) },
            text: { _ in "none" },
            field: { _, name in throw LuaHostError("none has no field '\(name)'") })
    }

    /// nil if neither side is `unlimited`, or if the other can have no place below it.
    static func comparedWithUnlimited(_ comparison: LuaComparison, _ left: LuaValue, _ right: LuaValue) -> Bool? {
        guard left.isUnlimited || right.isUnlimited else { return nil }
        guard hasOrder(left), hasOrder(right) else { return nil }
        if left.isUnlimited { return right.isUnlimited && comparison == .lessOrEqual }
        return true
    }

    private static func hasOrder(_ value: LuaValue) -> Bool {
        switch value {
        case .integer, .number: true
        case .value(let small): small.isUnlimited || small.money != nil || small.period != nil
        default: false
        }
    }
}
