import TextFormats

extension CaseObjectReader {
    /// Whether a listing is looked at where none is written: one that is published, and no suggestion is.
    var isListingExpected: Bool { frame.point == .publish && object["suggestion"] == nil }

    /// Whether a loan is priced.
    var isLoanPriced: Bool { frame.point == .price && json("loan") != nil }

    func listing() throws(CaseError) -> ListingFacts? {
        let isTold = frame.point == .notify && [.sold, .rentalDue, .listing].contains(frame.event)
        guard let reader = try part("listing", CaseRecords.listing, isExpected: isListingExpected || isTold)
        else { return nil }
        let patron = frame.point == .publish ? json("patron") : nil
        let kind: Listing.Kind = try reader.word("kind") ?? .sell
        return ListingFacts(
            id: try reader.integer("id") ?? (frame.point == .publish ? 0 : 1),
            seller: try reader.integer("seller") ?? (frame.point == .publish ? patron?["id"]?.integerValue ?? 1 : nil),
            sellerCategory: try reader.text("seller_category")
                ?? (frame.point == .publish ? patron?["category"]?.stringValue ?? "patron" : nil),
            kind: kind, price: try reader.listedPrice(kind),
            period: try reader.period("period") ?? (kind == .rent ? .days(1) : nil),
            quantity: try reader.count("quantity") ?? 1, condition: try reader.text("condition") ?? "",
            edition: try reader.text("edition") ?? "", hasPicture: try reader.boolean("picture") ?? false,
            state: try reader.word("state") ?? (frame.point == .publish ? .review : .active),
            others: try reader.count("others") ?? 0)
    }

    func suggestion() throws(CaseError) -> SuggestionFacts? {
        let isTold = frame.point == .notify && frame.event == .suggestion
        guard
            let reader = try part(
                "suggestion", CaseRecords.suggestion, isExpected: isTold)
        else { return nil }
        return SuggestionFacts(
            id: try reader.integer("id") ?? 0, hasISBN: try reader.boolean("isbn") ?? false,
            courses: try reader.texts("courses"), college: try reader.text("college"),
            others: try reader.count("others") ?? 0)
    }

    /// The lines to be paid for; at `price` without a loan there is one.
    func saleLines() throws(CaseError) -> [SaleLine]? {
        let isPriced = frame.point == .price && !isLoanPriced
        let isTold = frame.point == .notify && frame.event == .order
        guard json("lines") != nil else {
            guard isPriced || isTold else { return nil }
            let empty = try CaseObjectReader([:], path: field("lines"), CaseRecords.saleLine, frame: frame)
            return [try empty.saleLine()]
        }
        var lines: [SaleLine] = []
        for reader in try readers("lines", CaseRecords.saleLine) { lines.append(try reader.saleLine()) }
        return lines
    }

    private func saleLine() throws(CaseError) -> SaleLine {
        let kind: SaleKind = try word("kind") ?? .buy
        let line = SaleLine(
            kind: kind, label: try text("label") ?? "a title", title: try integer("title"),
            listing: try integer("listing"), seller: try integer("seller"),
            sellerCategory: try text("seller_category"), quantity: try count("quantity") ?? 1,
            price: try price(of: kind != .loan) ?? .zero(frame.currency), periods: try count("periods") ?? 1,
            ends: try date("ends"))
        guard let written = try money("amount") else { return line }
        guard let amount = try? line.amount(), amount == written else {
            throw CaseError(field: field("amount"), fault: "it is not price times quantity times periods")
        }
        return line
    }

    /// What a listing costs; `null` or `false` stands for none.
    private func listedPrice(_ kind: Listing.Kind) throws(CaseError) -> Money? {
        switch object["price"] {
        case .null?, .bool(false)?: return nil
        default: return try price(of: kind == .sell || kind == .rent)
        }
    }

    /// An amount that is not negative, 10.00 where something costs something and none is written.
    private func price(of hasPrice: Bool) throws(CaseError) -> Money? {
        guard let price = try money("price") else {
            return hasPrice ? try? Money(minorUnits: 10, currency: frame.currency).multiplied(by: unit) : nil
        }
        guard !price.isNegative else {
            throw CaseError(field: field("price"), fault: "a price is not negative")
        }
        return price
    }

    private var unit: Int64 { frame.currency.minorUnitsPerUnit }

    /// A period such as `P14D`.
    private func period(_ key: String) throws(CaseError) -> Period? {
        guard let json = json(key) else { return nil }
        guard case .string(let text) = json, let period = try? Period(parsing: text), period.count > 0 else {
            throw wrong(key, "a period such as P14D", json)
        }
        return period
    }
}
