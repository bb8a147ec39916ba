package import TextFormats

/// A person who borrows.
package struct Patron: Hashable, Sendable {
    /// From the lowest, in the order of what they may do.
    package enum Role: String, Hashable, Sendable, CaseIterable, Comparable {
        case patron, staff, admin

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

        package static func < (one: Role, other: Role) -> Bool { one.rank < other.rank }
    }

    package var id: Int64
    package var username: String
    package var name: String
    package var surname: String
    /// The name that the patron chose to be seen by; nil: see ``publicName``.
    package var displayName: String?
    package var email: String?
    package var phone: String?
    package var category: String
    package var homeBranch: String
    package var language: String?
    package var birthDate: CivilDate?
    /// The last day of the membership; nil: without end.
    package var expiresOn: CivilDate?
    package var role: Role
    package var extra: JSONObject

    package init(
        id: Int64 = 0, username: String, name: String = "", surname: String = "", displayName: String? = nil,
        email: String? = nil, phone: String? = nil, category: String, homeBranch: String,
        language: String? = nil, birthDate: CivilDate? = nil, expiresOn: CivilDate? = nil, role: Role = .patron,
        extra: JSONObject = [:]
    ) {
        self.id = id
        self.username = username
        self.name = name
        self.surname = surname
        self.displayName = displayName
        self.email = email
        self.phone = phone
        self.category = category
        self.homeBranch = homeBranch
        self.language = language
        self.birthDate = birthDate
        self.expiresOn = expiresOn
        self.role = role
        self.extra = extra
    }
}

extension Patron {
    /// Name and surname; the username where there are none.
    package var fullName: String {
        let parts = [name, surname].filter { !$0.isEmpty }
        return parts.isEmpty ? username : parts.joined(separator: " ")
    }
}

/// A block on a patron; a suspension is a block of the kind `suspension`.
package struct PatronBlock: Hashable, Sendable {
    package static let suspensionKind = "suspension"

    package var id: Int64
    package var patron: Int64
    package var kind: String
    package var reason: String
    package var actions: Set<BlockFacts.Action>
    package var createdAt: Instant
    /// The last day; nil: until it is lifted.
    package var ends: CivilDate?
    package var liftedAt: Instant?

    package init(
        id: Int64 = 0, patron: Int64, kind: String, reason: String = "",
        actions: Set<BlockFacts.Action> = Set(BlockFacts.Action.allCases), createdAt: Instant, ends: CivilDate? = nil,
        liftedAt: Instant? = nil
    ) {
        self.id = id
        self.patron = patron
        self.kind = kind
        self.reason = reason
        self.actions = actions
        self.createdAt = createdAt
        self.ends = ends
        self.liftedAt = liftedAt
    }
}
