import Testing

@testable import Circulation

@Suite("Rows that can never win")
struct HiddenRowTests {
    private func loan(_ days: Int64, _ conditions: RowConditions = RowConditions()) -> RuleRow {
        Sample.row(["loan": .period(.days(days))], where: conditions)
    }

    @Test("a row behind one that meets all its cases and sets its group is hidden")
    func behind() throws {
        let tables = try Sample.tables([
            loan(1, RowConditions(categories: ["a", "b"])), loan(2, RowConditions(categories: ["b"], branches: ["x"])),
            loan(3, RowConditions(categories: ["b", "c"])), loan(4), loan(5, RowConditions(onSite: true)),
        ])
        #expect(
            tables.hiddenRows() == [
                HiddenRow(table: .rules, row: 1, fields: [], hiddenBy: [0]),
                HiddenRow(table: .rules, row: 4, fields: [], hiddenBy: [3]),
            ])
    }

    @Test("a row that still sets another group keeps it; the fields of the lost group are named")
    func fields() throws {
        let tables = try Sample.tables([
            Sample.row(["fine": .money(Sample.money("0.20"))]),
            Sample.row(["grace": .period(.days(1)), "loan": .period(.days(7))]),
        ])
        #expect(tables.hiddenRows() == [HiddenRow(table: .rules, row: 1, fields: ["grace"], hiddenBy: [0])])
    }

    @Test("a row with a when function hides nothing")
    func when() throws {
        #expect(try Sample.tables([loan(1, RowConditions(when: 1)), loan(2)]).hiddenRows().isEmpty)
    }

    @Test("under match the order of importance counts, not the written one")
    func match() throws {
        let rows = [loan(1), loan(2, RowConditions(categories: ["a"]))]
        #expect(try Sample.tables(rows).hiddenRows().map(\.row) == [1])
        #expect(try Sample.tables(rows, match: MatchPrecedence(dimensions: ["category"])).hiddenRows().isEmpty)
        // A condition that match does not weigh leaves the rows alike, and then the written order decides.
        #expect(try Sample.tables(rows, match: MatchPrecedence(dimensions: ["branch"])).hiddenRows().map(\.row) == [1])
    }

    @Test("with whole rows a row is hidden whatever groups it sets")
    func whole() throws {
        let rows = [loan(1), Sample.row(["renewals": .integer(3)], where: RowConditions(channels: ["web"]))]
        let match = MatchPrecedence(dimensions: ["category"], wholeRows: true)
        #expect(try Sample.tables(rows, match: match).hiddenRows().map(\.row) == [1])
        #expect(try Sample.tables(rows).hiddenRows().isEmpty)
    }

    @Test("limits behind an unlimited row that meets all their cases are hidden")
    func limits() throws {
        let tables = try Sample.limits([
            (RowConditions(categories: ["staff"]), nil), (RowConditions(categories: ["staff"], itemTypes: ["dvd"]), 2),
            (RowConditions(), 8),
        ])
        #expect(tables.hiddenRows() == [HiddenRow(table: .limits, row: 1, fields: [], hiddenBy: [0])])
    }
}
