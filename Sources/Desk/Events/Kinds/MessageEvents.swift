package import Circulation
import Storage
package import TextFormats

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
            let recorded = try notices.compactMap { notice in
                var notice = notice
                guard let id = try transaction.notices.insert(notice) else { return Notice?.none }
                notice.id = id
                return notice
            }
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
            let posted = try entries.compactMap { entry in
                var entry = entry
                guard let id = try transaction.ledger.insert(entry) else { return LedgerEntry?.none }
                entry.id = id
                return entry
            }
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
    package static let elementMembers = declaredMembers(.notice)
    package var subjectsOfOne: EventSubjects { EventSubjects(patron: patron, loan: loan) }
}

extension LedgerEntry: EventListElement {
    package static let listName = "entries"
    package static let elementMembers = declaredMembers()
    package var subjectsOfOne: EventSubjects { EventSubjects(patron: patron, loan: loan) }
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

    package init(
        notice: Int64, patron: Int64, loan: Int64? = nil, state: Notice.State, sentAt: Instant? = nil,
        readAt: Instant? = nil, tries: Int64, carriedBy: Int64? = nil, failure: String? = nil
    ) {
        self.notice = notice
        self.patron = patron
        self.loan = loan
        self.state = state
        self.sentAt = sentAt
        self.readAt = readAt
        self.tries = tries
        self.carriedBy = carriedBy
        self.failure = failure
    }

    package init(_ notice: Notice) {
        self.notice = notice.id
        patron = notice.patron
        loan = notice.loan
        state = notice.state
        sentAt = notice.sentAt
        readAt = notice.readAt
        tries = notice.tries
        carriedBy = notice.carriedBy
        failure = notice.failure
    }

    package init(_ payload: EventPayload) throws {
        self.init(
            notice: try payload.integer("notice"), patron: try payload.integer("patron"),
            loan: try payload.optionalInteger("loan"), state: try payload.choice("state", Notice.State.self),
            sentAt: try payload.optionalInstant("sent_at"), readAt: try payload.optionalInstant("read_at"),
            tries: try payload.integer("tries"), carriedBy: try payload.optionalInteger("carried_by"),
            failure: try payload.optionalText("failure"))
    }

    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("notice", notice)
        writer.member("patron", patron)
        writer.member("loan", loan)
        writer.member("state", state.rawValue)
        writer.member("sent_at", sentAt)
        writer.member("read_at", readAt)
        writer.member("tries", tries)
        writer.member("carried_by", carriedBy)
        writer.member("failure", failure)
    }

    package static let eventMembers: [EventMember<Self>] = [
        EventMember(.notice, \.notice), EventMember(.patron, \.patron), EventMember(.loan, optional: \.loan),
        EventMember("state", \.state), EventMember("sent_at", \.sentAt), EventMember("read_at", \.readAt),
        EventMember("tries", \.tries, "how often it was sent, or tried in vain"),
        EventMember("failure", \.failure, "why the last try was in vain"),
    ]

    package var subjects: EventSubjects { EventSubjects(patron: patron, loan: loan) }
}
