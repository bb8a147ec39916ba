import Circulation
import LuaRuntime

extension PolicyRecords {
    static let listing = RecordShape<ListingFacts>(
        "case.listing", "What is to be published, sold or rented.",
        [
            RecordField("id", .integer, "0 while it is only proposed") { $0.frame.set($1, $2, $3.id) },
            RecordField("seller", .optional(.integer), "the patron's id; nil: the library itself") {
                $0.set($1, $2, $3.seller)
            },
            RecordField("seller_category", .optional(.text), "") { $0.set($1, $2, $3.sellerCategory) },
            RecordField("kind", .words(Listing.Kind.self), "") { $0.frame.set($1, $2, $3.kind.rawValue) },
            RecordField("price", .optional(.money), "of one piece, of a rental for each `period`") {
                $0.set($1, $2, $3.price.map { LuaSmallValue($0) })
            },
            RecordField("period", .optional(.period), "") { $0.set($1, $2, $3.period.map { LuaSmallValue($0) }) },
            RecordField("quantity", .integer, "") { $0.frame.set($1, $2, $3.quantity) },
            RecordField("condition", .text, "") { $0.frame.set($1, $2, $3.condition) },
            RecordField("edition", .text, "") { $0.frame.set($1, $2, $3.edition) },
            RecordField("picture", .boolean, "whether there is one") { $0.frame.set($1, $2, $3.hasPicture) },
            RecordField("state", .words(Listing.State.self), "") { $0.frame.set($1, $2, $3.state.rawValue) },
            RecordField("others", .integer, "how many other open listings the seller has") {
                $0.frame.set($1, $2, $3.others)
            },
        ])

    static let suggestion = RecordShape<SuggestionFacts>(
        "case.suggestion", "A title that somebody asks the library to get.",
        [
            RecordField("id", .integer, "0 while it is only proposed") { $0.frame.set($1, $2, $3.id) },
            RecordField("isbn", .boolean, "whether it names one") { $0.frame.set($1, $2, $3.hasISBN) },
            RecordField("courses", .list(.text), "codes of courses that use it") {
                filler, record, index, suggestion throws(LuaError) in
                try filler.frame.set(record, index, suggestion.courses)
            },
            RecordField("college", .optional(.text), "") { $0.set($1, $2, $3.college) },
            RecordField("others", .integer, "how many other suggestions of this patron are undecided") {
                $0.frame.set($1, $2, $3.others)
            },
        ])

    static let saleLine = RecordShape<SaleLine>(
        "case.lines", "One line of what is about to be paid for.",
        [
            RecordField("kind", .words(SaleKind.self), "") { $0.frame.set($1, $2, $3.kind.rawValue) },
            RecordField("label", .text, "the title's name") { $0.frame.set($1, $2, $3.label) },
            RecordField("title", .optional(.integer), "the title's id") { $0.set($1, $2, $3.title) },
            RecordField("listing", .optional(.integer), "the listing's id") { $0.set($1, $2, $3.listing) },
            RecordField("seller", .optional(.integer), "the seller's id; nil: the library itself") {
                $0.set($1, $2, $3.seller)
            },
            RecordField("seller_category", .optional(.text), "") { $0.set($1, $2, $3.sellerCategory) },
            RecordField("quantity", .integer, "") { $0.frame.set($1, $2, $3.quantity) },
            RecordField("price", .money, "of one piece, of a rental for one period") {
                $0.frame.set($1, $2, LuaSmallValue($3.price))
            },
            RecordField(
                "periods", .integer, "how many periods a rental lasts, started ones included; 1 for what is bought"
            ) { $0.frame.set($1, $2, $3.periods) },
            RecordField("ends", .optional(.date), "when a rental ends") {
                $0.set($1, $2, $3.ends.map { LuaSmallValue($0) })
            },
            // Beyond 64 bits there is no amount; the standard price says so.
            RecordField("amount", .optional(.money), "price times quantity times periods") {
                $0.set($1, $2, (try? $3.amount()).map { LuaSmallValue($0) })
            },
        ])
}
