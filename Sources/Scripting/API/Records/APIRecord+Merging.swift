import Circulation
import Desk
import LuaRuntime

extension APIRecord<MergedPatron> {
    static let merge = APIRecord(
        "merge", "What became of two records of one person.",
        [
            always("patron", .record("patron"), "the record that stays") { APIRecord<Patron>.patron.table($0.patron) },
            always("loans", .count, "loans that went over, past ones too") { .integer($0[.loans]) },
            always("holds", .count, "holds that went over, past ones too") { .integer($0[.holds]) },
            always("holds_cancelled", .list(.id), "holds that ended, since both waited for the same") {
                .table(LuaTable(array: $0.cancelled.map { .integer($0.id) }))
            },
            always("ledger_entries", .count, "lines of the account that went over") { .integer($0[.entries]) },
            always("notices", .count, "messages that went over") { .integer($0[.notices]) },
            always("blocks", .count, "blocks that went over, past ones too") { .integer($0[.blocks]) },
            always("links", .count, "links to other patrons, on either side, that went over") {
                .integer($0[.links] + $0[.linkedFrom])
            },
            always("cart_lines", .count, "lines of the cart that went over") { .integer($0[.cartLines]) },
            always("favourites", .count, "favourites that went over") { .integer($0[.favourites]) },
            always("ratings", .count, "ratings that went over") { .integer($0[.ratings]) },
            always("lists", .count, "lists of titles that went over") { .integer($0[.lists]) },
            always("listings", .count, "listings that went over") { .integer($0[.listings]) },
            always("orders", .count, "orders that went over") { .integer($0[.orders]) },
            always("rentals", .count, "rentals on either side that went over") {
                .integer($0[.lentOut] + $0[.borrowed])
            },
            always("suggestions", .count, "suggestions that went over") { .integer($0[.suggestions]) },
            always("owed", .money, "what is owed now") { .money($0.owed) },
            always("limits_exceeded", .list(.text), "limits that loans and holds go beyond now") {
                .texts($0.exceeded.map(\.message))
            },
        ])
}

extension APIRecord<DuplicatePatrons> {
    static let duplicate = APIRecord(
        "duplicate", "Two records that are likely one person.",
        [
            always("patron", .record("patron"), "the one that was registered later") {
                APIRecord<Patron>.patron.table($0.patron)
            },
            always("other", .record("patron"), "") { APIRecord<Patron>.patron.table($0.other) },
            always(
                "why",
                .choice(
                    [
                        LikelyDuplicate.sameEmail, .sameNameAndBirthDate, .nearNameAndBirthDate,
                    ].map(\.rawValue)), "what they have in common"
            ) { .string($0.why.rawValue) },
        ])
}

extension APIRecord<DuplicatesPart> {
    static let duplicates = APIRecord(
        "duplicates", "A part of those who are likely registered twice.",
        [
            always("found", .list(.record("duplicate")), "in the order of birthdays, then of e-mail addresses") {
                APIRecord<DuplicatePatrons>.duplicate.list($0.found)
            },
            always("looked_at", .count, "how many patrons were looked at") { .integer(Int64($0.lookedAt)) },
            maybe("next", .text(maximum: 1000), "what `after` of the next part is; nil where all were looked at") {
                $0.next.map { .string($0.description) }
            },
        ])
}
