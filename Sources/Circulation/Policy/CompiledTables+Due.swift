extension CompiledTables {
    /// The rule's due time for a loan that begins now, or the earlier one that the request asks for; nil if no row says
    /// how long a loan lasts.
    ///
    /// - Throws: ``PolicyFailure`` with the code `bad_answer`: no open day within ten years, a fixed due date that has
    ///   passed, a date out of range, no time between now and the due time.
    package func dueTime(for question: Case, rule: MatchedRule) throws -> DueTime? {
        let terms = rule.period
        return try PolicyFailure.placing(at: rule.origin(of: "loan")) {
            try DueDateFinder(terms, for: question).due(of: terms.loan, from: question.now)?.due
        }
    }

    /// An answer of a `due` or `renew` function that is a date: due at the rule's `due_time` of that day, which stands
    /// whether the branch is open or not, and whatever the caps.
    ///
    /// - Throws: ``PolicyFailure`` with the code `bad_answer` if that day is over, or in its last second; of today, where
    ///   the due time has passed, the end of the day is meant.
    package func dueTime(answered date: CivilDate, for question: Case, rule: MatchedRule) throws -> DueTime {
        let finder = DueDateFinder(rule.period, for: question)
        let due = finder.dueTime(on: date)
        if due.instant > question.now { return due }
        guard date == question.today else {
            throw PolicyFailure(
                code: "bad_answer", message: "The due date \(date) lies before today, \(question.today).")
        }
        let end = finder.endOfDay(date)
        try PolicyFailure.checkLength(of: end, from: question.now)
        return end
    }

    /// An answer of a `due` or `renew` function that is an exact time.
    ///
    /// - Throws: ``PolicyFailure`` with the code `bad_answer` unless it lies after now.
    package func dueTime(answeredExactly instant: Instant, for question: Case) throws -> DueTime {
        let due = DueTime(instant: instant, date: question.zone.date(of: instant), isExact: true)
        try PolicyFailure.checkLength(of: due, from: question.now)
        return due
    }
}
