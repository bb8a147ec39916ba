import Circulation
package import Desk
import Storage
import TextFormats

extension CartService {
    /// Checks a cart out in one transaction, all of it or nothing: loans through the policy as at the desk, purchases and
    /// rentals as one order. The cart is empty afterwards.
    ///
    /// Refused with `unknown_patron`, `not_owner`, `blocked`, `empty`, as a checkout of the titles, and as a purchase;
    /// `price_changed` where a listing no longer costs what it did when its line was written. The reasons name the line.
    package func checkout(_ key: PatronKey) throws -> Outcome<CartCheckout> {
        let trail = RequestTrail("cart.checkout")
        return try session.request(trail) {
            let patron = try owner(key, trail)
            try session.patrons.checkStanding(of: patron.id, for: .cart)
            let lines = try transaction.carts.of(patron: patron.id)
            guard !lines.isEmpty else { throw Refused("empty", "The cart is empty.") }
            let loans = try lend(lines, patron, trail)
            let sale = try sell(lines, patron, trail)
            _ = try empty(patron)
            return CartCheckout(loans: loans, order: sale?.order, rentals: sale?.rentals ?? [])
        }
    }

    private func lend(_ lines: [CartLine], _ patron: Patron, _ trail: RequestTrail) throws -> [Loan] {
        let wanted = lines.filter { $0.kind == .loan }
        guard !wanted.isEmpty else { return [] }
        let request = CheckoutRequest(patron: .id(patron.id), wanted: .titles(wanted.flatMap(\.titles)))
        do {
            return try session.loans.lend(request, trail)
        } catch var refused as Refused {
            refused.name(linesOf: wanted)
            throw refused
        }
    }

    private func sell(_ lines: [CartLine], _ patron: Patron, _ trail: RequestTrail) throws -> Sale.Result? {
        let wanted = lines.filter { $0.kind != .loan }
        guard !wanted.isEmpty else { return nil }
        try session.patrons.checkStanding(of: patron.id, for: .market)
        var sale = try Sale(session, buyer: patron)
        for line in wanted { try sale.add(line.wanted) }
        return try sale.write(besides: try loanLines(lines))
    }
}

extension Refused {
    /// Says which lines of a cart the reasons are about, by their titles.
    fileprivate mutating func name(linesOf lines: [CartLine]) {
        refusal.name(linesOf: lines)
        filled?.name(linesOf: lines)
    }
}

extension Refusal {
    fileprivate mutating func name(linesOf lines: [CartLine]) {
        for index in reasons.indices {
            guard let line = lines.first(where: { $0.title == reasons[index].title }) else { continue }
            reasons[index].figures["line"] = .integer(line.id)
        }
    }
}
