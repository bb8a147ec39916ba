package import Circulation
package import Desk
import Storage

/// What patrons and the library sell, rent out, trade and give away; orders and rentals.
///
/// Only its seller and staff manage a listing. Stock is taken in the transaction that writes the
/// order, so that the last piece goes to one. What a buyer owes is the sum of the order's lines, which the policy's
/// `price` may word and change; each line is posted to the buyer's account once.
package struct MarketService {
    let session: DeskSession

    var transaction: Transaction { session.transaction }

    package func get(_ id: Int64) throws -> Listing? { try transaction.listings.get(id) }

    /// Listings, the newest first; none of an unknown title or seller.
    package func listings(_ query: ListingQuery) throws -> [Listing] {
        let words = [
            query.words.map { ListingWords($0, in: .all, isPrefix: query.prefix) },
            query.course.map { ListingWords($0, in: .course, isPrefix: query.prefix) },
            query.college.map { ListingWords($0, in: .college, isPrefix: query.prefix) },
        ].compactMap { $0 }
        let title = try query.title.map { try session.catalogue.get($0)?.id ?? Self.none }
        return try transaction.listings.list(
            title: title, seller: id(of: query.seller), kind: query.kind, states: query.states, words: words,
            recommended: query.recommended, ListPart(limit: query.limit, offset: query.offset))
    }

    package func order(_ id: Int64) throws -> Order? { try transaction.orders.get(id) }

    /// Orders, the latest first; none of an unknown patron.
    package func orders(
        buyer: PatronKey? = nil, seller: PatronKey? = nil, state: Order.State? = nil,
        _ part: ListPart = ListPart(limit: 100)
    ) throws -> [Order] {
        try transaction.orders.list(buyer: id(of: buyer), seller: id(of: seller), state: state, part)
    }

    package func rental(_ id: Int64) throws -> Rental? { try transaction.rentals.get(id) }

    /// Rentals, the latest first; none of an unknown patron.
    ///
    /// - Parameter isOpen: only open ones, or only ended ones; nil: all.
    package func rentals(
        lender: PatronKey? = nil, borrower: PatronKey? = nil, isOpen: Bool? = true,
        _ part: ListPart = ListPart(limit: 100)
    ) throws -> [Rental] {
        try transaction.rentals.list(lender: id(of: lender), borrower: id(of: borrower), isOpen: isOpen, part)
    }

    /// The id of a patron who is asked about: of an unknown one an id that no record has.
    private func id(of key: PatronKey?) throws -> Int64? {
        try key.map { try session.patrons.get($0)?.id ?? Self.none }
    }

    /// An id that no record has.
    private static let none: Int64 = 0

    /// The next listings by id.
    package func page(after id: Int64, limit: Int) throws -> [Listing] {
        try transaction.listings.page(after: id, limit: Int64(limit))
    }
}

// MARK: - What the services of the market share

extension MarketService {
    func known(_ id: Int64, _ trail: RequestTrail) throws -> Listing {
        guard let listing = try transaction.listings.get(id) else {
            throw Refused(Refusal.Code.unknownListing, "There is no offer \(id).")
        }
        trail.titles = listing.title.map { [$0] } ?? []
        return listing
    }

    /// Sellers manage only their own.
    ///
    /// - Parameter asker: the patron in whose name staff ask; nil: the actor themselves.
    func checkOwner(_ owner: Int64?, asker: Int64?) throws {
        if let asker {
            guard asker == owner else { throw Self.notOwner }
            try checkSelf(asker)
            return
        }
        guard session.actor.role == .patron else { return }
        guard let owner, session.actor.name == "patron:\(owner)" else { throw Self.notOwner }
    }

    /// Patrons act for themselves only.
    func checkSelf(_ patron: Int64?) throws {
        guard session.actor.role == .patron else { return }
        guard let patron, session.actor.name == "patron:\(patron)" else { throw Self.notOwner }
    }

    /// What staff alone may do.
    func checkStaff() throws {
        guard session.actor.role != .patron else { throw Refused(Refusal.Code.notOwner, "Only staff can do that.") }
    }

    static let notOwner = Refused(Refusal.Code.notOwner, "That belongs to another patron.")

    /// What the listing is called: the title's name.
    package func label(of listing: Listing) throws -> String {
        if let title = try listing.title.flatMap({ try transaction.titles.get($0) }) { return title.title }
        return listing.proposal?.title ?? "Listing \(listing.id)"
    }

    func today() throws -> CivilDate {
        try session.settingsSnapshot().zone(ofBranch: session.actor.branch ?? "").date(of: session.now)
    }

    func facts(of listing: Listing) throws -> ListingFacts {
        var others: Int64 = 0
        if let seller = listing.seller {
            others = Int64(try transaction.listings.open(seller: seller).count { $0.id != listing.id })
        }
        return ListingFacts(
            id: listing.id, seller: listing.seller,
            sellerCategory: try listing.seller.flatMap { try transaction.patrons.get($0)?.category },
            kind: listing.kind, price: listing.price, period: listing.period, quantity: listing.quantity,
            condition: listing.condition, edition: listing.edition,
            hasPicture: listing.picture != nil || !listing.pictures.isEmpty, state: listing.state, others: others)
    }

    /// Writes a step of a listing down.
    ///
    /// - Returns: the listing with its id, and the event.
    @discardableResult
    func record(_ step: ListingChange.Step, _ listing: Listing) throws -> (listing: Listing, event: Int64) {
        var listing = listing
        // What was sold may come back until it is handed over.
        if listing.state == .withdrawn { listing.pictures = [] }
        guard let (change, event) = try session.record(ListingChange(step, listing)) else {
            throw DeskError.input(nil, "The offer could not be saved.")
        }
        try transaction.pictures.remove(of: .listing(change.listing.id), except: change.listing.pictures)
        return (change.listing, event)
    }
}
