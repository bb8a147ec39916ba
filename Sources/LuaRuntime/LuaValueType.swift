/// How values of a host type behave in Lua. They are immutable, have no `..`, and equality never fails.
package struct LuaValueType {
    /// 1...255, chosen by the host.
    package struct ID: RawRepresentable, Hashable, Sendable {
        package let rawValue: Int32

        package init(rawValue: Int32) {
            self.rawValue = rawValue
        }
    }

    package var id: ID
    /// What `type` answers and what errors say, for example `date`.
    package var name: String
    /// Called for `+ - * / % ^ //` and unary minus (both operands are the same then).
    package var arithmetic: (LuaOperator, LuaValue, LuaValue) throws -> LuaValue
    /// Called for `<` and `<=` when the types or the `b` of the operands differ.
    package var compare: (LuaComparison, LuaValue, LuaValue) throws -> Bool
    package var text: (LuaSmallValue) -> String
    /// A field, or a method as `.callback`.
    package var field: (LuaSmallValue, String) throws -> LuaValue

    package init(
        id: ID, name: String,
        arithmetic: @escaping (LuaOperator, LuaValue, LuaValue) throws -> LuaValue,
        compare: @escaping (LuaComparison, LuaValue, LuaValue) throws -> Bool,
        text: @escaping (LuaSmallValue) -> String,
        field: @escaping (LuaSmallValue, String) throws -> LuaValue
    ) {
        self.id = id
        self.name = name
        self.arithmetic = arithmetic
        self.compare = compare
        self.text = text
        self.field = field
    }
}

/// In the order that the C side numbers them.
package enum LuaOperator: Int, Sendable, Hashable, CaseIterable {
    case add, subtract, multiply, divide, modulo, power, floorDivide, negate

    /// As written in Lua.
    package var symbol: String {
        ["+", "-", "*", "/", "%", "^", "//", "-"][rawValue]
    }
}

package enum LuaComparison: Int, Sendable, Hashable {
    case less, lessOrEqual
}
