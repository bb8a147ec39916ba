import Circulation
import TextFormats

// What the records of the market look like in a payload. The notes of listings and suggestions, which are people's own
// words, are not written.

extension JSONWriter {
    mutating func members(of listing: Listing) {
        member("id", listing.id)
        member("seller", listing.seller)
        member("title", listing.title)
        member("kind", listing.kind.rawValue)
        member("price", listing.price)
        member("period", listing.period?.isoText)
        member("quantity", listing.quantity)
        if !listing.condition.isEmpty { member("condition", listing.condition) }
        if !listing.edition.isEmpty { member("edition", listing.edition) }
        member("picture", listing.picture)
        member("state", listing.state.rawValue)
        member("created_at", listing.createdAt)
        if listing.updatedAt != listing.createdAt { member("updated_at", listing.updatedAt) }
        member("decision", listing.decision)
        member("proposal", listing.proposal?.json ?? [:])
        member("policy", listing.policy)
        member("import_key", listing.importKey)
    }

    mutating func members(of order: Order) {
        member("id", order.id)
        member("buyer", order.buyer)
        member("category", order.category)
        member("state", order.state.rawValue)
        list("items", order.items) { $0.members(of: $1) }
        list("lines", order.lines) { writer, line in
            writer.member("label", line.label)
            writer.member("amount", line.amount)
            writer.member("item", line.item)
        }
        member("total", order.total)
        member("placed_at", order.placedAt)
        member("closed_at", order.closedAt)
        member("channel", order.channel?.rawValue)
        member("policy", order.policy)
        member("import_key", order.importKey)
    }

    private mutating func members(of item: Order.Item) {
        member("listing", item.listing)
        member("title", item.title)
        member("seller", item.seller)
        member("kind", item.kind.rawValue)
        member("label", item.label)
        member("quantity", item.quantity)
        member("price", item.price)
        if item.periods != 1 { member("periods", item.periods) }
        member("ends", item.ends)
    }

    mutating func members(of rental: Rental) {
        member("id", rental.id)
        member("listing", rental.listing)
        member("title", rental.title)
        member("lender", rental.lender)
        member("borrower", rental.borrower)
        member("order", rental.order)
        member("quantity", rental.quantity)
        member("price", rental.price)
        member("period", rental.period.isoText)
        member("begun_at", rental.begunAt)
        member("ends", rental.ends)
        member("ended_at", rental.endedAt)
        member("import_key", rental.importKey)
    }

    mutating func members(of line: CartLine) {
        member("id", line.id)
        member("patron", line.patron)
        member("kind", line.kind.rawValue)
        member("title", line.title)
        member("listing", line.listing)
        member("quantity", line.quantity)
        member("price", line.price)
        member("ends", line.ends)
        member("added_at", line.addedAt)
    }

    mutating func members(of favourite: Favourite) {
        member("id", favourite.id)
        member("patron", favourite.patron)
        member("title", favourite.title)
        member("listing", favourite.listing)
        member("added_at", favourite.addedAt)
    }

    mutating func members(of suggestion: Suggestion) {
        member("id", suggestion.id)
        member("patron", suggestion.patron)
        member("proposal", suggestion.proposal.json)
        member("state", suggestion.state.rawValue)
        member("submitted_at", suggestion.submittedAt)
        member("decided_at", suggestion.decidedAt)
        member("decision", suggestion.decision)
        member("title", suggestion.title)
        member("policy", suggestion.policy)
        member("import_key", suggestion.importKey)
    }
}

extension EventPayload {
    func listing() throws -> Listing {
        let created = try instant("created_at")
        return Listing(
            id: try integer("id"), seller: try optionalInteger("seller"), title: try optionalInteger("title"),
            kind: try choice("kind", Listing.Kind.self), price: try optionalMoney("price"),
            period: try optionalPeriod("period"), quantity: try integer("quantity"),
            condition: try optionalText("condition") ?? "", edition: try optionalText("edition") ?? "",
            picture: try optionalText("picture"), state: try choice("state", Listing.State.self), createdAt: created,
            updatedAt: try optionalInstant("updated_at") ?? created, decision: try optionalText("decision"),
            proposal: try optionalProposal("proposal"), policy: try optionalText("policy"),
            importKey: try optionalText("import_key"))
    }

    func order() throws -> Order {
        Order(
            id: try integer("id"), buyer: try optionalInteger("buyer"), category: try optionalText("category"),
            state: try choice("state", Order.State.self), items: try inners("items").map { try $0.orderItem() },
            lines: try inners("lines").map {
                PriceLine(
                    label: try $0.text("label"), amount: try $0.money("amount"), item: try $0.optionalInteger("item"))
            },
            total: try money("total"), placedAt: try instant("placed_at"), closedAt: try optionalInstant("closed_at"),
            channel: try optionalChoice("channel", ActorFacts.Channel.self), policy: try optionalText("policy"),
            importKey: try optionalText("import_key"))
    }

    private func orderItem() throws -> Order.Item {
        Order.Item(
            listing: try optionalInteger("listing"), title: try optionalInteger("title"),
            seller: try optionalInteger("seller"), kind: try choice("kind", SaleKind.self), label: try text("label"),
            quantity: try integer("quantity"), price: try money("price"),
            periods: try optionalInteger("periods") ?? 1, ends: try optionalDate("ends"))
    }

    func orderChange() throws -> OrderChange {
        OrderChange(
            order: try integer("order"), buyer: try optionalInteger("buyer"),
            state: try choice("state", Order.State.self), closedAt: try instant("closed_at"),
            reason: try optionalText("reason"))
    }

    func rental() throws -> Rental {
        guard let period = try optionalPeriod("period"), let ends = try optionalDate("ends") else {
            throw DeskError.event("The payload's period or ends is missing.")
        }
        return Rental(
            id: try integer("id"), listing: try integer("listing"), title: try optionalInteger("title"),
            lender: try optionalInteger("lender"), borrower: try optionalInteger("borrower"),
            order: try optionalInteger("order"), quantity: try integer("quantity"), price: try money("price"),
            period: period, begunAt: try instant("begun_at"), ends: ends,
            endedAt: try optionalInstant("ended_at"), importKey: try optionalText("import_key"))
    }

    func cartLine() throws -> CartLine {
        CartLine(
            id: try integer("id"), patron: try integer("patron"), kind: try choice("kind", SaleKind.self),
            title: try optionalInteger("title"), listing: try optionalInteger("listing"),
            quantity: try integer("quantity"), price: try optionalMoney("price"), ends: try optionalDate("ends"),
            addedAt: try instant("added_at"))
    }

    func favourite() throws -> Favourite {
        Favourite(
            id: try integer("id"), patron: try integer("patron"), title: try optionalInteger("title"),
            listing: try optionalInteger("listing"), addedAt: try instant("added_at"))
    }

    func suggestion() throws -> Suggestion {
        guard let proposal = try optionalProposal("proposal") else {
            throw DeskError.event("The payload's proposal is missing.")
        }
        return Suggestion(
            id: try integer("id"), patron: try optionalInteger("patron"), proposal: proposal,
            state: try choice("state", Suggestion.State.self), submittedAt: try instant("submitted_at"),
            decidedAt: try optionalInstant("decided_at"), decision: try optionalText("decision"),
            title: try optionalInteger("title"), policy: try optionalText("policy"),
            importKey: try optionalText("import_key"))
    }

    private func optionalPeriod(_ key: String) throws -> Period? {
        guard let text = try optionalText(key) else { return nil }
        guard let period = try? Period(parsing: text) else {
            throw DeskError.event("The payload's \(key) is \"\(text)\", which is not a period.")
        }
        return period
    }

    private func optionalProposal(_ key: String) throws -> TitleProposal? {
        let object = try members(key)
        if object.isEmpty { return nil }
        guard let proposal = TitleProposal(json: object) else {
            throw DeskError.event("The payload's \(key) is not a proposal.")
        }
        return proposal
    }
}
