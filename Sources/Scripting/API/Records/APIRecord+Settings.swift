import Circulation
import Desk
import LuaRuntime
import TextFormats

extension APIRecord<Branch> {
    static let branch = APIRecord(
        "branch", "A branch of the library.",
        declared(
            replacing: ["zone": [maybe("time_zone", .text, "nil: the library's") { .text($0.zone?.identifier) }]]
        ) { $0 })
}

extension APIRecord<Circulation.Category> {
    static let category = APIRecord("category", "A category of patrons.")
}

extension APIRecord<ItemType> {
    static let itemType = APIRecord("item_type", "A type of item.")
}

extension APIRecord<ShelvingLocation> {
    static let location = APIRecord("location", "A shelving location that has a name.")
}

extension APIRecord<Event> {
    static let event = APIRecord(
        "event", "Something that happened at the desk, as it was written down.",
        [
            always("sequence", .id, "its place in the log") { .integer($0.sequence) },
            always("at", .instant, "") { .instant($0.at) },
            always("actor", .text, "who did it: `patron:ID`, or a program's name") { .string($0.actor) },
            maybe("actor_username", .text, "the actor's username as it is now; nil for a program") {
                .text($0.actorUsername)
            },
            always("channel", .text, "") { .string($0.channel) },
            always("kind", .text, "`loan.made`, `title.added` and the like") { .string($0.kind) },
            maybe("patron", .id, "the patron's id") { .whole($0.patron) },
            maybe("copy", .id, "the copy's id") { .whole($0.copy) },
            maybe("loan", .id, "the loan's id") { .whole($0.loan) },
            always("payload", .json, "ids and figures; never a person's name or address") {
                (try? JSONParser.parse($0.payload)).map(LuaValue.json) ?? .table(LuaTable())
            },
        ])
}

extension APIRecord<LoanCount> {
    static let loanCount = APIRecord(
        "loan_count", "One line of a count of loans.",
        [
            always("key", .text, "`2026-12-24`, `2026-W52`, `2026-12`, `2026`, a code, a genre or a title's id") {
                .string($0.key)
            },
            always("count", .count, "") { .integer($0.count) },
        ])
}

/// What a sweep did, with the library's currency.
struct SweepSummary {
    let report: SweepReport
    let charged: Money
}

extension APIRecord<SweepSummary> {
    static let sweep = APIRecord(
        "sweep", "What a sweep did.",
        [
            always("loans", .count, "loans it looked at") { .integer($0.report.loans) },
            always("notices", .count, "notices queued, or delivered at once") { .integer($0.report.notices) },
            always("merged", .count, "notices whose words another message carries") { .integer($0.report.merged) },
            always("superseded", .count, "stages recorded as passed over") { .integer($0.report.superseded) },
            always("holds_expired", .count, "holds that ended: no longer wanted, or not fetched in time") {
                .integer($0.report.holdsExpired)
            },
            always("renewed", .count, "loans that renewed by themselves") { .integer($0.report.renewed) },
            always("lost", .count, "copies that count as lost from now on") { .integer($0.report.lost) },
            always("charges", .count, "lines added to accounts") { .integer($0.report.charges) },
            always("charged", .money, "their sum") { .money($0.charged) },
            always("failed", .count, "loans skipped because the policy failed") { .integer($0.report.failed) },
            always("failures", .list(.text), "the first hundred") {
                .texts($0.report.failures.map { "loan \($0.loan), \($0.point.rawValue): \($0.failure.message)" })
            },
        ])
}

/// A closure of a branch: a day, a range of days, or one that comes every year.
struct Closure {
    let from: String
    let to: String
    let reason: String
    let isYearly: Bool
}

extension APIRecord<Closure> {
    static let closure = APIRecord(
        "closure", "Days on which a branch is closed.",
        [
            always("from", .text, "`2026-12-24`, or `12-25` for every year") { .string($0.from) },
            always("to", .text, "the last day") { .string($0.to) },
            always("reason", .text, "") { .string($0.reason) },
            always("yearly", .boolean, "every year") { .boolean($0.isYearly) },
        ])
}
