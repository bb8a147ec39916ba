/// The registers Lua's code generator would use (`lcode.c` of 5.4.4), for the sake of its limit alone.
///
/// Each parsing function leaves `freeRegister` behind the registers that its result holds; the functions here say what
/// putting that result to use takes. Only whether a value is a constant, has a register of its own, or needs one
/// matters. Not followed: arithmetic on numerals, which Lua computes when it compiles, and functions with more than 255
/// constants, where a name may take a register of its own; near the limit the verdict may then be off by a register.
extension Parser {
    var freeRegister: Int {
        get { functions[functions.count - 1].freeRegister }
        set { functions[functions.count - 1].freeRegister = newValue }
    }

    func checkRegisters(_ count: Int) throws(LuaSyntaxError) {
        guard freeRegister + count >= Parser.registerLimit else { return }
        throw failure("function or expression needs too many registers")
    }

    mutating func reserveRegisters(_ count: Int) throws(LuaSyntaxError) {
        try checkRegisters(count)
        freeRegister += count
    }

    /// Puts a value into the register at `start`, where its parsing began.
    mutating func placeInNextRegister(from start: Int) throws(LuaSyntaxError) {
        freeRegister = start
        try reserveRegisters(1)
    }

    /// Puts a value into a register, unless it is a local variable, which has one.
    mutating func placeInAnyRegister(_ expression: Expression, from start: Int) throws(LuaSyntaxError) {
        if hasRegister(expression) { freeRegister = start } else { try placeInNextRegister(from: start) }
    }

    /// Puts the last value of a list, whose parsing began at `start`, behind the others.
    ///
    /// A call leaves its first result in the register it has; `...` takes one, for as many as there are.
    mutating func placeLast(_ expression: Expression, from start: Int) throws(LuaSyntaxError) {
        if !expression.isCall { try placeInNextRegister(from: start) }
    }

    /// Makes the values of a list as many as the variables they go to.
    mutating func adjust(_ values: [Expression], to count: Int, lastStart: Int) throws(LuaSyntaxError) {
        let missing = count - values.count
        if let last = values.last { try placeLast(last, from: lastStart) }
        if missing > 0 { try reserveRegisters(missing) } else { freeRegister += missing }
    }

    // MARK: - Suffixes

    /// Puts a table into a register, so that a field of it can be read; `base` is nil for the result of a suffix.
    ///
    /// A variable is read in place: from its register, as an upvalue, or as a field of the environment.
    mutating func placeTable(_ base: Expression?, from start: Int) throws(LuaSyntaxError) {
        if case .variable(let variable) = base?.withoutParentheses.kind, variable.declaration != nil { return }
        try placeInNextRegister(from: start)
    }

    /// Puts the receiver of a method call and the method into two registers.
    mutating func placeReceiver(_ base: Expression?, from start: Int) throws(LuaSyntaxError) {
        if let base { try placeInAnyRegister(base, from: start) } else { try placeInNextRegister(from: start) }
        freeRegister = start
        try reserveRegisters(2)
    }

    // MARK: - Binary operators

    /// Makes ready the left operand of an operator.
    mutating func prepareLeft(
        _ operation: BinaryOperator, _ first: Expression, _ links: [BinaryExpression.Link], from start: Int
    ) throws(LuaSyntaxError) {
        guard links.isEmpty else { return try prepareResult(operation, of: links, from: start) }
        switch operation {
        case .and, .or:
            if !isConstant(first) { try placeInAnyRegister(first, from: start) }
            freeRegister = start
        case .concatenate: try placeInNextRegister(from: start)
        default:
            if isNumeral(first) || (operation.takesConstants && isConstant(first)) {
                freeRegister = start
            } else {
                try placeInAnyRegister(first, from: start)
            }
        }
    }

    /// Makes ready what the operators before give, which has no register of its own.
    private mutating func prepareResult(
        _ operation: BinaryOperator, of links: [BinaryExpression.Link], from start: Int
    ) throws(LuaSyntaxError) {
        try placeInNextRegister(from: start)
        if operation == .and || operation == .or { freeRegister = start }
    }

    /// Joins the right operand, whose parsing began at `rightStart`, to the left one, which began at `start`.
    mutating func join(
        _ operation: BinaryOperator, _ right: Expression, rightStart: Int, start: Int
    ) throws(LuaSyntaxError) {
        switch operation {
        case .and, .or: return
        case .concatenate:
            try placeInNextRegister(from: rightStart)
            freeRegister = start + 1
        default:
            let isPlain = isNumeral(right) || (operation.takesConstants && isConstant(right))
            if !isPlain { try placeInAnyRegister(right, from: rightStart) }
            freeRegister = start
        }
    }

    // MARK: - Kinds of values

    /// Whether it is a local variable of the present function that is kept in a register.
    func hasRegister(_ expression: Expression) -> Bool {
        guard case .variable(let variable) = expression.withoutParentheses.kind,
            case .local(let id) = variable.binding
        else { return false }
        return !constantDeclarations.contains(id)
    }

    /// Whether Lua knows the value when it compiles.
    func isConstant(_ expression: Expression) -> Bool {
        switch expression.withoutParentheses.kind {
        case .nil, .boolean, .string: true
        case .variable(let variable): variable.declaration.map(constantDeclarations.contains) ?? false
        default: isNumeral(expression)
        }
    }

    /// Whether it is a number that Lua knows when it compiles.
    private func isNumeral(_ expression: Expression) -> Bool {
        switch expression.withoutParentheses.kind {
        case .integer, .number: true
        case .unary(.minus, let operand): isNumeral(operand)
        default: false
        }
    }
}

extension BinaryOperator {
    /// Whether the operator has an instruction for constants other than numbers.
    fileprivate var takesConstants: Bool { self == .equal || self == .notEqual }
}
