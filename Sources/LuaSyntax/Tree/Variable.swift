/// A name used as a variable, with what it stands for there.
package struct Variable: Hashable, Sendable {
    /// Where a variable lives, seen from the place of its use.
    package enum Binding: Hashable, Sendable {
        /// A local variable of the same function: its ``LocalDeclaration/id``.
        case local(Int)
        /// A local variable of an enclosing function or of the chunk.
        case upvalue(Int)
        case global
    }

    package let identifier: Identifier
    package let binding: Binding

    package var name: String { identifier.name }
    package var range: SourceRange { identifier.range }

    /// The declaration, unless the variable is a global.
    package var declaration: Int? {
        switch binding {
        case .local(let id), .upvalue(let id): id
        case .global: nil
        }
    }
}
