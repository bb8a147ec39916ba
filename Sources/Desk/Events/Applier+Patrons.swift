import Circulation
import Storage

extension Applier {
    /// Gives the record that stays all that belonged to the other. Keys that say whose a message or a line is say the new
    /// one, so that what was sent or settled once is not sent or settled again.
    func apply(_ merge: PatronMerge) throws {
        try transaction.notices.forEach(NoticeFilter(patron: merge.from)) { notice in
            try rename(notice, merge)
            return true
        }
        for entry in try transaction.ledger.of(patron: merge.from) {
            guard let rest = entry.ownKey(of: merge.from) else { continue }
            try transaction.ledger.setKey("\(entry.kind.rawValue):\(merge.into)\(rest)", of: entry.id)
        }
        try transaction.patrons.moveBelongings(of: merge.from, to: merge.into)
        try transaction.favourites.removeDoubles(of: merge.into)
    }

    /// A message that waits while the same was sent to the other record is not sent again.
    private func rename(_ notice: Notice, _ merge: PatronMerge) throws {
        let prefix = Notice.messageKey(patron: merge.from, "")
        guard notice.subjectKey.hasPrefix(prefix) else { return }
        let key = Notice.messageKey(patron: merge.into, String(notice.subjectKey.dropFirst(prefix.count)))
        guard try !transaction.notices.setSubjectKey(key, of: notice.id), notice.state == .queued else { return }
        var second = notice
        second.state = .superseded
        try transaction.notices.update(second)
    }
}

extension Notice {
    /// The key of a message to a patron that is about nothing else.
    static func messageKey(patron: Int64, _ key: String) -> String { "patron:\(patron):\(key)" }
}

extension LedgerEntry {
    /// What follows the patron in a key that names one; nil for the key of anything else.
    fileprivate func ownKey(of patron: Int64) -> Substring? {
        let prefix = "\(kind.rawValue):\(patron)"
        guard key.hasPrefix(prefix) else { return nil }
        let rest = key.dropFirst(prefix.count)
        return rest.first.map { ":@#".contains($0) } == true ? rest : nil
    }
}
