import Circulation
import Foundation
import TestSupport
import Testing

@Suite("Civil dates")
struct CivilDateTests {
    @Test(
        "Known days have their numbers and weekdays",
        arguments: [
            ("1970-01-01", 0, Weekday.thursday), ("2000-02-29", 11_016, .tuesday), ("1969-12-31", -1, .wednesday),
            ("0001-01-01", -719_162, .monday), ("9999-12-31", 2_932_896, .friday), ("1900-03-01", -25_508, .thursday),
            ("2026-12-24", 20_811, .thursday), ("1600-02-29", -135_081, .tuesday),
        ])
    func knownDays(_ text: String, _ number: Int, _ weekday: Weekday) throws {
        let date = try CivilDate(parsing: text)
        #expect(Int(date.dayNumber) == number)
        #expect(date.weekday == weekday)
        #expect(date.description == text)
    }

    @Test(
        "Every day of four centuries and of both ends of time follows the one before", arguments: [1, 1580, 1890, 9600])
    func succession(_ firstYear: Int) throws {
        var date = try CivilDate(year: firstYear, month: 1, day: 1)
        let end = try CivilDate(year: firstYear + 399, month: 12, day: 31)
        var (year, month, day) = (firstYear, 1, 1)
        var weekday = date.weekday.rawValue
        var dayOfYear = 1
        var mismatches = 0
        while date <= end {
            if date.parts != (year, month, day) || date.weekday.rawValue != weekday || date.dayOfYear != dayOfYear {
                mismatches += 1
            }
            if try CivilDate(year: year, month: month, day: day) != date { mismatches += 1 }
            if date == .latest { break }
            date = try date.adding(days: 1)
            weekday = weekday % 7 + 1
            day += 1
            dayOfYear += 1
            if day > CivilDate.daysInMonth(month, year: year) { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month, dayOfYear) = (year + 1, 1, 1) }
        }
        #expect(mismatches == 0)
    }

    @Test("Dates agree with Foundation's Gregorian calendar", arguments: stride(from: 1900, to: 2100, by: 9).map { $0 })
    func foundation(_ year: Int) throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "GMT"))
        for day in stride(from: 0, to: 365, by: 7) {
            let date = try CivilDate(year: year, month: 1, day: 1).adding(days: Int64(day))
            let parts = calendar.dateComponents(
                [.year, .month, .day, .weekday], from: Date(timeIntervalSince1970: Double(date.dayNumber) * 86_400))
            #expect(parts.year == date.year && parts.month == date.month && parts.day == date.day)
            #expect(parts.weekday == date.weekday.rawValue % 7 + 1)
        }
    }

    @Test(
        "Adding months stays in the month and clamps to its end",
        arguments: [
            ("2026-01-31", 1, "2026-02-28"), ("2024-01-31", 1, "2024-02-29"), ("2026-12-31", 2, "2027-02-28"),
            ("2024-02-29", 12, "2025-02-28"), ("2024-02-29", 48, "2028-02-29"), ("2026-03-31", -1, "2026-02-28"),
            ("2026-01-15", -1, "2025-12-15"), ("2026-05-31", 1, "2026-06-30"), ("2026-08-31", 0, "2026-08-31"),
            ("2026-10-15", 3, "2027-01-15"), ("1900-01-31", 1, "1900-02-28"),
        ])
    func months(_ from: String, _ months: Int64, _ to: String) throws {
        #expect(try CivilDate(parsing: from).adding(months: months).description == to)
    }

    @Test("Leap days exist in leap years only", arguments: [(2024, true), (2026, false), (1900, false), (2000, true)])
    func leapDays(_ year: Int, _ isLeap: Bool) {
        #expect(CivilDate.isLeapYear(year) == isLeap)
        #expect(((try? CivilDate(year: year, month: 2, day: 29)) != nil) == isLeap)
    }

    @Test(
        "What is no date is refused",
        arguments: [
            "", "2026", "2026-1-1", "2026-13-01", "2026-00-10", "2026-02-30", "2026-04-31", "2026-01-00", "0000-01-01",
            "20260101", "2026-01-01 ", " 2026-01-01", "2026-01-01T00:00", "-2026-01-01", "+2026-01-01", "２０２６-01-01",
            "2026/01/01", "2026-01-0a", "99999-01-01",
        ])
    func malformed(_ text: String) {
        #expect(throws: TimeError.self) { try CivilDate(parsing: text) }
    }

    @Test(
        "Steps beyond the years 1 to 9999 are errors, never traps", arguments: [Int64.max, .min, 3_700_000, -3_700_000])
    func outOfRange(_ step: Int64) throws {
        let date = try CivilDate(parsing: "2026-12-24")
        #expect(throws: TimeError.self) { try date.adding(days: step) }
        #expect(throws: TimeError.self) { try date.adding(months: step) }
        #expect(throws: TimeError.self) { try CivilDate(dayNumber: step) }
        #expect(throws: TimeError.self) { try CivilDate(year: Int(step), month: 1, day: 1) }
        #expect(throws: TimeError.self) { try CivilDate(year: 2026, month: Int(step), day: 1) }
        #expect(throws: TimeError.self) { try CivilDate(year: 2026, month: 1, day: Int(step)) }
    }

    @Test("The ends of time can be reached and not passed")
    func ends() throws {
        #expect(throws: TimeError.self) { try CivilDate.latest.adding(days: 1) }
        #expect(throws: TimeError.self) { try CivilDate.earliest.adding(days: -1) }
        #expect(try CivilDate.latest.adding(months: -119_987) == CivilDate(year: 1, month: 1, day: 31))
        #expect(CivilDate.latest.days(since: .earliest) == 3_652_058)
    }

    @Test("Adding days and going back is where it began", arguments: 0..<20)
    func inverse(_ seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        for _ in 0..<200 {
            let start = try CivilDate(dayNumber: Int64.random(in: -700_000...2_900_000, using: &random))
            let step = Int64.random(in: -19_000...19_000, using: &random)
            let end = try start.adding(days: step)
            #expect(try end.adding(days: -step) == start)
            #expect(end.days(since: start) == Int(step))
            #expect((end > start) == (step > 0))
            #expect(try CivilDate(parsing: end.description) == end)
        }
    }

    @Test(
        "Times of day read and print, 24:00 included",
        arguments: [("00:00", 0), ("09:05", 32_700), ("23:59:59", 86_399), ("24:00", 86_400), ("12:00:01", 43_201)])
    func times(_ text: String, _ seconds: Int) throws {
        let time = try CivilTime(parsing: text)
        #expect(Int(time.secondsSinceMidnight) == seconds)
        #expect(time.description == text)
    }

    @Test(
        "What is no time of day is refused",
        arguments: ["", "9:00", "24:01", "24:00:01", "25:00", "12:60", "12:00:60", "12", "12:00Z"])
    func malformedTimes(_ text: String) {
        #expect(throws: TimeError.self) { try CivilTime(parsing: text) }
        #expect(throws: TimeError.self) { try CivilTime(secondsSinceMidnight: 86_401) }
        #expect(throws: TimeError.self) { try CivilTime(hour: -1, minute: 0) }
    }

    @Test("Weekdays are known by their names", arguments: Weekday.allCases)
    func weekdays(_ weekday: Weekday) {
        #expect(Weekday(name: weekday.abbreviation) == weekday)
        #expect(Weekday(name: "\(weekday)".uppercased()) == weekday)
        #expect(Weekday(name: "day") == nil)
    }
}
