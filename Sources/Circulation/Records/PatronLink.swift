/// What joins a patron to another.
package struct PatronLink: Hashable, Sendable {
    /// What the other is to the patron.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The other answers for the patron.
        case guardian
        /// Both live in one household. Every member but one has such a link, to that one.
        case household
    }

    package var id: Int64
    package var patron: Int64
    package var other: Int64
    package var kind: Kind
    package var addedAt: Instant

    package init(id: Int64 = 0, patron: Int64, other: Int64, kind: Kind, addedAt: Instant) {
        self.id = id
        self.patron = patron
        self.other = other
        self.kind = kind
        self.addedAt = addedAt
    }

    /// How many guardians a patron may have.
    package static let mostGuardians = 10
    /// For how many patrons one may answer.
    package static let mostDependents = 100
    /// How many patrons a household may have.
    package static let mostInHousehold = 50
}
