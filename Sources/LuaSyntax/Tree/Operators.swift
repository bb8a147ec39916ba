/// Lua's unary operators; the raw value is the spelling.
package enum UnaryOperator: String, Hashable, Sendable {
    case not
    case minus = "-"
    case length = "#"
    case bitwiseNot = "~"
}

/// Lua's binary operators; the raw value is the spelling.
package enum BinaryOperator: String, Hashable, Sendable, CaseIterable {
    case or
    case and
    case less = "<"
    case greater = ">"
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case notEqual = "~="
    case equal = "=="
    case bitwiseOr = "|"
    case bitwiseXor = "~"
    case bitwiseAnd = "&"
    case shiftLeft = "<<"
    case shiftRight = ">>"
    case concatenate = ".."
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case floorDivide = "//"
    case modulo = "%"
    case power = "^"

    /// How strongly the operator binds what stands to its left and to its right; larger is stronger.
    ///
    /// Where the left is the stronger the operator associates to the right (Lua 5.4 manual, 3.4.8).
    var precedence: (left: Int, right: Int) {
        switch self {
        case .or: (1, 1)
        case .and: (2, 2)
        case .less, .greater, .lessOrEqual, .greaterOrEqual, .notEqual, .equal: (3, 3)
        case .bitwiseOr: (4, 4)
        case .bitwiseXor: (5, 5)
        case .bitwiseAnd: (6, 6)
        case .shiftLeft, .shiftRight: (7, 7)
        case .concatenate: (9, 8)
        case .add, .subtract: (10, 10)
        case .multiply, .divide, .floorDivide, .modulo: (11, 11)
        case .power: (14, 13)
        }
    }

    static let unaryPrecedence = 12
}
