import Circulation
import Testing
import TextFormats

@Suite("Due times of loans that are asked for to be shorter")
struct WantedUntilTests {
    /// Fields of one row, the last day that is asked for and the due time in local words.
    struct Example: Sendable, CustomTestStringConvertible {
        var fields: [String: RuleValue] = ["loan": .period(.days(14))]
        var until: String
        var now = "2026-05-20T12:00"
        var due: String
        var testDescription: String { "\(fields) at \(now) until \(until): \(due)" }
    }

    private static func fields(closed: String, _ period: Period = .days(14)) -> [String: RuleValue] {
        ["loan": .period(period), "closed": .text(closed)]
    }

    // 2026-05-20 is a Wednesday; the branch is open from Monday to Friday, 09:00 to 17:00.
    @Test(
        "a shorter loan ends as asked, a longer one as the rule says",
        arguments: [
            Example(until: "2026-05-28", due: "2026-05-28 17:00"),
            Example(until: "2026-06-02", due: "2026-06-02 17:00"),
            Example(until: "2026-06-03", due: "2026-06-03 17:00"),
            Example(until: "2026-06-04", due: "2026-06-03 17:00"),
            Example(until: "9999-12-31", due: "2026-06-03 17:00"),
            Example(until: "2026-05-20", due: "2026-05-20 17:00"),
            Example(
                fields: ["loan": .period(.days(14)), "due_time": .text("end_of_day")], until: "2026-05-28",
                due: "2026-05-28 23:59:59"),
            Example(
                fields: ["loan": .period(.days(14)), "due_limit": .date(CivilDate.may(26))], until: "2026-05-28",
                due: "2026-05-26 17:00"),
            Example(
                fields: ["loan": .period(.days(14)), "due_limit": .date(CivilDate.may(26))], until: "2026-05-22",
                due: "2026-05-22 17:00"),
            Example(fields: ["due_at": .date(CivilDate.may(29))], until: "2026-05-25", due: "2026-05-25 17:00"),
        ])
    func shorter(_ example: Example) throws { try check(example) }

    @Test(
        "the day moves off closed days as the row moves others, and never beyond what the rule grants",
        arguments: [
            Example(until: "2026-05-30", due: "2026-06-01 17:00"),
            Example(fields: fields(closed: "previous_open"), until: "2026-05-30", due: "2026-05-29 17:00"),
            Example(fields: fields(closed: "keep"), until: "2026-05-30", due: "2026-05-30 23:59:59"),
            Example(fields: fields(closed: "open_days"), until: "2026-05-30", due: "2026-06-01 17:00"),
            Example(fields: fields(closed: "same_weekday"), until: "2026-05-30", due: "2026-06-01 17:00"),
            // No open day is left before today: the next one.
            Example(
                fields: fields(closed: "previous_open"), until: "2026-05-24", now: "2026-05-23T12:00",
                due: "2026-05-25 17:00"),
            // The rule's own day is the Friday before.
            Example(fields: fields(closed: "next_open", .days(9)), until: "2026-05-28", due: "2026-05-28 17:00"),
            Example(fields: fields(closed: "next_open", .days(10)), until: "2026-05-31", due: "2026-06-01 17:00"),
        ])
    func closedDays(_ example: Example) throws { try check(example) }

    @Test(
        "of today after closing, and of a day that has passed, the next time that will do is meant",
        arguments: [
            Example(until: "2026-05-20", now: "2026-05-20T17:30", due: "2026-05-21 17:00"),
            Example(until: "2026-05-01", due: "2026-05-20 17:00"),
            Example(until: "2026-05-22", now: "2026-05-22T18:00", due: "2026-05-25 17:00"),
        ])
    func passed(_ example: Example) throws { try check(example) }

    @Test(
        "loans of hours end earlier only where a day earlier is asked for",
        arguments: [
            Example(fields: ["loan": .period(.hours(4))], until: "2026-05-20", due: "2026-05-20 16:00 exactly"),
            Example(fields: ["loan": .period(.hours(48))], until: "2026-05-21", due: "2026-05-21 17:00"),
            Example(fields: ["loan": .period(.hours(48))], until: "2026-05-22", due: "2026-05-22 12:00 exactly"),
        ])
    func hours(_ example: Example) throws { try check(example) }

    private func check(_ example: Example) throws {
        var question = try Sample.checkout(now: example.now)
        question.request = RequestFacts(size: 1, titles: [10], index: 1)
        question.request?.wantedUntil = try Sample.date(example.until)
        #expect(try Sample.tables([Sample.row(example.fields)]).dueWords(for: question) == example.due)
    }

    @Test("what is asked for is never later than the rule, whatever the calendar, the day and the row")
    func neverLater() throws {
        let calendars = try [
            Sample.calendar(), Sample.calendar(closed: ["2026-05-21", "2026-05-22", "2026-05-28", "2026-06-01"]),
            .alwaysOpen,
        ]
        var shorter = 0
        for calendar in calendars {
            for closed in ["keep", "next_open", "previous_open", "same_weekday", "open_days"] {
                for period in [Period.days(1), .days(7), .weeks(2), .openDays(5), .hours(30)] {
                    let tables = try Sample.tables([Sample.row(Self.fields(closed: closed, period))])
                    var question = try Sample.checkout(calendar: calendar)
                    let rule = try tables.rule(for: question)
                    let ruled = try #require(try tables.dueTime(for: question, rule: rule))
                    for day in 0...20 {
                        let until = try question.today.adding(days: Int64(day))
                        question.request = RequestFacts(size: 1, titles: [10], index: 1, wantedUntil: until)
                        let due = try #require(try tables.dueTime(for: question, rule: rule))
                        #expect(due.instant <= ruled.instant && due.instant > question.now)
                        #expect(until < ruled.date || due == ruled, "\(closed) \(period) \(until)")
                        if due.instant < ruled.instant { shorter += 1 }
                    }
                }
            }
        }
        #expect(shorter > 100)
    }

    @Test("a branch that never opens lends until the day that is asked for, where the row keeps closed days")
    func neverOpen() throws {
        let calendar = try Sample.calendar("{}")
        var question = try Sample.checkout(calendar: calendar)
        question.request = RequestFacts(size: 1, titles: [10], index: 1, wantedUntil: try Sample.date("2026-05-25"))
        let keeping = try Sample.tables([Sample.row(Self.fields(closed: "keep"))])
        #expect(try keeping.dueWords(for: question) == "2026-05-25 23:59:59")
    }

    @Test("renewals do not ask")
    func renewals() throws {
        var question = try Sample.overdue(due: "2026-05-21T17:00", now: "2026-05-20T12:00", point: .renew)
        question.request = RequestFacts(size: 1, titles: [10], index: 1, wantedUntil: try Sample.date("2026-05-25"))
        let tables = try Sample.tables([Sample.row(["loan": .period(.days(14)), "renewals": .integer(2)])])
        let due = try #require(try tables.renewalDue(for: question, rule: tables.rule(for: question)))
        #expect(due.words(in: question.zone) == "2026-06-03 17:00")
    }

    @Test("a case keeps the day, and says nothing of it where none is asked for")
    func json() throws {
        let asked = try Case(json: JSONParser.parse(#"{"request":{"wanted_until":"2026-05-28"}}"#))
        #expect(try asked.request?.wantedUntil == Sample.date("2026-05-28"))
        #expect(asked.json["request"]?["wanted_until"] == "2026-05-28")
        #expect(try Case(json: asked.json) == asked)
        let plain = try Case(json: [:])
        #expect(plain.request?.wantedUntil == nil && plain.json["request"]?["wanted_until"] == nil)
        #expect(try Case(json: JSONParser.parse(#"{"request":{"wanted_until":null}}"#)) == plain)
    }

    @Test("what is no date is an error", arguments: [.string("soon"), .integer(20_260_528), .bool(true), []] as [JSON])
    func malformed(value: JSON) {
        #expect(throws: CaseError.self) { try Case(json: ["request": ["wanted_until": value]]) }
    }
}

extension CivilDate {
    fileprivate static func may(_ day: Int) -> CivilDate {
        (try? CivilDate(year: 2026, month: 5, day: day)) ?? .earliest
    }
}
