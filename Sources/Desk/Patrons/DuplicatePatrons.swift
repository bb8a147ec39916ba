package import Circulation

/// Two records that are likely one person.
package struct DuplicatePatrons: Hashable, Sendable {
    /// The one that was registered later.
    package let patron: Patron
    package let other: Patron
    package let why: LikelyDuplicate
}

/// A part of those who are likely registered twice.
package struct DuplicatesPart: Hashable, Sendable {
    package var found: [DuplicatePatrons] = []
    /// How many patrons were looked at.
    package var lookedAt = 0
    /// Where the next part begins; nil: all were looked at.
    package var next: DuplicatePlace?

    package init() {}
}

/// How far patrons were looked through: by birthdays first, then by addresses.
package struct DuplicatePlace: Hashable, Sendable {
    /// What the patrons at a place have in common.
    enum Group: Hashable {
        /// In days since 1970.
        case born(Int64)
        case addressed(String)
    }

    let group: Group
    let id: Int64

    init(_ group: Group, _ id: Int64) {
        (self.group, self.id) = (group, id)
    }

    /// Before all birthdays, and all addresses.
    static let first = DuplicatePlace(.born(Int64(Int32.min)), 0)
    static let firstAddress = DuplicatePlace(.addressed(""), 0)

    /// - Parameter text: what ``description`` gave; nil for any other.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let id = Int64(parts[1]), id >= 0 else { return nil }
        switch parts[0] {
        case "born":
            guard let day = Int32(parts[2]) else { return nil }
            self.init(.born(Int64(day)), id)
        case "email": self.init(.addressed(parts[2]), id)
        default: return nil
        }
    }
}

extension DuplicatePlace: CustomStringConvertible {
    package var description: String {
        switch group {
        case .born(let day): "born:\(id):\(day)"
        case .addressed(let email): "email:\(id):\(email)"
        }
    }
}
