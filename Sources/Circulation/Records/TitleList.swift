/// Titles that a patron put together under a name.
package struct TitleList: Hashable, Sendable {
    /// How many lists a patron may have, and how many titles one may hold.
    package static let most = (lists: Int64(100), titles: Int64(1_000))
    /// The longest name, in letters, digits and signs.
    package static let longestName = 80

    package var id: Int64
    package var patron: Int64
    package var name: String
    /// Whether everyone may see it who has its address.
    package var isPublic: Bool
    package var createdAt: Instant

    package init(id: Int64 = 0, patron: Int64, name: String, isPublic: Bool = false, createdAt: Instant) {
        self.id = id
        self.patron = patron
        self.name = name
        self.isPublic = isPublic
        self.createdAt = createdAt
    }
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
