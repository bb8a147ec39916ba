/// What a reader asks the catalogue.
package struct SearchQuery: Hashable, Sendable {
    package enum Order: String, Hashable, Sendable, CaseIterable {
        /// By title, then by id.
        case title
        /// By the first author, then by title.
        case author
        /// The newest first, those without a year last, then by title.
        case year
        /// The last added first.
        case added
        /// The first added first.
        case id
        /// As the index gives them: the fastest.
        case none
    }

    /// Words, in any order; a title matches if it has all of them. Every character that is not a letter or a digit
    /// separates words and has no other meaning. Parts without white space in them, such as `o'brien` or `図書館`, match
    /// words side by side. Blank: all titles.
    package var text: String
    package var field: SearchField
    /// Whether words may go on: `harr` finds Harry.
    package var isPrefix: Bool
    /// Only titles with a copy available now, at `branch` if that is set.
    package var isAvailable: Bool
    /// Only titles with a copy of that branch that is neither lost nor withdrawn.
    package var branch: String?
    package var order: Order
    package var limit: Int64
    package var offset: Int64

    package init(
        text: String, field: SearchField = .all, isPrefix: Bool = false, isAvailable: Bool = false,
        branch: String? = nil, order: Order = .title, limit: Int64 = 50, offset: Int64 = 0
    ) {
        self.text = text
        self.field = field
        self.isPrefix = isPrefix
        self.isAvailable = isAvailable
        self.branch = branch
        self.order = order
        self.limit = limit
        self.offset = offset
    }
}
