extension TokenKind {
    var unaryOperator: UnaryOperator? {
        switch self {
        case .not: .not
        case .minus: .minus
        case .tilde: .bitwiseNot
        case .hash: .length
        default: nil
        }
    }

    var binaryOperator: BinaryOperator? {
        switch self {
        case .plus: .add
        case .minus: .subtract
        case .star: .multiply
        case .percent: .modulo
        case .caret: .power
        case .slash: .divide
        case .doubleSlash: .floorDivide
        case .ampersand: .bitwiseAnd
        case .bar: .bitwiseOr
        case .tilde: .bitwiseXor
        case .shiftLeft: .shiftLeft
        case .shiftRight: .shiftRight
        case .concatenate: .concatenate
        case .notEqual: .notEqual
        case .equal: .equal
        case .less: .less
        case .lessOrEqual: .lessOrEqual
        case .greater: .greater
        case .greaterOrEqual: .greaterOrEqual
        case .and: .and
        case .or: .or
        default: nil
        }
    }
}
