import Circulation
import Storage

extension NoticeService {
    /// Renews the next loans by due time that the policy lets renew by themselves, and writes to their patrons.
    ///
    /// It happens without the copy at hand, as the job: what speaks against it (others wait, renewals used up, a block)
    /// leaves the loan as it is. A policy that fails about one loan is on record, and the loan is skipped.
    ///
    /// - Returns: where the page ended; nil after the last one, and where nothing renews by itself.
    func renewPage(
        after position: DuePosition?, size: Int64 = NoticeService.pageSize, into report: inout SweepReport
    ) throws -> DuePosition? {
        guard let activation = try session.policies.inForce() else { return nil }
        do {
            return try session.policies.asking(activation.policy, at: .renew) { policy in
                guard let lead = policy.automaticRenewalLead else { return nil }
                let desk = try CaseBuilder(session: session)
                let horizon = try lead.added(
                    to: session.now, in: desk.settings.library.zone, calendar: .alwaysOpen)
                let page = try transaction.loans.running(before: horizon, after: position, limit: size)
                for loan in page { try renewByItself(loan, policy, desk, &report) }
                guard let last = page.last, let due = last.due else { return nil }
                return DuePosition(dueAt: due.instant, loan: last.id)
            }
        } catch let refused as Refused {
            // The following pages report what cannot be loaded.
            guard refused.failed != nil else { throw refused }
            return nil
        }
    }

    private func renewByItself(
        _ loan: Loan, _ policy: any LendingPolicy, _ desk: CaseBuilder, _ report: inout SweepReport
    ) throws {
        guard var about = try desk.question(.renew, about: loan) else { return }
        about.question.actor = ActorFacts(role: .job, channel: .job)
        let asked = try desk.ask(policy, about.question, copy: about.copy)
        if asked.decision.answer == .failed {
            try fail(asked, loan, &report)
        } else if asked.decision.answer == .allow, let due = asked.decision.due,
            asked.decision.rule?.renewsByItself(about.question, renewedAt: loan.renewedAt) == true
        {
            try session.loans.carryOutRenewal(of: loan, asked, due: due)
            report.renewed += 1
            guard let patron = loan.patron, let renewed = try transaction.loans.get(loan.id) else { return }
            try announce(
                Announcement(.renewed, to: patron, copy: about.copy, loan: renewed, branch: about.question.branch))
        }
    }

    private func fail(_ asked: AskedDecision, _ loan: Loan, _ report: inout SweepReport) throws {
        let refused = Refused(asked, title: loan.title, loan: loan.id)
        for failure in try session.recordFailure(refused, loan) {
            report.failed += 1
            guard report.failures.count < 100 else { continue }
            report.failures.append(SweepReport.Failure(loan: loan.id, point: .renew, failure: failure))
        }
    }
}
