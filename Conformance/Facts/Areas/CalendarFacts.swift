import Circulation
import Desk
import TextFormats

/// Facts about opening days alone, and what a change of them does to loans.
enum CalendarFacts {
    private static let operations: Set<String> = [
        "is_closed", "is_open", "is_open_day", "is_open_at", "add_days", "add_open_days", "open_days_between",
        "count_open_days", "has_open_day_strictly_between", "next_open_day", "previous_open_day",
        "first_open_day_on_or_after", "last_open_day_on_or_before", "apply_new_closures_to_open_loans", "is_holiday",
        "open_days", "days_between",
    ]

    static let knows: @Sendable (Operation) -> Bool = { operations.contains($0.text) }

    static let answer: @Sendable (FactReading) throws -> Void = { reading in
        let plan = reading.plan()
        try plan.readCalendar()
        let question = CalendarQuestion(reading: reading, plan: plan)
        switch reading.operation.text {
        case "is_closed", "is_holiday", "is_open_day", "is_open", "is_open_at": try question.openness()
        case "add_days", "add_open_days": try question.added()
        case "open_days_between", "count_open_days", "open_days", "days_between": try question.counted()
        case "has_open_day_strictly_between": try question.between()
        case "apply_new_closures_to_open_loans": try question.closures()
        default: try question.nearest()
        }
    }
}

private struct CalendarQuestion {
    let reading: FactReading
    let plan: FactPlan

    private var calendar: OpeningCalendar { plan.calendar }

    private func moment(_ keys: String...) throws -> Moment {
        for key in keys {
            if let moment = try plan.moment(key, of: reading.when) { return moment }
        }
        throw NotExpressed("the fact names no \(keys.joined(separator: " or "))")
    }

    func openness() throws {
        let moment = try moment("date", "at", "on")
        let isOpen: Bool
        if reading.operation.text == "is_open_at" {
            let local = plan.zone.local(of: moment.instant)
            isOpen = calendar.isOpen(local.date, local.time)
        } else {
            isOpen = calendar.isOpen(moment.date)
        }
        for key in ["open", "is_open", "result"] { reading.answer(key, flag: isOpen) }
        for key in ["closed", "is_closed"] { reading.answer(key, flag: !isOpen) }
    }

    /// Days added as the fact's mode counts them; the time of day stays.
    func added() throws {
        let start = try moment("from", "date")
        guard let days = try reading.when.number("days") else { throw NotExpressed("the fact names no number of days") }
        let mode = try reading.given.text("days_mode")
        let date: CivilDate
        switch reading.operation.text == "add_open_days" ? "Calendar" : mode {
        case "Calendar": date = try calendar.addOpenDays(start.date, days)
        case "Datedue":
            let plain = try start.date.adding(days: days)
            date = days < 0 ? try calendar.previousOpen(onOrBefore: plain) : try calendar.nextOpen(onOrAfter: plain)
        case "Days", nil: date = try start.date.adding(days: days)
        default: throw reading.given.unreadable("days_mode")
        }
        let time = plan.zone.local(of: start.instant).time
        for key in ["date", "due", "result"] {
            reading.answer(key, at: plan.zone.instant(of: date, time), in: plan.zone)
        }
        reading.answer("weekday", word: [date.weekday.abbreviation, "\(date.weekday)"], own: date.weekday.abbreviation)
        reading.answer("day_of_week", number: Int64(date.weekday.rawValue))
    }

    /// Open days after the first date up to the last, in whatever order they stand; both counted if `inclusive`.
    func counted() throws {
        let (one, other) = (try moment("from").date, try moment("to").date)
        let (first, last) = (min(one, other), max(one, other))
        let isInclusive = try reading.when.flag("inclusive") ?? false
        let count = calendar.openDaysBetween(isInclusive ? try first.adding(days: -1) : first, last)
        for key in ["open_days", "days", "count"] { reading.answer(key, number: Int64(count)) }
    }

    func between() throws {
        let (one, other) = (try moment("from").date, try moment("to").date)
        let (first, last) = (min(one, other), try max(one, other).adding(days: -1))
        let isThere = last > first && calendar.openDaysBetween(first, last) > 0
        for key in ["result", "open", "has_open_day"] { reading.answer(key, flag: isThere) }
    }

    func nearest() throws {
        let found: CivilDate?
        do {
            switch reading.operation.text {
            case "next_open_day": found = try calendar.nextOpen(after: moment("after", "date", "from").date)
            case "previous_open_day": found = try calendar.previousOpen(before: moment("before", "date", "from").date)
            case "last_open_day_on_or_before": found = try calendar.previousOpen(onOrBefore: moment("date").date)
            default: found = try calendar.nextOpen(onOrAfter: moment("date", "from").date)
            }
        } catch let error as TimeError where error.code == .noOpenDay {
            found = nil
        }
        reading.answer("date", found: found.map { .string($0.description) } ?? .null)
        let isWord = reading.expect.object["error"]?.stringValue != nil
        guard isWord else { return reading.answer("error", flag: found == nil) }
        reading.answer("error", word: found == nil ? ["no open day", "no open date", "never open"] : [], own: "none")
    }

    /// The calendar changes after the loan began, and the desk moves what is due on days that are closed now.
    func closures() throws {
        guard let loan = try reading.given.part("active_loan"), let due = try plan.moment("due", of: loan) else {
            throw NotExpressed("the fact names no loan")
        }
        let closures = plan.calendar.closed
        plan.calendar = try OpeningCalendar(
            weekly: plan.calendar.weekly, yearly: plan.calendar.yearly, opened: plan.calendar.opened)
        plan.now = try due.instant.adding(hours: -24 * 5)
        plan.loan.due = due
        try plan.readLoanTerms()
        let (library, title) = try plan.openLibrary()
        let lent = try plan.beginWithLoan(library, title)
        var moved = 0
        for closure in closures {
            let outcome = try library.desk.write {
                try $0.settings.close(FactLibrary.branch, closure, movingDue: true)
            }
            moved += try library.noted("closed from \(closure.first) to \(closure.last)", outcome) {
                "\($0) loans moved"
            }
            .done("the closure")
        }
        let current = try library.loan(lent)
        reading.answer("due", due: current.due, in: plan.zone)
        reading.answer("moved", flag: moved > 0)
        reading.answer("changed", flag: moved > 0)
        let messages = try library.desk.read { try $0.notices.outbox() }.count { $0.kind == "due_moved" }
        for key in ["messages_sent", "messages", "sent"] { reading.answer(key, number: Int64(messages)) }
    }
}
