import Circulation
import Desk
import LuaRuntime

/// A title that is hardly lent, with its copies.
struct RarelyLentRow {
    let title: CountedTitle
    let recent: Int64
    let ever: Int64

    init(_ found: RarelyLent, in session: DeskSession) throws {
        title = try session.counted(found.title)
        recent = found.recent
        ever = found.ever
    }
}

extension APIRecord<RarelyLentRow> {
    static let rarelyLent = APIRecord(
        "rarely_lent", "A title on the shelves that is hardly lent.",
        [
            always("title", .record("title"), "") { APIRecord<CountedTitle>.title.table($0.title) },
            always("recent", .count, "how often it was lent in the time asked about") { .integer($0.recent) },
            always("ever", .count, "how often it was lent in all") { .integer($0.ever) },
        ])
}

extension APIRecord<TitleTotals> {
    static let titleTotals = APIRecord(
        "title_totals", "How many titles and copies there are.",
        [
            always("titles", .count, "") { .integer($0.titles) },
            always("copies", .count, "copies of them that are neither lost nor withdrawn") { .integer($0.copies) },
        ])
}

extension APIRecord<YearOfCollection> {
    static let collectionYear = APIRecord(
        "collection_year", "What stands on the shelves of one year.",
        [
            maybe("year", .integer, "when it came out; nil: not known") { $0.year.map { .integer($0) } },
            always("titles", .count, "titles with copies") { .integer($0.titles) },
            always("copies", .count, "copies that are neither lost nor withdrawn") { .integer($0.copies) },
            always("on_loan", .count, "copies that are lent") { .integer($0.onLoan) },
        ])
}

extension APIRecord<Holding> {
    static let holding = APIRecord(
        "holding", "What the library holds of a subject, a genre or a college.",
        [
            always("key", .text, "its name; empty: titles without one") { .string($0.key) },
            always("titles", .count, "") { .integer($0.titles) },
            always("copies", .count, "copies that are neither lost nor withdrawn") { .integer($0.copies) },
            always("loans", .count, "how often they were lent in the time asked about") { .integer($0.loans) },
            always("turnover", .number, "loans for each copy") { .number($0.turnover ?? 0) },
        ])
}

extension APIRecord<Debtor> {
    static let debtor = APIRecord(
        "debtor", "A patron who owes something.",
        [
            always("patron", .record("patron"), "") { APIRecord<Patron>.patron.table($0.patron) },
            always("owed", .money, "more than nothing") { .money($0.owed) },
        ])
}

extension APIRecord<DebtTotal> {
    static let debtTotal = APIRecord(
        "debt_total", "What patrons owe together.",
        [
            always("patrons", .count, "how many owe something") { .integer($0.patrons) },
            always("owed", .money, "what they owe; what the library owes to others is not taken off") {
                .money($0.owed)
            },
        ])
}

extension APIRecord<HourOfWeek> {
    static let hourOfWeek = APIRecord(
        "hour_of_week", "What happens at an hour of a weekday.",
        [
            always("weekday", .integer(1...7), "1: Monday") { .integer(Int64($0.weekday.rawValue)) },
            always("hour", .integer(0...23), "from this hour on") { .integer(Int64($0.hour)) },
            always("loans", .count, "") { .integer($0.loans) },
            always("returns", .count, "") { .integer($0.returns) },
        ])
}

extension APIRecord<MonthOfPatrons> {
    static let monthOfPatrons = APIRecord(
        "month_of_patrons", "How many patrons joined in a month.",
        [
            always("month", .text, "`2026-12`") { .string($0.month) },
            maybe("category", .text, "the one that they have now; nil once they are gone") { .text($0.category) },
            always("count", .count, "") { .integer($0.count) },
        ])
}
