/// A copy that was used in the library without being lent, as staff find when they put it back.
package struct InHouseUse: Hashable, Sendable {
    package var id: Int64
    /// nil once the copy was removed.
    package var copy: Int64?
    package var title: Int64?
    /// As they were then.
    package var itemType: String?
    /// Where it was used.
    package var branch: String?
    package var usedAt: Instant

    package init(
        id: Int64 = 0, copy: Int64?, title: Int64?, itemType: String? = nil, branch: String? = nil, usedAt: Instant
    ) {
        self.id = id
        self.copy = copy
        self.title = title
        self.itemType = itemType
        self.branch = branch
        self.usedAt = usedAt
    }
}
