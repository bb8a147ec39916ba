/// A whole Lua source, parsed.
package struct Chunk: Sendable {
    /// The name it was given, such as a file's path.
    package let name: String
    package let source: SourceText
    package let block: Block
    /// Every local variable of the chunk and of its functions; each is found at its ``LocalDeclaration/id``.
    package let declarations: [LocalDeclaration]

    /// The expressions of the chunk's own last `return`, if it has one.
    package var returned: [Expression]? {
        guard case .return(let values) = block.statements.last?.kind else { return nil }
        return values
    }
}
