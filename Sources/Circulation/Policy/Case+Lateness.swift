extension Case {
    /// Civil days from the loan's due date to the date of the case; due today is 0, and so is a case without a loan.
    package var daysOverdue: Int64 {
        guard let loan else { return 0 }
        return max(0, Int64(today.days(since: zone.date(of: loan.dueAt))))
    }

    /// Whole hours elapsed since the due instant; 0 before it.
    package var hoursOverdue: Int64 {
        guard let loan, now > loan.dueAt else { return 0 }
        return now.microseconds(since: loan.dueAt) / (3600 * Instant.microsecondsPerSecond)
    }

    /// Open days after the due date, the date of the case included if it is one.
    package var openDaysOverdue: Int64 {
        guard let loan else { return 0 }
        return max(0, Int64(calendar.openDaysBetween(zone.date(of: loan.dueAt), today)))
    }

    /// Whether the loan is past its due instant.
    package var isPastDue: Bool {
        guard let loan else { return false }
        return now > loan.dueAt
    }
}
