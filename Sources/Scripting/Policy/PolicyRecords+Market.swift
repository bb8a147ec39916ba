import Circulation
import LuaRuntime

extension PolicyRecords {
    static let listing = RecordShape<ListingFacts>(
        "case.listing",
        [
            RecordField("id") { $0.frame.set($1, $2, $3.id) },
            RecordField("seller") { $0.set($1, $2, $3.seller) },
            RecordField("seller_category") { $0.set($1, $2, $3.sellerCategory) },
            RecordField("kind") { $0.frame.set($1, $2, $3.kind.rawValue) },
            RecordField("price") { $0.set($1, $2, $3.price.map { LuaSmallValue($0) }) },
            RecordField("period") { $0.set($1, $2, $3.period.map { LuaSmallValue($0) }) },
            RecordField("quantity") { $0.frame.set($1, $2, $3.quantity) },
            RecordField("condition") { $0.frame.set($1, $2, $3.condition) },
            RecordField("edition") { $0.frame.set($1, $2, $3.edition) },
            RecordField("picture") { $0.frame.set($1, $2, $3.hasPicture) },
            RecordField("state") { $0.frame.set($1, $2, $3.state.rawValue) },
            RecordField("others") { $0.frame.set($1, $2, $3.others) },
        ])

    static let suggestion = RecordShape<SuggestionFacts>(
        "case.suggestion",
        [
            RecordField("id") { $0.frame.set($1, $2, $3.id) },
            RecordField("isbn") { $0.frame.set($1, $2, $3.hasISBN) },
            RecordField("courses") { filler, record, index, suggestion throws(LuaError) in
                try filler.frame.set(record, index, suggestion.courses)
            },
            RecordField("college") { $0.set($1, $2, $3.college) },
            RecordField("others") { $0.frame.set($1, $2, $3.others) },
        ])

    static let saleLine = RecordShape<SaleLine>(
        "case.lines",
        [
            RecordField("kind") { $0.frame.set($1, $2, $3.kind.rawValue) },
            RecordField("label") { $0.frame.set($1, $2, $3.label) },
            RecordField("title") { $0.set($1, $2, $3.title) },
            RecordField("listing") { $0.set($1, $2, $3.listing) },
            RecordField("seller") { $0.set($1, $2, $3.seller) },
            RecordField("seller_category") { $0.set($1, $2, $3.sellerCategory) },
            RecordField("quantity") { $0.frame.set($1, $2, $3.quantity) },
            RecordField("price") { $0.frame.set($1, $2, LuaSmallValue($3.price)) },
            RecordField("periods") { $0.frame.set($1, $2, $3.periods) },
            RecordField("ends") { $0.set($1, $2, $3.ends.map { LuaSmallValue($0) }) },
            // Beyond 64 bits there is no amount; the standard price says so.
            RecordField("amount") { $0.set($1, $2, (try? $3.amount()).map { LuaSmallValue($0) }) },
        ])
}
