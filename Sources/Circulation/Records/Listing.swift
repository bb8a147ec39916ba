/// Something that a patron, or the library itself, offers: to be sold, rented out, traded or given away.
package struct Listing: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case sell, rent, trade, donate
    }

    package enum State: String, Hashable, Sendable, CaseIterable {
        /// Its seller still writes it.
        case draft
        /// It waits for a decision of staff.
        case review
        /// Everybody sees it.
        case active
        /// Hidden for a while: it is rented out, or its seller hid it.
        case hidden
        /// Taken back for good.
        case withdrawn
        /// The last piece is gone.
        case sold
    }

    package var id: Int64
    /// nil: the library itself, or a seller who was removed.
    package var seller: Int64?
    /// The title in the catalogue; nil: it is not there yet.
    package var title: Int64?
    package var kind: Kind
    /// What one piece costs, of a rental for each ``period``; nil for what costs nothing.
    package var price: Money?
    /// What a rental's price is for; nil for other kinds.
    package var period: Period?
    /// How many pieces there are to be had.
    package var quantity: Int64
    package var condition: String
    package var edition: String
    /// Address of a picture, http or https.
    package var picture: String?
    /// Pictures that its seller uploaded, in their order: see ``WrittenPicture/name``.
    package var pictures: [String]
    package var note: String
    /// Whether its seller recommends it.
    package var recommended: Bool
    package var state: State
    package var createdAt: Instant
    package var updatedAt: Instant
    /// What staff or the policy said when it was reviewed.
    package var decision: String?
    /// What is offered, where the catalogue does not have it yet.
    package var proposal: TitleProposal?
    /// SHA-256 of the policy version that decided whether to publish it.
    package var policy: String?
    /// Set for a listing from a file: its key, unique in the store.
    package var importKey: String?

    package init(
        id: Int64 = 0, seller: Int64?, title: Int64?, kind: Kind, price: Money? = nil, period: Period? = nil,
        quantity: Int64 = 1, condition: String = "", edition: String = "", picture: String? = nil,
        pictures: [String] = [], note: String = "", recommended: Bool = false, state: State, createdAt: Instant,
        updatedAt: Instant? = nil, decision: String? = nil,
        proposal: TitleProposal? = nil, policy: String? = nil, importKey: String? = nil
    ) {
        self.id = id
        self.seller = seller
        self.title = title
        self.kind = kind
        self.price = price
        self.period = period
        self.quantity = quantity
        self.condition = condition
        self.edition = edition
        self.picture = picture
        self.pictures = pictures
        self.note = note
        self.recommended = recommended
        self.state = state
        self.createdAt = createdAt
        self.updatedAt = updatedAt ?? createdAt
        self.decision = decision
        self.proposal = proposal
        self.policy = policy
        self.importKey = importKey
    }
}

extension Listing {
    /// The most pictures of one.
    package static let mostPictures = 6

    /// Neither withdrawn nor sold.
    package var isOpen: Bool { state.isOpen }
}

extension Listing.State {
    package var isOpen: Bool { self != .withdrawn && self != .sold }
}
