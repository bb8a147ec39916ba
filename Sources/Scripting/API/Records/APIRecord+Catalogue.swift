import Circulation
import LuaRuntime
import TextFormats

/// A title with the numbers that are counted from its copies.
struct CountedTitle {
    let title: Title
    let counts: CopyCounts
}

extension APIRecord<CountedTitle> {
    static let title = APIRecord(
        "title", "A bibliographic record.",
        [
            always("id", .id, "the number under which the desk keeps it") { .integer($0.title.id) },
            maybe("isbn", .text, "13 digits; a title may have none") { .text($0.title.isbn?.digits13) },
            always("title", .text, "") { .string($0.title.title) },
            always("authors", .list(.text), "in the order of the title page") { .texts($0.title.authors) },
            maybe("publisher", .text, "") { .text($0.title.publisher) },
            maybe("year", .integer, "of publication; negative before the common era") { .whole($0.title.year) },
            maybe("language", .text, "an ISO 639 code as the source gives it") { .text($0.title.language) },
            always("genres", .list(.text), "") { .texts($0.title.genres) },
            always("subjects", .list(.text), "") { .texts($0.title.subjects) },
            always("courses", .list(.record("course")), "courses that use it") {
                APIRecord<Course>.course.list($0.title.courses)
            },
            maybe("college", .text, "") { .text($0.title.college) },
            maybe("edition", .text, "") { .text($0.title.edition) },
            maybe("description", .text, "") { .text($0.title.description) },
            maybe("cover_url", .text, "") { .text($0.title.coverURL) },
            maybe("preview_url", .text, "") { .text($0.title.previewURL) },
            maybe("stars", .integer(0...5), "") { .whole($0.title.stars) },
            always("recommended", .boolean, "chosen by the library") { .boolean($0.title.recommended) },
            always("extra", .json, "fields of the library's own") { .json(.object($0.title.extra)) },
            always("copies", .count, "copies that are neither lost nor withdrawn") { .integer($0.counts.copies) },
            always("available", .count, "copies that can be lent now") { .integer($0.counts.available) },
            always("on_loan", .count, "copies that are lent") { .integer($0.counts.onLoan) },
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
    static let copy = APIRecord(
        "copy", "One item on the shelf: a copy of a title.",
        [
            always("id", .id, "") { .integer($0.id) },
            always("barcode", .text, "unique") { .string($0.barcode) },
            always("title", .id, "the title's id") { .integer($0.title) },
            always("branch", .text, "the code of its own branch") { .string($0.branch) },
            always("item_type", .text, "the code of its item type") { .string($0.itemType) },
            always("status", .choice(CopyStatus.allCases.map(\.rawValue)), "where it is") {
                .string($0.status.rawValue)
            },
            maybe("replacement_price", .money, "") { $0.replacementPrice.map(LuaValue.money) },
        ])
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
