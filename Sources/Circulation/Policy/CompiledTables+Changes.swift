// Until when tables answer the same about a loan, if nothing but the time goes on. Whatever is reckoned by days stays so
// until the branch's midnight; only hours and minutes are looked at here.
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
