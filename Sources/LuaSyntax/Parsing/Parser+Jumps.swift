extension Parser {
    func label(named name: String) -> Jump? {
        labels[function.firstLabel...].first { $0.name == name }
    }

    /// A jump to a label that has been read already is in order; any other waits for its label.
    mutating func addGoto(_ name: String, at position: SourcePosition) {
        guard name == Parser.breakLabel || label(named: name) == nil else { return }
        pendingGotos.append(Jump(name: name, position: position, activeCount: function.activeCount))
    }

    /// Sets a label and settles the jumps of the present block that wait for it.
    ///
    /// - Parameter isLast: nothing but labels and semicolons follow in the block, so its locals count as out of scope.
    mutating func createLabel(_ name: String, at position: SourcePosition, isLast: Bool) throws(LuaSyntaxError) {
        guard let block = function.blocks.last else { return }
        let label = Jump(
            name: name, position: position, activeCount: isLast ? block.activeCount : function.activeCount)
        labels.append(label)
        for jump in pendingGotos[block.firstGoto...] where jump.name == name {
            if jump.activeCount < label.activeCount { throw jumpIntoScope(jump) }
        }
        let settled = pendingGotos[block.firstGoto...].filter { $0.name != name }
        pendingGotos.replaceSubrange(block.firstGoto..., with: settled)
    }

    /// Labels in a row are set from the last to the first, so the one that is too many may be either.
    func checkRepeated(_ label: Identifier, at position: SourcePosition) throws(LuaSyntaxError) {
        guard let other = self.label(named: label.name) else { return }
        throw failure(
            "label '\(label.name)' already defined on line \(other.position.line)", at: max(position, other.position))
    }

    private func jumpIntoScope(_ jump: Jump) -> LuaSyntaxError {
        let variable = function.variables[jump.activeCount].name
        return failure(
            "<goto \(jump.name)> at line \(jump.position.line) jumps into the scope of local '\(variable)'",
            at: jump.position)
    }

    func unresolved(_ jump: Jump) -> LuaSyntaxError {
        let line = jump.position.line
        guard jump.name != Parser.breakLabel else {
            return failure("break outside loop at line \(line)", at: jump.position)
        }
        return failure("no visible label '\(jump.name)' for <goto> at line \(line)", at: jump.position)
    }
}
