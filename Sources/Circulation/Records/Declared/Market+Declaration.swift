extension Listing: DeclaredRecord {
    package static let blank = Listing(
        seller: nil, title: nil, kind: .sell, state: .draft, createdAt: Instant(seconds: 0))

    package static let declaration = RecordDeclaration<Listing>(
        "a listing", in: "listings",
        [
            .init("id", \.id, isNoneAsZero: true),
            .init("seller", \.seller),
            .init("title", \.title),
            .init("kind", \.kind),
            .init("price", \.price),
            .init("period", \.period, columns: ["price_per"]),
            .init("quantity", \.quantity),
            .init("condition", \.condition, usual: ""),
            .init("edition", \.edition, usual: ""),
            .init("picture", \.picture),
            .init("note", \.note, isPersonal: true),
            .init("state", \.state),
            .init("created_at", \.createdAt),
            .init("updated_at", \.updatedAt, usually: { $0.createdAt }),
            .init("decision", \.decision),
            .init("proposal", \.proposal),
            .init("policy", \.policy),
            .init("import_key", \.importKey),
        ])
}

extension Order: DeclaredRecord {
    package static let blank = Order(
        buyer: nil, items: [], lines: [], total: .zero(.eur), placedAt: Instant(seconds: 0))

    package static let declaration = RecordDeclaration<Order>(
        "an order", in: "orders",
        [
            .init("id", \.id, isNoneAsZero: true),
            .init("buyer", \.buyer),
            .init("category", \.category),
            .init("state", \.state),
            .init("items", \.items),
            .init("lines", \.lines),
            .init("total", \.total),
            .init("placed_at", \.placedAt),
            .init("closed_at", \.closedAt),
            .init("channel", \.channel),
            .init("policy", \.policy),
            .init("import_key", \.importKey),
        ])
}

extension Order.Item: DeclaredRecord {
    package static let blank = Order.Item(
        listing: nil, title: nil, seller: nil, kind: .buy, label: "", quantity: 1, price: .zero(.eur))

    package static let declaration = RecordDeclaration<Order.Item>(
        "an item of an order", in: "order_items",
        [
            .init("listing", \.listing),
            .init("title", \.title),
            .init("seller", \.seller),
            .init("kind", \.kind),
            .init("label", \.label),
            .init("quantity", \.quantity),
            .init("price", \.price),
            .init("periods", \.periods, usual: 1),
            .init("ends", \.ends),
        ])
}

extension Rental: DeclaredRecord {
    package static let blank = Rental(
        listing: 0, title: nil, lender: nil, borrower: nil, price: .zero(.eur), period: Period(1, .days),
        begunAt: Instant(seconds: 0), ends: .earliest)

    package static let declaration = RecordDeclaration<Rental>(
        "a rental", in: "rentals",
        [
            .init("id", \.id, isNoneAsZero: true),
            .init("listing", \.listing),
            .init("title", \.title),
            .init("lender", \.lender),
            .init("borrower", \.borrower),
            .init("order", \.order, columns: ["order_id"]),
            .init("quantity", \.quantity),
            .init("price", \.price),
            .init("period", \.period, columns: ["price_per"]),
            .init("begun_at", \.begunAt),
            .init("ends", \.ends),
            .init("ended_at", \.endedAt),
            .init("import_key", \.importKey),
        ])
}

extension CartLine: DeclaredRecord {
    package static let blank = CartLine(patron: 0, kind: .loan, addedAt: Instant(seconds: 0))

    package static let declaration = RecordDeclaration<CartLine>(
        "a line of a cart", in: "cart_lines",
        [
            .init("id", \.id, isNoneAsZero: true),
            .init("patron", \.patron),
            .init("kind", \.kind),
            .init("title", \.title),
            .init("listing", \.listing),
            .init("quantity", \.quantity),
            .init("price", \.price),
            .init("ends", \.ends),
            .init("added_at", \.addedAt),
        ])
}

extension Favourite: DeclaredRecord {
    package static let blank = Favourite(patron: 0, addedAt: Instant(seconds: 0))

    package static let declaration = RecordDeclaration<Favourite>(
        "a favourite", in: "favourites",
        [
            .init("id", \.id, isNoneAsZero: true),
            .init("patron", \.patron),
            .init("title", \.title),
            .init("listing", \.listing),
            .init("added_at", \.addedAt),
        ])
}

extension Suggestion: DeclaredRecord {
    package static let blank = Suggestion(
        patron: nil, proposal: TitleProposal(title: ""), submittedAt: Instant(seconds: 0))

    package static let declaration = RecordDeclaration<Suggestion>(
        "a suggestion", in: "suggestions",
        [
            .init("id", \.id, isNoneAsZero: true),
            .init("patron", \.patron),
            .init("proposal", \.proposal),
            .init("note", \.note, isPersonal: true),
            .init("state", \.state),
            .init("submitted_at", \.submittedAt),
            .init("decided_at", \.decidedAt),
            .init("decision", \.decision),
            .init("title", \.title),
            .init("policy", \.policy),
            .init("import_key", \.importKey),
        ])
}
