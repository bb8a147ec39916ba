package import Circulation
package import Desk
import Storage

extension MarketService {
    /// Writes to the buyer about an order.
    func tell(of order: Order, _ lines: [SaleLine]) throws {
        guard let buyer = order.buyer else { return }
        let labels = lines.map(\.words)
        let title = labels.count == 1 ? labels[0] : "\(labels.count) titles"
        try announce(
            SaleAnnouncement(
                event: .order, subjectKey: "order:\(order.id)",
                words: SaleWords(title: title, lines: order.lines, total: order.total), lines: lines), to: buyer)
    }

    /// Writes to the seller about the decision on a listing.
    func tell(
        _ event: NotifyEvent, of listing: Listing, order: Int64? = nil, ends: CivilDate? = nil,
        decision: String? = nil
    ) throws {
        guard let seller = listing.seller else { return }
        let key = order.map { "listing:\(listing.id):order:\($0)" } ?? "listing:\(listing.id)"
        try announce(
            SaleAnnouncement(
                event: event, subjectKey: key, dueAt: order == nil ? listing.updatedAt : nil, title: listing.title,
                words: SaleWords(
                    title: try label(of: listing), ends: ends, decision: decision, message: listing.decision),
                listing: try facts(of: listing)), to: seller)
    }

    @discardableResult
    func announce(_ sale: SaleAnnouncement, to patron: Int64) throws -> [Notice] {
        guard let branch = try transaction.patrons.get(patron)?.homeBranch else { return [] }
        return try session.notices.announce(Announcement(sale, to: patron, branch: branch))
    }

    /// Tells a patron what another has to say about a listing.
    ///
    /// - Parameter subject: what it is about, in the reader's words.
    func tell(
        _ patron: Int64, about listing: Listing, subjectKey: String, subject: String, _ text: String
    ) throws -> [Notice] {
        try announce(
            SaleAnnouncement(
                event: .contact, subjectKey: subjectKey, title: listing.title,
                words: SaleWords(title: subject, message: text), listing: try facts(of: listing)), to: patron)
    }

    /// How long before its end a rental is spoken of.
    static let noticeLead: Int64 = 2

    /// Writes to borrowers about rentals that end soon, or should have ended; once each.
    ///
    /// - Returns: how many rentals were looked at, and the id of the last; nil once there are no more.
    func announceRentals(after id: Int64, limit: Int64) throws -> Int64? {
        let horizon = try today().adding(days: Self.noticeLead)
        let rentals = try transaction.rentals.due(by: horizon, after: id, limit: limit)
        for rental in rentals {
            guard let borrower = rental.borrower, let listing = try transaction.listings.get(rental.listing) else {
                continue
            }
            let zone = try session.settingsSnapshot().library.zone
            try announce(
                SaleAnnouncement(
                    event: .rentalDue, subjectKey: "rental:\(rental.id)", dueAt: zone.startOfDay(rental.ends),
                    title: rental.title, words: SaleWords(title: try label(of: listing), ends: rental.ends),
                    listing: try facts(of: listing)), to: borrower)
        }
        return Int64(rentals.count) == limit ? rentals.last?.id : nil
    }

    /// Writes to the seller of a listing, in a patron's name, as ``ConversationService/write(_:from:about:)`` does; what was
    /// said already is not said again.
    ///
    /// Refused as that, and with `exists` (said already).
    package func contact(_ id: Int64, from patron: PatronKey, message: String) throws -> Outcome<Notice> {
        try ConversationService.check(message, field: "message")
        let trail = RequestTrail("market.contact")
        return try session.request(trail) {
            let sender = try session.patrons.known(patron, trail)
            try checkSelf(sender.id)
            let conversation = try session.conversations.conversation(about: try known(id, trail), from: sender)
            let key = "contact:\(sender.id):\(id):\(TextFolding.folded(message).hashedWords)"
            try session.conversations.add(message, from: sender, to: conversation)
            guard let told = try session.conversations.tell(conversation, message, from: sender, subjectKey: key)
            else { throw Refused("exists", "That message has already been sent.") }
            return told
        }
    }
}

extension String {
    /// A short text that differs for different words (FNV-1a), so that messages can be distinguished without being
    /// kept.
    fileprivate var hashedWords: String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 36)
    }
}
