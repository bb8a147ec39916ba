import Circulation
import Testing

@Suite("Notices")
struct NoticeTests {
    private func row(
        _ stage: String, before: Period? = nil, after: Period? = nil, every: Period? = nil, times: Int64? = nil,
        charge: Money? = nil, where conditions: RowConditions = RowConditions()
    ) -> NoticeRow {
        NoticeRow(
            conditions: conditions, stage: stage, before: before, after: after, every: every, times: times,
            charge: charge, channel: "email", subject: "S", body: "B", place: Sample.place(1))
    }

    private func tables(_ rows: NoticeRow...) throws -> CompiledTables {
        try PolicyTables(notices: rows).compiled()
    }

    /// The stages due, `-` before superseded ones, `/n` after repetitions.
    private func words(_ tables: CompiledTables, _ question: Case) throws -> [String] {
        try tables.noticesDue(for: question, when: Sample.noCondition).map { order in
            (order.isSuperseded ? "-" : "") + order.stage + (order.repetition > 0 ? "/\(order.repetition)" : "")
        }
    }

    private func question(_ now: String, recorded: [(String, Int64)] = []) throws -> Case {
        var question = try Sample.overdue(due: "2026-05-18T17:00", now: now)
        question.loan?.notices = recorded.map { NoticeFacts(stage: $0, repetition: $1, at: question.now) }
        return question
    }

    @Test(
        "stages of days are reached at the midnight that opens their day",
        arguments: [
            ("2026-05-15T23:59", []), ("2026-05-16T00:00", ["soon"]), ("2026-05-18T16:59", ["-soon", "today"]),
            ("2026-05-18T17:01", ["today"]), ("2026-05-19T00:00", ["-today", "first"]),
            ("2026-05-25T00:00", ["-today", "-first", "open"]),
        ])
    func stages(_ now: String, expected: [String]) throws {
        let tables = try tables(
            row("soon", before: .days(2)), row("today", after: .days(0)), row("first", after: .days(1)),
            row("open", after: .openDays(5)))
        #expect(try words(tables, question(now)) == expected)
    }

    @Test(
        "stages of hours count from the due instant",
        arguments: [
            ("2026-05-18T14:59", []), ("2026-05-18T15:00", ["soon"]), ("2026-05-18T17:00", ["due"]),
            ("2026-05-18T19:59", ["due"]), ("2026-05-18T20:00", ["-due", "late"]),
        ])
    func hours(_ now: String, expected: [String]) throws {
        let tables = try tables(row("soon", before: .hours(2)), row("due"), row("late", after: .hours(3)))
        #expect(try words(tables, question(now)) == expected)
    }

    @Test("what is recorded for this due time is not noticed again")
    func unique() throws {
        let tables = try tables(row("first", after: .days(1)), row("second", after: .days(8)))
        #expect(try words(tables, question("2026-05-20T06:00", recorded: [("first", 0)])) == [])
        #expect(try words(tables, question("2026-05-26T06:00", recorded: [("first", 0)])) == ["second"])
        #expect(try words(tables, question("2026-05-26T06:00", recorded: [("second", 0)])) == ["-first"])
        #expect(try words(tables, question("2026-06-26T06:00", recorded: [("first", 0), ("second", 0)])) == [])
    }

    @Test(
        "a stage repeats as often as it says, and missed repetitions are superseded",
        arguments: [
            ("2026-05-20T06:00", []), ("2026-05-25T06:00", ["again"]), ("2026-06-02T06:00", ["-again", "again/1"]),
            ("2026-12-01T06:00", ["-again", "-again/1", "again/2"]),
        ])
    func repetitions(_ now: String, expected: [String]) throws {
        let tables = try tables(row("again", after: .days(7), every: .days(7), times: 3))
        #expect(try words(tables, question(now)) == expected)
    }

    @Test("a stage before the due time repeats until then")
    func repeatedBefore() throws {
        let tables = try tables(row("soon", before: .days(3), every: .hours(24)))
        #expect(try words(tables, question("2026-05-17T01:00", recorded: [("soon", 0), ("soon", 1)])) == ["soon/2"])
        #expect(try words(tables, question("2026-05-18T17:00")) == [])
    }

    @Test("a stage that repeats without end for years records a bounded number of missed ones")
    func withoutEnd() throws {
        let tables = try tables(row("again", after: .hours(1), every: .minutes(1)))
        let orders = try tables.noticesDue(for: question("2036-05-20T06:00"), when: Sample.noCondition)
        #expect(orders.count == Int(CompiledTables.repetitionsRecorded))
        #expect(orders.last?.isSuperseded == false)
        #expect(orders.count { !$0.isSuperseded } == 1)
    }

    @Test("of rows of one stage the first that matches holds")
    func conditions() throws {
        let tables = try tables(
            row("first", after: .days(9), where: RowConditions(categories: ["staff"])),
            row("first", after: .days(1), charge: try Sample.money("1.00")), row("first", after: .days(0)))
        let orders = try tables.noticesDue(for: question("2026-05-19T06:00"), when: Sample.noCondition)
        #expect(orders.map(\.origin?.row) == [2])
        #expect(orders.first?.charge == (try Sample.money("1.00")))
    }

    @Test("a superseded notice charges nothing")
    func supersededCharge() throws {
        let money = try Sample.money("1.00")
        let tables = try tables(
            row("first", after: .days(1), charge: money), row("second", after: .days(2), charge: money))
        let orders = try tables.noticesDue(for: question("2026-05-22T06:00"), when: Sample.noCondition)
        #expect(orders.map(\.charge) == [nil, money])
    }

    @Test("sweeping daily, hourly or once a month sends each stage at most once, and ends at the same stage")
    func sweeps() throws {
        let tables = try tables(
            row("soon", before: .days(2)), row("first", after: .days(1)),
            row("second", after: .days(7), every: .days(7), times: 3))
        func sweep(everyHours step: Int64) throws -> [String] {
            var question = try question("2026-05-10T02:00")
            var sent: [String] = []
            for _ in 0..<(2000 / step) {
                question.now = try question.now.adding(hours: step)
                for order in try tables.noticesDue(for: question, when: Sample.noCondition) {
                    question.loan?.notices.append(
                        NoticeFacts(stage: order.stage, repetition: order.repetition, at: question.now))
                    if !order.isSuperseded { sent.append("\(order.stage)/\(order.repetition)") }
                }
            }
            return sent
        }
        let all = ["soon/0", "first/0", "second/0", "second/1", "second/2"]
        #expect(try sweep(everyHours: 24) == all)
        #expect(try sweep(everyHours: 1) == all)
        #expect(try sweep(everyHours: 31 * 24) == ["second/2"])
    }

    @Test(
        "a loan enters the sweep before its first notice is reached",
        arguments: [Period.days(2), .weeks(1), .months(1), .hours(5), .openDays(3)])
    func lead(_ before: Period) throws {
        let tables = try tables(row("soon", before: before), row("late", after: .days(1)))
        let question = try question("2026-05-18T16:00")
        let due = try #require(question.loan).dueAt
        let back = try tables.firstNoticeLead.negated()
        let enters = try back.added(to: due, in: question.zone, calendar: question.calendar)
        var early = question
        early.now = enters
        #expect(try words(tables, early).isEmpty)
        #expect(CompiledTables.empty.firstNoticeLead == .minutes(0))
    }
}
