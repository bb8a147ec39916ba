extension CaseRecords {
    package static let listing = CaseRecord<ListingFacts>(
        "case.listing", "What is to be published, sold or rented.",
        [
            .init("id", \.id, "0 while it is only proposed", isSigned: true) { $0.id },
            .init("seller", \.seller, "the patron's id; nil: the library itself", isSigned: true) { $0.seller },
            .init("seller_category", \.sellerCategory, "", .category) { $0.sellerCategory },
            .init("kind", \.kind, "", .listing) { $0.kind },
            .init("price", "of one piece, of a rental for each `period`") { $0.price },
            .init("period", \.period) { $0.period },
            .init("quantity", \.quantity) { $0.quantity },
            .init("condition", \.condition) { $0.condition },
            .init("edition", \.edition) { $0.edition },
            .init("picture", \.hasPicture, "whether there is one", writing: .ifTelling) { $0.hasPicture },
            .init("state", \.state, "", .listingState) { $0.state },
            .init("others", \.others, "how many other open listings the seller has") { $0.others },
        ])

    package static let suggestion = CaseRecord<SuggestionFacts>(
        "case.suggestion", "A title that a patron asks the library to get.",
        [
            .init("id", \.id, "0 while it is only proposed", isSigned: true) { $0.id },
            .init("isbn", \.hasISBN, "whether it names one", writing: .ifTelling) { $0.hasISBN },
            .init("courses", \.courses, "codes of courses that use it", writing: .ifTelling) { $0.courses },
            .init("college", \.college) { $0.college },
            .init("others", \.others, "how many other suggestions of this patron are undecided") { $0.others },
        ])

    package static let saleLine = CaseRecord<SaleLine>(
        "case.lines", "One line of what is about to be paid for.",
        [
            .init("kind", \.kind, "", .line) { $0.kind },
            .init("label", \.label, "the title's name") { $0.label },
            .init("title", \.title, "the title's id", isSigned: true) { $0.title },
            .init("listing", \.listing, "the listing's id", isSigned: true) { $0.listing },
            .init("seller", \.seller, "the seller's id; nil: the library itself", isSigned: true) { $0.seller },
            .init("seller_category", \.sellerCategory, "", .category) { $0.sellerCategory },
            .init("quantity", \.quantity) { $0.quantity },
            .init("price", "of one piece, of a rental for one period") { $0.price },
            .init("periods", \.periods, "how many periods a rental lasts, started ones included; 1 for what is bought")
            { $0.periods },
            .init("ends", \.ends, "when a rental ends") { $0.ends },
            // Beyond 64 bits there is no amount; the standard price says so.
            .init("amount", "price times quantity times periods", writing: .never) { try? $0.amount() },
        ])
}
