package import Circulation
import Storage

extension EventKinds {
    static let messages: [any AnyEventKind] = [
        EventKind.noticeRecorded, EventKind.noticeChanged, EventKind.ledgerPosted,
    ]
}

extension EventKind where Content == [Notice] {
    package static var noticeRecorded: Self {
        EventKind(
            "notice.recorded", "Notices were decided on: queued, delivered at once or passed over.",
            follow: { $1.silent.subtract($0.compactMap(\.loan)) }
        ) { notices, transaction in
            let recorded = try transaction.notices.insertNew(notices)
            return recorded.isEmpty ? nil : recorded
        }
    }
}

extension EventKind where Content == [LedgerEntry] {
    package static var ledgerPosted: Self {
        EventKind(
            "ledger.posted", "Lines were added to patrons' accounts: fines, charges, payments, waivers, refunds.",
            follow: { for entry in $0 { $1.patrons[entry.patron] = nil } }
        ) {
            entries, transaction in
            let posted = try transaction.ledger.insertNew(entries)
            return posted.isEmpty ? nil : posted
        }
    }
}

extension EventKind where Content == NoticeChange {
    package static var noticeChanged: Self {
        EventKind("notice.changed", "A notice was sent, failed, was read or withdrawn.", isOfLending: false) {
            change, transaction in
            guard var notice = try transaction.notices.get(change.notice) else { return nil }
            notice.state = change.state
            notice.sentAt = change.sentAt
            notice.readAt = change.readAt
            notice.tries = change.tries
            notice.carriedBy = change.carriedBy
            notice.failure = change.failure
            try transaction.notices.update(notice)
            return change
        }
    }
}

extension Notice: EventListElement {
    package static let listName = "notices"
    package static let eventMembers = declaredMembers(.notice)
    package var subjects: EventSubjects { EventSubjects(patron: patron, loan: loan) }
}

extension LedgerEntry: EventListElement {
    package static let listName = "entries"
    package static let eventMembers = declaredMembers()
    package var subjects: EventSubjects { EventSubjects(patron: patron, loan: loan) }
}

/// A notice's new state.
package struct NoticeChange: EventContent {
    package var notice: Int64
    package var patron: Int64
    package var loan: Int64?
    package var state: Notice.State
    package var sentAt: Instant?
    package var readAt: Instant?
    package var tries: Int64
    package var carriedBy: Int64?
    package var failure: String?

    package static let blank = NoticeChange(.blank)
    package static let eventMembers: [EventMember<Self>] = [
        EventMember(.notice, \.notice), EventMember(.patron, \.patron), EventMember(.loan, \.loan),
        EventMember("state", \.state), EventMember("sent_at", \.sentAt), EventMember("read_at", \.readAt),
        EventMember("tries", \.tries, "how often it was sent, or tried in vain"),
        EventMember(nil, .init("carried_by", \.carriedBy)),
        EventMember("failure", \.failure, "why the last try was in vain"),
    ]

    package var subjects: EventSubjects { EventSubjects(patron: patron, loan: loan) }
}

extension NoticeChange {
    init(_ notice: Notice) {
        self.init(
            notice: notice.id, patron: notice.patron, loan: notice.loan, state: notice.state, sentAt: notice.sentAt,
            readAt: notice.readAt, tries: notice.tries, carriedBy: notice.carriedBy, failure: notice.failure)
    }
}
