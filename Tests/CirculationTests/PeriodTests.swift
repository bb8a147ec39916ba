import Circulation
import Testing

@Suite("Periods")
struct PeriodTests {
    private let weekdays: OpeningCalendar

    init() throws {
        let day = [try OpeningHours(CivilTime(hour: 9, minute: 0), to: CivilTime(hour: 17, minute: 0))]
        weekdays = try OpeningCalendar(weekly: Array(repeating: day, count: 5) + [[], []])
    }

    @Test(
        "Text reads and prints",
        arguments: [
            ("P14D", Period.days(14)), ("P2W", .weeks(2)), ("P2M", .months(2)), ("PT3H", .hours(3)),
            ("PT30M", .minutes(30)),
            ("P12OD", .openDays(12)), ("-P1D", .days(-1)), ("P0D", .days(0)), ("P9223372036854775807D", .days(.max)),
        ])
    func text(_ text: String, _ period: Period) throws {
        #expect(try Period(parsing: text) == period)
        #expect(period.isoText == text)
    }

    @Test(
        "What is no period of one unit is refused",
        arguments: [
            "", "P", "PT", "14", "P14", "PD", "PT3D", "P3H", "P1DT2H", "p14d", "P1.5D", "P-1D",
            "P99999999999999999999D", "P1Y", "P14D ",
        ])
    func malformed(_ text: String) {
        #expect(throws: TimeError.self) { try Period(parsing: text) }
    }

    @Test(
        "Days are steps at the same wall clock, hours elapsed time, across clock changes",
        arguments: [
            // Forward on 29 March, back on 25 October.
            ("2026-03-28T11:00:00Z", Period.days(1), "2026-03-29T10:00:00Z"),
            ("2026-03-28T11:00:00Z", .hours(24), "2026-03-29T11:00:00Z"),
            ("2026-10-24T10:00:00Z", .days(1), "2026-10-25T11:00:00Z"),
            ("2026-10-24T10:00:00Z", .hours(24), "2026-10-25T10:00:00Z"),
            ("2026-03-28T01:30:00.5Z", .days(1), "2026-03-29T01:30:00.5Z"),
            ("2026-10-24T00:30:00Z", .days(1), "2026-10-25T00:30:00Z"),
            ("2026-03-22T11:00:00Z", .weeks(1), "2026-03-29T10:00:00Z"),
            ("2026-01-31T12:00:00Z", .months(1), "2026-02-28T12:00:00Z"),
            ("2026-03-26T11:00:00Z", .openDays(2), "2026-03-30T10:00:00Z"),
            ("2026-10-25T01:30:00Z", .days(0), "2026-10-25T01:30:00Z"),
            ("2026-03-29T10:00:00Z", .days(-1), "2026-03-28T11:00:00Z"),
            ("2026-10-25T00:45:00Z", .minutes(30), "2026-10-25T01:15:00Z"),
        ])
    func clockChanges(_ from: String, _ period: Period, _ to: String) throws {
        let berlin = try Zone(named: "Europe/Berlin")
        #expect(try period.added(to: Instant(parsing: from), in: berlin, calendar: weekdays).description == to)
    }

    @Test("Hours and minutes cannot be added to a date", arguments: [Period.hours(1), .minutes(1)])
    func elapsed(_ period: Period) throws {
        let date = try CivilDate(parsing: "2026-03-29")
        #expect(period.isElapsed)
        #expect(throws: TimeError.self) { try period.added(to: date, calendar: weekdays) }
    }

    @Test(
        "Periods without measure are errors, never traps", arguments: Period.Unit.allCases, [Int64.max, .min, .max / 4])
    func overflow(_ unit: Period.Unit, _ count: Int64) throws {
        let now = try Instant(parsing: "2026-03-29T10:00:00Z")
        #expect(throws: TimeError.self) { try Period(count, unit).added(to: now, in: .utc, calendar: weekdays) }
    }

    @Test("A period back in time is its negative, but for the last one")
    func negation() throws {
        #expect(try Period.days(3).negated() == .days(-3))
        #expect(throws: TimeError.self) { try Period.days(.min).negated() }
    }

    @Test(
        "Periods describe themselves",
        arguments: [(Period.days(1), "1 day"), (.openDays(12), "12 open days"), (.hours(0), "0 hours")])
    func descriptions(_ period: Period, _ text: String) {
        #expect(period.description == text)
    }

    @Test(
        "The same local day of every zone is a number of days on at the same wall clock", arguments: ZoneTests.several)
    func wholeYears(_ name: String) throws {
        let zone = try Zone(named: name)
        let noon = try CivilTime(hour: 12, minute: 0)
        let start = zone.instant(of: try CivilDate(parsing: "2024-01-01"), noon)
        var wrong = 0
        for days in 0..<(366 * 2) {
            let later = try Period.days(Int64(days)).added(to: start, in: zone, calendar: .alwaysOpen)
            let local = zone.local(of: later)
            if local.time != noon || local.date.days(since: zone.date(of: start)) != days { wrong += 1 }
        }
        #expect(wrong == 0)
    }
}
