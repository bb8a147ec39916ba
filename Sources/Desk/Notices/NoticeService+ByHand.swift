package import Circulation
import Storage

extension NoticeService {
    /// Writes the notice of a stage about one loan at once, as the next sweep would: by hand, and once. The sweep does not
    /// say it again, and what the stage charges is posted as it would be.
    ///
    /// A stage that passed over is said all the same if it is named. Refused with `unknown_loan`, `unknown_copy`,
    /// `not_on_loan`, `returned`, `history_only`, `lost`, `claimed`; with `no_policy`; with `unknown_stage` if the policy says
    /// nothing of that name about the loan; with `not_due` as long as the stage is not reached; with `exists` if it was said
    /// for this due time already, unless it is to be said again, which charges nothing.
    ///
    /// - Parameters:
    ///   - stage: nil: the latest that is reached.
    ///   - again: say it once more.
    package func remind(_ key: LoanKey, stage: String? = nil, again: Bool = false) throws -> Outcome<Notice> {
        let trail = RequestTrail("notifications.remind")
        return try session.request(trail) {
            let loan = try session.loans.knownOpen(key, trail)
            try session.loans.checkRunning(loan)
            guard let activation = try session.policies.inForce() else { throw Refused.noPolicy }
            let order = try session.policies.asking(activation.policy, at: .overdue) { policy in
                try reached(stage, of: loan, policy)
            }
            return try say(order, of: loan, again: again)
        }
    }

    /// What is to be said of the loan by now, were nothing said yet.
    private func reached(_ stage: String?, of loan: Loan, _ policy: any LendingPolicy) throws -> PlannedNotice {
        let desk = try CaseBuilder(session: session)
        guard var about = try desk.question(.overdue, about: loan) else {
            throw Refused("history_only", "The loan \(loan.id) does not have everything a notice needs.")
        }
        about.question.loan?.notices = []
        about.question.loan?.noticesSentUntil = nil
        let asked = try desk.ask(policy, about.question, copy: about.copy)
        if asked.decision.answer == .failed { throw Refused(asked, loan: loan.id) }
        let orders = asked.decision.effects.compactMap { effect in
            if case .notice(let order) = effect { order } else { nil }
        }
        let found = orders.last { stage == nil ? !$0.isSuperseded : $0.stage == stage }
        if var order = found {
            order.isSuperseded = false
            return order
        }
        if let stage, try !policy.stages.contains(stage) || policy.notice(ofStage: stage, for: about.question) == nil {
            let stages = policy.stages.isEmpty ? "none" : policy.stages.joined(separator: ", ")
            throw Refused("unknown_stage", "There is no stage \"\(stage)\" for this loan. The policy has: \(stages).")
        }
        let due = loan.due?.date ?? .latest
        guard let stage else { throw Refused("not_due", "There is no notice for this loan yet: it is due on \(due).") }
        throw Refused("not_due", "The loan has not reached the stage \"\(stage)\" yet: it is due on \(due).")
    }

    private func say(_ order: PlannedNotice, of loan: Loan, again: Bool) throws -> Notice {
        var notice = try notice(order, about: loan, context: nil)
        let said = try transaction.notices.find(like: notice)
        let isSaid = said.map { $0.state != .superseded || $0.carriedBy != nil } ?? false
        if let said, isSaid, !again {
            throw Refused(
                "exists", "A notice for the stage \"\(order.stage)\" was already created on \(try day(of: said, loan))."
            )
        }
        if said == nil {
            if let written = try record([notice]).first {
                try post(order.charge, with: written)
                return written
            }
        }
        // Beside those of the sweep: it bears no due time, by which a policy sees what was said.
        notice.subjectKey += ":again"
        notice.dueAt = nil
        for repetition in 0..<Self.mostByHand {
            notice.repetition = repetition
            if let written = try record([notice]).first { return written }
        }
        throw Refused("limit", "A notice for this stage has already been created by hand \(Self.mostByHand) times.")
    }

    private static let mostByHand: Int64 = 100

    private func day(of notice: Notice, _ loan: Loan) throws -> CivilDate {
        let settings = try session.settingsSnapshot()
        return settings.zone(ofBranch: loan.branch ?? "").date(of: notice.createdAt)
    }

    /// Under the key of the sweep, so that it is posted once.
    private func post(_ charge: Money?, with notice: Notice) throws {
        guard let charge, charge.isPositive, charge.currency == (try session.fees.currency()), let loan = notice.loan,
            let due = notice.dueAt
        else { return }
        _ = try session.fees.post([
            LedgerEntry(
                key: "notice:\(loan):\(due):\(notice.stage):\(notice.repetition)", patron: notice.patron, loan: loan,
                kind: .charge, amount: charge, label: "Notice: \(notice.stage)", at: session.now)
        ])
    }
}
