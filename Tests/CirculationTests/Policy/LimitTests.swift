import Testing
import TextFormats

@testable import Circulation

@Suite("Limits")
struct LimitTests {
    private func exceeded(_ rows: [(RowConditions, Int64?)], _ question: Case) throws -> [ExceededLimit] {
        try Sample.limits(rows).limitsExceeded(for: question, when: Sample.noCondition)
    }

    @Test(
        "a limit stops the loan that would exceed it",
        arguments: [(0, 1, false), (1, 2, false), (1, 1, true), (2, 1, true)])
    func maximum(_ loans: Int, maximum: Int64, isExceeded: Bool) throws {
        let question = try Sample.checkout(loans: Array(repeating: Sample.loan("book"), count: loans))
        #expect(try exceeded([(RowConditions(), maximum)], question).isEmpty == !isExceeded)
    }

    @Test("each row counts the loans that meet its own conditions")
    func ownConditions() throws {
        let loans = [Sample.loan("dvd", "media"), Sample.loan("book"), Sample.loan("cd", "media")]
        let question = try Sample.checkout(itemTypes: ["dvd", "media"], loans: loans)
        let rows: [(RowConditions, Int64?)] = [
            (RowConditions(itemTypes: ["dvd"]), 1), (RowConditions(itemTypes: ["media"]), 2),
            (RowConditions(itemTypes: ["book"]), 1), (RowConditions(), 3), (RowConditions(categories: ["staff"]), 0),
        ]
        #expect(
            try exceeded(rows, question) == [
                ExceededLimit(row: 0, count: 1, maximum: 1), ExceededLimit(row: 1, count: 2, maximum: 2),
                ExceededLimit(row: 3, count: 3, maximum: 3),
            ])
    }

    @Test("unlimited ends the reading, but not what was read before")
    func unlimited() throws {
        let question = try Sample.checkout(loans: [Sample.loan("book")])
        let rows: [(RowConditions, Int64?)] = [
            (RowConditions(itemTypes: ["book"]), 1), (RowConditions(categories: ["undergraduate"]), nil),
            (RowConditions(), 1),
        ]
        #expect(try exceeded(rows, question).map(\.row) == [0])
        #expect(try exceeded(Array(rows.dropFirst()), question).isEmpty)
        #expect(try exceeded([(RowConditions(categories: ["staff"]), nil), rows[2]], question).map(\.row) == [1])
    }

    @Test("what the request was granted already counts like a loan")
    func granted() throws {
        var question = try Sample.checkout(loans: [Sample.loan("book")])
        question.request = RequestFacts(size: 3, titles: [1, 2, 3], index: 3, granted: [Sample.loan("book")])
        #expect(try exceeded([(RowConditions(itemTypes: ["book"]), 2)], question).first?.count == 2)
    }

    @Test("a limit for use on site counts loans on site alone")
    func onSite() throws {
        let loans = [Sample.loan("book", onSite: true), Sample.loan("book")]
        var question = try Sample.checkout(loans: loans)
        let rows: [(RowConditions, Int64?)] = [(RowConditions(onSite: true), 1), (RowConditions(onSite: false), 2)]
        #expect(try exceeded(rows, question).isEmpty)
        question.request = RequestFacts(size: 1, titles: [10], onSite: true)
        #expect(try exceeded(rows, question) == [ExceededLimit(row: 0, count: 1, maximum: 1)])
    }

    @Test("what is not known of a loan meets no condition on it")
    func unknown() throws {
        var loan = Sample.loan("book")
        loan.copyBranch = nil
        loan.channel = nil
        let question = try Sample.checkout(loans: [loan])
        let rows: [(RowConditions, Int64?)] = [
            (RowConditions(copyBranches: ["main"]), 1), (RowConditions(channels: ["desk"]), 1),
        ]
        #expect(try exceeded(rows, question).isEmpty)
    }

    @Test("a row's when function decides whether it applies")
    func when() throws {
        let question = try Sample.checkout(loans: [Sample.loan("book")])
        let tables = try Sample.limits([(RowConditions(when: 0), 1), (RowConditions(when: 1), 1)])
        let exceeded = try tables.limitsExceeded(for: question) { $0 == 1 }
        #expect(exceeded.map(\.row) == [1])
    }

    @Test(
        "the refusal says in words which limit is used up",
        arguments: [
            (
                RowConditions(categories: ["undergraduate"], itemTypes: ["book"]), 2 as Int64,
                "2 of 2 allowed loans for category undergraduate and item type book have been used."
            ),
            (
                RowConditions(itemTypes: ["book", "dvd"]), 1,
                "2 loans for item type book or dvd are open; the limit is 1."
            ),
            (RowConditions(), 2, "2 of 2 allowed loans have been used."),
            (RowConditions(itemTypes: ["book"]), 0, "No loans for item type book are allowed."),
        ])
    func message(_ conditions: RowConditions, maximum: Int64, message: String) throws {
        let question = try Sample.checkout(loans: [Sample.loan("book"), Sample.loan("book")])
        let tables = try Sample.limits([(conditions, maximum)])
        let reasons = try tables.standardCheckout(
            for: question, rule: MatchedRule(fields: ["loan": .period(.days(1))]), when: Sample.noCondition)
        let reason = try #require(reasons.first)
        #expect(reason.code == "limit")
        #expect(reason.message == message)
        #expect(reason.figures == ["limit": .integer(maximum), "count": 2])
        #expect(reason.origin == RuleOrigin(table: .limits, row: 1, file: "policy.lua", line: 10))
    }
}
