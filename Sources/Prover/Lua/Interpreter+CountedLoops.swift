import LuaSyntax

/// `local i = 1; while i <= #list do … i = i + 1 end`, which goes through a list of the case as `for i = 1, #list do … end` does.
extension Interpreter {
    /// Carries a statement of a block out as a loop over a list; nil where it is none.
    func countedLoop(_ block: Block, at index: Int, _ scope: Scope) throws -> Flow? {
        guard let loop = CountedLoop(block, at: index),
            case .integer(.constant(1))? = scope.boxes[loop.place.id]?.value, let list = try list(of: loop, scope)
        else { return nil }
        let site = scope.site(block.statements[index].range)
        try count(site)
        note(site)
        note(scope.site(loop.step))
        let isAny = try Number.constant(1) <= list.length()
        if loop.isOnceAtLeast, try !path.holds(isAny) { return try execute(loop.body, scope).afterLoop }
        // The loop's own variable is another in each round, as nothing but the loop sees it.
        let flow = try each(of: list, [loop.place], loop.body, scope, site)
        if case .next = flow, try self.list(of: loop, scope) !== list {
            throw site.unsettled("a loop that changes the list that it goes through")
        }
        return flow
    }

    /// The list of the case that a loop goes through, which no round can change but by a variable; nil where it is none.
    private func list(of loop: CountedLoop, _ scope: Scope) throws -> List? {
        switch scope.boxes[loop.root]?.value {
        case .record, .list, .integer: break
        default: return nil
        }
        let value = try evaluate(loop.list, scope)
        if case .list(let list) = value { return list }
        guard case .integer(let length) = value else { return nil }
        return measured[length]
    }
}

extension Interpreter.Flow {
    /// What follows a loop whose last round came to this.
    fileprivate var afterLoop: Self {
        if case .answer = self { self } else { .next }
    }
}

/// A loop that counts places from one to the end of a list, of which nothing else sees how far it came.
private struct CountedLoop {
    let place: LocalDeclaration
    /// The list, or its length.
    let list: Expression
    /// The variable that the list is found by.
    let root: Int
    /// What is done with each element.
    let body: Block
    /// Where the place is moved on.
    let step: SourceRange
    /// Whether it is a `repeat`.
    let isOnceAtLeast: Bool

    init?(_ block: Block, at index: Int) {
        let (condition, inner): (Expression, Block)
        switch block.statements[index].kind {
        case .whileLoop(let asked, let body): (condition, inner, isOnceAtLeast) = (asked, body, false)
        case .repeatLoop(let body, let asked): (condition, inner, isOnceAtLeast) = (asked, body, true)
        default: return nil
        }
        guard let (id, list) = Self.end(condition, isLast: isOnceAtLeast), let root = list.root,
            let place = block.statements[..<index].lazy.compactMap({ $0.declared(id) }).first,
            let step = inner.statements.lastIndex(where: { $0.isStep(of: id) })
        else { return nil }
        let before = VariableUses(of: block.statements[..<index])
        // Nothing asks for the place after it was moved on, and nothing else moves it.
        let after = VariableUses(of: block.statements[(index + 1)...] + inner.statements[(step + 1)...])
        var statements = inner.statements
        statements.remove(at: step)
        body = Block(statements: statements, range: inner.range)
        var changes = ChangeFinder()
        body.walk(&changes)
        let uses = VariableUses(of: statements[...])
        guard !before.captured.contains(id), !after.declarations.contains(id), !uses.captured.contains(id),
            !uses.jumps, changes.assigned.isDisjoint(with: [id, root])
        else { return nil }
        (self.place, self.list, self.root, self.step) = (place, list, root, inner.statements[step].range)
    }

    /// The variable that counts, and the list that ends it, or its length; nil for another condition.
    ///
    /// - Parameter isLast: whether the condition ends the loop instead of going on.
    private static func end(_ condition: Expression, isLast: Bool) -> (id: Int, list: Expression)? {
        let condition = condition.withoutParentheses
        if !isLast, let element = condition.element { return element }
        if isLast, case .unary(.not, let inner) = condition.kind { return inner.withoutParentheses.element }
        guard case .binary(let binary) = condition.kind, binary.links.count == 1 else { return nil }
        let (left, right) = (binary.first.withoutParentheses, binary.links[0].operand.withoutParentheses)
        switch (binary.links[0].operation, isLast) {
        case (.lessOrEqual, false), (.greater, true): return left.declaration.map { ($0, right) }
        case (.greaterOrEqual, false), (.less, true): return right.declaration.map { ($0, left) }
        case (.notEqual, false), (.equal, true):
            if case .nil = right.kind { return left.element }
            return nil
        default: return nil
        }
    }
}

extension Statement {
    /// The declaration of a local variable, where the statement has it.
    fileprivate func declared(_ id: Int) -> LocalDeclaration? {
        if case .local(let names, _) = kind { names.first { $0.id == id } } else { nil }
    }

    /// Whether it is `i = i + 1`.
    fileprivate func isStep(of id: Int) -> Bool {
        guard case .assignment(let targets, let values) = kind, targets.count == 1, values.count == 1,
            targets[0].declaration == id, case .binary(let sum) = values[0].withoutParentheses.kind,
            sum.links.count == 1, sum.links[0].operation == .add
        else { return false }
        let sides = [sum.first.withoutParentheses, sum.links[0].operand.withoutParentheses]
        return sides.contains { $0.declaration == id } && sides.contains { $0.kind == .integer(1) }
    }
}

extension Expression {
    /// `list[i]`: the variable that is the place, and the list.
    fileprivate var element: (id: Int, list: Expression)? {
        guard case .suffixed(let suffixed) = kind, let last = suffixed.suffixes.last,
            case .index(let index) = last.kind, let id = index.withoutParentheses.declaration
        else { return nil }
        let before = suffixed.suffixes.dropLast()
        if before.isEmpty { return (id, suffixed.base.withoutParentheses) }
        let list = SuffixedExpression(base: suffixed.base, suffixes: Array(before))
        return (id, Expression(kind: .suffixed(list), range: range))
    }

    /// The variable at the beginning of `a.b.c` or of its length.
    fileprivate var root: Int? {
        switch withoutParentheses.kind {
        case .variable(let variable): return variable.declaration
        case .unary(.length, let inner): return inner.root
        case .suffixed(let suffixed):
            let areFields = suffixed.suffixes.allSatisfy { if case .field = $0.kind { true } else { false } }
            return areFields ? suffixed.base.root : nil
        default: return nil
        }
    }
}
