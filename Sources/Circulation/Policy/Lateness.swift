/// How late a loan is, measured as a rule says.
///
/// Days are civil days by the branch's zone: due today is not late, whatever the hour. Hours and minutes count from the
/// due instant. Where closed days do not count, days are open days after the due date, and hours and minutes are those
/// at which the branch was open. Lateness ends when a copy is declared lost.
struct Lateness {
    let zone: Zone
    let calendar: OpeningCalendar
    let countsClosedDays: Bool
    /// Where counting starts: the due time, or the end of a grace that is deducted.
    private(set) var start: Instant
    private(set) var startDate: CivilDate
    let now: Instant
    let today: CivilDate

    init(of loan: LoanFacts, in question: Case, countsClosedDays: Bool) {
        zone = question.zone
        calendar = question.calendar
        self.countsClosedDays = countsClosedDays
        start = loan.dueAt
        startDate = question.zone.date(of: loan.dueAt)
        let isLost = loan.lostAt.map { $0 < question.now } ?? false
        now = isLost ? loan.lostAt ?? question.now : question.now
        today = isLost ? question.zone.date(of: now) : question.today
    }

    /// The time between two instants, counted as lateness is.
    init(from start: Instant, to end: Instant, in question: Case, countsClosedDays: Bool) {
        zone = question.zone
        calendar = question.calendar
        self.countsClosedDays = countsClosedDays
        self.start = start
        startDate = question.zone.date(of: start)
        now = end
        today = question.zone.date(of: end)
    }

    /// The days between two dates of a zone, counted as lateness is.
    init(from start: CivilDate, to end: CivilDate) {
        zone = .utc
        calendar = .alwaysOpen
        countsClosedDays = true
        self.start = Zone.utc.startOfDay(start)
        startDate = start
        now = Zone.utc.startOfDay(end)
        today = end
    }

    /// Whether anything at all is late: a later date, or a later instant for elapsed time.
    func isLate(in unit: Period.Unit) -> Bool {
        unit == .hours || unit == .minutes ? now > start : today > startDate
    }

    /// Whole and started periods of lateness.
    ///
    /// - Throws: ``TimeError`` out of range.
    func count(of period: Period) throws -> (whole: Int64, started: Int64) {
        guard isLate(in: period.unit), period.count > 0 else { return (0, 0) }
        switch period.unit {
        case .hours, .minutes:
            guard let length = try period.elapsedMicroseconds() else { return (0, 0) }
            return Lateness.divided(elapsedMicroseconds, by: length)
        case .months: return try countOfMonths(period.count)
        case .openDays: return Lateness.divided(openDays, by: period.count)
        case .days: return Lateness.divided(days, by: period.count)
        case .weeks:
            let (length, overflow) = period.count.multipliedReportingOverflow(by: 7)
            return Lateness.divided(days, by: overflow ? .max : length)
        }
    }

    /// Days late: civil ones, or open ones where closed days do not count.
    var days: Int64 {
        countsClosedDays ? max(0, Int64(today.days(since: startDate))) : openDays
    }

    private var openDays: Int64 { max(0, Int64(calendar.openDaysBetween(startDate, today))) }

    private var elapsedMicroseconds: Int64 {
        guard now > start else { return 0 }
        return countsClosedDays ? now.microseconds(since: start) : openMicroseconds
    }

    /// Whether the lateness lies within a grace: up to it, the last moment included.
    ///
    /// - Throws: ``TimeError`` out of range.
    func isWithin(_ grace: Period) throws -> Bool {
        switch grace.unit {
        case .hours, .minutes: try elapsedMicroseconds <= grace.elapsedMicroseconds() ?? 0
        case .days: days <= grace.count
        case .weeks: days / 7 < grace.count || (days / 7 == grace.count && days % 7 == 0)
        case .openDays: openDays <= grace.count
        case .months: try today <= startDate.adding(months: grace.count)
        }
    }

    /// The lateness beyond a grace, which must be exceeded.
    ///
    /// - Throws: ``TimeError``: out of range.
    func deducting(_ grace: Period) throws -> Lateness {
        var rest = self
        if let length = try grace.elapsedMicroseconds() {
            rest.start = try countsClosedDays ? start.adding(microseconds: length) : openInstant(length, after: start)
            rest.startDate = zone.date(of: rest.start)
            return rest
        }
        let time = zone.local(of: start).time
        let isOfOpenDays = !countsClosedDays && (grace.unit == .days || grace.unit == .weeks)
        let steps = grace.unit == .weeks ? grace.count.multipliedReportingOverflow(by: 7).partialValue : grace.count
        rest.startDate =
            try isOfOpenDays
            ? calendar.addOpenDays(startDate, steps) : grace.added(to: startDate, calendar: calendar)
        rest.start = zone.instant(of: rest.startDate, time)
        return rest
    }

    // MARK: Parts

    private static func divided(_ amount: Int64, by length: Int64) -> (whole: Int64, started: Int64) {
        let (whole, rest) = amount.quotientAndRemainder(dividingBy: length)
        return (whole, rest > 0 ? whole + 1 : whole)
    }

    private func countOfMonths(_ length: Int64) throws -> (whole: Int64, started: Int64) {
        var whole: Int64 = 0
        var end = try startDate.adding(months: length)
        while end <= today {
            whole += 1
            let (months, overflow) = length.multipliedReportingOverflow(by: whole + 1)
            if overflow { break }
            // Counted from the start each time: 31 January plus two months is 31 March, not 28.
            guard let next = try? startDate.adding(months: months) else { break }
            end = next
        }
        let reached = whole == 0 ? startDate : try startDate.adding(months: length * whole)
        return (whole, reached < today ? whole + 1 : whole)
    }

    /// The time from start to now during which the branch was open.
    private var openMicroseconds: Int64 {
        var total: Int64 = 0
        forEachOpening { opens, closes in
            total += min(closes, now).microseconds(since: max(opens, start))
            return true
        }
        return total
    }

    /// The moment at which the branch has been open for `length` since `start`; now if it has not.
    private func openInstant(_ length: Int64, after start: Instant) throws -> Instant {
        var rest = length
        var found = now
        forEachOpening { opens, closes in
            let from = max(opens, start)
            let span = closes.microseconds(since: from)
            if span < rest {
                rest -= span
                return true
            }
            found = Instant(microseconds: from.microseconds + rest)
            return false
        }
        return found
    }

    /// The opening hours that touch the time from start to now, in order, until `body` says false.
    private func forEachOpening(_ body: (Instant, Instant) -> Bool) {
        var date = startDate
        while date <= today {
            for hours in calendar.hours(on: date) {
                let (opens, closes) = (zone.instant(of: date, hours.opens), zone.instant(of: date, hours.closes))
                if closes > start && opens < now && !body(opens, closes) { return }
            }
            guard let next = try? calendar.nextOpen(after: date) else { return }
            date = next
        }
    }
}
