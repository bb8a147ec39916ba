/// Sees every statement, expression and function of a chunk, in reading order.
///
/// Each has an empty default. `enter` is called before the parts of a node, `leave` after them.
package protocol LuaVisitor {
    mutating func enter(_ statement: Statement)
    mutating func leave(_ statement: Statement)
    mutating func enter(_ expression: Expression)
    mutating func leave(_ expression: Expression)
    mutating func enter(_ function: FunctionBody)
    mutating func leave(_ function: FunctionBody)
}

extension LuaVisitor {
    package mutating func enter(_ statement: Statement) {}
    package mutating func leave(_ statement: Statement) {}
    package mutating func enter(_ expression: Expression) {}
    package mutating func leave(_ expression: Expression) {}
    package mutating func enter(_ function: FunctionBody) {}
    package mutating func leave(_ function: FunctionBody) {}
}

extension Chunk {
    /// Shows `visitor` the whole chunk. The stack needed is bounded by the parser's limit of nesting.
    package func walk(_ visitor: inout some LuaVisitor) {
        block.walk(&visitor)
    }
}

extension Block {
    package func walk(_ visitor: inout some LuaVisitor) {
        for statement in statements { statement.walk(&visitor) }
    }
}

extension FunctionBody {
    package func walk(_ visitor: inout some LuaVisitor) {
        visitor.enter(self)
        block.walk(&visitor)
        visitor.leave(self)
    }
}

extension Statement {
    package func walk(_ visitor: inout some LuaVisitor) {
        visitor.enter(self)
        switch kind {
        case .empty, .label, .goto, .break: break
        case .local(_, let values), .return(let values): values.walk(&visitor)
        case .localFunction(_, let body): body.walk(&visitor)
        case .function(let target, let body):
            target.walk(&visitor)
            body.walk(&visitor)
        case .assignment(let targets, let values):
            targets.walk(&visitor)
            values.walk(&visitor)
        case .call(let call): call.walk(&visitor)
        case .block(let block): block.walk(&visitor)
        default: walkControl(&visitor)
        }
        visitor.leave(self)
    }

    private func walkControl(_ visitor: inout some LuaVisitor) {
        switch kind {
        case .whileLoop(let condition, let block):
            condition.walk(&visitor)
            block.walk(&visitor)
        case .repeatLoop(let block, let condition):
            block.walk(&visitor)
            condition.walk(&visitor)
        case .numericFor(_, let start, let limit, let step, let block):
            [start, limit].walk(&visitor)
            step?.walk(&visitor)
            block.walk(&visitor)
        case .genericFor(_, let values, let block):
            values.walk(&visitor)
            block.walk(&visitor)
        case .conditional(let branches, let otherwise):
            for branch in branches {
                branch.condition.walk(&visitor)
                branch.block.walk(&visitor)
            }
            otherwise?.walk(&visitor)
        default: break
        }
    }
}

extension [Expression] {
    fileprivate func walk(_ visitor: inout some LuaVisitor) {
        for expression in self { expression.walk(&visitor) }
    }
}

extension Expression {
    package func walk(_ visitor: inout some LuaVisitor) {
        visitor.enter(self)
        switch kind {
        case .nil, .boolean, .integer, .number, .string, .vararg, .variable: break
        case .function(let body): body.walk(&visitor)
        case .table(let table): table.walk(&visitor)
        case .parenthesized(let inner), .unary(_, let inner): inner.walk(&visitor)
        case .suffixed(let expression): expression.walk(&visitor)
        case .binary(let expression):
            expression.first.walk(&visitor)
            for link in expression.links { link.operand.walk(&visitor) }
        }
        visitor.leave(self)
    }
}

extension TableConstructor {
    fileprivate func walk(_ visitor: inout some LuaVisitor) {
        for entry in entries {
            if case .expression(let key) = entry.key { key.walk(&visitor) }
            entry.value.walk(&visitor)
        }
    }
}

extension SuffixedExpression {
    fileprivate func walk(_ visitor: inout some LuaVisitor) {
        base.walk(&visitor)
        for suffix in suffixes {
            switch suffix.kind {
            case .field: break
            case .index(let index): index.walk(&visitor)
            case .call(let arguments), .method(_, let arguments): arguments.walk(&visitor)
            }
        }
    }
}
