import Circulation
import TestSupport
import Testing

@Suite("Fines")
struct FineTests {
    struct Example: Sendable, CustomTestStringConvertible {
        var fields: [String: RuleValue]
        var due = "2026-05-18T17:00"
        var now: String
        var fine: String
        var testDescription: String { "\(fields) due \(due) at \(now): \(fine)" }
    }

    static let daily: [String: RuleValue] = ["fine": .money(Money(minorUnits: 20, currency: .eur))]
    static let hourly = daily.merging(["per": .period(.hours(1))]) { $1 }

    static func daily(_ more: [String: RuleValue]) -> [String: RuleValue] { daily.merging(more) { $1 } }
    static func hourly(_ more: [String: RuleValue]) -> [String: RuleValue] { hourly.merging(more) { $1 } }

    private func fine(_ fields: [String: RuleValue], _ question: Case) throws -> String? {
        try Sample.tables([]).fine(for: question, rule: MatchedRule(fields: fields))?.amountText
    }

    private func check(_ example: Example) throws {
        let question = try Sample.overdue(due: example.due, now: example.now)
        #expect(try fine(example.fields, question) == example.fine)
    }

    // 2026-05-18 is a Monday; the branch is open from Monday to Friday, 09:00 to 17:00.
    @Test(
        "days are civil days after the due date",
        arguments: [
            Example(fields: daily, now: "2026-05-18T23:59", fine: "0.00"),
            Example(fields: daily, now: "2026-05-19T00:00", fine: "0.20"),
            Example(fields: daily, now: "2026-05-25T12:00", fine: "1.40"),
            Example(fields: daily(["fine_closed_days": .boolean(false)]), now: "2026-05-25T12:00", fine: "1.00"),
            Example(fields: daily(["per": .period(.openDays(2))]), now: "2026-05-25T12:00", fine: "0.60"),
            Example(fields: daily(["per": .period(.weeks(1))]), now: "2026-05-26T12:00", fine: "0.40"),
            Example(
                fields: daily(["per": .period(.weeks(1)), "rounding": .text("whole")]), now: "2026-05-26T12:00",
                fine: "0.20"),
            Example(
                fields: daily(["per": .period(.months(1))]), due: "2026-01-31T17:00", now: "2026-03-31T12:00",
                fine: "0.40"),
            Example(
                fields: daily(["per": .period(.months(1))]), due: "2026-01-31T17:00", now: "2026-04-01T12:00",
                fine: "0.60"),
            Example(fields: daily, due: "2026-05-20T17:00", now: "2026-05-01T12:00", fine: "0.00"),
        ])
    func days(_ example: Example) throws { try check(example) }

    @Test(
        "hours count from the due instant",
        arguments: [
            Example(fields: hourly, now: "2026-05-18T17:00", fine: "0.00"),
            Example(fields: hourly, now: "2026-05-18T17:01", fine: "0.20"),
            Example(fields: hourly, now: "2026-05-18T19:00", fine: "0.40"),
            Example(fields: hourly(["rounding": .text("whole")]), now: "2026-05-18T18:59", fine: "0.20"),
            Example(
                fields: hourly(["fine_closed_days": .boolean(false)]), now: "2026-05-19T11:00", fine: "0.40"),
            Example(
                fields: hourly(["fine_closed_days": .boolean(false)]), due: "2026-05-22T12:00",
                now: "2026-05-25T10:30", fine: "1.40"),
        ])
    func hours(_ example: Example) throws { try check(example) }

    @Test(
        "a grace costs nothing; past it the whole time counts, or only what exceeds it",
        arguments: [
            Example(fields: daily(["grace": .period(.days(2))]), now: "2026-05-20T12:00", fine: "0.00"),
            Example(fields: daily(["grace": .period(.days(2))]), now: "2026-05-21T12:00", fine: "0.60"),
            Example(
                fields: daily(["grace": .period(.days(2)), "grace_mode": .text("deduct")]), now: "2026-05-21T12:00",
                fine: "0.20"),
            Example(fields: daily(["grace": .period(.openDays(4))]), now: "2026-05-23T12:00", fine: "0.00"),
            Example(fields: daily(["grace": .period(.openDays(4))]), now: "2026-05-25T12:00", fine: "1.40"),
            Example(
                fields: daily([
                    "grace": .period(.days(4)), "fine_closed_days": .boolean(false), "grace_mode": .text("deduct"),
                ]), now: "2026-05-26T12:00", fine: "0.40"),
            Example(fields: daily(["grace": .period(.weeks(1))]), now: "2026-05-25T12:00", fine: "0.00"),
            Example(fields: daily(["grace": .period(.weeks(1))]), now: "2026-05-26T12:00", fine: "1.60"),
            Example(fields: hourly(["grace": .period(.minutes(30))]), now: "2026-05-18T17:30", fine: "0.00"),
            Example(fields: hourly(["grace": .period(.minutes(30))]), now: "2026-05-18T18:31", fine: "0.40"),
            Example(
                fields: hourly(["grace": .period(.minutes(30)), "grace_mode": .text("deduct")]),
                now: "2026-05-18T18:30", fine: "0.20"),
            Example(
                fields: hourly([
                    "grace": .period(.hours(2)), "grace_mode": .text("deduct"), "fine_closed_days": .boolean(false),
                ]), now: "2026-05-19T12:00", fine: "0.20"),
            Example(fields: hourly(["grace": .period(.days(1))]), now: "2026-05-19T17:30", fine: "0.00"),
            Example(
                fields: hourly(["grace": .period(.days(1)), "grace_mode": .text("deduct")]), now: "2026-05-20T17:00",
                fine: "4.80"),
        ])
    func grace(_ example: Example) throws { try check(example) }

    @Test(
        "steps cost what each of their days costs",
        arguments: [
            (0, "0.00"), (1, "0.00"), (2, "0.10"), (3, "0.20"), (4, "0.20"), (5, "0.70"), (6, "1.10"), (7, "1.10"),
        ])
    func steps(_ days: Int64, fine: String) throws {
        let steps = [
            FineStep(from: .days(2), to: .days(3), fine: try Sample.money("0.10")),
            FineStep(from: .days(5), to: nil, fine: try Sample.money("0.50")),
        ]
        let fields: [String: RuleValue] = [
            "fine_steps": .fineSteps(steps), "fine_cap": .money(try Sample.money("1.10")),
        ]
        let now = try Sample.date("2026-05-18").adding(days: days)
        let question = try Sample.overdue(due: "2026-05-18T17:00", now: "\(now)T12:00")
        #expect(try self.fine(fields, question) == fine)
    }

    @Test("a cap is money, or the replacement price if the copy has one")
    func caps() throws {
        var question = try Sample.overdue(due: "2026-05-18T17:00", now: "2026-08-18T12:00")
        #expect(try fine(Self.daily(["fine_cap": .money(Sample.money("5.00"))]), question) == "5.00")
        let price = Self.daily(["fine_cap": .text("replacement_price")])
        #expect(try fine(price, question) == "18.40")
        question.copy?.replacementPrice = try Sample.money("12.34")
        #expect(try fine(price, question) == "12.34")
    }

    @Test("no fine, no answer; nothing late, zero")
    func none() throws {
        let question = try Sample.overdue(due: "2026-05-18T17:00", now: "2026-05-10T12:00")
        #expect(try fine([:], question) == nil)
        #expect(try fine(["fine": .none], question) == nil)
        #expect(try fine(Self.daily, question) == "0.00")
    }

    @Test("two currencies, or an amount beyond all bounds, are the policy's failure")
    func failures() throws {
        let question = try Sample.overdue(due: "2026-05-18T17:00", now: "2026-08-18T12:00")
        let dollars = try Money(parsing: "1.00", currency: Currency(named: "USD"))
        #expect(throws: PolicyFailure.self) { try fine(Self.daily(["fine_cap": .money(dollars)]), question) }
        let huge = RuleValue.money(Money(minorUnits: .max, currency: .eur))
        #expect(throws: PolicyFailure.self) { try fine(["fine": huge], question) }
    }

    @Test("a fine never falls as time goes on", arguments: 0..<40)
    func monotone(_ seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        let units: [Period.Unit] = [.minutes, .hours, .days, .weeks, .months, .openDays]
        func period(_ counts: Range<Int64>) -> Period {
            Period(.random(in: counts, using: &random), units.randomElement(using: &random) ?? .days)
        }
        let fields: [String: RuleValue] = [
            "fine": .money(Money(minorUnits: 7, currency: .eur)), "per": .period(period(1..<4)),
            "grace": .period(period(0..<4)),
            "grace_mode": .text(Bool.random(using: &random) ? "deduct" : "all_or_nothing"),
            "fine_closed_days": .boolean(.random(using: &random)),
            "rounding": .text(Bool.random(using: &random) ? "started" : "whole"),
        ]
        let rule = try MatchedRule(fields: fields)
        var question = try Sample.overdue(due: "2026-05-18T17:00", now: "2026-05-17T12:00")
        var last: Int64 = 0
        for _ in 0..<200 {
            question.now = try question.now.adding(minutes: Int64.random(in: 1..<900, using: &random))
            let fine = try #require(try CompiledTables.empty.fine(for: question, rule: rule)).minorUnits
            #expect(fine >= last, "\(fields) at \(question.now)")
            last = fine
        }
    }

    @Test(
        "lateness in days, open days and hours",
        arguments: [
            ("2026-05-18T18:30", 0 as Int64, 0 as Int64, 1 as Int64), ("2026-05-19T12:00", 1, 1, 19),
            ("2026-05-25T12:00", 7, 5, 163), ("2026-05-17T12:00", 0, 0, 0),
        ])
    func lateness(_ now: String, days: Int64, openDays: Int64, hours: Int64) throws {
        let question = try Sample.overdue(due: "2026-05-18T17:00", now: now)
        #expect(question.daysOverdue == days)
        #expect(question.openDaysOverdue == openDays)
        #expect(question.hoursOverdue == hours)
    }
}

@Suite("Suspensions")
struct SuspensionTests {
    private func end(_ fields: [String: RuleValue], due: String, until: String? = nil) throws -> String? {
        var question = try Sample.overdue(due: due, now: "2026-05-20T12:00", point: .checkin)
        question.patron.suspendedUntil = try until.map { try Sample.date($0) }
        return try CompiledTables.empty.suspensionEnd(for: question, rule: MatchedRule(fields: fields))?.description
    }

    @Test("each late day suspends for as long as the rule says, up to its cap")
    func lengthAndCap() throws {
        #expect(try end(["suspension": .period(.days(2))], due: "2026-05-15T17:00") == "2026-05-30")
        #expect(try end(["suspension": .period(.days(2))], due: "2026-05-20T09:00") == nil)
        #expect(try end(["suspension": .none], due: "2026-05-15T17:00") == nil)
        #expect(
            try end(
                ["suspension": .period(.days(2)), "suspension_cap": .period(.weeks(1))], due: "2026-05-01T17:00")
                == "2026-05-27")
        #expect(
            try end(
                ["suspension": .period(.weeks(1)), "suspension_per": .period(.days(3))], due: "2026-05-12T17:00")
                == "2026-06-03")
    }

    @Test("closed days neither count as late nor shorten a suspension of open days, if the rule says so")
    func openDays() throws {
        let fields: [String: RuleValue] = [
            "suspension": .period(.openDays(1)), "fine_closed_days": .boolean(false),
        ]
        // Late on Friday, Monday, Tuesday and Wednesday; suspended on Thursday, Friday, Monday and Tuesday.
        #expect(try end(fields, due: "2026-05-14T17:00") == "2026-05-26")
    }

    @Test("a new suspension follows the one in force, or the later end holds")
    func modes() throws {
        let fields: [String: RuleValue] = ["suspension": .period(.days(1)), "suspension_mode": .text("add")]
        #expect(try end(fields, due: "2026-05-15T17:00", until: "2026-05-28") == "2026-06-02")
        #expect(try end(fields, due: "2026-05-15T17:00", until: "2026-05-19") == "2026-05-25")
        let longest: [String: RuleValue] = ["suspension": .period(.days(1))]
        #expect(try end(longest, due: "2026-05-15T17:00", until: "2026-05-28") == "2026-05-28")
        #expect(try end(longest, due: "2026-05-15T17:00", until: "2026-05-22") == "2026-05-25")
    }

    @Test("a grace holds for suspensions as for fines")
    func grace() throws {
        let fields: [String: RuleValue] = [
            "suspension": .period(.days(2)), "grace": .period(.days(1)), "grace_mode": .text("deduct"),
        ]
        #expect(try end(fields, due: "2026-05-15T17:00") == "2026-05-28")
        #expect(try end(fields, due: "2026-05-19T17:00") == nil)
    }
}
