/// A function: its parameters and its block.
package final class FunctionBody: Sendable {
    /// One for the first function of the chunk, in the order in which they begin.
    package let id: Int
    /// With the unseen `self` of a method first.
    package let parameters: [LocalDeclaration]
    package let isVararg: Bool
    package let block: Block
    /// From the parameter list to `end`.
    package let range: SourceRange
    /// Where the word `function` stands.
    package let start: SourcePosition

    init(
        id: Int, parameters: [LocalDeclaration], isVararg: Bool, block: Block, range: SourceRange, start: SourcePosition
    ) {
        self.id = id
        self.parameters = parameters
        self.isVararg = isVararg
        self.block = block
        self.range = range
        self.start = start
    }

    /// From the word `function` to `end`.
    package var fullRange: SourceRange { SourceRange(start: start, end: range.end) }
}

extension FunctionBody: Hashable {
    package static func == (left: FunctionBody, right: FunctionBody) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
