/// A Lua expression.
///
/// What repeats without bound in a source, such as `a.b.c` or `1 + 1 + 1`, is a list and not a nesting, so that the
/// depth of a tree is bounded by the nesting the parser allows, and no walk over it can exhaust the stack.
package struct Expression: Hashable, Sendable {
    package indirect enum Kind: Hashable, Sendable {
        case `nil`
        case boolean(Bool)
        case integer(Int64)
        case number(Double)
        /// The bytes of a string literal; any bytes, for Lua's strings need not be UTF-8.
        case string([UInt8])
        case vararg
        case variable(Variable)
        case function(FunctionBody)
        case table(TableConstructor)
        case parenthesized(Expression)
        case suffixed(SuffixedExpression)
        case unary(UnaryOperator, Expression)
        case binary(BinaryExpression)
    }

    package let kind: Kind
    package let range: SourceRange

    package init(kind: Kind, range: SourceRange) {
        (self.kind, self.range) = (kind, range)
    }
}

/// A variable or an expression in parentheses, followed by fields, indices and calls: `a.b[c]:d(e)`.
package struct SuffixedExpression: Hashable, Sendable {
    package let base: Expression
    /// At least one, from left to right.
    package let suffixes: [Suffix]

    package init(base: Expression, suffixes: [Suffix]) {
        (self.base, self.suffixes) = (base, suffixes)
    }
}

/// One step of a ``SuffixedExpression``.
package struct Suffix: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case field(Identifier)
        case index(Expression)
        case call([Expression])
        case method(Identifier, arguments: [Expression])
    }

    package let kind: Kind
    package let range: SourceRange
}

/// Operands joined by operators, evaluated strictly from left to right: `((first op operand) op operand) ...`.
///
/// Operators that bind more strongly, or to the right, are nested inside the operands.
package struct BinaryExpression: Hashable, Sendable {
    package struct Link: Hashable, Sendable {
        package let operation: BinaryOperator
        package let operationRange: SourceRange
        package let operand: Expression
    }

    package let first: Expression
    package let links: [Link]
}

extension Expression {
    /// The text of a string literal that is valid UTF-8.
    package var stringLiteral: String? {
        guard case .string(let bytes) = kind else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Whether the expression calls something last, and so can stand as a statement.
    package var isCall: Bool {
        guard case .suffixed(let expression) = kind else { return false }
        switch expression.suffixes.last?.kind {
        case .call, .method: return true
        default: return false
        }
    }

    /// The expression inside of any parentheses around it.
    package var withoutParentheses: Expression {
        var inner = self
        while case .parenthesized(let next) = inner.kind { inner = next }
        return inner
    }
}
