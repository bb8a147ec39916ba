/// A code that a file uses without describing it.
package struct UndescribedCode: Hashable, Sendable {
    /// What a code stands for.
    package enum Kind: String, Hashable, Sendable {
        case branch, category
        case itemType = "item_type"
        case location
    }

    package var kind: Kind
    package var code: String

    package init(_ kind: Kind, _ code: String) {
        self.kind = kind
        self.code = code
    }

    /// Whether it was declared under its own name. Locations need no names: one without stays as it is.
    package var isDeclared: Bool { kind != .location }
}
