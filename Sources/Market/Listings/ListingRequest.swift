package import Circulation
package import Desk

/// Something that is to be offered.
package struct ListingRequest: Hashable, Sendable {
    /// nil: the library itself offers it.
    package var seller: PatronKey?
    /// A title of the catalogue; nil: ``proposal`` says what it is.
    package var title: TitleKey?
    /// What it is, where the catalogue may not have it. If it has a title of that ISBN, that one is meant.
    package var proposal: TitleProposal?
    package var kind: Listing.Kind
    /// Of one piece, of a rental for each ``period``.
    package var price: Money?
    package var period: Period?
    package var quantity: Int64
    package var condition: String
    package var edition: String
    package var picture: String?
    package var note: String
    /// Whether its seller recommends it.
    package var recommended: Bool
    /// Kept back until its seller makes it active.
    package var isDraft: Bool

    package init(
        seller: PatronKey?, title: TitleKey? = nil, proposal: TitleProposal? = nil, kind: Listing.Kind,
        price: Money? = nil, period: Period? = nil, quantity: Int64 = 1, condition: String = "", edition: String = "",
        picture: String? = nil, note: String = "", recommended: Bool = false, isDraft: Bool = false
    ) {
        self.seller = seller
        self.title = title
        self.proposal = proposal
        self.kind = kind
        self.price = price
        self.period = period
        self.quantity = quantity
        self.condition = condition
        self.edition = edition
        self.picture = picture
        self.note = note
        self.recommended = recommended
        self.isDraft = isDraft
    }
}

/// What is to change of a listing; what is nil stays.
package struct ListingUpdate: Hashable, Sendable {
    package var price: Money?
    package var period: Period?
    package var quantity: Int64?
    package var condition: String?
    package var edition: String?
    /// An empty text takes the picture away.
    package var picture: String?
    package var note: String?
    package var recommended: Bool?
    package var state: Listing.State?

    package init(
        price: Money? = nil, period: Period? = nil, quantity: Int64? = nil, condition: String? = nil,
        edition: String? = nil, picture: String? = nil, note: String? = nil, recommended: Bool? = nil,
        state: Listing.State? = nil
    ) {
        self.price = price
        self.period = period
        self.quantity = quantity
        self.condition = condition
        self.edition = edition
        self.picture = picture
        self.note = note
        self.recommended = recommended
        self.state = state
    }
}

/// Which listings are wanted; what is nil does not count.
package struct ListingQuery: Hashable, Sendable {
    package var title: TitleKey?
    package var seller: PatronKey?
    package var kind: Listing.Kind?
    /// Empty: in any state.
    package var states: Set<Listing.State>
    /// Words that the title has anywhere, in its courses, in its college.
    package var words: String?
    package var course: String?
    package var college: String?
    /// Whether the last of these words, and of those of course and college, may be the beginning of one.
    package var prefix: Bool
    /// Only what its seller recommends.
    package var recommended: Bool
    package var limit: Int
    package var offset: Int

    package init(
        title: TitleKey? = nil, seller: PatronKey? = nil, kind: Listing.Kind? = nil,
        states: Set<Listing.State> = [.active], words: String? = nil, course: String? = nil,
        college: String? = nil, prefix: Bool = false, recommended: Bool = false, limit: Int = 100, offset: Int = 0
    ) {
        self.title = title
        self.seller = seller
        self.kind = kind
        self.states = states
        self.words = words
        self.course = course
        self.college = college
        self.prefix = prefix
        self.recommended = recommended
        self.limit = limit
        self.offset = offset
    }
}
