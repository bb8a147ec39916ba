import Circulation
import Storage

extension HoldService {
    /// Asks for the loans of a title that is all lent, the one due next first, until the policy answers an earlier due
    /// time: that loan is due then, and its patron gets a message. A loan that was recalled already is asked for once
    /// only; a policy that fails about one is on record, and the next is asked for.
    @discardableResult
    func recall(for hold: Hold) throws -> Loan? {
        guard let title = hold.title, let patron = hold.patron, try isAllLent(title, hold.copy),
            let activation = try session.policies.inForce()
        else { return nil }
        let category = try transaction.patrons.get(patron)?.category ?? ""
        let position = try placed(hold).position ?? 1
        let facts = Self.facts(of: hold, category: category, position: position)
        for loan in try transaction.loans.open(title: title)
        where loan.patron != patron && loan.recalledAt == nil && (hold.copy == nil || hold.copy == loan.copy) {
            guard loan.lostAt == nil, loan.claimedAt == nil else { continue }
            guard let due = loan.due, due.instant > session.now else { continue }
            guard let asked = try ask(activation.policy, about: loan, facts), let earlier = asked.decision.due else {
                continue
            }
            return try carryOut(asked, loan, due: earlier)
        }
        return nil
    }

    /// No copy that would do is available, and one at least is lent.
    private func isAllLent(_ title: Int64, _ copy: Int64?) throws -> Bool {
        let copies = try transaction.copies.of(title: title).filter { copy == nil || $0.id == copy }
        return copies.contains { $0.status == .onLoan } && !copies.contains { $0.status == .available }
    }

    /// nil where the policy failed, or the loan is kept for statistics only.
    private func ask(_ version: String, about loan: Loan, _ facts: HoldFacts) throws -> AskedDecision? {
        do {
            return try session.policies.asking(version, at: .recall) { policy in
                let desk = try CaseBuilder(session: session)
                guard var about = try desk.question(.recall, about: loan) else { return nil }
                about.question.hold = facts
                let asked = try desk.ask(policy, about.question, copy: about.copy)
                if asked.decision.answer == .failed { throw Refused(asked, title: loan.title, loan: loan.id) }
                return asked
            }
        } catch let refused as Refused {
            _ = try session.recordFailure(refused, loan)
            return nil
        }
    }

    private func carryOut(_ asked: AskedDecision, _ loan: Loan, due: DueTime) throws -> Loan {
        var recalled = loan
        recalled.due = due
        recalled.recalledAt = session.now
        let change = LoanChange(loan: recalled, previousDueAt: loan.due?.instant)
        if let (_, event) = try session.record(.loanRecalled, change) { try session.log(asked, under: event) }
        try session.notices.supersede(about: loan)
        if let patron = recalled.patron {
            try session.notices.announce(
                Announcement(.recalled, to: patron, copy: asked.copy, loan: recalled, branch: asked.question.branch))
        }
        return recalled
    }
}
