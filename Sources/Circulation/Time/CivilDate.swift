/// A day of the calendar, without a time and without a zone: `2026-12-24`.
///
/// Proleptic Gregorian, years 1 to 9999, as ISO 8601 writes them with four digits. Arithmetic steps from day to day and
/// knows nothing of clock changes.
package struct CivilDate: Hashable, Sendable {
    /// Days since 1970-01-01, negative before.
    package let dayNumber: Int32

    package static let earliest = CivilDate(uncheckedDayNumber: -719_162)
    package static let latest = CivilDate(uncheckedDayNumber: 2_932_896)

    /// For day numbers that are known to lie within the years 1 to 9999.
    init(uncheckedDayNumber: Int32) {
        dayNumber = uncheckedDayNumber
    }

    /// - Throws: ``TimeError/Code/outOfRange`` beyond the years 1 to 9999.
    package init(dayNumber: Int64) throws(TimeError) {
        guard let day = Int32(exactly: dayNumber),
            (CivilDate.earliest.dayNumber...CivilDate.latest.dayNumber).contains(day)
        else { throw TimeError.outOfRange }
        self.dayNumber = day
    }

    /// - Throws: ``TimeError`` if the day does not exist.
    package init(year: Int, month: Int, day: Int) throws(TimeError) {
        guard (1...9999).contains(year) else { throw TimeError.outOfRange }
        guard (1...12).contains(month), day >= 1, day <= CivilDate.daysInMonth(month, year: year) else {
            throw TimeError.noSuchDay(year: year, month: month, day: day)
        }
        dayNumber = CivilDate.dayNumber(year: year, month: month, day: day)
    }

    package var year: Int { parts.year }
    package var month: Int { parts.month }
    package var day: Int { parts.day }

    /// Monday to Sunday, as ISO 8601 counts them.
    package var weekday: Weekday {
        Weekday(daysAfterMonday: (Int(dayNumber) + 3) - 7 * CivilDate.floorDivision(Int(dayNumber) + 3, by: 7))
    }

    /// From 1 for 1 January.
    package var dayOfYear: Int {
        Int(dayNumber - CivilDate.dayNumber(year: year, month: 1, day: 1)) + 1
    }

    package static func isLeapYear(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    /// - Parameter month: 1 to 12.
    package static func daysInMonth(_ month: Int, year: Int) -> Int {
        switch month {
        case 2: isLeapYear(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension CivilDate: Comparable {
    package static func < (left: CivilDate, right: CivilDate) -> Bool { left.dayNumber < right.dayNumber }
}

// MARK: - Arithmetic

extension CivilDate {
    /// The date `days` calendar days later, or earlier if negative.
    ///
    /// - Throws: ``TimeError/Code/outOfRange`` beyond the years 1 to 9999.
    package func adding(days: Int64) throws(TimeError) -> CivilDate {
        let (sum, overflow) = Int64(dayNumber).addingReportingOverflow(days)
        if overflow { throw TimeError.outOfRange }
        return try CivilDate(dayNumber: sum)
    }

    /// The same day of the month `months` later; where that month is shorter, its last day (31 January plus one month
    /// is 28 or 29 February).
    ///
    /// - Throws: ``TimeError/Code/outOfRange`` beyond the years 1 to 9999.
    package func adding(months: Int64) throws(TimeError) -> CivilDate {
        let (year, month, day) = parts
        let (total, overflow) = Int64(year * 12 + month - 1).addingReportingOverflow(months)
        guard !overflow, (12..<120_000).contains(total) else { throw TimeError.outOfRange }
        let newYear = Int(total / 12)
        let newMonth = Int(total % 12) + 1
        let newDay = min(day, CivilDate.daysInMonth(newMonth, year: newYear))
        return CivilDate(
            uncheckedDayNumber: CivilDate.dayNumber(year: newYear, month: newMonth, day: newDay))
    }

    /// How many days after `other` this date is; negative if it is before it.
    package func days(since other: CivilDate) -> Int {
        Int(dayNumber) - Int(other.dayNumber)
    }

    /// The day after, at the end of time that same day.
    var following: CivilDate { CivilDate(uncheckedDayNumber: min(dayNumber + 1, CivilDate.latest.dayNumber)) }

    /// The day before, at the beginning of time that same day.
    var preceding: CivilDate { CivilDate(uncheckedDayNumber: max(dayNumber - 1, CivilDate.earliest.dayNumber)) }
}

// MARK: - Days and years

extension CivilDate {
    /// Year, month and day at once, cheaper than one by one.
    ///
    /// After Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`: years begin in March,
    /// eras of 400 years have 146,097 days.
    package var parts: (year: Int, month: Int, day: Int) {
        let shifted = Int(dayNumber) + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    /// The inverse, `days_from_civil`, for a date that exists from the year 1 on.
    static func dayNumber(year: Int, month: Int, day: Int) -> Int32 {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return Int32(era * 146_097 + dayOfEra - 719_468)
    }

    static func floorDivision(_ dividend: Int, by divisor: Int) -> Int {
        let quotient = dividend / divisor
        return dividend % divisor < 0 ? quotient - 1 : quotient
    }
}
