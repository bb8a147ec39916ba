/// What the parser knows of a function whose end it has not reached, as Lua's `FuncState` does.
struct FunctionScope {
    /// A local variable, from its declaration to the end of its block.
    struct ActiveVariable {
        var name: String
        /// Nil for the unnamed variables of a `for` loop.
        var declaration: Int?
        var isReadOnly = false
        /// Its value is known at compile time, so that it takes no upvalue.
        var isConstant = false
    }

    struct Upvalue {
        var name: String
        var declaration: Int?
        var isReadOnly: Bool
    }

    /// A block that is open; the numbers are those at its beginning.
    struct OpenBlock {
        var isLoop: Bool
        var activeCount: Int
        var firstLabel: Int
        var firstGoto: Int
    }

    let id: Int
    /// The line of the word `function`; zero for the chunk.
    let line: Int
    var isVararg = false
    var variables: [ActiveVariable] = []
    /// How many of `variables` are in scope; those behind are declared but not yet visible.
    private(set) var activeCount = 0
    var upvalues: [Upvalue] = []
    var blocks: [OpenBlock] = []
    var firstLabel = 0

    func activeVariable(named name: String) -> ActiveVariable? {
        variables[..<activeCount].last { $0.name == name }
    }

    func upvalue(named name: String) -> Upvalue? {
        upvalues.first { $0.name == name }
    }

    /// Brings the next `count` declared variables into scope.
    mutating func activate(_ count: Int) {
        activeCount += count
    }

    /// Takes all variables but the first `count` out of scope.
    mutating func deactivate(downTo count: Int) {
        variables.removeLast(activeCount - count)
        activeCount = count
    }
}

/// A label, or a jump whose label has not been found.
struct Jump {
    var name: String
    var position: SourcePosition
    /// How many local variables of the function are in scope there.
    var activeCount: Int
}
