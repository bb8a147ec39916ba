extension Block {
    /// Whether no path leads past the block: it returns, breaks, jumps away or raises an error on each.
    package var leaves: Bool { statements.contains(where: \.leaves) }

    /// The statement behind which nothing of the block is ever reached; nil where nothing follows one, or where a label does.
    package var lastReached: Statement? {
        guard let place = statements.firstIndex(where: \.leaves) else { return nil }
        let rest = statements[(place + 1)...].filter { $0.kind != .empty }
        guard !rest.isEmpty, !rest.contains(where: \.isLabel) else { return nil }
        return statements[place]
    }
}

extension Statement {
    /// Whether no path leads past the statement. Loops are taken to end, unless their condition is `true` and nothing breaks them.
    package var leaves: Bool {
        switch kind {
        case .return, .break, .goto: true
        case .block(let block): block.leaves
        case .conditional(let branches, let otherwise):
            otherwise?.leaves == true && branches.allSatisfy(\.block.leaves)
        case .whileLoop(let condition, let block): condition.kind == .boolean(true) && !block.mayBreak
        case .repeatLoop(let block, _): block.leaves && !block.mayBreak
        case .call(let call): call.raisesError
        default: false
        }
    }

    fileprivate var isLabel: Bool {
        if case .label = kind { true } else { false }
    }
}

extension Block {
    /// Whether a loop of this body may be left by `break` or `goto`.
    fileprivate var mayBreak: Bool {
        statements.contains { statement in
            switch statement.kind {
            case .break, .goto: true
            case .block(let block): block.mayBreak
            case .conditional(let branches, let otherwise):
                otherwise?.mayBreak == true || branches.contains(where: \.block.mayBreak)
            // A `break` in there is the inner loop's own; a `goto` may lead anywhere.
            case .whileLoop(_, let block), .repeatLoop(let block, _), .numericFor(_, _, _, _, let block),
                .genericFor(_, _, let block):
                block.mayJump
            default: false
            }
        }
    }

    private var mayJump: Bool {
        var search = JumpSearch()
        walk(&search)
        return search.isFound
    }
}

private struct JumpSearch: LuaVisitor {
    private(set) var isFound = false

    mutating func enter(_ statement: Statement) {
        if case .goto = statement.kind { isFound = true }
    }
}

extension Expression {
    /// `error(...)`.
    fileprivate var raisesError: Bool {
        guard case .suffixed(let call) = kind, case .call? = call.suffixes.first?.kind,
            case .variable(let callee) = call.base.kind
        else { return false }
        return callee.binding == .global && callee.name == "error"
    }
}
