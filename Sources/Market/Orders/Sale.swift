import Circulation
import Desk
import Storage
import TextFormats

/// One purchase or rental, of one listing or of a whole cart: checks the stock, asks for the price, and writes the
/// order, what it takes and what is owed to the library.
struct Sale {
    /// Something that is wanted.
    struct Wanted {
        var listing: Int64
        var kind: SaleKind
        var quantity: Int64
        var ends: CivilDate?
        /// The price at which it was put into a cart; nil: whatever it costs now.
        var expected: Money?
        /// The line of a cart.
        var line: Int64?
    }

    /// What a sale came to.
    struct Result {
        var order: Order
        var rentals: [Rental]
    }

    fileprivate struct Item {
        var wanted: Wanted
        var listing: Listing
        var line: SaleLine
    }

    private let session: DeskSession
    private let buyer: Patron
    private let desk: CaseBuilder
    private var items: [Item] = []
    /// Listings as they are once all items are taken.
    private var taken: [Int64: Listing] = [:]

    private var market: MarketService { session.market }
    private var transaction: Transaction { session.transaction }

    init(_ session: DeskSession, buyer: Patron) throws {
        self.session = session
        self.buyer = buyer
        desk = try CaseBuilder(session: session)
    }

    // MARK: - Checking

    /// Adds something to the sale.
    ///
    /// - Throws: ``Refused`` with `unknown_listing`, `not_offered`, `own_listing`, `stock`, `price_changed`, `past`.
    mutating func add(_ wanted: Wanted) throws {
        do {
            try check(wanted)
        } catch var refused as Refused {
            if let line = wanted.line { refused.name(line: line) }
            throw refused
        }
    }

    private mutating func check(_ wanted: Wanted) throws {
        guard (1...MarketService.mostPieces).contains(wanted.quantity) else {
            throw DeskError.input("quantity", "1 to \(MarketService.mostPieces) pieces can be had at once.")
        }
        guard var listing = try taken[wanted.listing] ?? transaction.listings.get(wanted.listing) else {
            throw Refused(Refusal.Code.unknownListing, "There is no offer \(wanted.listing).")
        }
        let label = try market.label(of: listing)
        try checkOffer(listing, wanted, label)
        listing.quantity -= wanted.quantity
        if listing.quantity == 0 { listing.state = listing.kind == .rent ? .hidden : .sold }
        listing.updatedAt = session.now
        taken[listing.id] = listing
        let line = try saleLine(listing, wanted, label)
        items.append(Item(wanted: wanted, listing: listing, line: line))
    }

    private func checkOffer(_ listing: Listing, _ wanted: Wanted, _ label: String) throws {
        guard (listing.kind == .rent) == (wanted.kind == .rent) else {
            throw Refused(
                Refusal.Code.notOffered,
                wanted.kind == .rent ? "\(label) is not for rent." : "\(label) is for rent only.")
        }
        guard listing.seller != buyer.id else {
            throw Refused(
                "own_listing",
                "You cannot buy or rent your own offer: \(label).")
        }
        let isGone = listing.state == .sold || listing.quantity == 0 && listing.state == .hidden
        guard listing.state == .active || isGone else {
            throw Refused(Refusal.Code.notOffered, "\(label) is no longer available.")
        }
        guard !isGone, listing.quantity >= wanted.quantity else {
            let left = isGone ? 0 : listing.quantity
            throw Refused(
                Refusal(
                    code: Refusal.Code.stock,
                    message: left == 0 ? "There is nothing left of \(label)." : "Only \(left) left of \(label).",
                    figures: ["left": .integer(left)]))
        }
        guard let expected = wanted.expected, expected != listing.cost(in: expected.currency) else { return }
        throw Refused(
            Refusal(
                code: "price_changed",
                message: "\(label) now costs \(listing.cost(in: expected.currency)), no longer \(expected).",
                figures: ["price": .string(listing.cost(in: expected.currency).description)]))
    }

    private func saleLine(_ listing: Listing, _ wanted: Wanted, _ label: String) throws -> SaleLine {
        let currency = desk.settings.library.currency
        var line = SaleLine(
            kind: wanted.kind, label: label, title: listing.title, listing: listing.id, seller: listing.seller,
            sellerCategory: try listing.seller.flatMap { try transaction.patrons.get($0)?.category },
            quantity: wanted.quantity, price: listing.cost(in: currency))
        if wanted.kind == .rent {
            let ends = try wanted.ends ?? dueDate(of: listing)
            line.ends = ends
            line.periods = try periods(of: listing, until: ends)
        }
        return line
    }

    /// The date that the policy's `due` gives, for a rental that names none.
    private func dueDate(of listing: Listing) throws -> CivilDate {
        var question = try question(.due)
        question.title = try listing.title.flatMap { try desk.title($0, for: buyer.id) }
        question.listing = try market.facts(of: listing)
        let asked = try session.asked(question) { Decision(point: $0.point, answer: .allow) }
        guard let due = asked.decision.due else {
            throw Refused(Refusal.Code.noRule, "The policy gives no end date for the rental. Please choose one.")
        }
        return due.date
    }

    private func periods(of listing: Listing, until ends: CivilDate) throws -> Int64 {
        let today = desk.settings.zone(ofBranch: session.actor.branch ?? "").date(of: session.now)
        guard ends > today else { throw Refused("past", "A rental must end after today, \(today).") }
        guard Int64(ends.days(since: today)) <= Self.longestRental else {
            throw Refused("too_long", "A rental must end within \(Self.longestRental) days.")
        }
        return try (listing.period ?? .days(1)).startedCount(from: today, to: ends)
    }

    /// Ten years.
    private static let longestRental: Int64 = 3_653

    // MARK: - The price

    private func question(_ point: DecisionPoint) throws -> Case {
        let branch = try desk.branch(copy: nil, home: buyer.homeBranch)
        guard let facts = try desk.patron(buyer.id, at: branch) else {
            throw Refused(Refusal.Code.unknownPatron, "There is no such patron.")
        }
        return desk.question(point, at: branch, patron: facts)
    }

    /// What a sale costs: what the policy was asked and answered, for each of those to whom something is owed.
    struct Price {
        var asked: [AskedDecision] = []
        var lines: [PriceLine] = []
    }

    /// What it costs, line by line, as the policy's `price` says. Each seller's part is a deal of its own, and so is
    /// what the library itself offers: the policy is asked about each alone, since what it answers is owed to different
    /// people.
    ///
    /// - Parameter others: loans that stand in the same cart; they cost nothing here.
    /// - Throws: ``Refused``.
    func priced(besides others: [SaleLine] = []) throws -> Price {
        var price = Price()
        for (seller, places) in deals(besides: others) {
            let (asked, lines) = try priced(places, besides: seller == nil ? others : [])
            price.asked.append(asked)
            let owedFor = seller.flatMap { _ in places.first.map { Int64($0 + 1) } }
            price.lines += lines.map {
                PriceLine(label: $0.label, amount: $0.amount, item: $0.isForLibrary ? nil : owedFor)
            }
        }
        return price
    }

    /// The places of the items of each seller (nil: the library), in the order in which they first appear.
    private func deals(besides others: [SaleLine]) -> [(seller: Int64?, places: [Int])] {
        var deals: [(seller: Int64?, places: [Int])] = []
        for (place, item) in items.enumerated() {
            if let known = deals.firstIndex(where: { $0.seller == item.listing.seller }) {
                deals[known].places.append(place)
            } else {
                deals.append((item.listing.seller, [place]))
            }
        }
        // Of a cart with loans alone the library says what it comes to.
        return items.isEmpty ? [(nil, [])] : deals
    }

    private func priced(
        _ places: [Int], besides others: [SaleLine]
    ) throws -> (asked: AskedDecision, lines: [PriceLine]) {
        var question = try question(.price)
        question.lines = places.map { items[$0].line } + others
        if others.isEmpty, places.count == 1, let item = places.first.map({ items[$0] }) {
            question.listing = try market.facts(of: item.listing)
            question.listing?.quantity += item.wanted.quantity
            question.listing?.state = .active
            question.title = try item.line.title.flatMap { try desk.title($0, for: buyer.id) }
        }
        let asked = try session.asked(question) { question in
            Decision(
                point: .price, answer: .allow,
                lines: try PriceLine.standard(for: question.lines ?? []))
        }
        return (asked, try asked.decision.lines ?? PriceLine.standard(for: question.lines ?? []))
    }

    // MARK: - Writing

    /// Writes all of it: the order, what it takes of the listings, rentals, what is owed; buyer and sellers get
    /// messages.
    func write(besides others: [SaleLine] = []) throws -> Result {
        let price = try priced(besides: others)
        try checkRenting()
        let order = try order(price)
        // A balance beyond 64 bits could never be read again.
        _ = try session.fees.balance(of: buyer.id).adding(try order.owed())
        guard let (placed, event) = try session.record(.orderPlaced, order) else {
            throw DeskError.input(nil, "The order could not be saved.")
        }
        for (ordinal, asked) in price.asked.enumerated() where !asked.policy.isEmpty {
            try session.log(asked, ordinal: Int64(ordinal), under: event)
        }
        for id in taken.keys.sorted() {
            if let listing = taken[id] { try market.record(.taken, listing) }
        }
        let rentals = try items.compactMap { try rental($0, of: placed) }
        _ = try session.fees.post(placed.charges(at: session.now))
        try tell(of: placed)
        return Result(order: placed, rentals: rentals)
    }

    private func order(_ price: Price) throws -> Order {
        let policy = price.asked.first { !$0.policy.isEmpty }?.policy
        return Order(
            buyer: buyer.id, category: buyer.category, items: items.map(\.orderItem), lines: price.lines,
            total: try PriceLine.total(of: price.lines, in: desk.settings.library.currency), placedAt: session.now,
            channel: session.actor.channel, policy: policy)
    }

    /// Who may not borrow may not rent either.
    private func checkRenting() throws {
        guard items.contains(where: { $0.wanted.kind == .rent }) else { return }
        let reasons = CompiledTables.empty.patronChecks(for: try question(.request))
        if !reasons.isEmpty { throw Refused(Refusal(reasons: reasons)) }
    }

    /// Writes what is rented down without an order: nothing is priced, charged or said.
    func writeRental() throws -> Rental {
        for id in taken.keys.sorted() {
            if let listing = taken[id] { try market.record(.taken, listing) }
        }
        guard let rental = try items.compactMap({ try rental($0, of: nil) }).first else {
            throw DeskError.input(nil, "The rental could not be saved.")
        }
        return rental
    }

    private func rental(_ item: Item, of order: Order?) throws -> Rental? {
        guard item.wanted.kind == .rent, let ends = item.line.ends else { return nil }
        let rental = Rental(
            listing: item.listing.id, title: item.listing.title, lender: item.listing.seller, borrower: buyer.id,
            order: order?.id, quantity: item.wanted.quantity, price: item.line.price,
            period: item.listing.period ?? .days(1), begunAt: session.now, ends: ends)
        guard let begun = try session.record(.rentalBegun, rental)?.content else {
            throw DeskError.input(nil, "The rental could not be saved.")
        }
        return begun
    }

    private func tell(of order: Order) throws {
        try market.tell(of: order, items.map(\.line))
        var told: Set<Int64> = []
        for item in items {
            guard item.listing.seller != nil, told.insert(item.listing.id).inserted else { continue }
            try market.tell(.sold, of: item.listing, order: order.id, ends: item.line.ends)
        }
    }
}

extension Sale.Item {
    fileprivate var orderItem: Order.Item {
        Order.Item(
            listing: listing.id, title: listing.title, seller: listing.seller, kind: wanted.kind, label: line.label,
            quantity: wanted.quantity, price: line.price, periods: line.periods, ends: line.ends)
    }
}

extension Listing {
    /// What one piece, or one period of it, costs; nothing for what is traded or given away.
    func cost(in currency: Currency) -> Money { price ?? .zero(currency) }
}

extension Order {
    /// The lines of the buyer's account, each under a key of its own: what is owed to another patron is not among them.
    func charges(at instant: Instant) -> [LedgerEntry] {
        guard let buyer else { return [] }
        return lines.enumerated().compactMap { index, line in
            guard line.isOwedToLibrary, !line.amount.isZero else { return nil }
            return LedgerEntry(
                key: "order:\(id):\(index + 1)", patron: buyer, kind: line.amount.isNegative ? .adjustment : .charge,
                amount: line.amount, label: line.label, at: instant)
        }
    }
}

extension Refused {
    /// Says which line of a cart is at fault.
    mutating func name(line: Int64) {
        for index in refusal.reasons.indices { refusal.reasons[index].figures["line"] = .integer(line) }
        if var filled {
            for index in filled.reasons.indices { filled.reasons[index].figures["line"] = .integer(line) }
            self.filled = filled
        }
    }
}
