package import Circulation
package import Desk
import Storage

/// Something to be put into a cart.
package struct CartRequest: Hashable, Sendable {
    package var patron: PatronKey
    package var kind: SaleKind
    /// The title to borrow.
    package var title: TitleKey?
    /// The listing to buy or rent from.
    package var listing: Int64?
    package var quantity: Int64
    /// The last day of a rental.
    package var ends: CivilDate?

    package init(
        patron: PatronKey, kind: SaleKind, title: TitleKey? = nil, listing: Int64? = nil, quantity: Int64 = 1,
        ends: CivilDate? = nil
    ) {
        self.patron = patron
        self.kind = kind
        self.title = title
        self.listing = listing
        self.quantity = quantity
        self.ends = ends
    }
}

/// What a cart comes to: the lines of the order that its checkout would place, and their sum.
package struct CartTotal: Hashable, Sendable {
    package var lines: [PriceLine]
    package var total: Money
    /// What of it would be owed to the library.
    package var owed: Money
}

/// What became of a cart.
package struct CartCheckout: Hashable, Sendable {
    package var loans: [Loan]
    /// What was bought and rented; nil where nothing was.
    package var order: Order?
    package var rentals: [Rental]
}

/// Patrons' carts: what they are about to borrow, buy and rent. A cart outlives the session in which it was filled. Its
/// lines are checked when they are added and again at the checkout, which is one transaction: all of it or nothing.
package struct CartService {
    let session: DeskSession

    var transaction: Transaction { session.transaction }
    var market: MarketService { session.market }

    /// How many lines a cart holds.
    package static let mostLines = 200

    /// A patron's lines in the order in which they were added; none for an unknown patron.
    package func items(of key: PatronKey) throws -> [CartLine] {
        guard let patron = try session.patrons.get(key) else { return [] }
        return try transaction.carts.of(patron: patron.id)
    }

    /// How many pieces are in a patron's cart.
    package func pieces(of patron: Int64) throws -> Int64 { try transaction.carts.pieces(patron: patron) }

    /// What the cart would cost now. Loans cost nothing here: what borrowing costs is charged with the loan.
    ///
    /// Refused with `unknown_patron`, as ``checkout(_:)`` for what is bought and rented, and with `policy_failed`.
    package func total(of key: PatronKey) throws -> Outcome<CartTotal> {
        let trail = RequestTrail("cart.total")
        do {
            let patron = try session.patrons.known(key, trail)
            let lines = try transaction.carts.of(patron: patron.id)
            var sale = try Sale(session, buyer: patron)
            for line in lines where line.kind != .loan { try sale.add(line.wanted) }
            guard !lines.isEmpty else {
                let nothing = Money.zero(try session.fees.currency())
                return .done(CartTotal(lines: [], total: nothing, owed: nothing))
            }
            let prices = try sale.priced(besides: try loanLines(lines)).lines
            return .done(try CartTotal(lines: prices, in: try session.fees.currency()))
        } catch let refused as Refused {
            return .refused(try session.worded(refused, trail).answer)
        }
    }

    /// Puts something into a cart: a title if it could be borrowed now together with those that are in the cart already, or
    /// pieces of a listing if there are as many. A listing that is in the cart already gets more pieces.
    ///
    /// Refused with `unknown_patron`, `not_owner`, `blocked`, `full`, and as a checkout or a purchase.
    ///
    /// - Throws: ``DeskError`` for a request that makes no sense.
    package func add(_ request: CartRequest) throws -> Outcome<CartLine> {
        let trail = RequestTrail("cart.add")
        return try session.request(trail) {
            let patron = try owner(request.patron, trail)
            try session.patrons.checkStanding(of: patron.id, for: .cart)
            let lines = try transaction.carts.of(patron: patron.id)
            var line = try self.line(request, patron, trail)
            if line.kind != .loan { try session.patrons.checkStanding(of: patron.id, for: .market) }
            if let same = lines.first(where: { $0.isSame(as: line) }) {
                line.id = same.id
                line.addedAt = same.addedAt
                let (sum, overflow) = same.quantity.addingReportingOverflow(line.quantity)
                line.quantity = overflow ? .max : sum
            } else if lines.count >= Self.mostLines {
                throw Refused("full", "A cart can hold at most \(Self.mostLines) items.")
            }
            try check(&line, besides: lines, patron)
            return try write(line)
        }
    }

    /// Changes how many pieces a line is about, or when its rental ends, and takes the price as it is now.
    ///
    /// Refused with `unknown_patron`, `unknown_line`, `not_owner`, and as ``add(_:)``.
    package func set(
        _ id: Int64, of key: PatronKey, quantity: Int64? = nil, ends: CivilDate? = nil
    ) throws -> Outcome<CartLine> {
        let trail = RequestTrail("cart.set")
        return try session.request(trail) {
            let patron = try owner(key, trail)
            var line = try known(id, patron)
            if let quantity { line.quantity = quantity }
            if let ends {
                guard line.kind == .rent else { throw DeskError.input("ends_on", "Only rentals can have an end date.") }
                line.ends = ends
            }
            try Self.check(line)
            try check(&line, besides: try transaction.carts.of(patron: patron.id), patron)
            return try write(line)
        }
    }

    /// Takes a line out. Refused with `unknown_patron`, `unknown_line`, `not_owner`.
    package func remove(_ id: Int64, of key: PatronKey) throws -> Outcome<CartLine> {
        let trail = RequestTrail("cart.remove")
        return try session.request(trail) {
            let patron = try owner(key, trail)
            let line = try known(id, patron)
            try session.record(.cartChanged, CartChange(patron: patron.id, removed: [line.id]))
            return line
        }
    }

    /// Takes everything out; the value is how many lines there were. Refused with `unknown_patron`, `not_owner`.
    package func clear(_ key: PatronKey) throws -> Outcome<Int> {
        let trail = RequestTrail("cart.clear")
        return try session.request(trail) {
            let patron = try owner(key, trail)
            return try empty(patron)
        }
    }
}

// MARK: - Parts of requests

extension CartService {
    func owner(_ key: PatronKey, _ trail: RequestTrail) throws -> Patron {
        let patron = try session.patrons.known(key, trail)
        try market.checkSelf(patron.id)
        guard try transaction.patrons.lock(patron.id) else {
            throw Refused(Refusal.Code.unknownPatron, "There is no such patron.")
        }
        return patron
    }

    func empty(_ patron: Patron) throws -> Int {
        let lines = try transaction.carts.of(patron: patron.id)
        if lines.isEmpty { return 0 }
        try session.record(.cartChanged, CartChange(patron: patron.id, removed: lines.map(\.id)))
        return lines.count
    }

    /// The titles that a cart lends, as the point `price` sees them.
    func loanLines(_ lines: [CartLine]) throws -> [SaleLine] {
        let currency = try session.fees.currency()
        return try lines.filter { $0.kind == .loan }.map { line in
            let name = try line.title.flatMap { try transaction.titles.get($0)?.title } ?? "A title"
            return SaleLine(
                kind: .loan, label: name, title: line.title, quantity: line.quantity, price: .zero(currency))
        }
    }

    private func known(_ id: Int64, _ patron: Patron) throws -> CartLine {
        guard let line = try transaction.carts.get(id), line.patron == patron.id else {
            throw Refused("unknown_line", "There is no line \(id) in the cart.")
        }
        return line
    }

    private func line(_ request: CartRequest, _ patron: Patron, _ trail: RequestTrail) throws -> CartLine {
        var line = CartLine(
            patron: patron.id, kind: request.kind, quantity: request.quantity, ends: request.ends,
            addedAt: session.now)
        switch request.kind {
        case .loan:
            guard let key = request.title, request.listing == nil else {
                throw DeskError.input("title", "Only a title can be borrowed.")
            }
            line.title = try session.catalogue.known(key).id
        case .buy, .rent:
            guard let id = request.listing, request.title == nil else {
                throw DeskError.input("listing", "Only an offer can be bought or rented.")
            }
            line.listing = try market.known(id, trail).id
        }
        try Self.check(line)
        trail.titles = line.title.map { [$0] } ?? trail.titles
        return line
    }

    private static func check(_ line: CartLine) throws {
        let most = line.kind == .loan ? 100 : MarketService.mostPieces
        guard (1...most).contains(line.quantity) else {
            throw DeskError.input("quantity", "The quantity must be from 1 to \(most).")
        }
        if line.ends != nil, line.kind != .rent {
            throw DeskError.input("ends_on", "Only rentals can have an end date.")
        }
    }

    /// Whether the line could be checked out now, with the others of its kind; a listing's line takes its price.
    private func check(_ line: inout CartLine, besides lines: [CartLine], _ patron: Patron) throws {
        let others = lines.filter { $0.id != line.id }
        if line.kind == .loan {
            let wanted = (others + [line]).filter { $0.kind == .loan }.flatMap(\.titles)
            let request = CheckoutRequest(patron: .id(patron.id), wanted: .titles(wanted))
            if case .refused(let refusal) = try session.loans.mayCheckout(request) { throw Refused(refusal) }
            return
        }
        var sale = try Sale(session, buyer: patron)
        for other in others where other.listing == line.listing && other.kind != .loan {
            try sale.add(other.wanted.atAnyPrice)
        }
        try sale.add(line.wanted.atAnyPrice)
        let listing = try line.listing.flatMap { try transaction.listings.get($0) }
        line.price = listing?.cost(in: try session.fees.currency())
    }

    private func write(_ line: CartLine) throws -> CartLine {
        let change = CartChange(patron: line.patron, lines: [line])
        guard let written = try session.record(.cartChanged, change)?.content,
            let line = written.lines.first
        else { throw DeskError.input(nil, "The cart could not be saved.") }
        return line
    }
}

extension CartLine {
    /// A title once for each copy that is wanted.
    var titles: [TitleKey] {
        guard let title else { return [] }
        return Array(repeating: .id(title), count: Int(clamping: max(0, min(quantity, 1_000))))
    }

    /// What a sale is asked for.
    var wanted: Sale.Wanted {
        Sale.Wanted(listing: listing ?? 0, kind: kind, quantity: quantity, ends: ends, expected: price, line: id)
    }

    /// Whether another line is about the same thing in the same way.
    fileprivate func isSame(as other: CartLine) -> Bool {
        kind == other.kind && title == other.title && listing == other.listing && ends == other.ends
    }
}

extension Sale.Wanted {
    /// The same, whatever it costs by now.
    fileprivate var atAnyPrice: Sale.Wanted {
        var wanted = self
        wanted.expected = nil
        return wanted
    }
}
