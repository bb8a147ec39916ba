import Circulation
import TestSupport
import Testing

/// Random calendars against the plain meaning of their parts, day by day.
@Suite("Opening calendars, by their laws")
struct OpeningCalendarPropertyTests {
    private struct Sample {
        let calendar: OpeningCalendar
        let closed: [(CivilDate, CivilDate)]
        let yearly: [(MonthDay, MonthDay)]
        let opened: Set<CivilDate>

        init(seed: UInt64) throws {
            var random = SplitMix(seed: seed)
            func day() throws -> CivilDate {
                try CivilDate(dayNumber: Int64.random(in: 19_700...22_300, using: &random))
            }
            func monthDay() throws -> MonthDay {
                let date = try day()
                return try MonthDay(month: date.month, day: date.day)
            }
            let weekly = (0..<7).map { _ in Bool.random(using: &random) ? [OpeningHours.wholeDay] : [] }
            closed = try (0..<Int.random(in: 0...8, using: &random)).map { _ in
                let first = try day()
                return (first, try first.adding(days: Int64.random(in: 0...200, using: &random)))
            }
            yearly = try (0..<Int.random(in: 0...4, using: &random)).map { _ in
                let first = try monthDay()
                return (first, Bool.random(using: &random) ? first : try monthDay())
            }
            opened = Set(try (0..<Int.random(in: 1...30, using: &random)).map { _ in try day() })
            calendar = try OpeningCalendar(
                weekly: weekly, closed: closed.map { try .init($0.0, through: $0.1) },
                yearly: yearly.map { .init($0.0, through: $0.1) }, opened: opened.map { .init($0) })
        }

        /// What the parts say, without any of the machinery.
        func isOpen(_ date: CivilDate) -> Bool {
            if opened.contains(date) { return true }
            if calendar.weekly[date.weekday.rawValue - 1].isEmpty { return false }
            if closed.contains(where: { $0.0 <= date && date <= $0.1 }) { return false }
            let today = (date.month, date.day)
            return !yearly.contains { first, last in
                let isAfter = today >= (first.month, first.day)
                let isBefore = today <= (last.month, last.day)
                return first <= last ? isAfter && isBefore : isAfter || isBefore
            }
        }
    }

    private static func days() throws -> [CivilDate] {
        // Eight years with two leap days.
        try (19_600...22_400).map { try CivilDate(dayNumber: $0) }
    }

    @Test("A day is open just when the parts say so", arguments: 0..<40)
    func openDays(_ seed: UInt64) throws {
        let sample = try Sample(seed: seed)
        let wrong = try Self.days().filter { sample.calendar.isOpen($0) != sample.isOpen($0) }
        #expect(wrong.isEmpty)
    }

    @Test("The next and the previous open day are the nearest, and skip none", arguments: 0..<40)
    func nearest(_ seed: UInt64) throws {
        let sample = try Sample(seed: seed)
        let days = try Self.days()
        var next: CivilDate?
        var wrong: [CivilDate] = []
        for day in days.reversed() {
            if sample.isOpen(day) { next = day }
            if let next, try sample.calendar.nextOpen(onOrAfter: day) != next { wrong.append(day) }
        }
        var previous: CivilDate?
        for day in days {
            if sample.isOpen(day) { previous = day }
            if let previous, try sample.calendar.previousOpen(onOrBefore: day) != previous { wrong.append(day) }
        }
        #expect(wrong.isEmpty)
    }

    /// Whether the parts of `sample` say that the branch is open, for each of ``days()``.
    private static func openFlags(_ sample: Sample) throws -> [Bool] { try days().map(sample.isOpen) }

    @Test("Counting open days agrees with counting them one by one, both ways", arguments: 0..<40)
    func counting(_ seed: UInt64) throws {
        let sample = try Sample(seed: seed)
        var random = SplitMix(seed: seed ^ 0xABCD)
        let days = try Self.days()
        let isOpen = try Self.openFlags(sample)
        for _ in 0..<40 {
            let first = Int.random(in: days.indices, using: &random)
            let last = Int.random(in: first..<days.count, using: &random)
            let expected = isOpen[(first + 1)..<(last + 1)].count { $0 }
            #expect(sample.calendar.openDaysBetween(days[first], days[last]) == expected)
            let back = isOpen[first..<last].count { $0 }
            #expect(sample.calendar.openDaysBetween(days[last], days[first]) == -back)
        }
    }

    @Test("Adding n open days lands on the n-th open day, and going back undoes it", arguments: 0..<40)
    func adding(_ seed: UInt64) throws {
        let sample = try Sample(seed: seed)
        var random = SplitMix(seed: seed ^ 0x1234)
        let days = try Self.days()
        let open = try zip(days, Self.openFlags(sample)).filter(\.1).map(\.0)
        for _ in 0..<40 {
            let start = try #require(days.randomElement(using: &random))
            let later = Array(open.drop { $0 <= start })
            let earlier = Array(open.prefix { $0 < start }.reversed())
            if let index = later.indices.randomElement(using: &random) {
                let found = try sample.calendar.addOpenDays(start, Int64(index + 1))
                #expect(found == later[index])
                #expect(sample.calendar.openDaysBetween(start, found) == index + 1)
                #expect(try sample.calendar.addOpenDays(found, -Int64(index)) == later[0])
            }
            if let index = earlier.indices.randomElement(using: &random) {
                #expect(try sample.calendar.addOpenDays(start, -Int64(index + 1)) == earlier[index])
            }
        }
    }

    @Test("JSON keeps the meaning", arguments: 0..<20)
    func json(_ seed: UInt64) throws {
        let sample = try Sample(seed: seed)
        let copy = try OpeningCalendar(json: sample.calendar.json)
        #expect(copy == sample.calendar)
        #expect(try Self.days().allSatisfy { copy.hours(on: $0) == sample.calendar.hours(on: $0) })
    }
}
