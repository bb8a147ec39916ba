import TextFormats

extension CompiledTables {
    /// What speaks against a hold, in the order of the checks: that of the patron (`expired`, `blocked`, `suspended`),
    /// `not_lent`, `no_rule`, the limits `holds`, `holds_of_item_type` and `holds_per_day`, `same_title`. Empty:
    /// nothing does.
    ///
    /// The case has the copy by which the hold could be filled, where there is one. Whether the reasons refuse or only
    /// ask is ``standardAnswer(to:rule:)``.
    package func standardHold(for question: Case, rule: MatchedRule) -> [Refusal.Reason] {
        var reasons = patronChecks(for: question)
        if !rule.lending.lends { reasons.append(.notLent(rule.lending.reason, origin: rule.origin(of: "lend"))) }
        if question.copy != nil, rule.period.loan == nil, rule.period.dueAt == nil {
            reasons.append(.noRule(question, origin: rule.origin(of: "loan")))
        }
        let terms = rule.hold
        if let maximum = terms.maximum, question.patron.holds >= maximum {
            reasons.append(.holds(question.patron.holds, of: maximum, origin: rule.origin(of: "holds")))
        }
        if let full = fullOfItemType(question, rule) { reasons.append(full) }
        let today = question.hold?.placedToday ?? 0
        if let maximum = terms.maximumPerDay, today >= maximum {
            reasons.append(.holds(today, of: maximum, today: true, origin: rule.origin(of: "holds_per_day")))
        }
        if rule.sameTitle != .allow && question.hasSameTitle {
            reasons.append(.holdOnOwnLoan(origin: rule.origin(of: "same_title")))
        }
        if let title = question.title?.id {
            for index in reasons.indices { reasons[index].title = title }
        }
        return reasons
    }

    /// An answer of a `recall` function: due at the rule's `due_time` of that day.
    ///
    /// - Throws: ``PolicyFailure`` with the code `bad_answer` if that is not earlier than the loan is due, or has passed.
    package func recallTime(answered date: CivilDate, for question: Case, rule: MatchedRule) throws -> DueTime {
        try earlier(try dueTime(answered: date, for: question, rule: rule), question)
    }

    /// An answer of a `recall` function that is an exact time.
    ///
    /// - Throws: ``PolicyFailure`` with the code `bad_answer` if that is not earlier than the loan is due, or has passed.
    package func recallTime(answeredExactly instant: Instant, for question: Case) throws -> DueTime {
        try earlier(try dueTime(answeredExactly: instant, for: question), question)
    }

    private func earlier(_ due: DueTime, _ question: Case) throws -> DueTime {
        guard let loan = question.loan, due.instant < loan.dueAt else {
            throw PolicyFailure(
                code: "bad_answer", message: "A recall must make a loan due earlier; \(due.date) is not earlier.")
        }
        return due
    }
}

extension Refusal.Reason {
    static func holds(_ count: Int64, of maximum: Int64, today: Bool = false, origin: RuleOrigin?) -> Refusal.Reason {
        let message =
            switch (maximum, today) {
            case (0, _): "No holds are allowed."
            case (1, true): "This account has placed \(count) hold today; the limit is one per day."
            case (1, false): "This account has \(count) hold; the limit is one."
            case (_, true): "This account has placed \(count) holds today; the limit is \(maximum) per day."
            case (_, false): "This account has \(count) holds; the limit is \(maximum)."
            }
        return Refusal.Reason(
            code: Refusal.Code.limit, message: message, origin: origin,
            figures: ["limit": .integer(maximum), "count": .integer(count)])
    }

    static func holdOnOwnLoan(origin: RuleOrigin?) -> Refusal.Reason {
        Refusal.Reason(
            code: Refusal.Code.sameTitle,
            message: "This account already has a copy of this title on loan.", origin: origin)
    }
}

extension MatchedRule {
    /// The moment after which a copy that is put on the shelf now is given to the next in line; nil: it stays.
    ///
    /// Days, weeks, months and open days end with the last of them, which counts whole, moved on to the next open day
    /// of the pickup branch; hours and minutes are exact.
    /// - Throws: ``PolicyFailure`` with the code `bad_answer`: no open day, a date out of range.
    package func shelfEnd(for question: Case) throws -> Instant? {
        guard let period = hold.shelf else { return nil }
        return try PolicyFailure.placing(at: origin(of: "hold_shelf")) {
            if period.isElapsed {
                return try period.added(to: question.now, in: question.zone, calendar: question.calendar)
            }
            let last = try question.calendar.nextOpen(
                onOrAfter: period.added(to: question.today, calendar: question.calendar))
            return try question.zone.startOfDay(last.adding(days: 1)).adding(seconds: -1)
        }
    }
}
