package import Circulation
import Storage

/// Messages to patrons: the outbox, and the sweep that fills it.
package struct NoticeService {
    let session: DeskSession

    var transaction: Transaction { session.transaction }

    /// The kinds of notices that the stages of a policy make, before and after the due time.
    static let dueSoonKind = "due_soon"
    static let overdueKind = "overdue"

    package func get(_ id: Int64) throws -> Notice? {
        try transaction.notices.get(id)
    }

    /// A part of the notices, counted from the latest, and of these the oldest first.
    package func list(_ query: NoticeQuery, _ part: ListPart) throws -> [Notice] {
        try transaction.notices.latest(query, part)
    }

    /// Notices by id, the oldest first.
    package func list(_ query: NoticeQuery) throws -> [Notice] {
        var notices: [Notice] = []
        try transaction.notices.forEach(query) { notice in
            notices.append(notice)
            return true
        }
        return notices
    }

    /// The first notices by id.
    package func first(_ count: Int, _ query: NoticeQuery) throws -> [Notice] {
        try transaction.notices.page(query, limit: Int64(max(0, count)))
    }

    /// How many messages a patron has not read, counted no further than a number.
    package func unreadCount(of patron: Int64, upTo most: Int) throws -> Int {
        Int(try transaction.notices.unreadCount(patron: patron, upTo: Int64(most)))
    }

    /// The message that was sent to a patron under a key, if one was.
    package func message(to patron: Int64, key: String) throws -> Notice? {
        try transaction.notices.find(like: Self.message(to: patron, key))
    }

    static func message(
        to patron: Int64, _ key: String, channel: String = NoticeChannel.inbox.name, subject: String = "",
        body: String = "",
        at moment: Instant = Instant(microseconds: 0)
    ) -> Notice {
        Notice(
            kind: "message", subjectKey: Notice.messageKey(patron: patron, key), patron: patron, stage: "message",
            channel: channel, subject: subject, body: body, createdAt: moment)
    }

    /// What waits to be sent, the oldest first.
    package func outbox(_ part: ListPart = ListPart(limit: 1_000)) throws -> [Notice] {
        try transaction.notices.queued(part)
    }

    /// Puts a message into the outbox, once for each key: a repeated key gives the message that is there.
    package func send(
        to patron: PatronKey, channel: String, subject: String, body: String, key: String
    ) throws -> Outcome<Notice> {
        guard !channel.isEmpty else { throw DeskError.input("channel", "A message needs a channel.") }
        guard !key.isEmpty else { throw DeskError.input("key", "A message needs a key, so that it is sent once.") }
        let trail = RequestTrail("notifications.send")
        return try session.request(trail) {
            let patron = try session.patrons.known(patron, trail)
            let notice = Self.message(
                to: patron.id, key, channel: channel, subject: subject, body: body, at: session.now)
            if let recorded = try record([notice]).first { return recorded }
            guard let existing = try transaction.notices.find(like: notice), existing.patron == patron.id else {
                throw Refused("exists", "Another patron's message has that key.")
            }
            return existing
        }
    }

    /// Marks a message as read; one that is read already stays as it is.
    package func markRead(_ id: Int64) throws -> Outcome<Notice> {
        try change(id, "notifications.mark_read", from: [.queued, .sent, .failed], unless: .read) { notice in
            notice.state = .read
            notice.readAt = session.now
        }
    }

    /// Takes a message back; refused with `not_queued` once it went out, or while a sender is at it.
    package func cancel(_ id: Int64) throws -> Outcome<Notice> {
        try change(id, "notifications.cancel", from: [.queued, .failed], unless: .cancelled) { notice in
            if try isBeingSent(id) { throw Refused("not_queued", "The notice \(id) is being sent.") }
            notice.state = .cancelled
        }
    }

    /// What a sender reports of a message that went out.
    package func markSent(_ id: Int64) throws -> Outcome<Notice> {
        try change(id, "notifications.sent", from: [.queued, .failed], unless: .sent) { notice in
            notice.state = .sent
            notice.sentAt = session.now
            notice.tries += 1
        }
    }

    /// What a sender reports of a try in vain.
    package func markFailed(_ id: Int64, givenUp: Bool) throws -> Outcome<Notice> {
        try change(id, "notifications.failed", from: [.queued], unless: .failed) { notice in
            notice.state = givenUp ? .failed : .queued
            notice.tries += 1
        }
    }

    /// The unknown fields that a template names; empty: the template is sound.
    package static func unknownFields(in template: String) -> [String] {
        TextTemplate(template).unknownFields(in: .notice)
    }

    func change(
        _ id: Int64, _ name: String, from states: Set<Notice.State>, unless done: Notice.State,
        _ change: (inout Notice) throws -> Void
    ) throws -> Outcome<Notice> {
        let trail = RequestTrail(name)
        return try session.request(trail) {
            guard var notice = try transaction.notices.get(id) else {
                throw Refused("unknown_notice", "There is no notice \(id).")
            }
            trail.patron = notice.patron
            if notice.state == done { return notice }
            guard states.contains(notice.state) else {
                throw Refused("not_queued", "The notice \(id) is \(notice.state.rawValue).")
            }
            try change(&notice)
            try session.record(.noticeChanged, NoticeChange(notice))
            return notice
        }
    }
}

extension NoticeService {
    /// Records notices within a request; those recorded before are left out. The inbox delivers at once.
    package func record(_ notices: [Notice]) throws -> [Notice] {
        guard !notices.isEmpty else { return [] }
        let delivered = notices.map { notice in
            guard notice.channel == NoticeChannel.inbox.name, notice.state == .queued else { return notice }
            var notice = notice
            notice.state = .sent
            notice.sentAt = session.now
            return notice
        }
        guard let recorded = try session.record(.noticeRecorded, delivered)?.content else {
            return []
        }
        return recorded
    }

    /// The notice that an order makes, its texts filled. A stage that was passed over has none.
    func notice(
        _ order: PlannedNotice, about loan: Loan, context known: TemplateContext?,
        _ templates: TextTemplates = TextTemplates()
    ) throws -> Notice {
        guard let patron = loan.patron, let due = loan.due else {
            throw Refused("history_only", "The loan \(loan.id) is imported history, kept for statistics.")
        }
        var notice = Notice(
            kind: session.now < due.instant ? Self.dueSoonKind : Self.overdueKind, subjectKey: "loan:\(loan.id)",
            patron: patron,
            loan: loan.id, dueAt: due.instant, stage: order.stage, repetition: order.repetition,
            channel: order.channel, subject: "", body: "", state: order.isSuperseded ? .superseded : .queued,
            createdAt: session.now)
        guard !order.isSuperseded else { return notice }
        let context = try known ?? self.context(of: loan, patron)
        notice.subject = templates[order.subject].filled(with: context)
        notice.body = templates[order.body].filled(with: context)
        return notice
    }
    private func context(of loan: Loan, _ patron: Int64) throws -> TemplateContext {
        let copy = try loan.copy.flatMap { try transaction.copies.get($0) }
        return try session.loans.context(patron: patron, copy: copy, loan: loan, branch: loan.branch)
    }
}
