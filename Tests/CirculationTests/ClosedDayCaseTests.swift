import Circulation
import TestSupport
import Testing
import TextFormats

/// What the tests of other library systems expect of their calendars, as far as the calendar alone answers it.
@Suite(
    "Closed days, as other systems test them", .enabled(if: !SharedData.isMissing, "the shared test data is not there"))
struct ClosedDayCaseTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let id: String
        let json: JSON
        var testDescription: String { id }
    }

    static let cases: [Case] = {
        guard let bytes = try? SharedData.bytes("cases/ils_cases.jsonl") else { return [] }
        var reader = JSONArrayReader(source: MemoryByteSource(bytes))
        var cases: [Case] = []
        while let json = (try? reader.next())?.value {
            guard json["area"] == "closed-days", let id = json["id"]?.stringValue else { continue }
            cases.append(Case(id: id, json: json))
        }
        return cases
    }()

    @Test("All cases of the area are read")
    func all() {
        #expect(Self.cases.count == 31)
    }

    @Test("The calendar answers as expected", arguments: cases)
    func answers(_ sample: Case) throws {
        let calendar = try OpeningCalendar(foreign: try #require(sample.json["given"]?["calendar"]))
        let when = try #require(sample.json["when"]?.objectValue)
        let expect = try #require(sample.json["expect"]?.objectValue)
        func date(_ key: String) throws -> CivilDate {
            try CivilDate(parsing: try #require(when[key]?.stringValue).prefix(10))
        }
        func number(_ key: String) throws -> Int64 { try #require(when[key]?.integerValue) }
        func expects(_ day: CivilDate) throws {
            #expect(try day.description == String(#require(expect["date"]?.stringValue).prefix(10)))
        }
        switch try #require(when["op"]?.stringValue) {
        case "is_closed": #expect(.bool(!calendar.isOpen(try date("date"))) == expect["closed"])
        case "is_open_day": #expect(.bool(calendar.isOpen(try date("date"))) == expect["open"])
        case "is_open_at":
            let zone = try Zone(named: try #require(sample.json["given"]?["calendar"]?["tz"]?.stringValue))
            let local = zone.local(of: try Instant(parsing: try #require(when["at"]?.stringValue)))
            #expect(.bool(calendar.isOpen(local.date, local.time)) == expect["open"])
        case "add_days":
            try expects(
                add(number("days"), to: date("from"), calendar, mode: sample.json["given"]?["days_mode"]?.stringValue))
        case "add_open_days": try expects(calendar.addOpenDays(date("from"), number("days")))
        case "open_days_between":
            #expect(
                calendar.openDaysBetween(try date("from"), try date("to"))
                    == expect["open_days"].flatMap { Int($0.integerValue ?? -1) })
        case "count_open_days":
            let before = try date("from").adding(days: -1)
            #expect(
                calendar.openDaysBetween(before, try date("to"))
                    == expect["open_days"].flatMap { Int($0.integerValue ?? -1) })
        case "has_open_day_strictly_between":
            let (from, to) = (try date("from"), try date("to"))
            let lastBetween = try to.adding(days: -1)
            let hasOpenDay = lastBetween > from && calendar.openDaysBetween(from, lastBetween) > 0
            #expect(.bool(hasOpenDay) == expect["result"])
        case "next_open_day": try expects(calendar.nextOpen(after: date("after")))
        case "previous_open_day": try expects(calendar.previousOpen(before: date("before")))
        case "first_open_day_on_or_after": try expects(calendar.nextOpen(onOrAfter: date("date")))
        case "apply_new_closures_to_open_loans":
            let due = try CivilDate(parsing: try #require(sample.json["given"]?["active_loan"]?["due"]?.stringValue))
            #expect(try calendar.nextOpen(onOrAfter: due).description == expect["due"]?.stringValue)
        case let operation: Issue.record("no such operation: \(operation)")
        }
    }

    /// Koha's three ways to count days.
    private func add(
        _ days: Int64, to date: CivilDate, _ calendar: OpeningCalendar, mode: String?
    ) throws -> CivilDate {
        switch mode {
        case "Calendar": return try calendar.addOpenDays(date, days)
        case "Datedue":
            let plain = try date.adding(days: days)
            return days < 0 ? try calendar.previousOpen(onOrBefore: plain) : try calendar.nextOpen(onOrAfter: plain)
        default: return try date.adding(days: days)
        }
    }
}

extension OpeningCalendar {
    /// The calendar of a case in the words that the cases use.
    init(foreign json: JSON) throws {
        var weekly = [[OpeningHours]](repeating: [.wholeDay], count: 7)
        for entry in json["weekly_open"]?.objectValue ?? [:] where entry.key == "Mon-Fri" {
            let hours = try OpeningHours(foreign: try #require(entry.value.stringValue))
            for day in 0..<5 { weekly[day] = [hours] }
        }
        for name in json["weekly_closed"]?.arrayValue ?? [] {
            weekly[try OpeningCalendar.foreignWeekday(name) - 1] = []
        }
        func texts(_ key: String) -> [String] { (json[key]?.arrayValue ?? []).compactMap(\.stringValue) }
        var closed = try texts("closed_dates").map { try Closure(CivilDate(parsing: $0)) }
        var opened = try texts("open_exceptions").map { try Opening(CivilDate(parsing: $0)) }
        for exception in json["exceptions"]?.arrayValue ?? [] {
            let first = try CivilDate(parsing: try #require((exception["from"] ?? exception["date"])?.stringValue))
            let last = try CivilDate(parsing: exception["to"]?.stringValue ?? first.description)
            if exception["open"] == true {
                let hours = try exception["hours"]?.stringValue.map { [try OpeningHours(foreign: $0)] } ?? []
                for day in 0...last.days(since: first) {
                    opened.append(Opening(try first.adding(days: Int64(day)), hours: hours))
                }
            } else {
                closed += try Closure.repeated(first, last, exception["repeat"]?.stringValue)
            }
        }
        try self.init(
            weekly: weekly, closed: closed,
            yearly: texts("yearly_closed").map { YearlyClosure(try MonthDay(parsing: $0)) }, opened: opened)
    }
}

extension OpeningCalendar {
    private static func foreignWeekday(_ json: JSON) throws -> Int {
        let name = try #require(json.stringValue)
        return try #require(Weekday(name: name)).rawValue
    }
}

extension OpeningCalendar.Closure {
    /// A closure that comes again from its first day on, written out for ten years.
    static func repeated(_ first: CivilDate, _ last: CivilDate, _ rule: String?) throws -> [Self] {
        let step =
            switch rule {
            case "yearly": 12
            case "every 2 months": 2
            case nil: 240
            default: throw UnknownRepetition()
            }
        return try stride(from: 0, to: 120, by: step).map {
            try Self(first.adding(months: Int64($0)), through: last.adding(months: Int64($0)))
        }
    }
}

extension OpeningHours {
    /// `07:00-19:00`
    init(foreign text: String) throws {
        let parts = text.split(separator: "-")
        try self.init(CivilTime(parsing: parts[0]), to: CivilTime(parsing: parts[1]))
    }
}

private struct UnknownRepetition: Error {}
