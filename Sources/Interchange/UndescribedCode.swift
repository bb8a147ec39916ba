/// A code that a file uses without describing it, declared under its own name.
package struct UndescribedCode: Hashable, Sendable {
    /// What a code stands for.
    package enum Kind: String, Hashable, Sendable {
        case branch, category
        case itemType = "item_type"
    }

    package var kind: Kind
    package var code: String

    package init(_ kind: Kind, _ code: String) {
        self.kind = kind
        self.code = code
    }
}
