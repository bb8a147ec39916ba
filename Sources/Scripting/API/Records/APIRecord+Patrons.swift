import Circulation
import LuaRuntime
import TextFormats

extension APIRecord<Patron> {
    static let patron = APIRecord(
        "patron", "A person who borrows.",
        [
            always("id", .id, "") { .integer($0.id) },
            always("username", .text, "unique and replaceable") { .string($0.username) },
            always("name", .text, "") { .string($0.name) },
            always("surname", .text, "") { .string($0.surname) },
            maybe("email", .text, "") { .text($0.email) },
            maybe("phone", .text, "") { .text($0.phone) },
            always("category", .text, "a category's code") { .string($0.category) },
            always("home_branch", .text, "a branch's code") { .string($0.homeBranch) },
            maybe("language", .text, "") { .text($0.language) },
            maybe("birth_date", .date, "") { $0.birthDate.map(LuaValue.date) },
            maybe("expires_on", .date, "the last day of the membership; nil: without end") {
                $0.expiresOn.map(LuaValue.date)
            },
            always("role", .choice(Patron.Role.allCases.map(\.rawValue)), "") { .string($0.role.rawValue) },
            always("extra", .json, "fields of the library's own") { .json(.object($0.extra)) },
        ])
}

extension APIRecord<PatronBlock> {
    static let block = APIRecord(
        "block", "A block on a patron; a suspension is one of the kind `suspension`.",
        [
            always("id", .id, "") { .integer($0.id) },
            always("patron", .id, "the patron's id") { .integer($0.patron) },
            always("kind", .text, "a word of the library's own, or `suspension`") { .string($0.kind) },
            always("reason", .text, "") { .string($0.reason) },
            always("actions", .list(.choice(BlockFacts.Action.allCases.map(\.rawValue))), "what it forbids") {
                .texts(BlockFacts.Action.allCases.filter($0.actions.contains).map(\.rawValue))
            },
            always("created_at", .instant, "") { .instant($0.createdAt) },
            maybe("ends", .date, "its last day; nil: until it is lifted") { $0.ends.map(LuaValue.date) },
            maybe("lifted_at", .instant, "") { $0.liftedAt.map(LuaValue.instant) },
        ])
}

extension APIRecord<LedgerEntry> {
    static let ledgerEntry = APIRecord(
        "ledger_entry", "One line of a patron's account.",
        [
            always("id", .id, "") { .integer($0.id) },
            always("key", .text, "unique: the same charge is never posted twice") { .string($0.key) },
            always("patron", .id, "the patron's id") { .integer($0.patron) },
            maybe("loan", .id, "the loan's id") { .whole($0.loan) },
            always("kind", .choice(LedgerEntry.Kind.allCases.map(\.rawValue)), "") { .string($0.kind.rawValue) },
            always("amount", .money, "positive: the patron owes more") { .money($0.amount) },
            always("label", .text, "") { .string($0.label) },
            always("at", .instant, "") { .instant($0.at) },
        ])
}

extension APIRecord<Notice> {
    static let notice = APIRecord(
        "notice", "A message to a patron, its text made when it was decided.",
        [
            always("id", .id, "") { .integer($0.id) },
            always("kind", .text, "`overdue`, `due_soon`, `message` and the like") { .string($0.kind) },
            always("subject_key", .text, "what it is about; with kind, due time, stage and repetition unique") {
                .string($0.subjectKey)
            },
            always("patron", .id, "the patron's id") { .integer($0.patron) },
            maybe("loan", .id, "the loan's id") { .whole($0.loan) },
            maybe("due_at", .instant, "the due time it is about") { $0.dueAt.map(LuaValue.instant) },
            always("stage", .text, "") { .string($0.stage) },
            always("repetition", .count, "") { .integer($0.repetition) },
            always("channel", .text, "") { .string($0.channel) },
            always("subject", .text, "") { .string($0.subject) },
            always("body", .text, "") { .string($0.body) },
            always("state", .choice(Notice.State.allCases.map(\.rawValue)), "") { .string($0.state.rawValue) },
            always("created_at", .instant, "") { .instant($0.createdAt) },
            maybe("sent_at", .instant, "") { $0.sentAt.map(LuaValue.instant) },
            maybe("read_at", .instant, "") { $0.readAt.map(LuaValue.instant) },
            always("tries", .count, "how often it was sent, or tried in vain") { .integer($0.tries) },
            maybe("failure", .text, "why the last try was in vain: `refused`, `no_address` and the like") {
                .text($0.failure)
            },
        ])
}
