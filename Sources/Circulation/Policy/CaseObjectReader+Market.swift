import TextFormats

extension CaseObjectReader {
    /// Whether a listing is looked at where none is written: one that is published, and no suggestion is.
    var isListingExpected: Bool { frame.point == .publish && object["suggestion"] == nil }

    /// Whether a loan is priced.
    var isLoanPriced: Bool { frame.point == .price && json("loan") != nil }

    func listing() throws(CaseError) -> ListingFacts? {
        let isTold = frame.point == .notify && [.sold, .rentalDue, .listing, .contact].contains(frame.event)
        guard let reader = try part("listing", CaseRecords.listing, isExpected: isListingExpected || isTold)
        else { return nil }
        let kind: Listing.Kind = try reader.word("kind") ?? .sell
        var listing = ListingFacts(
            id: 1, kind: kind, price: try reader.listedPrice(kind), period: kind == .rent ? .days(1) : nil)
        if frame.point == .publish {
            let patron = json("patron")
            listing.id = 0
            listing.seller = patron?["id"]?.integerValue ?? 1
            listing.sellerCategory = patron?["category"]?.stringValue ?? "patron"
            listing.state = .review
        }
        try reader.fill(&listing, CaseRecords.listing)
        return listing
    }

    func suggestion() throws(CaseError) -> SuggestionFacts? {
        let isTold = frame.point == .notify && frame.event == .suggestion
        guard let reader = try part("suggestion", CaseRecords.suggestion, isExpected: isTold) else { return nil }
        var suggestion = SuggestionFacts()
        try reader.fill(&suggestion, CaseRecords.suggestion)
        return suggestion
    }

    /// The lines to be paid for; at `price` without a loan there is one.
    func saleLines() throws(CaseError) -> [SaleLine]? {
        let isPriced = frame.point == .price && !isLoanPriced
        let isTold = frame.point == .notify && frame.event == .order
        guard json("lines") != nil else {
            guard isPriced || isTold else { return nil }
            let empty = try CaseObjectReader([:], at: CasePlace(in: self, "lines"), CaseRecords.saleLine, frame)
            return [try empty.saleLine()]
        }
        var lines: [SaleLine] = []
        for reader in try readers("lines", CaseRecords.saleLine) { lines.append(try reader.saleLine()) }
        return lines
    }

    private func saleLine() throws(CaseError) -> SaleLine {
        let kind: SaleKind = try word("kind") ?? .buy
        var line = SaleLine(
            kind: kind, label: "a title", price: try price(of: kind != .loan) ?? .zero(frame.currency))
        try fill(&line, CaseRecords.saleLine)
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
}
