import Circulation

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
