package import Circulation
package import Desk
import Storage

extension MarketService {
    /// Offers something, if the policy's `publish` allows it; it may leave it to staff, and the listing waits in
    /// `review`. What the library itself offers is published as it is.
    ///
    /// Refused with `unknown_patron`, `unknown_title`, `not_owner`, `blocked`, `policy_failed`, or as the policy says.
    ///
    /// - Throws: ``DeskError`` for a listing that makes no sense.
    package func publish(_ request: ListingRequest) throws -> Outcome<Listing> {
        let trail = RequestTrail("market.publish")
        return try session.request(trail) {
            let seller = try request.seller.map { try session.patrons.known($0, trail) }
            try checkSelf(seller?.id)
            if let seller { try session.patrons.checkStanding(of: seller.id, for: .market) }
            var listing = Listing(
                seller: seller?.id, title: nil, kind: request.kind, price: request.price, period: request.period,
                quantity: request.quantity, condition: request.condition, edition: request.edition,
                picture: request.picture, note: request.note, recommended: request.recommended,
                state: request.isDraft ? .draft : .active,
                createdAt: session.now)
            try setTitle(of: &listing, request, trail)
            try check(&listing)
            let asked = try decide(&listing, seller)
            let (written, event) = try record(.published, listing)
            if let asked { try session.log(asked, under: event) }
            return written
        }
    }

    /// Changes a listing; what is changed of one that is offered is decided by `publish` anew. Making it `active`
    /// offers it, `hidden` and `draft` keep it back.
    ///
    /// Refused with `unknown_listing`, `not_owner`, `closed` (it is withdrawn or sold), `review` (it waits for staff),
    /// `stock` (nothing is left to offer), or as `publish` says.
    ///
    /// - Parameter asker: the patron in whose name it is asked; nil: staff, or the actor themselves.
    package func update(_ id: Int64, _ update: ListingUpdate, by asker: PatronKey? = nil) throws -> Outcome<Listing> {
        try change(id, by: asker, as: update.state) { update.apply(to: &$0) }
    }

    /// Changes a listing, which stays open or becomes so, and has it decided anew where it is offered.
    ///
    /// - Parameter wanted: the state that is asked for.
    func change(
        _ id: Int64, by asker: PatronKey?, as wanted: Listing.State?, _ body: (inout Listing) throws -> Void
    ) throws -> Outcome<Listing> {
        let trail = RequestTrail("market.update")
        return try session.request(trail) {
            let before = try knownOwn(id, asker, trail)
            try Self.checkOpen(before)
            var listing = before
            try body(&listing)
            listing.state = try state(wanted, of: before, quantity: listing.quantity)
            try check(&listing)
            guard listing != before else { return before }
            listing.updatedAt = session.now
            var asked: AskedDecision?
            if listing.state == .active {
                asked = try decide(&listing, try listing.seller.flatMap { try transaction.patrons.get($0) })
            }
            let (written, event) = try record(.updated, listing)
            if let asked { try session.log(asked, under: event) }
            return written
        }
    }

    /// Takes a listing back for good; one that is withdrawn already stays as it is. What is rented out of it stays
    /// with the one who has it.
    ///
    /// Refused with `unknown_listing`, `not_owner`, `closed` (it is sold).
    package func withdraw(_ id: Int64, by asker: PatronKey? = nil) throws -> Outcome<Listing> {
        let trail = RequestTrail("market.withdraw")
        return try session.request(trail) {
            var listing = try knownOwn(id, asker, trail)
            if listing.state == .withdrawn { return listing }
            guard listing.state != .sold else { throw Refused("closed", "The offer \(id) has been sold.") }
            listing.state = .withdrawn
            listing.updatedAt = session.now
            return try record(.withdrawn, listing).listing
        }
    }

    /// Staff decide on a listing that waits for a review, and its seller gets a message. A title that is new to the
    /// catalogue is put into it; a listing that is refused is a draft again.
    ///
    /// Refused with `unknown_listing`, `not_owner` (only staff decide), `closed` (it does not wait for a review).
    package func decide(_ id: Int64, publish: Bool, message: String? = nil) throws -> Outcome<Listing> {
        let trail = RequestTrail(publish ? "market.approve" : "market.reject")
        return try session.request(trail) {
            try checkStaff()
            var listing = try known(id, trail)
            trail.patron = listing.seller
            guard listing.state == .review else {
                throw Refused("closed", "The offer \(id) is \(listing.state.rawValue) and is not waiting for review.")
            }
            listing.state = publish ? .active : .draft
            listing.updatedAt = session.now
            listing.decision = try message.map { try session.patrons.impersonal($0, about: listing.seller) }
            if publish { try settleTitle(of: &listing) }
            let (written, _) = try record(.decided, listing)
            try tell(.listing, of: written, decision: publish ? "approved" : "declined")
            return written
        }
    }
}

// MARK: - Parts of requests

extension MarketService {
    /// - Throws: ``Refused`` with `closed`.
    static func checkOpen(_ listing: Listing) throws(Refused) {
        guard listing.isOpen else {
            throw Refused("closed", "The offer \(listing.id) is \(listing.state.rawValue).")
        }
    }

    /// A listing that the asker may change.
    func knownOwn(_ id: Int64, _ asker: PatronKey?, _ trail: RequestTrail) throws -> Listing {
        let patron = try asker.map { try session.patrons.known($0, trail) }
        let listing = try known(id, trail)
        trail.patron = listing.seller
        try checkOwner(listing.seller, asker: patron?.id)
        return listing
    }

    private func setTitle(of listing: inout Listing, _ request: ListingRequest, _ trail: RequestTrail) throws {
        if let key = request.title {
            listing.title = try session.catalogue.known(key).id
        } else if let proposal = request.proposal {
            listing.title = try proposal.isbn.flatMap { try transaction.titles.find($0)?.id }
            if listing.title == nil {
                try proposal.check()
                listing.proposal = proposal
            }
        } else {
            throw DeskError.input("title", "An offer needs a title.")
        }
        trail.titles = listing.title.map { [$0] } ?? []
    }

    private static let longestText = 1_000
    private static let longestNote = 10_000
    static let mostPieces: Int64 = 100_000

    /// Checks that hold for every listing.
    private func check(_ listing: inout Listing) throws {
        switch listing.kind {
        case .sell, .rent:
            guard let price = listing.price, price.currency == (try session.fees.currency()), !price.isNegative else {
                throw DeskError.input(
                    "price",
                    "An item that is sold or rented out needs a price in the library's currency.")
            }
        case .trade, .donate:
            guard listing.price == nil else {
                throw DeskError.input("price", "An item that is swapped or given away cannot have a price.")
            }
        }
        if listing.kind == .rent {
            let period = listing.period ?? .days(1)
            guard period.count > 0, [.days, .weeks, .months].contains(period.unit) else {
                throw DeskError.input("period", "A rental price must be for a number of days, weeks or months.")
            }
            listing.period = period
        } else if listing.period != nil {
            throw DeskError.input("period", "Only a rental price can be for a period.")
        }
        guard (0...Self.mostPieces).contains(listing.quantity), listing.quantity > 0 || listing.state != .active else {
            throw DeskError.input("quantity", "The number of items must be from 1 to \(Self.mostPieces).")
        }
        for (name, text) in [("condition", listing.condition), ("edition", listing.edition)]
        where text.utf8.count > Self.longestText {
            throw DeskError.input(name, "The \(name) can be at most \(Self.longestText) bytes long.")
        }
        guard listing.note.utf8.count <= Self.longestNote else {
            throw DeskError.input("note", "The note can be at most \(Self.longestNote) bytes long.")
        }
        if let picture = listing.picture {
            let isAddress = picture.hasPrefix("https://") || picture.hasPrefix("http://")
            guard isAddress, picture.utf8.count <= Self.longestText,
                picture.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
            else { throw DeskError.input("picture", "The picture must be an http or https address.") }
        }
        listing.condition = try session.patrons.impersonal(listing.condition, about: listing.seller)
        listing.edition = try session.patrons.impersonal(listing.edition, about: listing.seller)
    }

    private func state(_ wanted: Listing.State?, of before: Listing, quantity: Int64) throws -> Listing.State {
        guard let wanted, wanted != before.state else {
            // What waits for staff must not be changed under their hands.
            return before.state
        }
        switch wanted {
        case .draft: return .draft
        case .hidden where before.state == .active: return .hidden
        case .active where before.state == .review:
            throw Refused("review", "The offer \(before.id) is waiting for a decision by staff.")
        case .active:
            guard quantity > 0 else { throw Refused(Refusal.Code.stock, "There is nothing left to offer.") }
            return .active
        default:
            throw Refused("closed", "An offer that is \(before.state.rawValue) cannot become \(wanted.rawValue).")
        }
    }

    /// Asks the policy's `publish` about a listing that is to be active, and sets its state as it answers.
    private func decide(_ listing: inout Listing, _ seller: Patron?) throws -> AskedDecision? {
        guard listing.state == .active else { return nil }
        guard let seller else {
            try settleTitle(of: &listing)
            return nil
        }
        let asked = try session.publication(
            of: seller, title: listing.title, listing: try facts(of: listing), suggestion: nil)
        let decision = asked.decision
        listing.policy = asked.policy.isEmpty ? nil : asked.policy
        listing.decision = nil
        if decision.answer == .review {
            listing.state = .review
            listing.decision = decision.message.flatMap { $0.isEmpty ? nil : $0 }
        } else {
            try settleTitle(of: &listing)
        }
        return asked.policy.isEmpty ? nil : asked
    }

    /// Puts a title that the catalogue lacks into it.
    private func settleTitle(of listing: inout Listing) throws {
        guard listing.title == nil, let proposal = listing.proposal else { return }
        listing.title = try settled(proposal).id
        listing.proposal = nil
    }

    /// The title of a proposal: the one of its ISBN, or a new one.
    func settled(_ proposal: TitleProposal) throws -> Title {
        if let isbn = proposal.isbn, let title = try transaction.titles.find(isbn) { return title }
        return try session.catalogue.insert(proposal.record)
    }
}

extension ListingUpdate {
    fileprivate func apply(to listing: inout Listing) {
        if let price { listing.price = price }
        if let period { listing.period = period }
        if let quantity { listing.quantity = quantity }
        if let condition { listing.condition = condition }
        if let edition { listing.edition = edition }
        if let picture { listing.picture = picture.isEmpty ? nil : picture }
        if let note { listing.note = note }
        if let recommended { listing.recommended = recommended }
    }
}

extension TitleProposal {
    /// - Throws: ``DeskError`` if it names nothing.
    func check() throws {
        guard title.contains(where: { !$0.isWhitespace }), title.utf8.count <= 1_000 else {
            throw DeskError.input("title", "A title that is not in the catalogue needs a name.")
        }
    }
}
