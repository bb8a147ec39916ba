import Circulation
import Storage

extension LoanService {
    /// Declares the copy of an open loan lost, as staff do. The loan stays open; what it is late for is charged up to
    /// now (or to when it was claimed to be returned) and grows no further. What the loss costs is asked of the version
    /// that decided the loan; if that fails, the copy is lost all the same and the failure is on record.
    ///
    /// A second time changes nothing. Refused with `unknown_loan`, `unknown_copy`, `not_on_loan`, `returned`,
    /// `history_only`.
    ///
    /// - Parameter reason: staff's own words; the patron's name is left out of the event.
    package func markLost(_ key: LoanKey, reason: String? = nil) throws -> Outcome<StoppedLoan> {
        let trail = RequestTrail("mark_lost")
        return try session.request(trail) {
            let loan = try knownOpen(key, trail)
            let copy = try copy(of: loan)
            if loan.lostAt != nil { return StoppedLoan(loan: loan, copy: copy) }
            let words = try reason.map { try session.patrons.impersonal($0, about: loan.patron) }
            return try lose(loan, copy, reason: words)
        }
    }

    func copy(of loan: Loan) throws -> Copy {
        guard let copy = try loan.copy.flatMap({ try transaction.copies.get($0) }) else {
            throw Refused(Refusal.Code.unknownCopy, "The copy of loan \(loan.id) no longer exists.")
        }
        return copy
    }

    private func lose(_ loan: Loan, _ copy: Copy, reason: String?) throws -> StoppedLoan {
        let settled = try settleFine(of: loan, at: loan.claimedAt ?? session.now)
        var lost = loan
        lost.lostAt = session.now
        let answer = try askLost(lost)
        let (after, forgiven) = try carryOut(
            PlannedLoss(loan: lost, copy: copy, asked: answer.asked, reason: reason))
        var entries = answer.fee.flatMap { lostFee($0, lost) }.map { [$0] } ?? []
        for case .charge(let order) in answer.asked?.decision.effects ?? [] {
            entries += [order.entry(of: lost, at: session.now)].compactMap { $0 }
        }
        let posted = try session.fees.post(entries)
        try session.notices.supersede(about: lost)
        return StoppedLoan(
            loan: lost, copy: after, posted: settled.posted + forgiven + posted,
            failures: settled.failures + answer.failures)
    }

    /// Makes a copy lost within a request, and forgives the fine if the rule says so.
    ///
    /// - Returns: the copy as it is now, and what was posted.
    func carryOut(_ planned: PlannedLoss) throws -> (copy: Copy, posted: [LedgerEntry]) {
        let reason = planned.reason.flatMap { $0.isEmpty ? nil : $0 }
        let event = try session.record(.loanLost, LoanChange(loan: planned.loan, previousDueAt: nil, reason: reason))
        if let event, let asked = planned.asked { try session.log(asked, under: event.sequence) }
        var copy = planned.copy
        copy.status = .lost
        try session.holds.settle(afterLosing: copy)
        return (copy, try forgiveFine(planned))
    }

    private func forgiveFine(_ planned: PlannedLoss) throws -> [LedgerEntry] {
        guard planned.asked?.decision.rule?.lost.fineOfLoss == .forgive,
            let account = try session.fees.account(of: planned.loan)
        else { return [] }
        let entry = ForgivenFine(loan: planned.loan, account: account).forgiving(at: session.now)
        return try session.fees.post([entry].compactMap { $0 })
    }

    /// Ends the loan of a lost copy that is not expected back any more. What it cost stays owed.
    func writeOff(_ loan: Loan) throws {
        try session.record(
            .loanReturned, LoanReturn(loan: loan.id, copy: loan.copy, patron: loan.patron, returnedAt: session.now))
    }

    /// The line of the fee for a loss: one a loan, under its own key.
    func lostFee(_ fee: Money, _ loan: Loan) -> LedgerEntry? {
        guard let patron = loan.patron else { return nil }
        return LedgerEntry(
            key: LostFee.key(loan.id), patron: patron, loan: loan.id, kind: .charge, amount: fee, label: lostLabel,
            at: session.now)
    }

    var lostLabel: String { "Lost copy" }

    private struct LossAnswer {
        var asked: AskedDecision?
        var fee: Money?
        var failures: [PolicyFailure] = []
    }

    private func askLost(_ loan: Loan) throws -> LossAnswer {
        guard let version = try session.policies.version(deciding: loan) else { return LossAnswer() }
        do {
            return try session.policies.asking(version, at: .lost) { policy in
                let desk = try CaseBuilder(session: session)
                guard let about = try desk.question(.lost, about: loan) else { return LossAnswer() }
                let asked = try desk.ask(policy, about.question, copy: about.copy)
                if asked.decision.answer == .failed { throw Refused(asked, title: loan.title, loan: loan.id) }
                if let loss = asked.decision.loss { return LossAnswer(asked: asked, fee: loss.fee) }
                // Staff's word stands against a policy that would wait, and what the rule asks for goes with it.
                return LossAnswer(asked: asked, fee: try asked.decision.rule?.lostFee(for: asked.question))
            }
        } catch let refused as Refused {
            return LossAnswer(failures: try session.recordFailure(refused, loan))
        }
    }
}

/// A loss that was decided and is still to be written.
struct PlannedLoss {
    /// With the moment of the loss.
    var loan: Loan
    var copy: Copy
    var asked: AskedDecision?
    var reason: String?
}

extension Decision {
    /// The loss among its effects, with its fee; nil if the copy is not to count as lost.
    var loss: (fee: Money?, origin: RuleOrigin?)? {
        for case .lose(let fee, let origin) in effects { return (fee, origin) }
        return nil
    }
}

extension PlannedCharge {
    /// The line of a policy's own charge about a loan: one for each key.
    func entry(of loan: Loan, at moment: Instant) -> LedgerEntry? {
        guard let patron = loan.patron else { return nil }
        return LedgerEntry(
            key: "charge:loan:\(loan.id):\(key)", patron: patron, loan: loan.id, kind: .charge, amount: amount,
            label: label, at: moment)
    }
}
