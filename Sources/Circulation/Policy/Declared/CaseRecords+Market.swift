extension CaseRecords {
    package static let listing = CaseRecord<ListingFacts>(
        "case.listing", "What is to be published, sold or rented.",
        [
            .init("id", "0 while it is only proposed") { $0.id },
            .init("seller", "the patron's id; nil: the library itself") { $0.seller },
            .init("seller_category", "", .category) { $0.sellerCategory },
            .init("kind", "", .listing) { $0.kind },
            .init("price", "of one piece, of a rental for each `period`") { $0.price },
            .init("period") { $0.period },
            .init("quantity") { $0.quantity },
            .init("condition") { $0.condition },
            .init("edition") { $0.edition },
            .init("picture", "whether there is one", writing: .ifTelling) { $0.hasPicture },
            .init("state", "", .listingState) { $0.state },
            .init("others", "how many other open listings the seller has") { $0.others },
        ])

    package static let suggestion = CaseRecord<SuggestionFacts>(
        "case.suggestion", "A title that somebody asks the library to get.",
        [
            .init("id", "0 while it is only proposed") { $0.id },
            .init("isbn", "whether it names one", writing: .ifTelling) { $0.hasISBN },
            .init("courses", "codes of courses that use it", writing: .ifTelling) { $0.courses },
            .init("college") { $0.college },
            .init("others", "how many other suggestions of this patron are undecided") { $0.others },
        ])

    package static let saleLine = CaseRecord<SaleLine>(
        "case.lines", "One line of what is about to be paid for.",
        [
            .init("kind", "", .line) { $0.kind },
            .init("label", "the title's name") { $0.label },
            .init("title", "the title's id") { $0.title },
            .init("listing", "the listing's id") { $0.listing },
            .init("seller", "the seller's id; nil: the library itself") { $0.seller },
            .init("seller_category", "", .category) { $0.sellerCategory },
            .init("quantity") { $0.quantity },
            .init("price", "of one piece, of a rental for one period") { $0.price },
            .init("periods", "how many periods a rental lasts, started ones included; 1 for what is bought") {
                $0.periods
            },
            .init("ends", "when a rental ends") { $0.ends },
            // Beyond 64 bits there is no amount; the standard price says so.
            .init("amount", "price times quantity times periods", writing: .never) { try? $0.amount() },
        ])
}
