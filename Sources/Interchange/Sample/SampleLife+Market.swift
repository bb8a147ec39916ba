import Circulation
import Desk
import Market

/// What readers sell, rent out, swap and give away.
extension SampleLife {
    /// Books change hands when a term begins.
    mutating func planOffers(on day: CivilDate) throws {
        guard !traders.isEmpty else { return }
        let most =
            switch day.month {
            case 1, 2, 9, 10: 4
            case 7, 8: 1
            default: 2
            }
        for _ in 0..<Int.random(in: 0...most, using: &random) {
            plan(.trade(.offer), on: try day.adding(days: Int64.random(in: 0...6, using: &random)), from: 9, to: 23)
        }
    }

    mutating func carryOut(_ trade: SampleAgenda.Trade, on day: CivilDate, _ session: DeskSession) throws {
        switch trade {
        case .offer: try offer(on: day, session)
        case .ask(let listing, let seller): try ask(listing, seller, on: day, session)
        case .answer(let conversation, let seller, let question):
            guard question < habits.answers.count else { return }
            _ = try session.asPatron(seller) {
                try session.conversations.write(
                    habits.answers[question], from: .id(seller), about: .conversation(conversation))
            }
        case .take(let listing, let seller): try take(listing, from: seller, on: day, session)
        case .handOver(let order, let seller):
            _ = try session.asPatron(seller) { try session.market.handOver(order, by: .id(seller)) }
        case .giveBack(let rental, let lender):
            _ = try session.asPatron(lender) { try session.market.giveBack(rental, by: .id(lender)) }
        case .withdraw(let listing, let seller):
            guard let offered = try session.market.get(listing), offered.state == .active else { return }
            _ = try session.asPatron(seller) { try session.market.withdraw(listing, by: .id(seller)) }
        }
    }

    private mutating func offer(on day: CivilDate, _ session: DeskSession) throws {
        guard let seller = traders.randomElement(using: &random)?.id, let title = title(ofAny: habits.traded) else {
            return
        }
        let kinds: [Listing.Kind] = [.sell, .sell, .sell, .sell, .sell, .rent, .rent, .rent, .trade, .donate]
        let kind = kinds.randomElement(using: &random) ?? .sell
        var request = ListingRequest(seller: .id(seller), title: .id(title), kind: kind)
        let currency = try session.settings.library().currency
        switch kind {
        case .sell:
            let price = 50 * Int64.random(in: 5...60, using: &random)
            request.price = Money(minorUnits: price, currency: currency)
        case .rent:
            request.price = Money(minorUnits: 50 * Int64.random(in: 3...12, using: &random), currency: currency)
            request.period = .months(1)
        case .trade, .donate: break
        }
        request.condition = habits.conditions.randomElement(using: &random) ?? ""
        request.note = chance(of: 0.7) ? habits.offers.randomElement(using: &random) ?? "" : ""
        request.recommended = chance(of: 0.2)
        let published = try session.asPatron(seller) { try session.market.publish(request) }
        guard case .done(let listing) = published else { return }
        summary.offers += 1
        try planFuture(of: listing.id, seller, on: day)
    }

    /// Some are asked about, most find someone, and the others are taken back.
    private mutating func planFuture(of listing: Int64, _ seller: Int64, on day: CivilDate) throws {
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            let days = Int64.random(in: 1...15, using: &random)
            plan(.trade(.ask(listing: listing, seller: seller)), on: try day.adding(days: days), from: 10, to: 22)
        }
        let isTaken = chance(of: 0.6)
        let days = Int64.random(in: isTaken ? 3...40 : 90...150, using: &random)
        plan(
            .trade(
                isTaken ? .take(listing: listing, seller: seller) : .withdraw(listing: listing, seller: seller)),
            on: try day.adding(days: days), from: 10, to: 22)
    }

    private mutating func ask(_ listing: Int64, _ seller: Int64, on day: CivilDate, _ session: DeskSession) throws {
        guard let question = habits.questions.indices.randomElement(using: &random), let asker = other(than: seller)
        else { return }
        let asked = try session.asPatron(asker) {
            try session.conversations.write(habits.questions[question], from: .id(asker), about: .listing(listing))
        }
        guard case .done(let message) = asked, chance(of: 0.85) else { return }
        plan(
            .trade(.answer(conversation: message.conversation, seller: seller, question: question)),
            on: try day.adding(days: 1), from: 8, to: 22)
    }

    private mutating func take(
        _ listing: Int64, from seller: Int64, on day: CivilDate, _ session: DeskSession
    ) throws {
        guard let offered = try session.market.get(listing), offered.state == .active, let buyer = other(than: seller)
        else { return }
        guard offered.kind == .rent else {
            let bought = try session.asPatron(buyer) { try session.market.buy(listing, patron: .id(buyer)) }
            guard case .done(let order) = bought else { return }
            let days = Int64.random(in: 1...4, using: &random)
            plan(.trade(.handOver(order: order.id, seller: seller)), on: try day.adding(days: days), from: 9, to: 19)
            return
        }
        let ends = try day.adding(days: Int64.random(in: 40...120, using: &random))
        let rented = try session.asPatron(buyer) {
            try session.market.rent(listing, until: ends, patron: .id(buyer))
        }
        guard case .done(let rental) = rented else { return }
        plan(.trade(.giveBack(rental: rental.id, lender: seller)), on: try ends.adding(days: 1), from: 9, to: 19)
        if let order = rental.order {
            plan(.trade(.handOver(order: order, seller: seller)), on: try day.adding(days: 2), from: 9, to: 19)
        }
    }

    private mutating func other(than seller: Int64) -> Int64? {
        traders.filter { $0.id != seller }.randomElement(using: &random)?.id
    }
}
