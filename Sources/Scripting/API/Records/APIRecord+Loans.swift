import Circulation
import Desk
import LuaRuntime
import TextFormats

extension APIRecord<Loan> {
    static let loan = APIRecord("loan", "A loan, open or past.", loanFields { $0 })

    /// The fields of a loan, for records that have one or none.
    static func loanFields<Whole>(of loan: any KeyPath<Whole, Loan?> & Sendable) -> [APIRecord<Whole>.Field] {
        Self.loanFields { (loan: Loan) in loan }.map { field in
            maybe(field.declaration.name, field.declaration.type, field.declaration.documentation) { whole in
                whole[keyPath: loan].map(field.read)
            }
        }
    }

    /// The fields of a loan, for records that hold more than the loan.
    static func loanFields<Whole>(_ loan: @escaping @Sendable (Whole) -> Loan) -> [APIRecord<Whole>.Field] {
        let imported = always("imported", .boolean, "it came from another system") {
            .boolean(loan($0).importKey != nil)
        }
        return APIRecord<Whole>.declared(replacing: ["import_key": [imported]], loan)
    }
}

extension APIRecord<StoppedLoan> {
    static let stoppedLoan = APIRecord(
        "stopped_loan", "A loan whose copy is lost or was claimed to be returned, with what that led to.",
        APIRecord<Loan>.loanFields(\StoppedLoan.loan) + [
            always("barcode", .text, "the copy's") { .string($0.copy.barcode) },
            always("posted", .list(.record("ledger_entry")), "what was added to the patron's account, or taken off") {
                APIRecord<LedgerEntry>.ledgerEntry.list($0.posted)
            },
            always("failures", .list(.text), "why the policy gave no answer; the loan has stopped all the same") {
                .texts($0.failures.map(\.message))
            },
        ])
}

extension APIRecord<Checkin> {
    static let checkin = APIRecord(
        "checkin", "A copy that came back, or was scanned: its loan, if it was on loan, with what that led to.",
        APIRecord<Loan>.loanFields(of: \Checkin.loan) + [
            maybe("barcode", .text, "the copy's") { .text($0.copy?.barcode) },
            maybe("hold", .record("hold"), "the hold for which the copy is set aside") {
                $0.hold.map { APIRecord<QueuedHold>.hold.table(QueuedHold(hold: $0)) }
            },
            always("posted", .list(.record("ledger_entry")), "what was added to the patron's account") {
                APIRecord<LedgerEntry>.ledgerEntry.list($0.posted)
            },
            maybe("suspension", .record("block"), "the suspension it brought") {
                $0.suspension.map(APIRecord<PatronBlock>.block.table)
            },
            always("failures", .list(.text), "why the policy gave no answer; the copy was taken all the same") {
                .texts($0.failures.map(\.message))
            },
        ])
}

extension APIRecord<AskedDecision> {
    static let decision = APIRecord(
        "decision", "What the policy answers for one title, with nothing written.",
        [
            always("point", .text, "the decision point") { .string($0.decision.point.rawValue) },
            always("answer", .choice(["allow", "confirm", "deny", "failed"]), "") {
                .string($0.decision.answer.rawValue)
            },
            maybe("barcode", .text, "the copy the question was put on") { .text($0.copy?.barcode) },
            maybe("title", .id, "the title's id") { .whole($0.question.title?.id) },
            maybe("due_at", .instant, "") { $0.decision.due.map { .instant($0.instant) } },
            maybe("due_on", .date, "") { $0.decision.due.map { .date($0.date) } },
            maybe("rental", .money, "what it would cost; nil for nothing") { $0.decision.rental.map(LuaValue.money) },
            always("fields", .json, "the rule's fields, each with value, row, file and line") {
                $0.decision.rule.map(LuaValue.fields) ?? .table(LuaTable(entries: []))
            },
        ])
}

extension APIRecord<RecordedDecision> {
    static let recordedDecision = APIRecord(
        "recorded_decision", "A decision as the decision log keeps it.",
        [
            always("event", .id, "the event that carried it out, or tells of the refusal") { .integer($0.event) },
            always("at", .instant, "") { .instant($0.at) },
            always("kind", .text, "the event's kind") { .string($0.kind) },
            always("point", .text, "the decision point") { .string($0.point.rawValue) },
            always("policy", .text, "SHA-256 of the policy that was asked") { .string($0.policy) },
            always("case", .json, "the case as it was put") { .json($0.question) },
            always("decision", .json, "`answer`, `due`, `refusal` and `fields`, each with row, file and line") {
                .json($0.answer)
            },
        ])
}

extension APIRecord<Refusal> {
    static let refusal = APIRecord(
        "refusal", "A request that was answered with no.",
        [
            always("code", .text, "stable: `limit`, `blocked`, `no_copies` ... or a policy's own") { .string($0.code) },
            always("message", .text, "what a patron or librarian reads") { .string($0.message) },
            always(
                "details", .json,
                "`reasons`: all of them, the first first; `confirm` where it is a question, `override` where staff may go on"
            ) {
                var entries: [(LuaValue, LuaValue)] = [(.string("reasons"), reasons.list($0.reasons))]
                if $0.isQuestion { entries.append((.string("confirm"), .boolean(true))) }
                if $0.mayBeOverridden { entries.append((.string("override"), .boolean(true))) }
                return .table(LuaTable(entries: entries))
            },
            always("may_be_overridden", .boolean, "by staff with `loans.override` and a reason") {
                .boolean($0.mayBeOverridden)
            },
            maybe("policy", .text, "SHA-256 of the policy that decided") { .text($0.policy) },
            maybe("where", .json, "`row` (`table`, `row`), `field`, `file`, `line`; nil where no rule decided") {
                $0.origin.map(LuaValue.origin)
            },
        ])

    private static let reasons = APIRecord<Refusal.Reason>(
        "reason", "One reason among several.",
        [
            always("code", .text, "") { .string($0.code) },
            always("message", .text, "") { .string($0.message) },
            maybe("title", .id, "the title's id, where it concerns one of several") { .whole($0.title) },
            maybe("where", .json, "") { $0.origin.map(LuaValue.origin) },
            maybe("figures", .json, "`limit`, `count` and the like") {
                $0.figures.isEmpty ? nil : .json(.object($0.figures))
            },
        ])
}

/// The loan of a title that was made last, with its borrower where they may be named.
struct LatestLoan: Sendable {
    let lentAt: Instant
    let patron: Patron?
}

extension APIRecord<LatestLoan> {
    static let latestLoan = APIRecord(
        "latest_loan", "The loan of a title that was made last.",
        [
            always("lent_at", .instant, "") { .instant($0.lentAt) },
            maybe("patron", .id, "who borrowed, where that may be said") { $0.patron.map { .integer($0.id) } },
            maybe("name", .text, "their full name, where that may be said") { $0.patron.map { .string($0.fullName) } },
        ])
}
