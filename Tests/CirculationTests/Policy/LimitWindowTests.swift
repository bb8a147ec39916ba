import Testing
import TextFormats

@testable import Circulation

@Suite("Limits of a window, of one title and of debts")
struct LimitWindowTests {
    /// On Wednesday, 2026-05-20, at noon in Berlin.
    private func question(_ lent: [String], title: Int64 = 10, type: String = "book") throws -> Case {
        var question = try Sample.checkout()
        question.patron.history = try lent.map {
            PastLoanFacts(loan: Sample.loan(type, title: title), lentAt: try Sample.instant($0))
        }
        return question
    }

    private func reasons(_ row: LimitRow, _ question: Case) throws -> [Refusal.Reason] {
        let rules = [Sample.row(["loan": .period(.days(14))])]
        let tables = try PolicyTables(limits: [row], rules: rules).compiled()
        let rule = try tables.matchedRule(for: question, when: Sample.noCondition)
        return try tables.standardCheckout(for: question, rule: rule, when: Sample.noCondition)
    }

    private func row(
        _ conditions: RowConditions = RowConditions(), max: Int64?, within: Period? = nil, perTitle: Bool = false,
        owedFor: Period? = nil
    ) -> LimitRow {
        LimitRow(
            conditions: conditions, maximum: max, within: within, isPerTitle: perTitle, owedFor: owedFor,
            place: Sample.place(2))
    }

    @Test(
        "days of a window are counted by dates: lent on the first of four weeks ago, it is possible again today",
        arguments: [("2026-04-22T23:59", false), ("2026-04-23T00:00", true), ("2026-05-20T11:59", true)])
    func dates(lent: String, isFull: Bool) throws {
        let reasons = try reasons(row(max: 1, within: .weeks(4), perTitle: true), question([lent]))
        #expect(reasons.isEmpty == !isFull)
    }

    @Test("a refusal says what is counted and from which day on it is possible again")
    func words() throws {
        let passes = RowConditions(itemTypes: ["book"])
        let reason = try #require(
            try reasons(
                row(passes, max: 2, within: .weeks(4), perTitle: true),
                question(["2026-05-01T10:00", "2026-04-25T10:00", "2026-01-05T10:00"])
            ).first)
        #expect(reason.code == "limit")
        #expect(
            reason.message
                == "2 of 2 allowed loans for item type book of this title within 4 weeks have been used; possible "
                + "again from 2026-05-23.")
        #expect(reason.json["possible_from"] == "2026-05-23" && reason.json["within"] == "P4W")
        #expect(reason.json["limit"] == 2 && reason.json["count"] == 2)
    }

    @Test("where more than allowed are counted, as many have to leave the window as are too many")
    func tooMany() throws {
        let lent = ["2026-05-10T10:00", "2026-05-12T10:00", "2026-05-14T10:00"]
        let exceeded = try #require(try reasons(row(max: 1, within: .days(30)), question(lent)).first)
        #expect(exceeded.json["possible_from"] == "2026-06-13")
        #expect(exceeded.message == "3 loans within 30 days; the limit is 1. Possible again from 2026-06-13.")
    }

    @Test(
        "a window of hours ends at that moment and not after it",
        arguments: [("2026-05-20T09:00", false), ("2026-05-20T09:01", true)])
    func hours(lent: String, isFull: Bool) throws {
        #expect(try reasons(row(max: 1, within: .hours(3)), question([lent])).isEmpty == !isFull)
    }

    @Test("a window of hours ends at its hour, and what the request was granted counts from now on")
    func hoursAndGranted() throws {
        var question = try question(["2026-05-20T10:00"])
        let rows = row(max: 2, within: .hours(3))
        #expect(try reasons(rows, question).isEmpty)
        question.request = RequestFacts(size: 2, titles: [10, 11], index: 2, granted: [Sample.loan("book")])
        let reason = try #require(try reasons(rows, question).first)
        #expect(reason.json["possible_from"] == .string(try Sample.instant("2026-05-20T13:00").description))
    }

    @Test("loans of other titles, types and open loans from before the window count for nothing")
    func others() throws {
        let ofTitle = row(max: 1, within: .days(30), perTitle: true)
        #expect(try reasons(ofTitle, question(["2026-05-19T10:00"], title: 11)).isEmpty)
        let dvds = row(RowConditions(itemTypes: ["dvd"]), max: 0, within: .days(30))
        #expect(try reasons(dvds, question(["2026-05-19T10:00"])).isEmpty)
        var open = try question([])
        open.patron.loans = [Sample.loan("book", title: 10)]
        #expect(try reasons(ofTitle, open).isEmpty)
        let openOfTitle = try #require(try reasons(row(max: 1, perTitle: true), open).first)
        #expect(openOfTitle.message == "Only 1 loan of this title is allowed.")
        #expect(openOfTitle.json["possible_from"] == nil)
    }

    @Test(
        "what is owed for so long refuses, from the day on that lies so far behind the oldest debt",
        arguments: [("2026-03-21", true), ("2026-03-22", false)])
    func debts(since: String, isRefused: Bool) throws {
        var question = try Sample.checkout()
        question.patron.feesOwed = try Sample.money("5.00")
        question.patron.owedSince = try Sample.date(since)
        let reasons = try reasons(row(max: 0, owedFor: .days(60)), question)
        #expect(reasons.map(\.code) == (isRefused ? ["fees_owed"] : []))
        guard isRefused else { return }
        let reason = try #require(reasons.first)
        #expect(reason.message == "5.00 EUR is owed, some of it since 2026-03-21.")
        #expect(reason.json["owed_since"] == "2026-03-21" && reason.json["owed"] == "5.00 EUR")
        question.patron.feesOwed = .zero(.eur)
        #expect(try self.reasons(row(max: 0, owedFor: .days(60)), question).isEmpty)
    }

    @Test(
        "with a number who owes for long may have so many loans, and an unlimited row ends the reading for them alone")
    func fewer() throws {
        var question = try Sample.checkout(loans: [Sample.loan("book")])
        question.patron.feesOwed = try Sample.money("5.00")
        question.patron.owedSince = try Sample.date("2026-01-01")
        let reason = try #require(try reasons(row(max: 1, owedFor: .months(1)), question).first)
        #expect(
            reason.code == "limit" && reason.message == "Only 1 loan while something is owed for 1 month is allowed.")
        let tables = try PolicyTables(limits: [row(max: nil, owedFor: .days(60)), row(max: 1)]).compiled()
        #expect(try tables.limitsExceeded(for: question, when: Sample.noCondition).isEmpty)
        question.patron.owedSince = nil
        #expect(try tables.limitsExceeded(for: question, when: Sample.noCondition).map(\.row) == [1])
        #expect(tables.hiddenRows().isEmpty)
    }

    @Test("a case of these reads back as it is written, and one without them has not a word of it")
    func json() throws {
        var question = try question(["2026-05-01T10:00"])
        question.patron.history[0].returnedAt = try Sample.instant("2026-05-03T10:00")
        question.patron.historySince = try Sample.instant("2026-04-01T00:00")
        question.patron.owedSince = try Sample.date("2026-05-02")
        question.title?.timesLent = 7
        question.title?.timesLentSince = question.patron.historySince
        #expect(try Case(json: question.json) == question)
        let plain = try Sample.checkout().json
        #expect(plain["patron"]?["history"] == nil && plain["patron"]?["history_since"] == nil)
        #expect(plain["patron"]?["owed_since"] == nil && plain["title"]?["times_lent"] == nil)
    }

    @Test("each row says in words what it counts, and explains itself")
    func explained() throws {
        let question = try question(["2026-05-01T10:00"])
        let rows = [
            row(RowConditions(itemTypes: ["book"]), max: 1, within: .weeks(4), perTitle: true),
            row(max: 0, owedFor: .days(60)),
        ]
        let tables = try PolicyTables(limits: rows).compiled()
        let said = try tables.limitExplanations(for: question, when: Sample.noCondition)
        #expect(said[0].conditions == "item type book, of this title within 4 weeks")
        #expect(said[0].isFull && said[0].possibleFrom == "2026-05-29")
        #expect(said[1].because == "nothing is owed, the row wants 60 days")
    }
}
