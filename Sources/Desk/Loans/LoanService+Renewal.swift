package import Circulation
import Storage

extension LoanService {
    /// Renews an open loan as the policy in force says. What the loan was late for so far is charged first.
    ///
    /// - Throws: ``DeskError`` for an override without a reason.
    package func renew(_ key: LoanKey, override: Bool = false, reason: String? = nil) throws -> Outcome<Loan> {
        if override, reason?.contains(where: { !$0.isWhitespace }) != true {
            throw DeskError.input("reason", "An override needs a reason.")
        }
        let trail = RequestTrail("renew")
        return try session.request(trail) {
            try renew(try knownOpen(key, trail), override: override, reason: reason, trail)
        }
    }

    /// A renewal that was granted and is still to be written.
    struct PlannedRenewal {
        var loan: Loan
        var asked: AskedDecision
        var override: PolicyOverride?
    }

    /// Renews within a request.
    func renew(_ loan: Loan, override: Bool, reason: String?, _ trail: RequestTrail) throws -> Loan {
        trail.loan = loan.id
        trail.copy = loan.copy
        trail.patron = loan.patron
        trail.titles = loan.title.map { [$0] } ?? []
        let planned = try decideRenewal(loan, override, reason)
        return try carryOut(planned, of: loan)
    }

    @discardableResult
    private func carryOut(_ planned: PlannedRenewal, of loan: Loan) throws -> Loan {
        // Fines belong to a due time; with the new one, what accrued for the old would be forgotten.
        if let due = loan.due, due.instant < session.now {
            _ = try settleFine(of: loan, at: session.now)
        }
        let change = LoanChange(loan: planned.loan, previousDueAt: loan.due?.instant)
        guard let (_, sequence) = try session.record(.loanRenewed, change) else { return loan }
        try session.log(planned.asked, under: sequence)
        try session.fees.postRental(of: planned.loan, planned.asked)
        if let override = planned.override { try recordOverride(override, of: loan) }
        try session.notices.supersede(about: loan)
        return planned.loan
    }

    /// Asks the policy in force and writes nothing.
    func decideRenewal(_ loan: Loan, _ override: Bool, _ reason: String?) throws -> PlannedRenewal {
        try checkRunning(loan)
        guard let activation = try session.policies.inForce() else { throw Refused.noPolicy }
        return try session.policies.asking(activation.policy, at: .renew) { policy in
            let desk = try CaseBuilder(session: session)
            guard let about = try desk.question(.renew, about: loan) else {
                throw Refused("history_only", "The loan \(loan.id) is imported history, kept for statistics.")
            }
            let asked = try desk.ask(policy, about.question, copy: about.copy)
            do {
                return try planned(about, asked, policy, desk, override, reason)
            } catch let refused as Refused {
                throw try refused.worded(by: policy, language: about.question.patron.language) { _ in
                    try context(patron: loan.patron, copy: about.copy, loan: loan, branch: about.question.branch)
                }
            }
        }
    }

    private func planned(
        _ about: LoanCase, _ asked: AskedDecision, _ policy: any LendingPolicy, _ desk: CaseBuilder, _ override: Bool,
        _ reason: String?
    ) throws -> PlannedRenewal {
        let patron = about.question.patron.id
        let loan = about.loan
        let overridden = try session.overridden(
            asked, wanted: override, reason: reason, title: loan.title, loan: loan.id
        ) { reason in
            PolicyOverride(
                patron: patron, title: loan.title, copy: loan.copy, loan: loan.id, codes: asked.codes,
                policy: asked.policy, reason: reason)
        }
        var asked = asked
        var due = asked.decision.due
        if due == nil {
            let second = try desk.ask(policy, about.at(.due), copy: about.copy)
            asked.decision.effects += second.decision.effects
            due = second.decision.answer == .failed ? nil : second.decision.due
            if due == nil { throw Refused(second.withoutDue, title: loan.title, loan: loan.id) }
        }
        return PlannedRenewal(loan: renewed(loan, asked, due: due), asked: asked, override: overridden)
    }

    private func renewed(_ loan: Loan, _ asked: AskedDecision, due: DueTime?) -> Loan {
        var renewed = loan
        renewed.due = due
        renewed.renewals += 1
        renewed.unseenRenewals = asked.question.isUnseenRenewal ? loan.unseenRenewals + 1 : 0
        renewed.renewedAt = session.now
        renewed.recalledAt = nil
        renewed.policy = asked.policy
        return renewed
    }

    /// Writes down a renewal that the policy allowed without being asked to by anybody.
    func carryOutRenewal(of loan: Loan, _ asked: AskedDecision, due: DueTime) throws {
        let planned = PlannedRenewal(loan: renewed(loan, asked, due: due), asked: asked, override: nil)
        try carryOut(planned, of: loan)
    }
}
