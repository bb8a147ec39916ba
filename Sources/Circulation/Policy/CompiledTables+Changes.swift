// Until when tables answer the same about a loan, if nothing but the time goes on. What is reckoned by days does so until
// the branch's midnight; only hours and minutes are looked at here.
extension CompiledTables {
    /// When on the case's day the tables may have other notices for its loan: the first moment after the case's own.
    ///
    /// It is taken of all rows whose conditions the case meets, whatever their `when` says.
    /// - Returns: nil if they have the same ones until the day ends; the case's own moment if that cannot be told.
    package func noticesChange(after question: Case) -> Instant? {
        guard let loan = question.loan, hasTimedNotices else { return nil }
        var change: Instant?
        for row in notices.candidates(for: question).positions where source.notices[row].isTimed {
            do {
                guard let next = try NoticeSchedule(source.notices[row], of: loan, in: question).next() else {
                    continue
                }
                change = min(change ?? next, next)
            } catch {
                return question.now
            }
        }
        return change
    }

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

extension MatchedRule {
    /// When on the case's day its copy may begin to count as lost: the first moment after the case's own; nil if not
    /// before the day ends.
    package func lossChange(after question: Case) -> Instant? {
        guard let loan = question.loan, let after = lost.after, after.isElapsed else { return nil }
        guard let moment = try? after.added(to: loan.dueAt, in: question.zone, calendar: question.calendar) else {
            return question.now
        }
        return moment > question.now ? moment : nil
    }
}

extension NoticeRow {
    /// Whether its stage, or a repetition of it, may be reached at a moment within a day.
    var isTimed: Bool {
        if let distance = before ?? after, !distance.isElapsed { return every?.isElapsed ?? false }
        return true
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

extension CompiledTables {
    /// When on the case's day what the tables say to one of a sweep's points may change: see ``noticesChange(after:)``,
    /// ``fineChange(after:rule:)`` and ``MatchedRule/lossChange(after:)``; the case's own moment at another point.
    package func nextChange(of decision: Decision, for question: Case) -> Instant? {
        guard let rule = decision.rule else { return question.now }
        return switch decision.point {
        case .overdue: noticesChange(after: question)
        case .fine: fineChange(after: question, rule: rule)
        case .lost: rule.lossChange(after: question)
        default: question.now
        }
    }
}
