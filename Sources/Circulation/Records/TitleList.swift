/// Titles that a patron put together under a name.
package struct TitleList: Hashable, Sendable {
    /// How many lists a patron may have, and how many titles one may hold.
    package static let most = (lists: Int64(100), titles: Int64(1_000))
    /// The longest name, in letters, digits and signs.
    package static let longestName = 80

    package var id: Int64
    package var patron: Int64
    package var name: String
    /// Whether everyone may see it.
    package var isPublic: Bool
    /// What is in the link by which a list is shared that is not public; nil: it is not shared so.
    package var linkKey: String?
    package var createdAt: Instant
    /// When staff took it down; nil: they did not. A list that is down is private.
    package var takenDownAt: Instant?
    /// Why staff took it down.
    package var decision: String?

    package init(
        id: Int64 = 0, patron: Int64, name: String, isPublic: Bool = false, linkKey: String? = nil,
        createdAt: Instant, takenDownAt: Instant? = nil, decision: String? = nil
    ) {
        self.id = id
        self.patron = patron
        self.name = name
        self.isPublic = isPublic
        self.linkKey = linkKey
        self.createdAt = createdAt
        self.takenDownAt = takenDownAt
        self.decision = decision
    }
}

extension TitleList {
    /// Who may see a list.
    package enum Visibility: String, CaseIterable, Hashable, Sendable {
        /// Its owner.
        case `private`
        /// Who has the link, which cannot be guessed.
        case link
        /// Everyone.
        case `public`
    }

    package var visibility: Visibility { isPublic ? .public : linkKey == nil ? .private : .link }

    /// Of how many hexadecimal digits a key is: 128 bits.
    package static let lengthOfKey = 32
}

/// A title of a list. The order of a list is that in which titles were added.
package struct ListedTitle: Hashable, Sendable {
    package var id: Int64
    package var list: Int64
    package var title: Int64
    package var addedAt: Instant

    package init(id: Int64 = 0, list: Int64, title: Int64, addedAt: Instant) {
        self.id = id
        self.list = list
        self.title = title
        self.addedAt = addedAt
    }
}
