package import Circulation
import Storage

/// What a stage of the policy in force would send about a loan.
package struct NoticePreview: Hashable, Sendable {
    /// The loan's own message.
    package var single: Notice
    /// The message that would carry it with the patron's other loans, and those loans; nil where the stage merges nothing,
    /// or there is no other loan on the same side of its due time.
    package var digest: Digest?

    package struct Digest: Hashable, Sendable {
        package var loans: [Int64]
        package var subject: String
        package var body: String
    }
}

extension NoticeService {
    /// What a stage would send about a loan, whether its time has come or not. Writes nothing.
    ///
    /// Refused with `unknown_stage` if the policy has no such stage, or no row of it matches the loan.
    package func preview(loan key: LoanKey, stage: String) throws -> Outcome<NoticePreview> {
        let trail = RequestTrail("notifications.preview")
        do {
            let loan = try session.loans.knownOpen(key, trail)
            guard let activation = try session.policies.inForce() else { throw Refused.noPolicy }
            return .done(
                try session.policies.asking(activation.policy, at: .overdue) { policy in
                    try preview(loan, stage, policy)
                })
        } catch let refused as Refused {
            return .refused(try session.worded(refused, trail).answer)
        }
    }

    private func preview(_ loan: Loan, _ stage: String, _ policy: any LendingPolicy) throws -> NoticePreview {
        guard let own = try part(loan, stage, policy) else {
            let stages = policy.stages.isEmpty ? "none" : policy.stages.joined(separator: ", ")
            throw Refused("unknown_stage", "There is no stage \"\(stage)\" for this loan. The policy has: \(stages).")
        }
        var preview = NoticePreview(single: own.part.notice)
        guard let texts = own.order.digest, let patron = loan.patron, let due = loan.due else { return preview }
        let others = try transaction.loans.open(patron: patron).filter { other in
            guard let otherDue = other.due, other.id != loan.id else { return false }
            return (otherDue.instant < session.now) == (due.instant < session.now)
        }
        var group = DigestRun.Group(parts: [own.part], texts: texts, context: own.context)
        for other in others {
            guard let another = try part(other, stage, policy), another.order.digest != nil,
                another.order.channel == own.order.channel
            else { continue }
            group.parts.append(another.part)
        }
        guard group.parts.count > 1 else { return preview }
        let (subject, body) = Self.texts(of: group.parts, group.texts.many, group.context)
        preview.digest = NoticePreview.Digest(
            loans: group.parts.compactMap(\.notice.loan), subject: subject, body: body)
        return preview
    }

    private func part(
        _ loan: Loan, _ stage: String, _ policy: any LendingPolicy
    ) throws -> (order: PlannedNotice, part: DigestRun.Part, context: TemplateContext)? {
        guard let about = try CaseBuilder(session: session).question(.overdue, about: loan),
            let order = try policy.notice(ofStage: stage, for: about.question)
        else { return nil }
        let context = try session.loans.context(
            patron: loan.patron, copy: about.copy, loan: loan, branch: loan.branch)
        let part = DigestRun.Part(
            notice: try notice(order, about: loan, context: context),
            line: DigestPage.line(order.digest, context))
        return (order, part, context)
    }
}
