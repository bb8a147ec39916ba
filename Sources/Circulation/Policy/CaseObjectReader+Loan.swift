import TextFormats

extension CaseObjectReader {
    /// The loan of a case whose other parts are read.
    func loan(of question: Case) throws(CaseError) -> LoanFacts? {
        guard let reader = try part("loan", CaseRecords.loan, isExpected: frame.hasLoan) else { return nil }
        let due = try reader.due()
        let lent = closing(days: 14, before: min(due, frame.now)) ?? due
        var part = LoanInCase(
            loan: LoanFacts(id: 1, lentAt: lent, dueAt: due, originalDueAt: due), question: question)
        try reader.fill(&part, CaseRecords.loan)
        part.loan.notices = try reader.notices()
        return part.loan
    }

    /// The due time as it is written, or from how late the loan is.
    private func due() throws(CaseError) -> Instant {
        let days = try integer("days_overdue")
        let hours = try integer("hours_overdue")
        if let due = try instant("due_at") {
            try check(due, days: days, hours: hours)
            return due
        }
        if let days {
            guard let due = closing(days: days, before: frame.now) else {
                throw wrong("days_overdue", "a number of days within the calendar", .integer(days))
            }
            return due
        }
        if let hours {
            let (back, overflow) = Int64(0).subtractingReportingOverflow(hours)
            guard !overflow, let due = try? frame.now.adding(hours: back) else {
                throw wrong("hours_overdue", "a number of hours within the calendar", .integer(hours))
            }
            return due
        }
        if json("open_days_overdue") != nil {
            throw CaseError(
                field: field("open_days_overdue"), fault: "it does not tell when the loan is due; use days_overdue")
        }
        // A loan that is due today cannot be asked for any earlier.
        return closing(days: frame.point == .recall ? -14 : 0, before: frame.now) ?? frame.now
    }

    /// Whether a due time is as long ago as is written beside it. 0 stands for any time to come as well, as a policy
    /// reads it.
    private func check(_ due: Instant, days: Int64?, hours: Int64?) throws(CaseError) {
        let late = Int64(frame.zone.date(of: frame.now).days(since: frame.zone.date(of: due)))
        if let days, days != late, days != max(0, late) {
            throw contradiction("days_overdue", days, late, due, "day")
        }
        let elapsed = frame.now.microseconds(since: due) / (3600 * Instant.microsecondsPerSecond)
        if let hours, hours != elapsed, hours != max(0, elapsed) {
            throw contradiction("hours_overdue", hours, elapsed, due, "hour")
        }
    }

    private func contradiction(
        _ key: String, _ written: Int64, _ late: Int64, _ due: Instant, _ unit: String
    ) -> CaseError {
        let span = "\(late.magnitude) \(unit)\(late.magnitude == 1 ? "" : "s")"
        let words = late >= 0 ? "\(span) ago" : "in \(span)"
        return CaseError(
            field: field(key),
            fault: "\(written) does not fit due_at, \(due), which is \(words); write one of the two")
    }

    /// The close of business on the day that many days before, so that a loan due today is not late yet; nil beyond the
    /// calendar.
    private func closing(days: Int64, before instant: Instant) -> Instant? {
        let (back, overflow) = Int64(0).subtractingReportingOverflow(days)
        guard !overflow, let date = try? frame.zone.date(of: instant).adding(days: back),
            let last = try? CivilTime(hour: 23, minute: 59, second: 59)
        else { return nil }
        return frame.zone.instant(of: date, min(frame.calendar.closingTime(on: date) ?? last, last))
    }

    private func notices() throws(CaseError) -> [NoticeFacts] {
        var notices: [NoticeFacts] = []
        for reader in try readers("notices", CaseRecords.notice) {
            guard try reader.text("stage") != nil else {
                throw CaseError(field: reader.field("stage"), fault: "the notice does not say its stage")
            }
            var notice = NoticeFacts(stage: "", repetition: 0, at: frame.now)
            try reader.fill(&notice, CaseRecords.notice)
            notices.append(notice)
        }
        return notices
    }
}
