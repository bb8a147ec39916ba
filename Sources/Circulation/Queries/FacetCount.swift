/// How many of the titles that a query finds have a value.
package struct FacetCount: Hashable, Sendable {
    /// What titles are told apart by.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case author, genre, language, decade, year, branch, available
    }

    package var kind: Kind
    /// As a query takes it: a name, a number, a branch's code, `true`.
    package var value: String
    package var titles: Int64
    /// Whether more titles were found than were counted, so that there may be more with this value.
    package var isMore: Bool

    package init(kind: Kind, value: String, titles: Int64, isMore: Bool) {
        self.kind = kind
        self.value = value
        self.titles = titles
        self.isMore = isMore
    }
}
