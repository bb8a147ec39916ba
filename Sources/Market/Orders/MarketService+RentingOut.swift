package import Circulation
package import Desk
import Storage
import TextFormats

extension MarketService {
    /// Writes a rental down on which its lender and a borrower agreed by themselves. It costs what they settle: there is no
    /// order, and nothing is charged. The borrower is told, and may say that it is not so (``giveBack(_:by:)``).
    ///
    /// Refused with `unknown_listing`, `not_owner`, `unknown_patron`, `not_offered`, `own_listing`, `stock`, `past`,
    /// `too_long`, `blocked` (the lender is; or the borrower takes no messages from the lender).
    ///
    /// - Parameters:
    ///   - name: the borrower's public name.
    ///   - ends: the last day.
    ///   - asker: the patron in whose name it is asked; nil: staff, or the actor themselves.
    package func rentOut(
        _ id: Int64, to name: String, until ends: CivilDate, quantity: Int64 = 1, by asker: PatronKey? = nil
    ) throws -> Outcome<Rental> {
        let trail = RequestTrail("market.rent_out")
        return try session.request(trail) {
            let patron = try asker.map { try session.patrons.known($0, trail) }
            let listing = try known(id, trail)
            try checkOwner(listing.seller, asker: patron?.id)
            if let seller = listing.seller { try session.patrons.checkStanding(of: seller, for: .market) }
            guard let borrower = try session.patrons.member(named: name) else { throw Self.noMember(name) }
            if let seller = listing.seller, try session.conversations.isBlocked(seller, by: borrower.id) {
                throw Refused("blocked", "This member does not accept messages from you.")
            }
            guard try transaction.patrons.lock(borrower.id) else { throw Self.noMember(name) }
            var sale = try Sale(session, buyer: borrower)
            try sale.add(Sale.Wanted(listing: id, kind: .rent, quantity: quantity, ends: ends))
            let rental = try sale.writeRental()
            try tell(of: rental, listing)
            return rental
        }
    }

    private static func noMember(_ name: String) -> Refused {
        Refused(
            Refusal(
                code: Refusal.Code.unknownPatron, message: "There is no member called \(name).",
                figures: ["field": "borrower"]))
    }

    private func tell(of rental: Rental, _ listing: Listing) throws {
        guard let borrower = rental.borrower else { return }
        let lender = try rental.lender.flatMap { try transaction.patrons.get($0)?.publicName } ?? "the library"
        let label = try label(of: listing)
        let pieces = rental.quantity == 1 ? label : "\(rental.quantity) x \(label)"
        _ = try tell(
            borrower, about: listing, subjectKey: "rental:\(rental.id)", subject: label,
            "\(lender) has written down that you rent \(pieces) until \(rental.ends), at \(rental.price) for each "
                + "\(rental.period). If that is not so, say so among your rentals, which ends it.\n")
    }

    /// What pieces of a listing would cost a patron now, as the policy's `price` says.
    ///
    /// Refused with `unknown_patron`, `unknown_listing`, `not_offered`, `own_listing`, `stock`, `past`, `too_long`,
    /// `no_rule`, `policy_failed`.
    ///
    /// - Parameter ends: the last day of a rental; nil: what the policy's `due` gives.
    package func quote(
        _ id: Int64, quantity: Int64 = 1, until ends: CivilDate? = nil, patron: PatronKey
    ) throws -> Outcome<CartTotal> {
        let trail = RequestTrail("market.quote")
        do {
            let buyer = try session.patrons.known(patron, trail)
            let kind: SaleKind = try known(id, trail).kind == .rent ? .rent : .buy
            var sale = try Sale(session, buyer: buyer)
            try sale.add(Sale.Wanted(listing: id, kind: kind, quantity: quantity, ends: kind == .rent ? ends : nil))
            return .done(try CartTotal(lines: sale.priced().lines, in: try session.fees.currency()))
        } catch let refused as Refused {
            return .refused(try session.worded(refused, trail).answer)
        }
    }
}

extension CartTotal {
    /// - Throws: ``MoneyError``.
    init(lines: [PriceLine], in currency: Currency) throws(MoneyError) {
        self.init(
            lines: lines, total: try PriceLine.total(of: lines, in: currency),
            owed: try PriceLine.owed(of: lines, in: currency))
    }
}
