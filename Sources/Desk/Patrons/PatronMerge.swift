package import Circulation

/// Two records of one person that became one.
package struct PatronMerge: Hashable, Sendable {
    /// The record that goes.
    package var from: Int64
    /// The record that stays.
    package var into: Int64
    package var reason: String?
}

/// What became of two records of one person.
package struct MergedPatron: Hashable, Sendable {
    /// The record that stays.
    package var patron: Patron
    /// How much it was given of the one that went, of each kind of thing that goes over.
    package var moved: [PatronBelonging: Int64] = [:]
    /// Holds that ended, since both waited for the same.
    package var cancelled: [Hold] = []
    /// What the person owes now.
    package var owed: Money
    /// Limits of the policy in force that the loans and holds of both go beyond.
    package var exceeded: [Refusal.Reason] = []

    /// How much of a kind went over.
    package subscript(belonging: PatronBelonging) -> Int64 { moved[belonging] ?? 0 }
}
