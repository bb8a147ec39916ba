import Circulation

extension FactPlan {
    /// When the operation happens, and when the loan that it is about began and is due.
    func readTime() throws {
        let stated = try moment("now", of: given)
        if let stated { now = stated.isDate ? try stated.instant.adding(hours: 12) : stated.instant }
        let begin = try moment("loan_at", of: given) ?? moment("start", of: given)
        if let begin {
            loan.lentAt = begin.instant
            if stated == nil { now = begin.instant }
        }
        if let days = try given.number("issued_days_ago") { loan.lentAt = try daysFromNow(-days).instant }
        if let due = try given.text("checked_out").map({ try moments.moment($0) }) { loan.lentAt = try noonOf(due) }
        for key in ["due", "loan_due"] {
            guard let due = try moment(key, of: given) else { continue }
            loan.due = due
        }
        if let days = try given.number("due_in_days") { loan.due = try daysFromNow(days) }
        for key in ["at", "from"] {
            guard let at = try moment(key, of: when) else { continue }
            now = at.isDate && key == "at" ? try at.instant.adding(hours: 12) : at.instant
        }
    }

    /// The end of the day for a date; the moment itself where a time is given.
    func endOfDay(_ moment: Moment) throws -> Instant {
        moment.isDate ? try zone.startOfDay(moment.date.adding(days: 1)).adding(seconds: -1) : moment.instant
    }

    private func noonOf(_ moment: Moment) throws -> Instant {
        moment.isDate ? try moment.instant.adding(hours: 12) : moment.instant
    }

    func daysFromNow(_ days: Int64) throws -> Moment {
        Moment(try Period.days(days).added(to: now, in: zone, calendar: calendar), in: zone)
    }

    /// A date of a due time, as the end of that day.
    func asDue(_ moment: Moment) throws -> Moment {
        Moment(try endOfDay(moment), in: zone)
    }
}
