import Testing
import TextFormats

@testable import Circulation

@Suite("Limits and loans that are claimed to be returned")
struct ClaimedLimitTests {
    private func claimed(_ itemTypes: String...) -> OpenLoanFacts {
        var loan = Sample.loan(itemTypes[0])
        loan.isClaimed = true
        return loan
    }

    private func tables(_ rows: [(RowConditions, Int64, countsClaimed: Bool)]) throws -> CompiledTables {
        let limits = rows.enumerated().map { index, row in
            LimitRow(
                conditions: row.0, maximum: row.1, countsClaimed: row.countsClaimed, place: Sample.place(index + 10))
        }
        return try PolicyTables(limits: limits).compiled()
    }

    @Test("they count, unless a row leaves them out")
    func counted() throws {
        let question = try Sample.checkout(loans: [claimed("book"), claimed("dvd"), Sample.loan("book")])
        let rows = [
            (RowConditions(), 3, true), (RowConditions(), 3, false), (RowConditions(), 1, false),
            (RowConditions(itemTypes: ["book"]), 2, true), (RowConditions(itemTypes: ["book"]), 2, false),
        ]
        let tables = try tables(rows.map { ($0.0, Int64($0.1), $0.2) })
        let exceeded = try tables.limitsExceeded(for: question, when: Sample.noCondition)
        #expect(
            exceeded == [
                ExceededLimit(row: 0, count: 3, maximum: 3), ExceededLimit(row: 2, count: 1, maximum: 1),
                ExceededLimit(row: 3, count: 2, maximum: 2),
            ])
        let explanations = try tables.limitExplanations(for: question, when: Sample.noCondition)
        #expect(explanations.map(\.count) == [3, 1, 1, 2, 1])
        #expect(explanations.map(\.claimedLeftOut) == [0, 2, 2, 0, 1])
    }

    @Test("what the request was granted already is never claimed")
    func granted() throws {
        var question = try Sample.checkout(loans: [claimed("book")])
        question.request = RequestFacts(size: 2, titles: [1, 2], index: 2, granted: [Sample.loan("book")])
        let tables = try tables([(RowConditions(), 1, false)])
        #expect(try tables.limitsExceeded(for: question, when: Sample.noCondition).map(\.count) == [1])
    }

    @Test("a case says which loans are, and says nothing of others")
    func json() throws {
        let loans = #"[{"claimed":true},{"claimed":false},{}]"#
        let question = try Case(json: JSONParser.parse(#"{"patron":{"loans":\#(loans)}}"#))
        #expect(question.patron.loans.map(\.isClaimed) == [true, false, false])
        #expect(try Case(json: question.json) == question)
        #expect(question.json.text().components(of: "claimed") == 1)
        #expect(throws: CaseError.self) { try Case(json: ["patron": ["loans": [["claimed": "yes"]]]]) }
    }
}

extension String {
    fileprivate func components(of word: String) -> Int { ranges(of: word).count }
}
