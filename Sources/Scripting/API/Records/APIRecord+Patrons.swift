import Circulation
import Desk
import LuaRuntime
import Secrets

extension APIRecord<Patron> {
    static let patron = APIRecord("patron", "A person who borrows.")
}

extension APIRecord<PatronBlock> {
    static let block = APIRecord("block", "A block on a patron; a suspension is one of the kind `suspension`.")
}

extension APIRecord<LedgerEntry> {
    static let ledgerEntry = APIRecord("ledger_entry", "One line of a patron's account.")
}

extension APIRecord<Notice> {
    static let notice = APIRecord("notice", "A message to a patron, its text made when it was decided.")
}

/// A notice on its way, with what became of the last try.
struct OutboxRow: Sendable {
    let notice: Notice
    let tried: TriedNotice?

    /// Those of several notices.
    static func of(_ notices: [Notice], in session: DeskSession) throws -> [OutboxRow] {
        let tries = try session.notices.lastTries(of: notices.map(\.id))
        return notices.map { OutboxRow(notice: $0, tried: tries[$0.id]) }
    }
}

extension APIRecord<OutboxRow> {
    static let outboxNotice = APIRecord(
        "outbox_notice", "A message that waits to be sent or was given up.",
        APIRecord.declared { $0.notice } + [
            maybe("words", .text, "what the other side said of the last try in vain") { .text($0.tried?.words) },
            maybe("mail", .text, "the same for notices that shared a mail; nil: it went alone, or was not tried yet") {
                .text($0.tried?.message)
            },
            always(
                "may_have_arrived", .boolean, "whether some try ended without an answer, so that the patron may have it"
            ) { .boolean($0.tried?.mayHaveArrived ?? false) },
        ])
}

extension APIRecord<AccountManager.Entry> {
    static let session = APIRecord(
        "session", "A session: a token for some hours.",
        [
            always("token", .text, "to be sent as `Authorization: Bearer TOKEN`; it is shown this once") {
                .string($0.token.text)
            },
            always("expires_at", .instant, "") { .instant($0.expiresAt) },
            always("patron", .record("patron"), "who logged in") { APIRecord<Patron>.patron.table($0.patron) },
        ])
}
