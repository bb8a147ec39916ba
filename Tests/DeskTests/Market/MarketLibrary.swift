import Circulation
import Desk
import Market
import Testing

/// What the tests of the market ask of the small library. Dune is title 1, Emma title 2, Ulysses title 3.
extension Library {
    static func euros(_ text: String) throws -> Money { try Money(parsing: text, currency: .eur) }

    static func actor(_ patron: Int64) -> Actor { Actor(name: "patron:\(patron)", role: .patron, channel: .web) }

    func offer(
        _ seller: String?, _ title: Int64 = 1, _ kind: Listing.Kind = .sell, price: String? = "4.50",
        quantity: Int64 = 1, period: Period? = nil
    ) throws -> Listing {
        try desk.write { session in
            try session.market.publish(
                ListingRequest(
                    seller: seller.map { .username($0) }, title: .id(title), kind: kind,
                    price: try price.map(Self.euros), period: period, quantity: quantity))
        }.get()
    }

    func buy(_ patron: String, _ listing: Listing, quantity: Int64 = 1) throws -> Outcome<Order> {
        try desk.write { try $0.market.buy(listing.id, quantity: quantity, patron: .username(patron)) }
    }

    func rent(_ patron: String, _ listing: Listing, until: String? = "2026-03-09", quantity: Int64 = 1) throws
        -> Outcome<Rental>
    {
        let ends = try until.map { try CivilDate(parsing: $0) }
        return try desk.write {
            try $0.market.rent(listing.id, quantity: quantity, until: ends, patron: .username(patron))
        }
    }

    func listing(_ listing: Listing) throws -> Listing {
        try #require(try desk.read { try $0.market.get(listing.id) })
    }

    func put(
        _ patron: String, _ kind: SaleKind, title: Int64? = nil, listing: Listing? = nil, quantity: Int64 = 1,
        until: String? = nil
    ) throws -> Outcome<CartLine> {
        let ends = try until.map { try CivilDate(parsing: $0) }
        return try desk.write { session in
            try session.carts.add(
                CartRequest(
                    patron: .username(patron), kind: kind, title: title.map { .id($0) }, listing: listing?.id,
                    quantity: quantity, ends: ends))
        }
    }

    func cart(_ patron: String) throws -> [CartLine] {
        try desk.read { try $0.carts.items(of: .username(patron)) }
    }

    func checkOut(_ patron: String) throws -> Outcome<CartCheckout> {
        try desk.write { try $0.carts.checkout(.username(patron)) }
    }

    /// A policy that adds taxes to what the tables say.
    static let taxed: PolicySpec = {
        var spec = standard
        spec.answer = { question, decision in
            guard question.point == .price, let lines = decision.lines, let percent = try? Percent(parsing: "6.62"),
                let sum = try? PriceLine.total(of: lines, in: .eur), let taxes = try? sum.multiplied(by: percent)
            else { return decision }
            var taxed = decision
            taxed.lines = lines + [PriceLine(label: "Taxes", amount: taxes)]
            return taxed
        }
        return spec
    }()

    /// `publish` answers so.
    static func publishing(_ answer: Decision.Answer, _ message: String? = nil) -> PolicySpec {
        var spec = standard
        spec.answer = { question, decision in
            guard question.point == .publish else { return decision }
            var changed = decision
            changed.answer = answer
            changed.message = message
            if answer == .deny { changed.refusal = Refusal(code: "too_many", message: "Too many.") }
            return changed
        }
        return spec
    }
}
