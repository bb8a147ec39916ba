import Circulation

/// A point in time as a fact names it: a date, or a date with a time of day.
struct Moment {
    var date: CivilDate
    /// Midnight for a date alone.
    var instant: Instant
    var isDate: Bool

    init(_ date: CivilDate, in zone: Zone) {
        self.date = date
        instant = zone.startOfDay(date)
        isDate = true
    }

    init(_ instant: Instant, in zone: Zone) {
        self.instant = instant
        date = zone.date(of: instant)
        isDate = false
    }
}

/// Reads points in time, absolute and relative.
struct MomentWords {
    var zone: Zone
    var calendar: OpeningCalendar = .alwaysOpen
    /// What `today` and `ago` are about.
    var now: Instant
    /// What `due + 2 days` is about.
    var due: Instant?
    /// What `3 days after the loan` is about.
    var lent: Instant?

    func moment(_ text: String) throws -> Moment {
        let plain = try checkedWeekday(text).replacing(" local", with: "")
        if let date = try? CivilDate(parsing: plain) { return Moment(date, in: zone) }
        if let instant = try? Instant(parsing: plain, in: zone) { return Moment(instant, in: zone) }
        if let moment = try relative(plain.lowercased()) { return moment }
        throw NotExpressed("the moment \"\(text)\" is not known")
    }

    /// The text without a weekday in brackets, which must be the right one.
    private func checkedWeekday(_ text: String) throws -> String {
        let parts = text.split(separator: "(", maxSplits: 1)
        guard parts.count == 2 else { return text }
        let plain = parts[0].split(separator: " ").joined(separator: " ")
        let named = parts[1].prefix { $0.isLetter }
        if let weekday = Weekday(name: String(named)), let date = try? CivilDate(parsing: plain.prefix(10)),
            date.weekday != weekday
        {
            throw NotExpressed("\(plain) is no \(named)")
        }
        return plain
    }

    private func relative(_ text: String) throws -> Moment? {
        let today = zone.date(of: now)
        switch text {
        case "now": return Moment(now, in: zone)
        case "today": return Moment(today, in: zone)
        case "yesterday": return Moment(try today.adding(days: -1), in: zone)
        case "tomorrow": return Moment(try today.adding(days: 1), in: zone)
        case "due", "the due date", "the due time": return due.map { Moment($0, in: zone) }
        default: break
        }
        for (base, moment) in [("due", due), ("now", now), ("today", zone.startOfDay(today))] {
            guard let moment, text.hasPrefix(base) else { continue }
            let rest = text.dropFirst(base.count).drop { $0 == " " }
            guard let sign = rest.first, sign == "+" || sign == "-" else { continue }
            return try shifted(
                moment, by: rest.dropFirst().drop { $0 == " " }, back: sign == "-", isDate: base == "today")
        }
        if text.hasPrefix("in "), let (period, rest) = PeriodWords.leading(String(text.dropFirst(3))), rest.isEmpty {
            return try stepped(from: now, period)
        }
        guard let (period, rest) = PeriodWords.leading(text) else { return nil }
        return try counted(period, rest)
    }

    private func counted(_ period: Period, _ rest: String) throws -> Moment? {
        switch rest.split(separator: ",").first.map(String.init) ?? rest {
        case "ago": return try stepped(from: now, period.negated())
        case "from now", "ahead": return try stepped(from: now, period)
        case "after the loan", "after checkout", "after lending":
            return try lent.map { Moment(try period.added(to: $0, in: zone, calendar: calendar), in: zone) }
        case "after due", "after the due date", "late", "overdue": return try due.map { try stepped(from: $0, period) }
        case "before due", "before the due date": return try due.map { try stepped(from: $0, period.negated()) }
        default: return nil
        }
    }

    private func shifted(_ moment: Instant, by text: Substring, back: Bool, isDate: Bool) throws -> Moment? {
        let words = text.split(separator: " ")
        if words.count == 2, words[1].hasPrefix("second"), let seconds = NumberWords.number(words[0]) {
            return Moment(try moment.adding(seconds: back ? -seconds : seconds), in: zone)
        }
        guard let period = PeriodWords.period(String(text)) else { return nil }
        let instant = try (back ? period.negated() : period).added(to: moment, in: zone, calendar: calendar)
        return isDate && !period.isElapsed ? Moment(zone.date(of: instant), in: zone) : Moment(instant, in: zone)
    }

    /// Days come to a date, hours to a moment.
    private func stepped(from start: Instant, _ period: Period) throws -> Moment {
        if period.isElapsed { return Moment(try period.added(to: start, in: zone, calendar: calendar), in: zone) }
        return Moment(try period.added(to: zone.date(of: start), calendar: calendar), in: zone)
    }
}
