import Testing
import TextFormats

@testable import Circulation

@Suite("Where a copy stands")
struct LocationTests {
    private func question(_ location: String?, loans: [OpenLoanFacts] = []) throws -> Case {
        var question = try Sample.checkout(loans: loans)
        question.copy?.location = location
        return question
    }

    private static let rows = [
        Sample.row(["lend": .boolean(false)], where: RowConditions(locations: ["reference", "rare"])),
        Sample.row(["loan": .period(.weeks(2))], where: RowConditions(itemTypes: ["book"], locations: ["new"])),
        Sample.row(["loan": .period(.weeks(4))]),
    ]

    @Test(
        "rows hold for the places that they name",
        arguments: [("new", 1, nil), ("rare", 2, 0), ("New", 2, nil), (nil, 2, nil)] as [(String?, Int, Int?)])
    func rows(location: String?, period: Int, lending: Int?) throws {
        let tables = try Sample.tables(Self.rows)
        let rule = try tables.rule(for: question(location))
        #expect(rule.origin(of: "loan")?.row == period + 1)
        #expect(rule.origin(of: "lend")?.row == lending.map { $0 + 1 })
    }

    @Test("a case without a copy meets no place, and the explanation says what the copy's is")
    func words() throws {
        let conditions = RowConditions(locations: ["new", "rare"])
        func why(_ question: Case) throws -> String? { try conditions.mismatch(with: question) { _ in true } }
        var without = try question("new")
        without.copy = nil
        #expect(try why(question("new")) == nil)
        #expect(try why(question("shelf")) == "the copy's location is shelf, the row wants new or rare")
        #expect(try why(question(nil)) == "the copy has no location, the row wants new or rare")
        #expect(try why(without) == "no copy is at hand, the row wants the copy's location new or rare")
        #expect(RowConditions(itemTypes: ["dvd"], locations: ["new"]).words == "item type dvd and location new")
        let tables = try Sample.tables(Self.rows)
        #expect(try tables.rule(for: without).origin(of: "loan")?.row == 3)
    }

    @Test("limits of a place count the loans of copies that stand there")
    func limits() throws {
        var new = Sample.loan("book")
        new.location = "new"
        let question = try question("new", loans: [new, Sample.loan("book"), new])
        let rows: [(RowConditions, Int64?)] = [(RowConditions(locations: ["new"]), 2), (RowConditions(), 4)]
        let exceeded = try Sample.limits(rows).limitsExceeded(for: question, when: Sample.noCondition)
        #expect(exceeded == [ExceededLimit(row: 0, count: 2, maximum: 2)])
    }

    @Test("a row behind one for all places can never win, one behind another place can")
    func hidden() throws {
        let rows = [
            Sample.row(["loan": .period(.days(1))], where: RowConditions(locations: ["new", "rare"])),
            Sample.row(["loan": .period(.days(2))], where: RowConditions(locations: ["rare"])),
            Sample.row(["loan": .period(.days(3))], where: RowConditions(locations: ["shelf"])),
        ]
        #expect(try Sample.tables(rows).hiddenRows().map(\.row) == [1])
    }

    @Test("a case is read and written with it, and is some case by it")
    func json() throws {
        let text = #"{"copy":{"location":"new","acquired_on":"2026-05-01"},"patron":{"loans":[{"location":"rare"}]}}"#
        let question = try Case(json: JSONParser.parse(text))
        #expect(try question.copy?.location == "new" && question.copy?.acquiredOn == Sample.date("2026-05-01"))
        #expect(question.patron.loans[0].location == "rare")
        #expect(try Case(json: question.json) == question)
        #expect(try !Case(json: [:]).json.text().contains("location"))
        func scope(_ text: String) throws -> Bool {
            let object = try #require(try JSONParser.parse(text).objectValue)
            return try CaseScope(object, of: .plain, currency: .eur).contains(question, .plain)
        }
        #expect(try scope(#"{"copy":{"location":["rare","new"]}}"#))
        #expect(try !scope(#"{"copy":{"location":"rare"}}"#))
        #expect(try scope(#"{"copy":{"acquired_on":"2026-05-01"}}"#))
        let problem = #expect(throws: CaseScope.Problem.self) { try scope(#"{"location":"new"}"#) }
        #expect(problem?.suggestion == "copy.location")
        #expect(throws: CaseError.self) { try Case(json: ["copy": ["acquired_on": "soon"]]) }
        #expect(throws: CaseError.self) { try Case(json: ["copy": ["location": 3]]) }
    }
}
