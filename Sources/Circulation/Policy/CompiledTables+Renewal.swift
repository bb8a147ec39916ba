/// What the rule says to a renewal: the new due time, or all that speaks against it.
package enum RenewalAnswer: Hashable, Sendable {
    case renewed(DueTime)
    /// In order: `no_rule`, that the loan does not renew by itself (or no longer), `too_soon`, `renewals` (also those
    /// without the copy seen), `holds_waiting`, and last that the due date would not move.
    case refused([Refusal.Reason])

    package var reasons: [Refusal.Reason] {
        if case .refused(let reasons) = self { reasons } else { [] }
    }
}

extension CompiledTables {
    /// The rule's answer to a renewal.
    ///
    /// A renewal asked for online or made by the job is an unseen one; at the desk and at a self-check machine the copy
    /// is at hand. With `renew_from = "due"` a loan that is already overdue by more than the renewal counts from now. A
    /// renewal that would end no later than the loan does is refused.
    /// - Throws: ``PolicyFailure`` with the code `bad_answer` as in ``dueTime(for:rule:)``, and if the case has no loan.
    package func renewal(for question: Case, rule: MatchedRule) throws -> RenewalAnswer {
        guard let loan = question.loan else {
            throw PolicyFailure(code: "bad_answer", message: "A renewal was asked for without a loan.")
        }
        var reasons = try PolicyFailure.placing(at: rule.origin(of: "renewals")) {
            try automaticRenewal(question, loan, rule) + tooSoon(question, loan, rule)
                + renewalCounts(question, loan, rule)
        }
        if let waiting = question.title?.holdsWaiting, waiting > 0 { reasons.append(.holdsWaiting(waiting)) }
        let finding = try PolicyFailure.placing(at: rule.origin(of: "loan")) {
            try renewedDue(question, loan, rule)
        }
        guard let finding else {
            reasons.insert(.noRule(question, origin: rule.origin(of: "loan")), at: 0)
            return .refused(reasons)
        }
        if finding.due.instant <= loan.dueAt {
            reasons.append(
                .notLater(finding.due, isCapped: finding.isCapped, origin: rule.origin(of: "renewal_period")))
        }
        return reasons.isEmpty ? .renewed(finding.due) : .refused(reasons)
    }

    /// The due time of a renewal that is allowed whatever the rule counts; nil where no rule gives one, or it would end no
    /// later than the loan does.
    ///
    /// - Throws: as ``renewal(for:rule:)``.
    package func renewalDue(for question: Case, rule: MatchedRule) throws -> DueTime? {
        guard let loan = question.loan else { return nil }
        let finding = try PolicyFailure.placing(at: rule.origin(of: "loan")) { try renewedDue(question, loan, rule) }
        guard let finding, finding.due.instant > loan.dueAt else { return nil }
        return finding.due
    }

    /// The first moment at which the loan can be renewed, nil if any moment will do. For days, weeks, months and open
    /// days it is the beginning of a day.
    ///
    /// - Throws: ``TimeError``.
    package func soonestRenewal(of loan: LoanFacts, for question: Case, rule: MatchedRule) throws -> Instant? {
        guard let notBefore = rule.renewal.notBefore else { return nil }
        let back = try notBefore.negated()
        if back.isElapsed { return try back.added(to: loan.dueAt, in: question.zone, calendar: question.calendar) }
        let date = try back.added(to: question.zone.date(of: loan.dueAt), calendar: question.calendar)
        return question.zone.startOfDay(date)
    }

    private func tooSoon(_ question: Case, _ loan: LoanFacts, _ rule: MatchedRule) throws -> [Refusal.Reason] {
        guard let soonest = try soonestRenewal(of: loan, for: question, rule: rule), question.now < soonest else {
            return []
        }
        let isExact = rule.renewal.notBefore?.isElapsed ?? false
        let words = isExact ? soonest.description : question.zone.date(of: soonest).description
        return [.tooSoon(from: words, origin: rule.origin(of: "renew_not_before"))]
    }

    private func renewalCounts(_ question: Case, _ loan: LoanFacts, _ rule: MatchedRule) -> [Refusal.Reason] {
        let terms = rule.renewal
        if let maximum = terms.maximum, loan.renewals >= maximum {
            let origin = rule.origin(of: "renewals")
            return [.renewals(count: loan.renewals, maximum: maximum, isUnseen: false, origin: origin)]
        }
        if question.isUnseenRenewal, let maximum = terms.maximumUnseen, loan.unseenRenewals >= maximum {
            let origin = rule.origin(of: "unseen_renewals")
            return [.renewals(count: loan.unseenRenewals, maximum: maximum, isUnseen: true, origin: origin)]
        }
        return []
    }

    private func automaticRenewal(
        _ question: Case, _ loan: LoanFacts, _ rule: MatchedRule
    ) throws -> [Refusal.Reason] {
        guard question.actor.channel == .job else { return [] }
        let terms = rule.renewal
        guard terms.isAutomatic else { return [.notRenewedAutomatically(origin: rule.origin(of: "auto_renew"))] }
        guard let end = try automaticEnd(terms.automaticUntil, question, loan), question.now >= end else { return [] }
        let words = question.zone.date(of: end).description
        return [.noLongerRenewedAutomatically(since: words, origin: rule.origin(of: "auto_renew_until"))]
    }

    /// A date is the last day on which loans renew by themselves; a period ends so long after the loan began.
    private func automaticEnd(
        _ until: RenewalTerms.Until?, _ question: Case, _ loan: LoanFacts
    ) throws -> Instant? {
        switch until {
        case .date(let date): question.zone.startOfDay(try date.adding(days: 1))
        case .period(let period):
            try period.added(to: loan.lentAt, in: question.zone, calendar: question.calendar)
        case nil: nil
        }
    }

    private func renewedDue(
        _ question: Case, _ loan: LoanFacts, _ rule: MatchedRule
    ) throws -> DueDateFinder.Finding? {
        let terms = rule.renewal
        let finder = DueDateFinder(rule.period, for: question)
        let period = terms.period ?? rule.period.loan
        if terms.start == .due, let period {
            let reached = try period.added(to: loan.dueAt, in: question.zone, calendar: question.calendar)
            if reached > question.now { return try finder.due(of: period, from: loan.dueAt) }
        }
        return try finder.due(of: period, from: question.now)
    }
}

extension Case {
    /// Whether a renewal asked for in this case happens without the copy at hand.
    package var isUnseenRenewal: Bool { actor.channel == .web || actor.channel == .job }
}
