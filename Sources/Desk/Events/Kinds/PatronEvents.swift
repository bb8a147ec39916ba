package import Circulation
import Storage

extension EventKinds {
    static let patrons: [any AnyEventKind] = [
        EventKind.patronAdded, EventKind.patronUpdated, EventKind.patronRemoved, EventKind.patronMerged,
        EventKind.patronBlocked, EventKind.patronUnblocked, EventKind.accountChanged, EventKind.eventsCleared,
        EventKind.patronLinked, EventKind.patronUnlinked,
    ]
}

extension EventKind where Content == PatronChange {
    package static var patronAdded: Self {
        EventKind(
            "patron.added", "A patron was added.", account: { ([], $0.patron.role) },
            follow: { $1.patrons[$0.patron.id] = nil }
        ) { change, transaction in
            var change = change
            change.patron.id = try transaction.patrons.insert(change.patron)
            return change
        }
    }

    package static var patronUpdated: Self {
        EventKind(
            writing: "patron.updated", "A patron's record was changed.",
            account: { ([$0.patron.id], $0.patron.role) }, follow: { $1.patrons[$0.patron.id] = nil }
        ) { try $1.patrons.update($0.patron) }
    }
}

extension EventKind where Content == RemovedPatron {
    package static var patronRemoved: Self {
        EventKind(
            writing: "patron.removed", "A patron was removed; what was personal is gone.", account: { ([$0.id], nil) }
        ) {
            try $1.patronLinks.leaveHousehold($0.id)
            try $1.ratings.removeAll(of: $0.id)
            try $1.patrons.remove($0.id)
        }
    }
}

extension EventKind where Content == PatronMerge {
    /// All that belonged to one record belongs to another; the removal of the first follows.
    package static var patronMerged: Self {
        EventKind(
            writing: "patron.merged", "Two records of one person became one.", account: { ([$0.from, $0.into], nil) }
        ) { try $0.apply(to: $1) }
    }
}

extension EventKind where Content == PatronBlock {
    package static var patronBlocked: Self {
        EventKind(
            adding: "patron.blocked", "A patron was blocked, or suspended by a policy.",
            account: { ([$0.patron], nil) }, follow: { $1.patrons[$0.patron] = nil }
        ) { try $1.blocks.insert($0) }
    }

    package static var patronUnblocked: Self {
        EventKind(
            writing: "patron.unblocked", "A block on a patron was lifted.", account: { ([$0.patron], nil) },
            follow: { $1.patrons[$0.patron] = nil }
        ) { try $1.blocks.update($0) }
    }
}

extension EventKind where Content == AccountChange {
    /// A password was set, or a key issued or revoked.
    package static var accountChanged: Self {
        EventKind(
            "account.changed",
            "A password was set, a key issued or revoked, a person logged in or out, or a link was mailed.",
            isOfLending: false,
            account: { ($0.change.isOfAccess ? $0.patron.map { [$0] } ?? [] : [], nil) },
            apply: { change, _ in change })
    }
}

extension EventKind where Content == EventClearing {
    /// Payloads were cleared of a removed patron's personal data.
    package static var eventsCleared: Self {
        EventKind(
            noting: "events.cleared", "Events were cleared of what is personal, since a patron was removed or merged.")
    }
}

/// A patron, with the names of the personal fields that were set or changed.
package struct PatronChange: EventContent {
    package var patron: Patron
    package var fields: [String]

    package init(_ patron: Patron, fields: [String]) {
        self.patron = patron
        self.fields = fields
    }

    package static let blank = PatronChange(.blank, fields: [])
    package static let eventMembers: [EventMember<Self>] =
        EventMember.record(\PatronChange.patron, Patron.declaredMembers(.patron))
        + [EventMember("personal", \.fields, "the names of the personal fields that were set or changed")]

    package var subjects: EventSubjects { EventSubjects(patron: patron.id) }
}

/// A patron who is no longer there.
package struct RemovedPatron: EventContent {
    package var id: Int64

    package init(_ id: Int64) {
        self.id = id
    }

    package static let blank = RemovedPatron(0)
    package static let eventMembers = [EventMember("id", \Self.id, "the id that the patron had")]
    package var subjects: EventSubjects { EventSubjects(patron: id) }
}

extension PatronBlock: EventContent {
    package static let eventMembers = declaredMembers(renaming: ["id": "block"])
    package var subjects: EventSubjects { EventSubjects(patron: patron) }
}

extension PatronMerge: EventContent {
    package static let blank = PatronMerge(from: 0, into: 0)
    package static let eventMembers: [EventMember<Self>] = [
        EventMember("from", \.from, "the id of the record that goes"),
        EventMember(.patron, \.into, as: "into", "the record that stays"), EventMember("reason", \.reason),
    ]

    package var subjects: EventSubjects { EventSubjects(patron: into) }

    /// Gives the record that stays all that belonged to the other. Keys that say whose a message or a line is say the new
    /// one, so that what was sent or settled once is not sent or settled again.
    fileprivate func apply(to transaction: Transaction) throws {
        try transaction.notices.forEach(NoticeQuery(patron: from)) { notice in
            try rename(notice, in: transaction)
            return true
        }
        for entry in try transaction.ledger.of(patron: from) {
            guard let rest = entry.ownKey(of: from) else { continue }
            try transaction.ledger.setKey("\(entry.kind.rawValue):\(into)\(rest)", of: entry.id)
        }
        try transaction.patronLinks.prepareMerge(of: from, into: into)
        try transaction.ratings.removeDoubles(of: from, besides: into)
        try transaction.patrons.moveBelongings(of: from, to: into)
        try transaction.favourites.removeDoubles(of: into)
    }

    /// A message that waits while the same was sent to the other record is not sent again.
    private func rename(_ notice: Notice, in transaction: Transaction) throws {
        let prefix = Notice.messageKey(patron: from, "")
        guard notice.subjectKey.hasPrefix(prefix) else { return }
        let key = Notice.messageKey(patron: into, String(notice.subjectKey.dropFirst(prefix.count)))
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
