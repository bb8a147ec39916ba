extension Parser {
    var function: FunctionScope { functions[functions.count - 1] }

    mutating func updateFunction<Result>(_ change: (inout FunctionScope) -> Result) -> Result {
        change(&functions[functions.count - 1])
    }

    mutating func openFunction(line: Int) {
        var scope = FunctionScope(id: functionCount, line: line)
        functionCount += 1
        scope.firstLabel = labels.count
        functions.append(scope)
        enterBlock(isLoop: false)
    }

    mutating func closeFunction() throws(LuaSyntaxError) {
        try leaveBlock()
        functions.removeLast()
    }

    // MARK: - Blocks

    mutating func enterBlock(isLoop: Bool) {
        let block = FunctionScope.OpenBlock(
            isLoop: isLoop, activeCount: function.activeCount, firstLabel: labels.count, firstGoto: pendingGotos.count)
        updateFunction { $0.blocks.append(block) }
    }

    mutating func leaveBlock() throws(LuaSyntaxError) {
        guard let block = function.blocks.last else { return }
        if block.isLoop { try createLabel(Parser.breakLabel, at: token.start, isLast: false) }
        updateFunction { scope in
            scope.blocks.removeLast()
            scope.deactivate(downTo: block.activeCount)
        }
        labels.removeLast(labels.count - block.firstLabel)
        guard function.blocks.isEmpty else {
            for index in block.firstGoto..<pendingGotos.count { pendingGotos[index].activeCount = block.activeCount }
            return
        }
        if block.firstGoto < pendingGotos.count { throw unresolved(pendingGotos[block.firstGoto]) }
    }

    // MARK: - Local variables

    /// Declares a variable that `activateVariables` brings into scope.
    mutating func declare(
        _ identifier: Identifier, _ origin: LocalDeclaration.Origin
    ) throws(LuaSyntaxError) -> LocalDeclaration {
        try addVariable(named: identifier.name, declaration: declarations.count)
        let declaration = LocalDeclaration(
            id: declarations.count, identifier: identifier, origin: origin, attribute: nil, function: function.id)
        declarations.append(declaration)
        return declaration
    }

    /// Declares one of the variables in which a `for` loop keeps its state.
    mutating func declareLoopState() throws(LuaSyntaxError) {
        try addVariable(named: "(for state)", declaration: nil)
    }

    private mutating func addVariable(named name: String, declaration: Int?) throws(LuaSyntaxError) {
        try checkLimit(function.variables.count + 1, Parser.localLimit, "local variables")
        updateFunction {
            $0.variables.append(FunctionScope.ActiveVariable(name: name, declaration: declaration))
        }
    }

    /// Gives the variable declared last its attribute.
    mutating func setAttribute(
        _ attribute: LocalDeclaration.Attribute, of declaration: LocalDeclaration
    ) -> LocalDeclaration {
        let result = LocalDeclaration(
            id: declaration.id, identifier: declaration.identifier, origin: declaration.origin, attribute: attribute,
            function: declaration.function)
        declarations[declaration.id] = result
        updateFunction { $0.variables[$0.variables.count - 1].isReadOnly = true }
        return result
    }

    mutating func activateVariables(_ count: Int) {
        updateFunction { $0.activate(count) }
    }

    func checkLimit(_ count: Int, _ limit: Int, _ what: String) throws(LuaSyntaxError) {
        guard count > limit else { return }
        let place = function.line == 0 ? "main function" : "function at line \(function.line)"
        throw failure("too many \(what) (limit is \(limit)) in \(place)")
    }

    // MARK: - Names

    /// What a name was found to be; `isReadOnly` for variables that may not be assigned.
    struct Resolution {
        var binding: Variable.Binding
        var isReadOnly = false
        var isConstant = false
        /// Whether it is a variable at all, be it an unseen one such as `_ENV` of the chunk.
        var isFound = true

        static let notFound = Resolution(binding: .global, isFound: false)
    }

    mutating func resolve(_ name: String) throws(LuaSyntaxError) -> Resolution {
        let top = functions.count - 1
        let resolution = try resolve(name, in: top, from: top)
        guard !resolution.isFound else { return resolution }
        // A global is a field of _ENV, which takes an upvalue in each function that names one.
        _ = try resolve("_ENV", in: top, from: top)
        return resolution
    }

    private mutating func resolve(_ name: String, in index: Int, from top: Int) throws(LuaSyntaxError) -> Resolution {
        guard index >= 0 else { return .notFound }
        if let variable = functions[index].activeVariable(named: name) {
            let declaration = variable.declaration ?? 0
            return Resolution(
                binding: index == top ? .local(declaration) : .upvalue(declaration),
                isReadOnly: variable.isReadOnly, isConstant: variable.isConstant)
        }
        if let upvalue = functions[index].upvalue(named: name) { return Parser.resolution(of: upvalue) }
        let outer = try resolve(name, in: index - 1, from: top)
        guard outer.isFound, !outer.isConstant else { return outer }
        let upvalue = FunctionScope.Upvalue(
            name: name, declaration: Parser.declaration(of: outer), isReadOnly: outer.isReadOnly)
        try checkUpvalueLimit(in: index)
        functions[index].upvalues.append(upvalue)
        return Parser.resolution(of: upvalue)
    }

    private static func resolution(of upvalue: FunctionScope.Upvalue) -> Resolution {
        Resolution(
            binding: upvalue.declaration.map { .upvalue($0) } ?? .global, isReadOnly: upvalue.isReadOnly)
    }

    private static func declaration(of resolution: Resolution) -> Int? {
        switch resolution.binding {
        case .local(let id), .upvalue(let id): id
        case .global: nil
        }
    }

    private func checkUpvalueLimit(in index: Int) throws(LuaSyntaxError) {
        let scope = functions[index]
        guard scope.upvalues.count + 1 > Parser.upvalueLimit else { return }
        let place = scope.line == 0 ? "main function" : "function at line \(scope.line)"
        throw failure("too many upvalues (limit is \(Parser.upvalueLimit)) in \(place)")
    }
}
