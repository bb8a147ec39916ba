import Circulation

/// How late a loan is, as ``Lateness`` measures it, in a calendar that may be any.
struct LatenessModel {
    private let desk: DeskModel
    private let site: Site
    private let countsClosedDays: Bool
    private var start: Number
    private var startDate: Number
    private let now: Number
    private let today: Number
    private static let day = ProofDomain.microsecondsPerDay

    init(from start: Number, to end: Number, countsClosedDays: Bool, _ desk: DeskModel, _ site: Site) {
        (self.desk, self.site, self.countsClosedDays) = (desk, site, countsClosedDays)
        (self.start, startDate) = (start, start.divided(by: Self.day))
        (now, today) = (end, end.divided(by: Self.day))
    }

    /// Of the case's loan. Lateness ends when a copy is declared lost.
    init(ofLoanIn desk: DeskModel, countsClosedDays: Bool, _ site: Site) throws {
        var end = try desk.model.now()
        if let lost = try desk.model.number("loan", "lost_at") { end = .either(lost < end, lost, end) }
        self.init(from: try desk.model.dueAt(), to: end, countsClosedDays: countsClosedDays, desk, site)
    }

    private var path: Path { desk.path }

    /// How many periods of lateness there are, started ones included or whole ones alone.
    func count(of period: Period, started: Bool) throws -> Number {
        if period.count <= 0 { return .constant(0) }
        let isLate = period.isElapsed ? start < now : startDate < today
        guard try path.holds(isLate) else { return .constant(0) }
        if period.unit == .months { return try months(period.count, started: started) }
        let (amount, length) = try measured(period)
        return started ? amount.dividedUp(by: length) : amount.divided(by: length)
    }

    private func measured(_ period: Period) throws -> (amount: Number, length: Int64) {
        switch period.unit {
        case .hours: (try elapsed(), period.count * 3_600_000_000)
        case .minutes: (try elapsed(), period.count * 60_000_000)
        case .days: (try days(), period.count)
        case .weeks: (try days(), period.count * 7)
        case .openDays: (try openDays(), period.count)
        case .months: (try months(period.count, started: false), 1)
        }
    }

    private func days() throws -> Number {
        countsClosedDays ? (today - startDate).greatest(.constant(0)) : try openDays()
    }

    /// How often so many months have passed, of which one has 28 to 31 days.
    private func months(_ count: Int64, started: Bool) throws -> Number {
        let days = (today - startDate).greatest(.constant(0))
        let whole = try path.number("\(count) months whole in \(startDate.smt) to \(today.smt)", 0...200_000)
        path.approximate(site.unsettled("months, which are not all of one length"))
        try path.assume(whole * .constant(28 * count) <= days)
        try path.assume(days < (whole + .constant(1)) * .constant(31 * count))
        try path.falls("\(count) months whole to \(today.smt)", from: startDate, whole)
        path.wish(days.equals(whole * .constant(30 * count)))
        if !started { return whole }
        let begun = try path.number("\(count) months begun in \(startDate.smt) to \(today.smt)", 0...200_001)
        try path.assume(whole <= begun && begun <= whole + .constant(1))
        try path.falls("\(count) months begun to \(today.smt)", from: startDate, begun)
        return begun
    }

    private func openDays() throws -> Number {
        try desk.calendar.openDays(after: startDate, to: today).greatest(.constant(0))
    }

    private func elapsed() throws -> Number {
        let span = (now - start).greatest(.constant(0))
        if countsClosedDays { return span }
        let open = try path.number("open hours of \(start.smt) to \(now.smt)", 0...Int64.max / 4)
        try path.assume(open <= span)
        path.wish(open.equals(span))
        try path.falls("open hours to \(now.smt)", from: start, open)
        return open
    }

    /// Whether the lateness lies within a grace.
    func isWithin(_ grace: Period) throws -> Bool {
        switch grace.unit {
        case .hours, .minutes:
            let length = grace.count * (grace.unit == .hours ? 3_600_000_000 : 60_000_000)
            return try path.holds(elapsed() <= .constant(length))
        case .days: return try path.holds(days() <= .constant(grace.count))
        case .weeks: return try path.holds(days() <= .constant(grace.count * 7))
        case .openDays: return try path.holds(openDays() <= .constant(grace.count))
        case .months:
            let end = try desk.interpreter.date(startDate, plus: .constant(grace.count), .months, site)
            try path.falls("\(grace.count) months", from: startDate * .constant(-1), end)
            return try path.holds(today <= end)
        }
    }

    /// The lateness beyond a grace, which is exceeded.
    func deducting(_ grace: Period) throws -> LatenessModel {
        var rest = self
        if grace.isElapsed {
            let length = grace.count * (grace.unit == .hours ? 3_600_000_000 : 60_000_000)
            guard countsClosedDays else { throw site.unsettled("a grace of open hours that is deducted") }
            rest.start = start + .constant(length)
            rest.startDate = rest.start.divided(by: Self.day)
            return rest
        }
        let isOfOpenDays = !countsClosedDays && (grace.unit == .days || grace.unit == .weeks)
        let count = grace.unit == .weeks ? grace.count * 7 : grace.count
        if isOfOpenDays {
            rest.startDate = try desk.calendar.adding(.constant(count), to: startDate)
            // Within the grace as many open days lie as it has: the rest is what is left.
            let (before, after) = (try openDays(), try desk.calendar.openDays(after: rest.startDate, to: today))
            try path.assume(after.equals(before - .constant(count)))
        } else {
            rest.startDate = try desk.interpreter.date(startDate, plus: .constant(grace.count), grace.unit, site)
        }
        rest.start = rest.startDate * .constant(Self.day) + start.modulo(Self.day)
        return rest
    }
}
