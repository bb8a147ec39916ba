import Circulation
import LuaRuntime
import TextFormats

/// A title with the numbers that are counted from its copies, and how it was rated.
struct CountedTitle {
    let title: Title
    let counts: CopyCounts
    /// nil: nobody rated it, or the library has no ratings.
    var ratings: RatingTotal?
}

extension APIRecord<CountedTitle> {
    static let title = APIRecord(
        "title", "A bibliographic record.",
        APIRecord.declared { $0.title } + [
            always("copies", .count, "copies that are neither lost nor withdrawn") { .integer($0.counts.copies) },
            always("available", .count, "copies that can be lent now") { .integer($0.counts.available) },
            always("on_loan", .count, "copies that are lent") { .integer($0.counts.onLoan) },
            always("ratings", .count, "how many members rated it") { .integer($0.ratings?.ratings ?? 0) },
            maybe("rating", .number, "their stars on average, rounded to a tenth") { .stars($0.ratings) },
        ])
}

extension APIRecord<Course> {
    static let course = APIRecord(
        "course", "A course that uses a title.",
        [
            always("code", .text, "") { .string($0.code) },
            maybe("name", .text, "") { .text($0.name) },
        ])
}

extension APIRecord<Copy> {
    static let copy = APIRecord("copy", "One item on the shelf: a copy of a title.")
}

/// A title with how often it was lent.
struct LentTitle {
    let title: CountedTitle
    let loans: Int64
    let copies: Int64
}

extension APIRecord<LentTitle> {
    static let lentTitle = APIRecord(
        "lent_title", "A title with how often it was lent.",
        [
            always("title", .record("title"), "") { APIRecord<CountedTitle>.title.table($0.title) },
            always("loans", .count, "how often it was lent") { .integer($0.loans) },
            always("copies", .count, "its copies") { .integer($0.copies) },
            always("turnover", .number, "loans for each copy") {
                .number($0.copies == 0 ? 0 : Double($0.loans) / Double($0.copies))
            },
        ])
}

/// What a title is shared with.
struct SharedTitle {
    let text: String
    let links: [(name: String, url: String)]
}

extension APIRecord<SharedTitle> {
    static let share = APIRecord(
        "share", "A text about a title, and links that send it on.",
        [
            always("text", .text, "title, authors, year and ISBN") { .string($0.text) },
            always("links", .json, "by service: `email`, `whatsapp`, `x`, `telegram`") {
                .table(LuaTable(entries: $0.links.map { (.string($0.name), .string($0.url)) }))
            },
        ])
}

/// What misspelt words were perhaps meant to be.
struct Spelling {
    let query: String
}

extension APIRecord<Spelling> {
    static let spelling = APIRecord(
        "spelling", "What misspelt words were perhaps meant to be.",
        [always("query", .text, "the words to search by") { .string($0.query) }])
}

extension APIRecord<FacetCount> {
    static let facet = APIRecord(
        "facet", "How many of the titles that a query finds have a value.",
        [
            always(
                "kind", .choice(FacetCount.Kind.allCases.map(\.rawValue)),
                "the field of the query that takes the value"
            ) {
                .string($0.kind.rawValue)
            },
            always("value", .text, "a name, a number, a branch's code, `true`") { .string($0.value) },
            always("titles", .count, "how many titles have it") { .integer($0.titles) },
            always(
                "more", .boolean, "whether more titles match than were counted, so that more may have it"
            ) {
                .boolean($0.isMore)
            },
        ])
}
