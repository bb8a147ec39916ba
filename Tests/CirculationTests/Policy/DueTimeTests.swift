import Circulation
import Testing

@Suite("Due times")
struct DueTimeTests {
    /// Fields of one row, the local moment of lending and the due time in local words.
    struct Example: Sendable, CustomTestStringConvertible {
        var fields: [String: RuleValue]
        var now = "2026-05-20T12:00"
        var closed: [String] = []
        var expires: String?
        var due: String
        var testDescription: String { "\(fields) at \(now): \(due)" }
    }

    private func check(_ example: Example) throws {
        var question = try Sample.checkout(now: example.now, calendar: Sample.calendar(closed: example.closed))
        question.patron.expiresOn = try example.expires.map { try Sample.date($0) }
        let words = try Sample.tables([Sample.row(example.fields)]).dueWords(for: question)
        #expect(words == example.due)
    }

    // 2026-05-20 is a Wednesday; the branch is open from Monday to Friday, 09:00 to 17:00.
    @Test(
        "a loan of days is due at closing on its day",
        arguments: [
            Example(fields: ["loan": .period(.days(1))], due: "2026-05-21 17:00"),
            Example(fields: ["loan": .period(.weeks(2))], due: "2026-06-03 17:00"),
            Example(fields: ["loan": .period(.months(1))], now: "2026-01-30T12:00", due: "2026-03-02 17:00"),
            Example(
                fields: ["loan": .period(.months(1)), "closed": .text("keep")], now: "2026-01-31T12:00",
                due: "2026-02-28 23:59:59"),
            Example(fields: ["loan": .period(.openDays(3))], due: "2026-05-25 17:00"),
            Example(fields: ["loan": .period(.days(0))], due: "2026-05-20 17:00"),
            Example(fields: ["loan": .period(.days(0))], now: "2026-05-20T17:30", due: "2026-05-21 17:00"),
            Example(
                fields: ["loan": .period(.days(0)), "closed": .text("keep")], now: "2026-05-22T18:00",
                due: "2026-05-23 23:59:59"),
            Example(fields: ["loan": .period(.days(1)), "due_time": .text("end_of_day")], due: "2026-05-21 23:59:59"),
            Example(fields: ["loan": .period(.days(1)), "due_time": .text("08:30")], due: "2026-05-21 08:30"),
        ])
    func days(_ example: Example) throws { try check(example) }

    @Test(
        "a due date on a closed day moves as the row says",
        arguments: [
            Example(fields: ["loan": .period(.days(3))], due: "2026-05-25 17:00"),
            Example(fields: ["loan": .period(.days(3)), "closed": .text("keep")], due: "2026-05-23 23:59:59"),
            Example(fields: ["loan": .period(.days(3)), "closed": .text("previous_open")], due: "2026-05-22 17:00"),
            Example(fields: ["loan": .period(.days(3)), "closed": .text("open_days")], due: "2026-05-25 17:00"),
            Example(fields: ["loan": .period(.weeks(1)), "closed": .text("open_days")], due: "2026-05-29 17:00"),
            Example(
                fields: ["loan": .period(.weeks(1)), "closed": .text("same_weekday")], closed: ["2026-05-27"],
                due: "2026-06-03 17:00"),
            Example(
                fields: ["loan": .period(.days(7)), "closed": .text("same_weekday")],
                closed: ["2026-05-27", "2026-06-03"], due: "2026-06-10 17:00"),
            Example(
                fields: ["loan": .period(.days(8)), "closed": .text("same_weekday")], closed: ["2026-05-28"],
                due: "2026-05-29 17:00"),
            Example(
                fields: ["loan": .period(.weeks(1)), "closed": .text("same_weekday")], now: "2026-05-23T12:00",
                due: "2026-06-01 17:00"),
            Example(
                fields: ["loan": .period(.days(1)), "closed": .text("previous_open")], now: "2026-05-23T12:00",
                due: "2026-05-25 17:00"),
        ])
    func closedDays(_ example: Example) throws { try check(example) }

    @Test(
        "a loan of hours is due exactly then, and moves only if the row says so",
        arguments: [
            Example(fields: ["loan": .period(.hours(3))], due: "2026-05-20 15:00 exactly"),
            Example(fields: ["loan": .period(.minutes(90))], due: "2026-05-20 13:30 exactly"),
            Example(fields: ["loan": .period(.hours(6))], due: "2026-05-20 18:00 exactly"),
            Example(
                fields: ["loan": .period(.hours(6)), "closed_hours": .text("next_open")],
                due: "2026-05-21 09:00 exactly"),
            Example(
                fields: ["loan": .period(.hours(6)), "closed_hours": .text("previous_close")],
                due: "2026-05-20 17:00 exactly"),
            Example(
                fields: ["loan": .period(.hours(5)), "closed_hours": .text("next_open")],
                due: "2026-05-20 17:00 exactly"),
            Example(
                fields: ["loan": .period(.hours(1)), "closed_hours": .text("previous_close")],
                now: "2026-05-20T17:30", due: "2026-05-21 09:00 exactly"),
            Example(fields: ["loan": .period(.hours(72))], due: "2026-05-25 09:00 exactly"),
            Example(
                fields: ["loan": .period(.hours(72)), "closed": .text("previous_open")],
                due: "2026-05-22 17:00 exactly"),
            Example(
                fields: ["loan": .period(.hours(72)), "closed": .text("keep")], due: "2026-05-23 12:00 exactly"),
        ])
    func hours(_ example: Example) throws { try check(example) }

    @Test(
        "a cap brings the due date forward, back over closed days, never beyond it",
        arguments: [
            Example(
                fields: ["loan": .period(.weeks(4)), "due_limit": .date(try Sample.date("2026-06-04"))],
                due: "2026-06-04 17:00"),
            Example(
                fields: ["loan": .period(.weeks(4)), "due_limit": .date(try Sample.date("2026-06-07"))],
                due: "2026-06-05 17:00"),
            Example(
                fields: [
                    "loan": .period(.weeks(4)), "due_limit": .date(try Sample.date("2026-06-07")),
                    "closed": .text("keep"),
                ], due: "2026-06-07 23:59:59"),
            Example(
                fields: ["loan": .period(.days(3)), "due_limit": .date(try Sample.date("2026-05-24"))],
                due: "2026-05-22 17:00"),
            Example(fields: ["loan": .period(.weeks(4))], expires: "2026-05-31", due: "2026-05-29 17:00"),
            Example(
                fields: ["loan": .period(.weeks(4)), "due_expiry": .boolean(false)], expires: "2026-05-31",
                due: "2026-06-17 17:00"),
            Example(
                fields: ["loan": .period(.weeks(1)), "due_limit": .date(try Sample.date("2026-05-19"))],
                due: "2026-05-27 17:00"),
            Example(
                fields: ["loan": .period(.hours(48))], expires: "2026-05-21", due: "2026-05-21 17:00"),
            Example(
                fields: ["loan": .period(.weeks(1))], now: "2026-05-23T12:00", expires: "2026-05-24",
                due: "2026-05-24 23:59:59"),
        ])
    func caps(_ example: Example) throws { try check(example) }

    @Test(
        "a fixed date is due at closing of that day, or of the next open one",
        arguments: [
            Example(fields: ["due_at": .date(try Sample.date("2026-06-30"))], due: "2026-06-30 17:00"),
            Example(
                fields: ["due_at": .date(try Sample.date("2026-06-30")), "loan": .period(.days(1))],
                due: "2026-06-30 17:00"),
            Example(
                fields: ["due_at": .date(try Sample.date("2026-05-01")), "loan": .period(.days(1))],
                due: "2026-05-21 17:00"),
            // 2026-05-23 is a Saturday, 2026-05-25 a Monday.
            Example(fields: ["due_at": .date(try Sample.date("2026-05-23"))], due: "2026-05-25 17:00"),
            Example(
                fields: ["due_at": .date(try Sample.date("2026-05-23")), "closed": .text("next_open")],
                closed: ["2026-05-25"], due: "2026-05-26 17:00"),
            Example(
                fields: ["due_at": .date(try Sample.date("2026-05-23")), "closed": .text("previous_open")],
                due: "2026-05-22 17:00"),
            Example(
                fields: ["due_at": .date(try Sample.date("2026-05-23")), "closed": .text("previous_open")],
                now: "2026-05-22T17:00", due: "2026-05-25 17:00"),
            Example(
                fields: ["due_at": .date(try Sample.date("2026-05-23")), "closed": .text("keep")],
                due: "2026-05-23 23:59:59"),
            Example(
                fields: ["due_at": .date(try Sample.date("2026-05-23")), "closed": .text("open_days")],
                due: "2026-05-25 17:00"),
            Example(
                fields: ["due_at": .date(try Sample.date("2026-05-23")), "closed": .text("same_weekday")],
                due: "2026-05-25 17:00"),
            Example(
                fields: [
                    "due_at": .date(try Sample.date("2026-05-23")), "closed": .text("same_weekday"),
                    "loan": .period(.weeks(2)),
                ], due: "2026-05-25 17:00"),
            Example(
                fields: ["due_at": .date(try Sample.date("2026-05-23")), "due_time": .text("10:00")],
                due: "2026-05-25 10:00"),
            // Moved beyond the limit, it comes back to the last open day before.
            Example(
                fields: [
                    "due_at": .date(try Sample.date("2026-05-23")),
                    "due_limit": .date(try Sample.date("2026-05-24")),
                ], due: "2026-05-22 17:00"),
            Example(
                fields: ["due_at": .date(try Sample.date("2026-05-23"))], expires: "2026-05-23", due: "2026-05-22 17:00"
            ),
        ])
    func fixedDates(_ example: Example) throws { try check(example) }

    @Test(
        "a loan that would be due as it begins is the policy's failure, at its line",
        arguments: [
            ["loan": .period(.hours(0))], ["loan": .period(.minutes(0)), "closed": .text("keep")],
        ] as [[String: RuleValue]])
    func noLength(_ fields: [String: RuleValue]) throws {
        let tables = try Sample.tables([Sample.row(fields)])
        let failure = #expect(throws: PolicyFailure.self) { try tables.dueWords(for: Sample.checkout()) }
        #expect(failure?.code == "bad_answer" && failure?.line == 10)
        #expect(failure?.message.contains("a loan of no length") == true)
    }

    @Test("at the due time of a day itself, the next day that will do is meant")
    func atClosing() throws {
        try check(Example(fields: ["loan": .period(.days(0))], now: "2026-05-20T17:00", due: "2026-05-21 17:00"))
        try check(
            Example(
                fields: ["due_at": .date(try Sample.date("2026-05-20"))], now: "2026-05-20T17:00",
                due: "2026-05-21 17:00"))
        try check(
            Example(
                fields: ["loan": .period(.hours(3)), "closed_hours": .text("previous_close")],
                now: "2026-05-20T17:00", due: "2026-05-21 09:00 exactly"))
    }

    @Test("a fixed date alone that has passed is the policy's failure, at its line")
    func passedFixedDate() throws {
        let tables = try Sample.tables([Sample.row(["due_at": .date(Sample.date("2026-05-01"))])])
        let failure = #expect(throws: PolicyFailure.self) { try tables.dueWords(for: Sample.checkout()) }
        #expect(failure?.code == "bad_answer")
        #expect(failure?.line == 10)
    }

    @Test("a calendar without an open day in ten years is the policy's failure")
    func neverOpen() throws {
        let question = try Sample.checkout(calendar: Sample.calendar("{}"))
        let tables = try Sample.tables([Sample.row(["loan": .period(.days(1))])])
        #expect(throws: PolicyFailure.self) { try tables.dueWords(for: question) }
        let keeping = try Sample.tables([Sample.row(["loan": .period(.days(1)), "closed": .text("keep")])])
        #expect(try keeping.dueWords(for: question) == "2026-05-21 23:59:59")
    }

    @Test("a period beyond the calendar is the policy's failure")
    func outOfRange() throws {
        let tables = try Sample.tables([Sample.row(["loan": .period(.weeks(.max))])])
        #expect(throws: PolicyFailure.self) { try tables.dueWords(for: Sample.checkout()) }
    }

    @Test("nothing that says how long: no due time")
    func noLoan() throws {
        #expect(try Sample.tables([Sample.row(["closed": .text("keep")])]).dueWords(for: Sample.checkout()) == nil)
        let none = try Sample.tables([Sample.row(["loan": .none]), Sample.row(["loan": .period(.days(1))])])
        #expect(try none.dueWords(for: Sample.checkout()) == nil)
    }

    @Test("days keep the wall clock across a change of clocks, hours do not")
    func clockChanges() throws {
        // In Berlin clocks go forward on 2026-03-29 at 02:00.
        let days = try Sample.tables([Sample.row(["loan": .period(.days(2)), "due_time": .text("02:30")])])
        #expect(try days.dueWords(for: Sample.checkout(now: "2026-03-27T12:00")) == "2026-03-30 02:30")
        let keep = try Sample.tables([
            Sample.row(["loan": .period(.days(2)), "due_time": .text("02:30"), "closed": .text("keep")])
        ])
        #expect(try keep.dueWords(for: Sample.checkout(now: "2026-03-27T12:00")) == "2026-03-29 03:30")
        let hours = try Sample.tables([Sample.row(["loan": .period(.hours(24)), "closed": .text("keep")])])
        #expect(try hours.dueWords(for: Sample.checkout(now: "2026-03-28T12:00")) == "2026-03-29 13:00 exactly")
    }

    @Test("a branch that closes at midnight is due on the last second of its day")
    func midnight() throws {
        let calendar = try Sample.calendar(hours: #"[["09:00","24:00"]]"#)
        let tables = try Sample.tables([Sample.row(["loan": .period(.days(1))])])
        #expect(try tables.dueWords(for: Sample.checkout(calendar: calendar)) == "2026-05-21 23:59:59")
    }

    @Test("a date that a function answers stands, closed or not, at the rule's time of day")
    func answeredDates() throws {
        let tables = try Sample.tables([])
        let question = try Sample.checkout()
        func words(_ date: String, _ fields: [String: RuleValue] = [:]) throws -> String {
            try tables.dueTime(answered: Sample.date(date), for: question, rule: MatchedRule(fields: fields))
                .words(in: question.zone)
        }
        #expect(try words("2026-05-22") == "2026-05-22 17:00")
        #expect(try words("2026-05-23") == "2026-05-23 23:59:59")
        #expect(try words("2026-05-22", ["due_time": .text("10:00")]) == "2026-05-22 10:00")
        #expect(try words("2026-05-20", ["due_time": .text("10:00")]) == "2026-05-20 23:59:59")
        #expect(throws: PolicyFailure.self) { try words("2026-05-19") }
        let last = try Sample.checkout(now: "2026-05-20T23:59:59")
        #expect(throws: PolicyFailure.self) {
            try tables.dueTime(answered: Sample.date("2026-05-20"), for: last, rule: MatchedRule(fields: [:]))
        }
    }

    @Test("an exact time that a function answers stands; one that is not after now is a failure")
    func answeredInstants() throws {
        let question = try Sample.checkout()
        let due = try Sample.tables([]).dueTime(answeredExactly: Sample.instant("2026-05-23T03:00"), for: question)
        #expect(due.words(in: question.zone) == "2026-05-23 03:00 exactly")
        for past in ["2026-05-20T11:59", "2026-05-20T12:00"] {
            #expect(throws: PolicyFailure.self) {
                try Sample.tables([]).dueTime(answeredExactly: Sample.instant(past), for: question)
            }
        }
    }
}
