package import Circulation
import Storage

/// An event about which a patron gets one message.
package struct Announcement {
    var event: NotifyEvent
    var patron: Int64
    var copy: Copy?
    var loan: Loan?
    var hold: Hold?
    /// What it says of an order, a rental, a listing, a suggestion or a fee.
    var sale: SaleAnnouncement?
    /// Where it happens.
    var branch: String

    init(
        _ event: NotifyEvent, to patron: Int64, copy: Copy? = nil, loan: Loan? = nil, hold: Hold? = nil, branch: String
    ) {
        self.event = event
        self.patron = patron
        self.copy = copy
        self.loan = loan
        self.hold = hold
        self.branch = branch
    }

    package init(_ sale: SaleAnnouncement, to patron: Int64, branch: String) {
        event = sale.event
        self.patron = patron
        self.sale = sale
        self.branch = branch
    }

    /// `hold:5`, `loan:17`, `order:3`
    var subjectKey: String {
        if let sale { return sale.subjectKey }
        if let hold { return "hold:\(hold.id)" }
        return "loan:\(loan?.id ?? 0)"
    }

    var title: Int64? { sale?.title ?? hold?.title ?? loan?.title ?? copy?.title }

    /// Distinguishes announcements about the same subject: a copy can come onto the shelf again.
    var dueAt: Instant? {
        sale?.dueAt ?? hold.map { $0.shelfUntil ?? $0.shelvedAt ?? $0.placedAt } ?? loan?.due?.instant
    }
}

extension NoticeService {
    /// Writes a message to a patron, within a request and once for each subject and time: as the `notify` of the policy
    /// in force words it, or in the desk's own words. A policy that fails here is on record, and the desk's words are
    /// sent.
    ///
    /// - Returns: what was written down.
    @discardableResult
    package func announce(_ announcement: Announcement) throws -> [Notice] {
        var orders = try orders(for: announcement)
        // A policy chooses how people hear of each other, not whether.
        if orders.isEmpty, announcement.event == .contact { orders = [announcement.event.standardNotice] }
        guard !orders.isEmpty, let patron = try transaction.patrons.get(announcement.patron) else { return [] }
        let context = try context(of: announcement, patron)
        let notices = orders.map { order in
            Notice(
                kind: announcement.event.rawValue, subjectKey: announcement.subjectKey, patron: patron.id,
                loan: announcement.loan?.id, dueAt: announcement.dueAt, stage: order.stage,
                repetition: order.repetition, channel: order.channel,
                subject: TextTemplate(order.subject).filled(with: context),
                body: Self.trimmed(TextTemplate(order.body).filled(with: context)), createdAt: session.now)
        }
        let written = try record(notices)
        for notice in written {
            guard let charge = orders.first(where: { $0.stage == notice.stage })?.charge else { continue }
            try post(charge, with: notice)
        }
        return written
    }

    /// Without the blanks before a field at the end that has nothing to say.
    private static func trimmed(_ text: String) -> String {
        var text = text
        while text.last == " " { text.removeLast() }
        return text
    }

    private func context(of announcement: Announcement, _ patron: Patron) throws -> TemplateContext {
        var context = try session.loans.context(
            patron: patron.id, title: announcement.title, copy: announcement.copy, loan: announcement.loan,
            branch: announcement.branch)
        context.hold = announcement.hold
        context.sale = announcement.sale?.words
        if let hold = announcement.hold {
            context.pickupBranch = try session.settingsSnapshot().branch(hold.pickupBranch)
        }
        return context
    }

    private func post(_ charge: Money, with notice: Notice) throws {
        guard charge.isPositive, charge.currency == (try session.fees.currency()) else { return }
        let time = notice.dueAt.map { "\($0)" } ?? ""
        _ = try session.fees.post([
            LedgerEntry(
                key: "notice:\(notice.subjectKey):\(notice.kind):\(time):\(notice.stage)", patron: notice.patron,
                loan: notice.loan, kind: .charge, amount: charge, label: "Notice: \(notice.stage)", at: session.now)
        ])
    }

    private func orders(for announcement: Announcement) throws -> [PlannedNotice] {
        let standard = [announcement.event.standardNotice]
        guard let activation = try session.policies.inForce() else {
            return announcement.event.isSaidUnasked ? standard : []
        }
        do {
            return try session.policies.asking(activation.policy, at: .notify) { policy in
                guard announcement.event.isSaidUnasked || policy.names(announcement.event) else { return [] }
                guard let question = try question(for: announcement) else { return standard }
                let asked = try CaseBuilder(session: session).ask(policy, question, copy: announcement.copy)
                if asked.decision.answer == .failed { throw Refused(asked, loan: announcement.loan?.id) }
                return asked.decision.effects.compactMap { effect in
                    if case .notice(let order) = effect { order } else { nil }
                }
            }
        } catch let refused as Refused {
            guard var failed = refused.failed else { throw refused }
            failed.patron = announcement.patron
            failed.loan = announcement.loan?.id
            failed.copy = announcement.copy?.id
            try session.record(.policyFailed, failed)
            return standard
        }
    }

    private func question(for announcement: Announcement) throws -> Case? {
        let desk = try CaseBuilder(session: session)
        guard let patron = try desk.patron(announcement.patron, at: announcement.branch) else { return nil }
        let title = try announcement.title.flatMap { try desk.title($0, for: announcement.patron) }
        guard title != nil || announcement.sale != nil else { return nil }
        var question = desk.question(
            .notify, at: announcement.branch, patron: patron, title: title,
            copy: announcement.copy.map { desk.facts(of: $0) }, loan: try announcement.loan.flatMap(desk.facts(of:)))
        question.hold = announcement.hold.map { HoldService.facts(of: $0, category: patron.category) }
        question.listing = announcement.sale?.listing
        question.suggestion = announcement.sale?.suggestion
        question.lines = announcement.sale?.lines
        question.event = announcement.event
        return question
    }
}
