extension Listing: NumberedRecord {
    package static let blank = Listing(
        seller: nil, title: nil, kind: .sell, state: .draft, createdAt: Instant(seconds: 0))

    package static let declaration = RecordDeclaration<Listing>(
        "a listing", in: "listings",
        [
            .init("id", \.id, isNoneAsZero: true),
            .init(
                "seller", \.seller, "the patron's id; nil: the library itself, or a seller who was removed",
                .reference(.patron)),
            .init("title", \.title, "the title's id; nil while the catalogue does not have it", .reference(.title)),
            .init("kind", \.kind),
            .init("price", \.price, "of one piece, of a rental for each `period`"),
            .init("period", \.period, "what a rental's price is for", columns: ["price_per"]),
            .init("quantity", \.quantity, "pieces that can be had", .count),
            .init("condition", \.condition, usual: ""),
            .init("edition", \.edition, usual: ""),
            .init("picture", \.picture, "an http or https address"),
            .init("pictures", \.pictures, "the names of those that were uploaded, in their order"),
            .init("note", \.note, isPersonal: true),
            .init("recommended", \.recommended, "by its seller"),
            .init("state", \.state),
            .init("created_at", \.createdAt),
            .init("updated_at", \.updatedAt, usually: { $0.createdAt }),
            .init("decision", \.decision, "what was said when it was reviewed, or why it is"),
            .init("proposal", \.proposal, isInternal: true),
            .init("policy", \.policy, "SHA-256 of the policy that decided whether to publish it"),
            .init("import_key", \.importKey, isInternal: true),
        ])
}

extension Order: NumberedRecord {
    package static let blank = Order(
        buyer: nil, items: [], lines: [], total: .zero(.eur), placedAt: Instant(seconds: 0))

    package static let declaration = RecordDeclaration<Order>(
        "an order", in: "orders",
        [
            .init("id", \.id, isNoneAsZero: true),
            .init("buyer", \.buyer, "the patron's id; nil once the patron is removed", .reference(.patron)),
            .init("category", \.category, isInternal: true),
            .init("state", \.state, "`open` until it is handed over"),
            .init("items", \.items),
            .init("lines", \.lines, "what is owed to the library is posted to the buyer's account"),
            .init("total", \.total, "the sum of the lines"),
            .init("placed_at", \.placedAt),
            .init("closed_at", \.closedAt, "when it was handed over or cancelled"),
            .init("channel", \.channel),
            .init("policy", \.policy, "SHA-256 of the policy that set the price"),
            .init("import_key", \.importKey, isInternal: true),
        ])
}

extension Order.Item: DeclaredRecord {
    package static let blank = Order.Item(
        listing: nil, title: nil, seller: nil, kind: .buy, label: "", quantity: 1, price: .zero(.eur))

    package static let declaration = RecordDeclaration<Order.Item>(
        "an item of an order", in: "order_items",
        [
            .init("listing", \.listing, "the listing's id", .reference(.listing)),
            .init("title", \.title, "the title's id", .reference(.title)),
            .init("seller", \.seller, "the seller's id; nil: the library itself", .reference(.patron)),
            .init("kind", \.kind),
            .init("label", \.label, "the title's name as it was"),
            .init("quantity", \.quantity, "", .count),
            .init("price", \.price, "of one piece, of a rental for one period"),
            .init("periods", \.periods, "how many periods a rental lasts", .count, usual: 1),
            .init("ends", \.ends, "the last day of a rental"),
        ])
}

extension Rental: NumberedRecord {
    package static let blank = Rental(
        listing: 0, title: nil, lender: nil, borrower: nil, price: .zero(.eur), period: Period(1, .days),
        begunAt: Instant(seconds: 0), ends: .earliest)

    package static let declaration = RecordDeclaration<Rental>(
        "a rental", in: "rentals",
        [
            .init("id", \.id, isNoneAsZero: true),
            .init("listing", \.listing, "", .reference(.listing)),
            .init("title", \.title, "the title's id", .reference(.title)),
            .init("lender", \.lender, "the seller's id; nil: the library itself", .reference(.patron)),
            .init("borrower", \.borrower, "the patron's id; nil once the patron is removed", .reference(.patron)),
            .init("order", \.order, "the order that charged it", .reference(.order), columns: ["order_id"]),
            .init("quantity", \.quantity, "", .count),
            .init("price", \.price, "for each `period`, as it was"),
            .init("period", \.period, columns: ["price_per"]),
            .init("begun_at", \.begunAt),
            .init("ends", \.ends, "the last day"),
            .init("ended_at", \.endedAt, "when it was given back; nil: it is open"),
            .init("import_key", \.importKey, isInternal: true),
        ])
}

extension CartLine: NumberedRecord {
    package static let blank = CartLine(patron: 0, kind: .loan, addedAt: Instant(seconds: 0))

    package static let declaration = RecordDeclaration<CartLine>(
        "a line of a cart", in: "cart_lines",
        [
            .init("id", \.id, isNoneAsZero: true),
            .init("patron", \.patron, "", .reference(.patron), isInternal: true),
            .init("kind", \.kind),
            .init("title", \.title, "the title to borrow", .reference(.title)),
            .init("listing", \.listing, "the listing to buy or rent from", .reference(.listing)),
            .init("quantity", \.quantity, "", .count),
            .init("price", \.price, "the listing's price when the line was written"),
            .init("ends", \.ends, "the last day of a rental"),
            .init("added_at", \.addedAt),
        ])
}

extension Favourite: NumberedRecord {
    package static let blank = Favourite(patron: 0, addedAt: Instant(seconds: 0))

    package static let declaration = RecordDeclaration<Favourite>(
        "a favourite", in: "favourites",
        [
            .init("id", \.id, isNoneAsZero: true),
            .init("patron", \.patron, "the patron's id", .reference(.patron)),
            .init("title", \.title, "the title's id; nil for a listing", .reference(.title)),
            .init("listing", \.listing, "the listing's id; nil for a title", .reference(.listing)),
            .init("added_at", \.addedAt),
        ])
}

extension Suggestion: NumberedRecord {
    package static let blank = Suggestion(
        patron: nil, proposal: TitleProposal(title: ""), submittedAt: Instant(seconds: 0))

    package static let declaration = RecordDeclaration<Suggestion>(
        "a suggestion", in: "suggestions",
        [
            .init("id", \.id, isNoneAsZero: true),
            .init("patron", \.patron, "the patron's id; nil once the patron is removed", .reference(.patron)),
            .init("proposal", \.proposal),
            .init("note", \.note, "the proposer's own words", isPersonal: true),
            .init("state", \.state),
            .init("submitted_at", \.submittedAt),
            .init("decided_at", \.decidedAt),
            .init("decision", \.decision, "what was said with the decision, or why it is reviewed"),
            .init("title", \.title, "the title in the catalogue, once it is approved", .reference(.title)),
            .init("policy", \.policy, isInternal: true),
            .init("import_key", \.importKey, isInternal: true),
        ])
}
