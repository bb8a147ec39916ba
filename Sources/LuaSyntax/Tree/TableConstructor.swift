/// A table constructor: `{ ... }`.
package struct TableConstructor: Hashable, Sendable {
    /// What a table entry is stored under.
    package enum Key: Hashable, Sendable {
        /// The one-based place among the entries without a key.
        case position(Int)
        case name(Identifier)
        case expression(Expression)
    }

    package struct Entry: Hashable, Sendable {
        package let key: Key
        package let value: Expression
        /// From the key, or from the value of an entry without a key, to the end of the value.
        package let range: SourceRange

        /// The key, where it is a name or a string literal in brackets.
        package var name: Identifier? {
            switch key {
            case .position: nil
            case .name(let identifier): identifier
            case .expression(let key): key.stringLiteral.map { Identifier(name: $0, range: key.range) }
            }
        }
    }

    package let entries: [Entry]
    package let range: SourceRange
}
