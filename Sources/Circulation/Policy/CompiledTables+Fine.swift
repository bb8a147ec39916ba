extension CompiledTables {
    /// The fine accrued for the loan until the case's now, in all; zero while nothing is late, nil if the rule sets no
    /// fine.
    ///
    /// It never falls as time goes on. With `fine_steps` each late day (or hour, as the steps count) costs what its step
    /// says, and `fine` and `per` do not matter. A cap at the replacement price does not cap a copy without a price.
    /// - Throws: ``PolicyFailure`` with the code `bad_answer`: two currencies, an amount or date out of range.
    package func fine(for question: Case, rule: MatchedRule) throws -> Money? {
        let terms = rule.fine
        guard let loan = question.loan, terms.fine != nil || !terms.steps.isEmpty else { return nil }
        return try PolicyFailure.placing(at: rule.origin(of: "fine")) {
            let lateness = Lateness(of: loan, in: question, countsClosedDays: terms.countsClosedDays)
            guard let chargeable = try chargeable(lateness, terms) else { return .zero(question.currency) }
            return try capped(fine(of: chargeable, terms, in: question.currency), terms.cap, question)
        }
    }

    /// The lateness that counts, after grace; nil if none does.
    private func chargeable(_ lateness: Lateness, _ terms: FineTerms) throws -> Lateness? {
        guard let grace = terms.grace else { return lateness }
        if try lateness.isWithin(grace) { return nil }
        return terms.graceMode == .deduct ? try lateness.deducting(grace) : lateness
    }

    private func fine(of lateness: Lateness, _ terms: FineTerms, in currency: Currency) throws -> Money {
        if !terms.steps.isEmpty { return try stepped(lateness, terms, in: currency) }
        let count = try terms.rounding.count(lateness.count(of: terms.per))
        return try terms.fine?.multiplied(by: count) ?? .zero(currency)
    }

    private func stepped(_ lateness: Lateness, _ terms: FineTerms, in currency: Currency) throws -> Money {
        var sum = Money.zero(currency)
        for step in terms.steps {
            let late = try terms.rounding.count(lateness.count(of: Period(1, step.from.unit)))
            let first = max(step.from.count, 1)
            let last = min(step.to?.count ?? late, late)
            if last >= first { sum = try sum.adding(step.fine.multiplied(by: last - first + 1)) }
        }
        return sum
    }

    private func capped(_ fine: Money, _ cap: RuleAmount?, _ question: Case) throws -> Money {
        switch cap {
        case .money(let most): return try fine.capped(at: most)
        case .replacementPrice:
            guard let price = question.copy?.replacementPrice else { return fine }
            return try fine.capped(at: price)
        case nil: return fine
        }
    }

    /// The last day of the suspension that a return now brings, nil if it brings none.
    ///
    /// It counts each whole `suspension_per` of lateness. The rule's `grace`, `grace_mode` and `fine_closed_days` say
    /// what counts as late, as they do for fines. A suspension of n days ends n days after the return; one of open days
    /// is lengthened by closed ones. `suspension_cap` bounds what one return brings; with `add` it begins where the
    /// suspension in force ends, with `longest` the later end holds.
    /// - Throws: ``PolicyFailure`` with the code `bad_answer`: no open day, a date out of range.
    package func suspensionEnd(for question: Case, rule: MatchedRule) throws -> CivilDate? {
        let terms = rule.suspension
        let late = rule.fine
        guard let loan = question.loan, let length = terms.length, length.count > 0 else { return nil }
        return try PolicyFailure.placing(at: rule.origin(of: "suspension")) {
            let lateness = Lateness(of: loan, in: question, countsClosedDays: late.countsClosedDays)
            let count = try chargeable(lateness, late)?.count(of: terms.per).whole ?? 0
            guard count > 0 else { return nil }
            let running = question.patron.suspendedUntil.flatMap { $0 > question.today ? $0 : nil }
            let start = terms.mode == .add ? running ?? question.today : question.today
            let (total, overflow) = length.count.multipliedReportingOverflow(by: count)
            if overflow { throw TimeError.outOfRange }
            var end = try Period(total, length.unit).added(to: start, calendar: question.calendar)
            if let cap = terms.cap { end = min(end, try cap.added(to: start, calendar: question.calendar)) }
            if terms.mode == .longest, let running { end = max(end, running) }
            return end > start ? end : nil
        }
    }
}

extension FineTerms.Rounding {
    fileprivate func count(_ counted: (whole: Int64, started: Int64)) -> Int64 {
        self == .started ? counted.started : counted.whole
    }
}

extension CompiledTables {
    /// When on the case's day the fine for its loan may be another one: the first moment after the case's own.
    ///
    /// - Returns: nil if it is the same until the day ends; the case's own moment if that cannot be told.
    package func fineChange(after question: Case, rule: MatchedRule) -> Instant? {
        let terms = rule.fine
        guard let loan = question.loan, terms.fine != nil || !terms.steps.isEmpty, terms.isTimed else { return nil }
        do {
            if case .money(let most)? = terms.cap, try fine(for: question, rule: rule) == most { return nil }
            guard terms.countsClosedDays else { return question.now }
            var start = loan.dueAt
            var moments = [start]
            if let grace = terms.grace {
                if let length = try grace.elapsedMicroseconds() {
                    let end = try start.adding(microseconds: length)
                    moments.append(end)
                    if terms.graceMode == .deduct { start = end }
                } else if terms.graceMode == .deduct {
                    return question.now
                }
            }
            for length in try terms.elapsedLengths() {
                let passed = max(0, question.now.microseconds(since: start)) / length
                moments.append(try start.adding(microseconds: passed * length))
                moments.append(try start.adding(microseconds: (passed + 1) * length))
            }
            // A whole period is reached at such a moment, and a further one has started just after it.
            moments += try moments.map { try $0.adding(microseconds: 1) }
            return moments.filter { $0 > question.now }.min()
        } catch {
            return question.now
        }
    }
}

extension FineTerms {
    /// Whether hours or minutes count.
    fileprivate var isTimed: Bool {
        let units = steps.isEmpty ? [per.unit] : steps.map(\.from.unit)
        return (units + (grace.map { [$0.unit] } ?? [])).contains { $0 == .hours || $0 == .minutes }
    }

    /// The lengths of its periods of hours and minutes, in microseconds.
    fileprivate func elapsedLengths() throws -> Set<Int64> {
        let periods = steps.isEmpty ? [per] : steps.map { Period(1, $0.from.unit) }
        return Set(try periods.compactMap { try $0.elapsedMicroseconds() }.filter { $0 > 0 })
    }
}
