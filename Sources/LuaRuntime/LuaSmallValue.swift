/// A value of a host value type: money, a date, a period. Two values are equal when type, `a` and `b` are.
package struct LuaSmallValue: Hashable, Sendable {
    package var type: LuaValueType.ID
    /// What is compared between values of the same type and the same ``b``.
    package var a: Int64
    /// What must agree for two values to be compared without asking the host: a currency, a unit.
    package var b: Int64

    package init(type: LuaValueType.ID, a: Int64, b: Int64 = 0) {
        self.type = type
        self.a = a
        self.b = b
    }
}
