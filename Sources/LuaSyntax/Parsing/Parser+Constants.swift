extension Parser {
    /// Whether Lua knows the value when it compiles, so that a variable declared with it takes no upvalue.
    func isConstant(_ expression: Expression) -> Bool {
        switch expression.withoutParentheses.kind {
        case .nil, .boolean, .string: true
        case .variable(let variable): variable.declaration.map(constantDeclarations.contains) ?? false
        default: isNumeral(expression)
        }
    }

    private func isNumeral(_ expression: Expression) -> Bool {
        switch expression.withoutParentheses.kind {
        case .integer, .number: true
        case .unary(.minus, let operand): isNumeral(operand)
        default: false
        }
    }
}
