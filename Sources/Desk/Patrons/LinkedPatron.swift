package import Circulation

/// A patron to whom another is linked.
package struct LinkedPatron: Hashable, Sendable {
    /// What they are to the other.
    package enum Relation: String, Hashable, Sendable, CaseIterable {
        case guardian
        /// The other answers for them.
        case dependent
        case household
    }

    package var patron: Patron
    package var relation: Relation
    /// Since when; of a household since when both are in it.
    package var since: Instant
}
