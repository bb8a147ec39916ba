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
