import Circulation
import Testing
import TextFormats

@Suite("Opening calendars")
struct OpeningCalendarTests {
    /// Monday to Friday in a split shift, Saturday mornings; closed at Christmas, every year over the turn of the year;
    /// one Sunday opened by exception.
    private let branch: OpeningCalendar

    init() throws {
        branch = try OpeningCalendar(
            json: [
                "weekly": [
                    "mon": [["09:00", "12:30"], ["13:30", "18:00"]], "tue": [["09:00", "12:30"], ["13:30", "18:00"]],
                    "wed": [["09:00", "12:30"], ["13:30", "18:00"]], "thu": [["09:00", "12:30"], ["13:30", "20:00"]],
                    "fri": [["18:00", "24:00"], ["09:00", "12:30"]], "sat": [["00:00", "13:00"]],
                ],
                "closed": [
                    "2026-06-04", ["2026-08-03", "2026-08-14"],
                    ["from": "2026-08-10", "to": "2026-08-20", "reason": "Move"],
                ],
                "yearly": [["12-24", "01-01"], ["from": "05-01", "reason": "Labour Day"], "02-29"],
                "open": ["2026-08-12", ["date": "2026-12-13", "hours": [["10:00", "16:00"]]], "2026-12-20"],
            ])
    }

    private func date(_ text: String) throws -> CivilDate { try CivilDate(parsing: text) }

    @Test(
        "A day is open by exception, else closed by a closure, else open by its weekday",
        arguments: [
            ("2026-06-01", true), ("2026-06-04", false), ("2026-06-06", true), ("2026-06-07", false),
            ("2026-08-03", false),
            ("2026-08-12", true), ("2026-08-15", false), ("2026-08-20", false), ("2026-08-21", true),
            ("2026-12-13", true),
            ("2026-12-23", true), ("2026-12-24", false), ("2026-12-31", false), ("2027-01-01", false),
            ("2027-01-02", true),
            ("2024-05-01", false), ("2028-02-29", false), ("2027-03-01", true), ("2025-12-25", false),
            ("0001-12-31", false),
        ])
    func days(_ day: String, _ isOpen: Bool) throws {
        #expect(branch.isOpen(try date(day)) == isOpen)
        #expect(branch.hours(on: try date(day)).isEmpty == !isOpen)
    }

    @Test(
        "Split shifts, midnight and hours by exception",
        arguments: [
            ("2026-06-01", "08:59:59", false), ("2026-06-01", "09:00", true), ("2026-06-01", "12:30", false),
            ("2026-06-01", "13:29", false), ("2026-06-01", "17:59:59", true), ("2026-06-01", "18:00", false),
            ("2026-06-05", "23:59:59", true), ("2026-06-06", "00:00", true), ("2026-06-06", "13:00", false),
            ("2026-12-13", "10:00", true), ("2026-12-13", "16:00", false), ("2026-12-20", "03:00", true),
            ("2026-08-12", "12:45", false), ("2026-06-05", "24:00", false),
        ])
    func times(_ day: String, _ time: String, _ isOpen: Bool) throws {
        #expect(branch.isOpen(try date(day), try CivilTime(parsing: time)) == isOpen)
    }

    @Test(
        "The last hours of a day say when it closes",
        arguments: [
            ("2026-06-01", "18:00"), ("2026-06-05", "24:00"), ("2026-06-04", nil), ("2026-12-13", "16:00"),
            ("2026-12-20", "24:00"),
        ])
    func closing(_ day: String, _ time: String?) throws {
        #expect(branch.closingTime(on: try date(day))?.description == time)
    }

    @Test(
        "The next opening is later that day or on the next open day",
        arguments: [
            ("2026-06-01", "08:00", "2026-06-01 09:00"), ("2026-06-01", "09:00", "2026-06-01 13:30"),
            ("2026-06-01", "19:00", "2026-06-02 09:00"), ("2026-06-03", "19:00", "2026-06-05 09:00"),
            ("2026-06-05", "19:00", "2026-06-06 00:00"), ("2026-12-23", "18:00", "2027-01-02 00:00"),
        ])
    func opening(_ day: String, _ time: String, _ expected: String) throws {
        let next = try branch.nextOpening(after: try date(day), try CivilTime(parsing: time))
        #expect("\(next.date) \(next.time)" == expected)
    }

    @Test(
        "The nearest open day lies forward, backward, on the day or off it",
        arguments: [
            ("2026-06-04", "2026-06-05", "2026-06-03"), ("2026-06-05", "2026-06-05", "2026-06-05"),
            ("2026-08-16", "2026-08-21", "2026-08-12"), ("2026-12-27", "2027-01-02", "2026-12-23"),
            ("2027-01-01", "2027-01-02", "2026-12-23"),
        ])
    func nearest(_ day: String, _ next: String, _ previous: String) throws {
        let day = try date(day)
        #expect(try branch.nextOpen(onOrAfter: day).description == next)
        #expect(try branch.previousOpen(onOrBefore: day).description == previous)
        if branch.isOpen(day) {
            #expect(try branch.nextOpen(after: day) > day)
            #expect(try branch.previousOpen(before: day) < day)
        }
    }

    @Test("The reason of a closure is given, and none where the branch is open")
    func reasons() throws {
        #expect(branch.closureReason(on: try date("2026-08-11")) == "Move")
        #expect(branch.closureReason(on: try date("2027-05-01")) == "Labour Day")
        #expect(branch.closureReason(on: try date("2026-08-12")) == nil)
        #expect(branch.closureReason(on: try date("2026-06-07")) == nil)
    }

    @Test("A closure of nine years is stepped over, one beyond ten years is an error")
    func longClosures() throws {
        let nine = try OpeningCalendar(
            weekly: branch.weekly, closed: [.init(date("2026-01-01"), through: date("2034-12-31"))])
        #expect(try nine.nextOpen(onOrAfter: date("2026-01-01")) == date("2035-01-01"))
        #expect(try nine.previousOpen(onOrBefore: date("2034-12-31")) == date("2025-12-31"))
        #expect(try nine.addOpenDays(date("2025-12-31"), 1) == date("2035-01-01"))
        #expect(try nine.addOpenDays(date("2035-01-01"), -1) == date("2025-12-31"))
        let fifteen = try OpeningCalendar(
            weekly: branch.weekly, closed: [.init(date("2026-01-01"), through: date("2040-12-31"))],
            opened: [.init(date("2036-06-01"))])
        let error = try #require(throws: TimeError.self) { try fifteen.nextOpen(onOrAfter: date("2026-01-01")) }
        #expect(error.code == .noOpenDay)
        #expect(try fifteen.nextOpen(onOrAfter: date("2026-06-01")) == date("2036-06-01"))
        #expect(try fifteen.nextOpen(onOrAfter: date("2036-06-02")) == date("2041-01-01"))
        #expect(throws: TimeError.self) { try fifteen.addOpenDays(date("2025-12-31"), 1) }
        #expect(fifteen.openDaysBetween(try date("2025-12-31"), try date("2040-12-31")) == 1)
    }

    @Test("A calendar without open days is an error wherever one is asked for")
    func neverOpen() throws {
        let never = try OpeningCalendar(json: ["weekly": [:]])
        let day = try date("2026-06-01")
        for ask in [
            never.nextOpen(onOrAfter:), never.nextOpen(after:), never.previousOpen(onOrBefore:),
            never.previousOpen(before:),
        ] {
            #expect(throws: TimeError.self) { try ask(day) }
        }
        #expect(throws: TimeError.self) { try never.addOpenDays(day, 1) }
        #expect(throws: TimeError.self) { try never.addOpenDays(day, -1) }
        #expect(throws: TimeError.self) { try never.nextOpening(after: day, .midnight) }
        #expect(try never.addOpenDays(day, 0) == day)
        #expect(never.openDaysBetween(.earliest, .latest) == 0)
    }

    @Test("At the ends of time there is an error, never a trap")
    func ends() throws {
        let always = OpeningCalendar.alwaysOpen
        #expect(always.openDaysBetween(.earliest, .latest) == 3_652_058)
        #expect(try always.addOpenDays(.earliest, 3_652_058) == .latest)
        #expect(try always.addOpenDays(.latest, -3_652_058) == .earliest)
        for count in [Int64.max, .min, 3_652_059, -3_652_059] {
            #expect(throws: TimeError.self) { try always.addOpenDays(.earliest, count) }
            #expect(throws: TimeError.self) { try always.addOpenDays(.latest, count) }
        }
        #expect(throws: TimeError.self) { try always.nextOpen(after: .latest) }
        #expect(throws: TimeError.self) { try always.previousOpen(before: .earliest) }
    }

    @Test(
        "A calendar that contradicts itself is refused",
        arguments: [
            #"{"weekly":{"mon":[["17:00","09:00"]]}}"#, #"{"weekly":{"mon":[["09:00","09:00"]]}}"#,
            #"{"weekly":{"mon":[["09:00","13:00"],["12:00","17:00"]]}}"#,
            #"{"weekly":{"funday":[]}}"#, #"{"weekly":[]}"#, #"{"weekly":{"mon":["09:00","17:00"]}}"#,
            #"{"weekly":{"mon":[["9","17"]]}}"#,
            #"{"closed":["2026-02-30"]}"#, #"{"closed":[["2026-03-02","2026-03-01"]]}"#, #"{"closed":"2026-03-01"}"#,
            #"{"closed":[1]}"#, #"{"closed":[{}]}"#,
            #"{"yearly":["02-30"]}"#, #"{"yearly":["2026-01-01"]}"#,
            #"{"open":[{"date":"2026-01-01","hours":[["x","y"]]}]}"#,
            #"{"open":[["2026-01-01","2066-01-01"]]}"#, #"{"open":[["2026-01-02","2026-01-01"]]}"#, #"{"opened":[]}"#,
            #"[]"#,
        ])
    func contradictions(_ text: String) throws {
        let json = try JSONParser.parse(text)
        #expect(throws: TimeError.self) { try OpeningCalendar(json: json) }
    }

    @Test("Seven weekdays make a week")
    func week() {
        #expect(throws: TimeError.self) { try OpeningCalendar(weekly: [[]]) }
    }

    @Test("JSON written reads back the same")
    func json() throws {
        #expect(try OpeningCalendar(json: branch.json) == branch)
        #expect(try OpeningCalendar(json: branch.json).hashValue == branch.hashValue)
        #expect(try OpeningCalendar(json: [:]) == .alwaysOpen)
        #expect(try OpeningCalendar(json: JSONParser.parse(branch.json.text(pretty: true))) == branch)
        #expect(branch.opened.count == 3)
        #expect(branch != .alwaysOpen)
    }

    @Test("Hours of one exceptional day given twice are joined")
    func joined() throws {
        let calendar = try OpeningCalendar(
            json: [
                "weekly": [:],
                "open": [
                    ["date": "2026-06-07", "hours": [["14:00", "16:00"]]],
                    ["date": "2026-06-07", "hours": [["09:00", "11:00"]]],
                ],
            ])
        #expect(calendar.hours(on: try date("2026-06-07")).map(\.description) == ["09:00-11:00", "14:00-16:00"])
    }
}
