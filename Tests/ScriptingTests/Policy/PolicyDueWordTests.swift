import Circulation
import Scripting
import Testing

@Suite("Words of policies for due times")
struct PolicyDueWordTests {
    private func due(_ answer: String, calendar: OpeningCalendar = .alwaysOpen) throws -> String? {
        var question = PolicySupport.question()
        question.calendar = calendar
        let policy = try PolicySupport.policy(
            body: "rules = { { loan = days(14) } }, due = function(case, rule) return \(answer) end")
        let decision = policy.decide(question)
        if let failure = decision.failure { return failure.message }
        return decision.due.map { $0.isExact ? $0.instant.description : $0.date.description }
    }

    /// Thursday and Friday 9 to 12 and 14 to 18, otherwise closed. The question is put on Thursday at noon.
    private var shortWeek: OpeningCalendar {
        get throws {
            let hours = try [
                OpeningHours(CivilTime(hour: 9, minute: 0), to: CivilTime(hour: 12, minute: 30)),
                OpeningHours(CivilTime(hour: 14, minute: 0), to: CivilTime(hour: 18, minute: 0)),
            ]
            return try OpeningCalendar(weekly: [[], [], [], hours, hours, [], []])
        }
    }

    @Test(
        "a date with a time of day is an exact due time",
        arguments: [
            (#"exact(date "2026-02-01", "11:30")"#, "2026-02-01T11:30:00Z"),
            (#"exact(date(case.now + days(3)), "23:59:59")"#, "2026-01-18T23:59:59Z"),
        ])
    func exactDate(answer: String, expected: String) throws {
        #expect(try due(answer) == expected)
    }

    @Test("an exact due time of a date needs a time of day")
    func exactWithoutTime() throws {
        #expect(try due(#"exact(date "2026-02-01")"#)?.contains("argument 2 must be a time of day") == true)
        #expect(try due(#"exact(date "2026-02-01", "noon")"#)?.contains("argument 2 must be a time of day") == true)
    }

    @Test(
        "the calendar tells when the hours end and when the branch next opens",
        arguments: [
            ("case.calendar.closing(case.now)", "2026-01-15T12:30:00Z"),
            ("case.calendar.closing(date(case.now))", "2026-01-15T18:00:00Z"),
            ("case.calendar.next_opening(case.now)", "2026-01-15T14:00:00Z"),
            ("case.calendar.next_opening(case.now + hours(3))", "2026-01-16T09:00:00Z"),
            ("case.calendar.next_opening(date(case.now + days(1)))", "2026-01-16T09:00:00Z"),
            ("case.calendar.next_opening(date(case.now + days(2)))", "2026-01-22T09:00:00Z"),
        ])
    func hours(answer: String, expected: String) throws {
        #expect(try due(answer, calendar: shortWeek) == expected)
    }

    @Test(
        "there is no closing where the branch is closed",
        arguments: ["case.now + hours(1)", "date(case.now + days(2))"])
    func noClosing(moment: String) throws {
        let answer = "case.calendar.closing(\(moment)) == nil and date \"2026-03-01\" or nil"
        #expect(try due(answer, calendar: shortWeek) == "2026-03-01")
    }
}
