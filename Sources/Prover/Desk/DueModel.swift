import Circulation

/// Finds the due time of a loan or renewal, as ``DueDateFinder`` does, in a calendar that may be any.
struct DueModel {
    typealias Due = DecisionModel.Due

    private let terms: PeriodTerms
    private let desk: DeskModel
    private let site: Site
    private static let day = ProofDomain.microsecondsPerDay

    init(_ terms: PeriodTerms, _ desk: DeskModel, _ site: Site) {
        (self.terms, self.desk, self.site) = (terms, desk, site)
    }

    private var path: Path { desk.path }
    private func now() throws -> Number { try desk.model.now() }
    private func today() throws -> Number { try desk.model.today() }

    /// The due time of a loan of `period` from `start`; nil where no row says one.
    func due(of period: Period?, from start: Number) throws -> (due: Due, isCapped: Condition)? {
        guard let found = try uncapped(period, from: start) else { return nil }
        let (due, isCapped) = try capped(found)
        let shortened = try shortened(due)
        try checkLength(of: shortened)
        return (shortened, isCapped)
    }

    /// The due time of a loan that may be asked for to be shorter.
    private func shortened(_ due: Due) throws -> Due {
        guard try desk.model.part("loan") == nil, try desk.model.part("request") != nil else { return due }
        let (isThere, until) = try desk.model.optional("request", "wanted_until")
        path.wish(isThere.negated)
        let isAsked = isThere && until < due.date
        // Where both are days the way need not fork: on each the same is asked of the due time.
        if !due.isExact, isAsked.constant == nil,
            let (earlier, _) = try joined({ (try self.due(on: movedOffClosedDays(until)), false) })
        {
            let isTaken = isAsked && earlier.instant < due.instant
            return Due(
                instant: .either(isTaken, earlier.instant, due.instant), date: .either(isTaken, earlier.date, due.date),
                isExact: false)
        }
        guard try path.holds(isAsked) else { return due }
        let earlier = try self.due(on: movedOffClosedDays(until))
        return try path.holds(earlier.instant < due.instant) ? earlier : due
    }

    /// A due time on a day, and whether it was capped, put together of all ways to it; nil where that cannot be done.
    private func joined(_ due: () throws -> (due: Due, isCapped: Bool)) throws -> (due: Due, isCapped: Condition)? {
        let outcomes = try path.outcomes(changing: []) {
            let (due, isCapped) = try due()
            guard !due.isExact else { return nil }
            return Explorer.Outcome(
                values: [.instant(due.instant, .plain), .date(due.date), .flag(.constant(isCapped))])
        }
        guard let outcomes, !outcomes.isEmpty else { return nil }
        func value(_ place: Int) -> Value? {
            .joined(outcomes.map { ($0.way, $0.values[place]) }, from: .null, desk.model.texts)
        }
        guard case .instant(let instant, _)? = value(0), case .date(let date)? = value(1),
            case .flag(let isCapped)? = value(2)
        else { return nil }
        return (Due(instant: instant, date: date, isExact: false), isCapped)
    }

    /// The due time of a loan, of which only its kind is looked at, and that it lies ahead.
    func unreckoned(_ period: Period?) throws -> Due? {
        guard period != nil || terms.dueAt != nil else { return nil }
        if terms.dueAt == nil, period?.isElapsed ?? false {
            let instant = try path.number("the desk's due time", ProofDomain.instants)
            path.say(instant, "the due time that the desk reckons")
            try path.assume(now() < instant)
            return exact(instant)
        }
        let date = try path.number("the desk's due date", ProofDomain.reckonedDays)
        path.say(date, .text("the due date that the desk reckons"), isDate: true)
        try path.assume(today() <= date)
        return Due(instant: date * .constant(Self.day) + .constant(Calendar.lastSecond), date: date, isExact: false)
    }

    private func uncapped(_ period: Period?, from start: Number) throws -> Due? {
        if let dueAt = terms.dueAt {
            let date = Number.constant(Int64(dueAt.dayNumber))
            if try path.holds(today() <= date) { return try due(on: movedOffClosedDays(date)) }
            guard period != nil else {
                throw Failure(code: "bad_answer", message: "The fixed due date \(dueAt) has passed.", site: site)
            }
        }
        guard let period else { return nil }
        return try period.isElapsed ? due(afterElapsed: period, from: start) : due(after: period, from: start)
    }

    // MARK: - Dates

    private func dueTime(on date: Number) throws -> Due {
        Due(instant: date * .constant(Self.day) + (try timeOfDay(on: date)), date: date, isExact: false)
    }

    private func timeOfDay(on date: Number) throws -> Number {
        switch terms.dueTime {
        case .closing: try desk.calendar.closing(on: date)
        case .endOfDay: .constant(Calendar.lastSecond)
        case .at(let time):
            .constant(min(Int64(time.hour * 3_600 + time.minute * 60 + time.second) * 1_000_000, Calendar.lastSecond))
        }
    }

    private func due(after period: Period, from start: Number) throws -> Due {
        var unit = period.unit
        var count = period.count
        if terms.closed == .openDays, unit == .days || unit == .weeks {
            count = unit == .weeks ? count * 7 : count
            unit = .openDays
        }
        let date = try desk.interpreter.date(
            start.divided(by: Self.day), plus: .constant(count), unit, site)
        return try due(on: movedOffClosedDays(date, of: period))
    }

    private func due(on date: Number, attempts: Int = 3) throws -> Due {
        let due = try dueTime(on: date)
        if try path.holds(now() < due.instant) { return due }
        guard attempts > 0 else { throw site.unsettled("a due time that moves on and on") }
        let next = try Number.either(date < today(), today(), date + .constant(1))
        return try self.due(
            on: terms.closed == .keep ? next : desk.calendar.nextOpen(onOrAfter: next), attempts: attempts - 1)
    }

    private func movedOffClosedDays(_ date: Number, of period: Period? = nil) throws -> Number {
        switch terms.closed {
        case .keep: return date
        case .nextOpen, .openDays: return try desk.calendar.nextOpen(onOrAfter: date)
        case .previousOpen:
            let previous = try desk.calendar.previousOpen(onOrBefore: date)
            if try path.holds(now() < dueTime(on: previous).instant) { return previous }
            return try desk.calendar.nextOpen(onOrAfter: date)
        case .sameWeekday:
            let isWholeWeeks = period.map { $0.unit == .weeks || $0.unit == .days && $0.count % 7 == 0 } ?? false
            let moved = try desk.calendar.nextOpen(onOrAfter: date)
            guard isWholeWeeks else { return moved }
            // A day of the same weekday, or (where the branch is never open on it) the next open one.
            let same = try path.number("same weekday from \(date.smt)", ProofDomain.reckonedDays)
            try path.assume(date <= same && same <= date + .constant(3_654))
            path.wish(same.equals(date))
            return same
        }
    }

    // MARK: - Exact times

    private func due(afterElapsed period: Period, from start: Number) throws -> Due {
        let length: Int64 = period.unit == .hours ? 3_600_000_000 : 60_000_000
        let instant = try (start + .constant(period.count * length)).greatest(now())
        if terms.closed == .keep && terms.closedHours == .keep { return exact(instant) }
        // Where the branch is closed then, or at that hour, another moment after now.
        // Where it moves to depends on what the rows say of closed days and hours.
        let name = "open from \(instant.smt) by \(terms.closed) and \(terms.closedHours)"
        let moved = try path.instant(name, 0...ProofDomain.reckonedDays.upperBound)
        let isBackwards = terms.closed == .previousOpen || terms.closedHours == .previousClose
        try path.assume(isBackwards ? try now() <= moved : instant <= moved)
        try path.assume(moved <= instant + .constant(3_654 * Self.day))
        path.wish(moved.equals(instant))
        if !isBackwards { try relate(moved, to: instant) }
        return exact(moved)
    }

    /// States on which day a moment lies that an exact time moves to: on the first open day from the one that it lies on, or, where
    /// it comes too late on an open day, on the next.
    private func relate(_ moved: Number, to instant: Number) throws {
        let (date, day) = (instant.divided(by: Self.day), moved.divided(by: Self.day))
        let next = try desk.calendar.nextOpen(onOrAfter: date)
        guard terms.closedHours != .keep else {
            return try path.assume(day.equals(next) && next.equals(date).implies(moved.equals(instant)))
        }
        path.approximate(site.unsettled("opening hours, which are not known"))
        let following = try desk.calendar.nextOpen(after: date)
        try path.assume(day.equals(next) || next.equals(date) && day.equals(following))
    }

    private func exact(_ instant: Number) -> Due {
        Due(instant: instant, date: instant.divided(by: Self.day), isExact: true)
    }

    // MARK: - Caps

    private func capped(_ due: Due) throws -> (due: Due, isCapped: Condition) {
        guard terms.dueLimit != nil || terms.isCappedByMembership else { return (due, .constant(false)) }
        // Where a day is capped by a day the way need not fork.
        if !due.isExact, let joined = try joined({ try separately(capped: due) }) { return joined }
        let (due, isCapped) = try separately(capped: due)
        return (due, .constant(isCapped))
    }

    /// The same, with a way for each cap.
    private func separately(capped due: Due) throws -> (due: Due, isCapped: Bool) {
        var cap: Number?
        if let limit = terms.dueLimit.map({ Number.constant(Int64($0.dayNumber)) }), try path.holds(today() <= limit) {
            cap = limit
        }
        if terms.isCappedByMembership, let end = try desk.model.number("patron", "expires_on"),
            try path.holds(today() <= end)
        {
            cap = cap.map { $0.least(end) } ?? end
        }
        guard let cap, try path.holds(cap < due.date) else { return (due, false) }
        if terms.closed != .keep {
            let open = try dueTime(on: desk.calendar.previousOpen(onOrBefore: cap))
            if try path.holds(now() < open.instant) { return (open, true) }
        }
        let last = try dueTime(on: cap)
        if try path.holds(now() < last.instant) { return (last, true) }
        return (try endOfDay(cap), true)
    }

    private func endOfDay(_ date: Number) throws -> Due {
        Due(
            instant: try (date * .constant(Self.day) + .constant(Calendar.lastSecond)).greatest(now()), date: date,
            isExact: false)
    }

    private func checkLength(of due: Due) throws {
        guard try path.holds(due.instant <= now()) else { return }
        let isNow = try path.holds(due.instant.equals(now()))
        throw Failure(
            code: "bad_answer", message: isNow ? "The due time is now." : "The due time lies before now.", site: site)
    }

    // MARK: - Answers

    /// The due time that a function answered.
    func answered(_ value: Value, at point: DecisionPoint) throws -> Due {
        switch value {
        case .date(let date): return try answered(date)
        case .instant(let instant, let nature):
            if nature == .dateLike { return try answered(instant.divided(by: Self.day)) }
            let due = exact(instant)
            try checkLength(of: due)
            return due
        default: throw desk.bad(point, "must answer a date or an instant")
        }
    }

    private func answered(_ date: Number) throws -> Due {
        let due = try dueTime(on: date)
        if try path.holds(now() < due.instant) { return due }
        guard try path.holds(date.equals(today())) else {
            throw Failure(code: "bad_answer", message: "The due date lies before today.", site: site)
        }
        let end = try endOfDay(date)
        try checkLength(of: end)
        return end
    }
}
