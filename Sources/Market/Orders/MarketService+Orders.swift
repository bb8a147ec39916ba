package import Circulation
package import Desk
import Storage

extension MarketService {
    /// Buys pieces of a listing, or takes what is traded or given away. The stock is taken in the same transaction; the
    /// price is the policy's.
    ///
    /// Refused with `unknown_patron`, `unknown_listing`, `not_owner`, `not_offered`, `own_listing`, `stock`,
    /// `policy_failed`.
    package func buy(_ listing: Int64, quantity: Int64 = 1, patron: PatronKey) throws -> Outcome<Order> {
        try sale("market.buy", patron, Sale.Wanted(listing: listing, kind: .buy, quantity: quantity)) { $0.order }
    }

    /// Rents pieces of a listing until a date. Once none is left the listing is hidden until one is given back.
    ///
    /// Refused as ``buy(_:quantity:patron:)``, and with `past`, `too_long`, `no_rule` (no date, and the policy's `due`
    /// gives none), `expired`, `blocked`, `suspended`.
    ///
    /// - Parameter ends: the last day; nil: the date that the policy's `due` gives.
    package func rent(
        _ listing: Int64, quantity: Int64 = 1, until ends: CivilDate? = nil, patron: PatronKey
    ) throws -> Outcome<Rental> {
        let wanted = Sale.Wanted(listing: listing, kind: .rent, quantity: quantity, ends: ends)
        return try sale("market.rent", patron, wanted) { result in
            guard let rental = result.rentals.first else { throw DeskError.input(nil, "Nothing was rented.") }
            return rental
        }
    }

    private func sale<Value>(
        _ name: String, _ patron: PatronKey, _ wanted: Sale.Wanted, _ value: (Sale.Result) throws -> Value
    ) throws -> Outcome<Value> {
        let trail = RequestTrail(name)
        return try session.request(trail) {
            let buyer = try session.patrons.known(patron, trail)
            try checkSelf(buyer.id)
            try session.patrons.checkStanding(of: buyer.id, for: .market)
            guard try transaction.patrons.lock(buyer.id) else {
                throw Refused(Refusal.Code.unknownPatron, "There is no such patron.")
            }
            trail.titles = try transaction.listings.get(wanted.listing)?.title.map { [$0] } ?? []
            var sale = try Sale(session, buyer: buyer)
            try sale.add(wanted)
            return try value(try sale.write())
        }
    }

    /// Takes back what was rented: the listing is to be had again, at the price it had.
    ///
    /// Refused with `unknown_rental`, `not_owner` (the lender and staff say what came back; of what the lender alone wrote
    /// down the borrower, too, may say that it is over), `closed`.
    ///
    /// - Parameter asker: the patron in whose name it is asked; nil: staff, or the actor themselves.
    package func giveBack(_ id: Int64, by asker: PatronKey? = nil) throws -> Outcome<Rental> {
        let trail = RequestTrail("market.give_back")
        return try session.request(trail) {
            let patron = try asker.map { try session.patrons.known($0, trail) }
            guard let rental = try transaction.rentals.get(id) else {
                throw Refused(Refusal.Code.unknownRental, "There is no rental \(id).")
            }
            trail.patron = rental.borrower
            trail.titles = rental.title.map { [$0] } ?? []
            let mayBorrowerEnd = rental.order == nil && rental.importKey == nil && rental.borrower != nil
            let caller = patron?.id ?? ActorName.patronID(session.actor.name)
            let isBorrowers = mayBorrowerEnd && caller == rental.borrower
            try checkOwner(isBorrowers ? rental.borrower : rental.lender, asker: patron?.id)
            return try end(rental)
        }
    }

    /// Ends an open rental within a request.
    @discardableResult
    func end(_ rental: Rental) throws -> Rental {
        guard rental.isOpen else { throw Refused("closed", "The rental \(rental.id) has ended.") }
        let back = RentalReturn(rental: rental.id, borrower: rental.borrower, endedAt: session.now)
        try session.record(.rentalEnded, back)
        try putBack(rental.quantity, of: rental.listing)
        var ended = rental
        ended.endedAt = session.now
        return ended
    }

    /// Returns pieces to stock. A listing that was hidden since its last piece was taken shows again.
    private func putBack(_ quantity: Int64, of id: Int64) throws {
        guard var listing = try transaction.listings.get(id) else { return }
        let wasGone = listing.quantity == 0
        let (sum, overflow) = listing.quantity.addingReportingOverflow(quantity)
        listing.quantity = overflow ? listing.quantity : sum
        if wasGone, listing.state == .hidden || listing.state == .sold { listing.state = .active }
        listing.updatedAt = session.now
        try record(.returned, listing)
    }

    /// Says that an order was handed over. Whose its items all are, and staff, may.
    ///
    /// Refused with `unknown_order`, `not_owner`, `closed`.
    package func handOver(_ id: Int64, by asker: PatronKey? = nil) throws -> Outcome<Order> {
        let trail = RequestTrail("market.hand_over")
        return try session.request(trail) {
            let patron = try asker.map { try session.patrons.known($0, trail) }
            let order = try knownOpen(order: id, trail)
            if let patron {
                guard order.items.allSatisfy({ $0.seller == patron.id }) else { throw Self.notOwner }
                try checkSelf(patron.id)
            } else if session.actor.role == .patron {
                for item in order.items { try checkSelf(item.seller) }
            }
            let closed = try close(order, .done)
            for listing in Set(order.items.compactMap(\.listing)).sorted() { try letGoOfPictures(of: listing) }
            return closed
        }
    }

    /// Cancels an order that was not handed over: what was bought is to be had again, what was rented is given back,
    /// and what it charged is taken off the buyer's account.
    ///
    /// Refused with `unknown_order`, `not_owner` (only staff cancel), `closed`.
    package func cancel(order id: Int64, reason: String? = nil) throws -> Outcome<Order> {
        let trail = RequestTrail("market.cancel")
        return try session.request(trail) {
            try checkStaff()
            let order = try knownOpen(order: id, trail)
            for rental in try transaction.rentals.list(order: id, isOpen: true, ListPart(limit: 10_000)) {
                try end(rental)
            }
            for item in order.items where item.kind == .buy {
                if let listing = item.listing { try putBack(item.quantity, of: listing) }
            }
            let owed = try order.owed()
            if let buyer = order.buyer, !owed.isZero {
                _ = try session.fees.post([
                    LedgerEntry(
                        key: "order:\(id):cancelled", patron: buyer, kind: .adjustment,
                        amount: try owed.negated(), label: "Order \(id) cancelled", at: session.now)
                ])
            }
            return try close(order, .cancelled, reason: reason)
        }
    }

    private func knownOpen(order id: Int64, _ trail: RequestTrail) throws -> Order {
        guard let order = try transaction.orders.get(id) else {
            throw Refused(Refusal.Code.unknownOrder, "There is no order \(id).")
        }
        trail.patron = order.buyer
        trail.titles = order.items.compactMap(\.title)
        guard order.state == .open else { throw Refused("closed", "The order \(id) is \(order.state.rawValue).") }
        return order
    }

    /// Of what was sold no piece can come back once the last order is closed.
    private func letGoOfPictures(of id: Int64) throws {
        guard var listing = try transaction.listings.get(id), listing.state == .sold, !listing.pictures.isEmpty,
            try !transaction.orders.hasOpen(listing: id)
        else { return }
        listing.pictures = []
        listing.updatedAt = session.now
        try record(.updated, listing)
    }

    private func close(_ order: Order, _ state: Order.State, reason: String? = nil) throws -> Order {
        let words = try reason.map { try session.patrons.impersonal($0, about: order.buyer) }
        try session.record(
            OrderChange(
                order: order.id, buyer: order.buyer, state: state, closedAt: session.now, reason: words))
        var closed = order
        closed.state = state
        closed.closedAt = session.now
        return closed
    }
}
