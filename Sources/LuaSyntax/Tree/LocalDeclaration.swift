/// A local variable, at the place that declares it.
package struct LocalDeclaration: Hashable, Sendable, Identifiable {
    /// What brought the variable into being.
    package enum Origin: Hashable, Sendable {
        case local
        case localFunction
        case parameter
        /// The `self` that a method definition with a colon declares unseen.
        case implicitSelf
        case loop
    }

    /// The attribute behind the name, if any.
    package enum Attribute: String, Hashable, Sendable {
        case const
        case close
    }

    /// Its index in ``Chunk/declarations``.
    package let id: Int
    package let identifier: Identifier
    package let origin: Origin
    package let attribute: Attribute?

    /// The ``FunctionBody/id`` of the function it belongs to; zero for the chunk itself.
    package let function: Int

    package var name: String { identifier.name }
    package var range: SourceRange { identifier.range }
}
