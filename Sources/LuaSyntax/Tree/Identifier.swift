/// A name as written: of a field, a method, a label, or a variable where it is declared.
package struct Identifier: Hashable, Sendable {
    package let name: String
    package let range: SourceRange
}
