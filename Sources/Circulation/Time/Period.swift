/// A length of time as a rule names it: fourteen days, three hours, two months, five open days.
///
/// Days, weeks, months and open days are steps of the calendar at the same wall clock; hours and minutes are elapsed
/// time. Periods of different units are never equal, since a day is not always 24 hours.
package struct Period: Hashable, Sendable {
    package enum Unit: String, CaseIterable, Hashable, Sendable {
        case minutes, hours, days, weeks, months
        case openDays = "open_days"
    }

    package let unit: Unit
    /// How many; may be negative or zero.
    package let count: Int64

    package init(_ count: Int64, _ unit: Unit) {
        self.unit = unit
        self.count = count
    }

    package static func minutes(_ count: Int64) -> Period { Period(count, .minutes) }
    package static func hours(_ count: Int64) -> Period { Period(count, .hours) }
    package static func days(_ count: Int64) -> Period { Period(count, .days) }
    package static func weeks(_ count: Int64) -> Period { Period(count, .weeks) }
    package static func months(_ count: Int64) -> Period { Period(count, .months) }
    package static func openDays(_ count: Int64) -> Period { Period(count, .openDays) }

    /// Whether it is elapsed time, hours or minutes, rather than steps of the calendar.
    package var isElapsed: Bool { unit == .hours || unit == .minutes }

    /// The microseconds of elapsed time; nil for steps of the calendar.
    ///
    /// - Throws: ``TimeError/Code/outOfRange`` beyond 64 bits.
    package func elapsedMicroseconds() throws(TimeError) -> Int64? {
        guard isElapsed else { return nil }
        let factor = (unit == .hours ? 3600 : 60) * Instant.microsecondsPerSecond
        let (product, overflow) = count.multipliedReportingOverflow(by: factor)
        if overflow { throw TimeError.outOfRange }
        return product
    }

    /// The period so many times.
    ///
    /// - Throws: ``TimeError/Code/outOfRange`` beyond 64 bits.
    package func times(_ number: Int64) throws(TimeError) -> Period {
        let (product, overflow) = count.multipliedReportingOverflow(by: number)
        if overflow { throw TimeError.outOfRange }
        return Period(product, unit)
    }

    /// The period back in time.
    ///
    /// - Throws: ``TimeError/Code/outOfRange`` for the most negative count.
    package func negated() throws(TimeError) -> Period {
        let (negative, overflow) = Int64(0).subtractingReportingOverflow(count)
        if overflow { throw TimeError.outOfRange }
        return Period(negative, unit)
    }
}

// MARK: - Adding to dates and instants

extension Period {
    /// The date that many steps of the calendar after `date`.
    ///
    /// - Parameter calendar: what counts as open, for open days.
    /// - Throws: ``TimeError``: out of range; no open day; and a period of hours or minutes, which cannot be added to a
    ///   date.
    package func added(to date: CivilDate, calendar: OpeningCalendar) throws(TimeError) -> CivilDate {
        switch unit {
        case .days: return try date.adding(days: count)
        case .weeks:
            let (days, overflow) = count.multipliedReportingOverflow(by: 7)
            if overflow { throw TimeError.outOfRange }
            return try date.adding(days: days)
        case .months: return try date.adding(months: count)
        case .openDays: return try calendar.addOpenDays(date, count)
        case .hours, .minutes:
            throw TimeError.malformed("calendar period", isoText, expected: "hours and minutes need a time of day")
        }
    }

    /// The moment that much after `instant`: the same wall clock in `zone` some days on, or elapsed time.
    ///
    /// - Throws: ``TimeError``: out of range, no open day.
    package func added(
        to instant: Instant, in zone: Zone, calendar: OpeningCalendar
    ) throws(TimeError) -> Instant {
        if let elapsed = try elapsedMicroseconds() { return try instant.adding(microseconds: elapsed) }
        let local = zone.local(of: instant)
        let date = try added(to: local.date, calendar: calendar)
        if date == local.date { return instant }
        let fraction = instant.microseconds - instant.seconds * Instant.microsecondsPerSecond
        return try zone.instant(of: date, local.time).adding(microseconds: fraction)
    }
}

// MARK: - Text

extension Period {
    /// ISO 8601: `P14D`, `P2W`, `P2M`, `PT3H`, `PT30M`, `-P1D`. Open days, for which it has no letter, are `P12OD`.
    package var isoText: String {
        let sign = count < 0 ? "-" : ""
        let number = count.magnitude
        return switch unit {
        case .minutes: "\(sign)PT\(number)M"
        case .hours: "\(sign)PT\(number)H"
        case .days: "\(sign)P\(number)D"
        case .weeks: "\(sign)P\(number)W"
        case .months: "\(sign)P\(number)M"
        case .openDays: "\(sign)P\(number)OD"
        }
    }

    /// Reads what ``isoText`` writes.
    ///
    /// - Throws: ``TimeError/Code/malformed``, also for texts of several units.
    package init(parsing text: String) throws(TimeError) {
        var scanner = DigitScanner(text)
        let isNegative = scanner.take("-")
        scanner.expect("P")
        let isTime = scanner.take("T")
        let number = scanner.integer()
        let unit = scanner.periodUnit(isTime: isTime)
        guard !scanner.hasFailed, scanner.isAtEnd, let unit else {
            throw TimeError.malformed("period", text, expected: "such as P14D, P2W, P1M or PT3H")
        }
        self.init(isNegative ? -number : number, unit)
    }

    /// Reads a part of a longer text as a period.
    package init(parsing text: Substring) throws(TimeError) {
        try self.init(parsing: String(text))
    }
}

extension DigitScanner {
    fileprivate mutating func periodUnit(isTime: Bool) -> Period.Unit? {
        if isTime {
            if take("H") { return .hours }
            return take("M") ? .minutes : nil
        }
        if take("D") { return .days }
        if take("W") { return .weeks }
        if take("M") { return .months }
        return take("O") && take("D") ? .openDays : nil
    }
}

extension Period: CustomStringConvertible {
    /// `14 days`, `1 hour`, `12 open days`
    package var description: String {
        let plural = unit.rawValue.replacing("_", with: " ")
        return "\(count) \(count == 1 ? String(plural.dropLast()) : plural)"
    }
}
