/// A Lua statement.
package struct Statement: Hashable, Sendable {
    package indirect enum Kind: Hashable, Sendable {
        /// A lone semicolon.
        case empty
        case local([LocalDeclaration], values: [Expression])
        case localFunction(LocalDeclaration, FunctionBody)
        /// `function a.b:c() end`; the target is the variable or field it assigns.
        case function(target: Expression, FunctionBody)
        case assignment(targets: [Expression], values: [Expression])
        case call(Expression)
        case block(Block)
        case whileLoop(condition: Expression, Block)
        /// The condition sees the locals of the block.
        case repeatLoop(Block, condition: Expression)
        case numericFor(LocalDeclaration, from: Expression, to: Expression, step: Expression?, Block)
        case genericFor([LocalDeclaration], values: [Expression], Block)
        /// The branches of `if` and `elseif`, in order.
        case conditional([Branch], otherwise: Block?)
        case label(Identifier)
        case goto(Identifier)
        case `break`
        case `return`([Expression])
    }

    /// A condition of an `if` or `elseif` with its block.
    package struct Branch: Hashable, Sendable {
        package let condition: Expression
        package let block: Block

        package init(condition: Expression, block: Block) {
            (self.condition, self.block) = (condition, block)
        }
    }

    package let kind: Kind
    package let range: SourceRange

    package init(kind: Kind, range: SourceRange) {
        (self.kind, self.range) = (kind, range)
    }
}

/// Statements with a scope of their own.
package struct Block: Hashable, Sendable {
    package let statements: [Statement]
    /// From the first token of the block to the token that ends it; that token does not belong to it.
    package let range: SourceRange

    package init(statements: [Statement], range: SourceRange) {
        (self.statements, self.range) = (statements, range)
    }
}
