/// Finds the due time of a loan or renewal from what a row says of periods.
///
/// The answer is after `now`, never on a closed day unless the row keeps such days, and never beyond a cap that has not
/// passed. Where these contradict each other (closed from today through the cap), the day of the cap stands.
struct DueDateFinder {
    let terms: PeriodTerms
    let now: Instant
    let zone: Zone
    let calendar: OpeningCalendar
    /// The last day of the membership.
    let membershipEnd: CivilDate?
    /// The last day of a new loan that is asked for to be shorter.
    let wantedUntil: CivilDate?
    private let today: CivilDate

    init(_ terms: PeriodTerms, for question: Case) {
        self.terms = terms
        now = question.now
        zone = question.zone
        calendar = question.calendar
        membershipEnd = question.patron.expiresOn
        wantedUntil = question.loan == nil ? question.request?.wantedUntil : nil
        today = question.today
    }

    /// A due time, and whether a cap brought it forward.
    struct Finding {
        var due: DueTime
        var isCapped: Bool
    }

    /// The due time of a loan of `period` from `start`, or of the row's fixed date; nil if the row has neither.
    ///
    /// A fixed date or a limit that has passed counts as not set, so that a table of last term does not make loans that
    /// are overdue at once. A fixed date moves off a closed day as any other does.
    /// - Throws: ``TimeError``: no open day, out of range; ``PolicyFailure`` if all there is is a fixed date that has
    ///   passed, and where no time is left at all.
    func due(of period: Period?, from start: Instant) throws -> Finding? {
        guard let finding = try uncapped(period, from: start).map({ shortened(capped($0)) }) else { return nil }
        try PolicyFailure.checkLength(of: finding.due, from: now)
        return finding
    }

    /// The loan for as long as it is asked for, its last day moved off closed days as any other is; never longer than it
    /// would be unasked.
    private func shortened(_ finding: Finding) -> Finding {
        guard let wantedUntil, wantedUntil < finding.due.date,
            let due = try? due(on: movedOffClosedDays(wantedUntil)), due.instant < finding.due.instant
        else { return finding }
        return Finding(due: due, isCapped: finding.isCapped)
    }

    private func uncapped(_ period: Period?, from start: Instant) throws -> DueTime? {
        if let dueAt = terms.dueAt {
            if dueAt >= today { return try due(on: movedOffClosedDays(dueAt)) }
            guard period != nil else {
                throw PolicyFailure(code: "bad_answer", message: "The fixed due date \(dueAt) has passed.")
            }
        }
        guard let period else { return nil }
        return try period.isElapsed ? due(afterElapsed: period, from: start) : due(after: period, from: start)
    }

    // MARK: Dates

    /// The due time on a date: at closing, at the end of the day or at a fixed time, whether open or not.
    func dueTime(on date: CivilDate) -> DueTime {
        DueTime(instant: zone.instant(of: date, timeOfDay(on: date)), date: date, isExact: false)
    }

    /// A closed day has no closing, its due time is its end. The end of a day is its last second, since the moment
    /// after belongs to the next date.
    private func timeOfDay(on date: CivilDate) -> CivilTime {
        switch terms.dueTime {
        case .closing: min(calendar.closingTime(on: date) ?? .lastSecond, .lastSecond)
        case .endOfDay: .lastSecond
        case .at(let time): min(time, .lastSecond)
        }
    }

    private func due(after period: Period, from start: Instant) throws -> DueTime {
        let startDate = zone.date(of: start)
        let counted = terms.closed == .openDays ? DueDateFinder.inOpenDays(period) : period
        let date = try counted.added(to: startDate, calendar: calendar)
        return try due(on: movedOffClosedDays(date, of: period))
    }

    /// The due time on `date`, or, if that has passed by now, on the next day that will do.
    private func due(on date: CivilDate) throws -> DueTime {
        let due = dueTime(on: date)
        if due.instant > now { return due }
        let next = try max(date, today).adding(days: date < today ? 0 : 1)
        return try self.due(on: terms.closed == .keep ? next : calendar.nextOpen(onOrAfter: next))
    }

    private static func inOpenDays(_ period: Period) -> Period {
        switch period.unit {
        case .days: return .openDays(period.count)
        case .weeks:
            let (days, overflow) = period.count.multipliedReportingOverflow(by: 7)
            return overflow ? period : .openDays(days)
        default: return period
        }
    }

    /// - Parameter period: how long the loan is; nil for a fixed date, which is not a whole number of weeks and no
    ///   number of open days, and moves to the next open day where the row says either.
    private func movedOffClosedDays(_ date: CivilDate, of period: Period? = nil) throws -> CivilDate {
        if terms.closed == .keep || calendar.isOpen(date) { return date }
        switch terms.closed {
        case .keep: return date
        case .nextOpen, .openDays: return try calendar.nextOpen(onOrAfter: date)
        case .previousOpen: return try previousOpen(onOrBefore: date)
        case .sameWeekday: return try sameWeekday(as: date, of: period) ?? calendar.nextOpen(onOrAfter: date)
        }
    }

    /// The open day before `date`; the one after it where the one before has passed.
    private func previousOpen(onOrBefore date: CivilDate) throws -> CivilDate {
        let previous = (try? calendar.previousOpen(onOrBefore: date)) ?? .earliest
        return dueTime(on: previous).instant > now ? previous : try calendar.nextOpen(onOrAfter: date)
    }

    /// The first open day whole weeks after `date`; nil for a period that is not whole weeks and for a weekday on which
    /// the branch never opens.
    private func sameWeekday(as date: CivilDate, of period: Period?) throws -> CivilDate? {
        guard let period else { return nil }
        let isWholeWeeks = period.unit == .weeks || (period.unit == .days && period.count % 7 == 0)
        guard isWholeWeeks, !calendar.weekly[date.weekday.rawValue - 1].isEmpty else { return nil }
        for weeks in 1...DueDateFinder.weeksOfSearch {
            let candidate = try date.adding(days: 7 * weeks)
            if calendar.isOpen(candidate) { return candidate }
        }
        throw TimeError.noOpenDay(after: date)
    }

    /// Ten years.
    private static let weeksOfSearch: Int64 = 522

    // MARK: Exact times

    private func due(afterElapsed period: Period, from start: Instant) throws -> DueTime {
        let instant = max(try period.added(to: start, in: zone, calendar: calendar), now)
        let (date, time) = zone.local(of: instant)
        let exact = DueTime(instant: instant, date: date, isExact: true)
        if terms.closed != .keep && !calendar.isOpen(date) {
            return terms.closed == .previousOpen
                ? try closing(before: date, .midnight) : try opening(after: date, .midnight)
        }
        if terms.closedHours == .keep || isWithinHours(date, time) { return exact }
        return terms.closedHours == .previousClose ? try closing(before: date, time) : try opening(after: date, time)
    }

    /// Whether a copy can be handed in at that time; the moment of closing counts.
    private func isWithinHours(_ date: CivilDate, _ time: CivilTime) -> Bool {
        calendar.hours(on: date).contains { $0.opens <= time && time <= $0.closes }
    }

    private func opening(after date: CivilDate, _ time: CivilTime) throws -> DueTime {
        let opening = try calendar.nextOpening(after: date, time)
        return DueTime(instant: zone.instant(of: opening.date, opening.time), date: opening.date, isExact: true)
    }

    /// The last closing before, or the next opening where that has passed.
    private func closing(before date: CivilDate, _ time: CivilTime) throws -> DueTime {
        if let today = calendar.hours(on: date).last(where: { $0.closes < time }) {
            let closing = closing(date, today.closes)
            if closing.instant > now { return closing }
        } else if let previous = try? calendar.previousOpen(before: date) {
            let closing = closing(previous, calendar.closingTime(on: previous) ?? .endOfDay)
            if closing.instant > now { return closing }
        }
        return try opening(after: date, time)
    }

    private func closing(_ date: CivilDate, _ time: CivilTime) -> DueTime {
        let instant = zone.instant(of: date, time)
        return DueTime(instant: instant, date: zone.date(of: instant), isExact: true)
    }

    // MARK: Caps

    /// The due time brought forward to the earliest cap that has not passed, back over closed days, never forward.
    private func capped(_ due: DueTime) -> Finding {
        let membershipEnd = terms.isCappedByMembership ? self.membershipEnd : nil
        // No list of the two: this runs for each loan.
        var cap = CivilDate.latest
        if let limit = terms.dueLimit, limit >= today { cap = limit }
        if let membershipEnd, membershipEnd >= today { cap = min(cap, membershipEnd) }
        guard due.date > cap else { return Finding(due: due, isCapped: false) }
        return Finding(due: dueTime(cappedAt: cap), isCapped: true)
    }

    private func dueTime(cappedAt cap: CivilDate) -> DueTime {
        if terms.closed != .keep, let open = try? calendar.previousOpen(onOrBefore: cap) {
            let due = dueTime(on: open)
            if due.instant > now { return due }
        }
        let due = dueTime(on: cap)
        if due.instant > now { return due }
        return endOfDay(cap)
    }

    /// The last second of the day, or now if that is later.
    func endOfDay(_ date: CivilDate) -> DueTime {
        DueTime(instant: max(zone.instant(of: date, .lastSecond), now), date: date, isExact: false)
    }
}

extension PolicyFailure {
    /// - Throws: ``PolicyFailure`` with the code `bad_answer` unless the due time lies after the moment of lending: a
    ///   loan that would be due as it begins is none.
    static func checkLength(of due: DueTime, from now: Instant) throws(PolicyFailure) {
        guard due.instant <= now else { return }
        throw PolicyFailure(
            code: "bad_answer",
            message: due.instant == now
                ? "The due time \(due.instant) is now: that is a loan of no length."
                : "The due time \(due.instant) lies before now, \(now).")
    }
}

extension CivilTime {
    /// 23:59:59
    package static let lastSecond = CivilTime(uncheckedSeconds: 86_399)
}
