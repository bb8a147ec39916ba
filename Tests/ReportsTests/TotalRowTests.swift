import Circulation
import Reports
import Testing
import TextFormats

@Suite("The last row of a table")
struct TotalRowTests {
    private static func table(total: [ReportValue]?) throws -> ReportTable {
        let money = { (text: String) in ReportValue.money(try Money(parsing: text, currency: .eur)) }
        return ReportTable(
            columns: [
                ReportColumn(name: "month"), ReportColumn(name: "loans", type: .integer),
                ReportColumn(name: "owed", type: .money),
            ],
            rows: [
                [.text("2026-11"), .integer(9), try money("12.50")], [.text("2026-12"), .integer(1_033), .none],
            ], total: total)
    }

    private static func text(_ format: ReportFormat, total: [ReportValue]?) throws -> String {
        format.render(ReportDocument(blocks: [.table(try table(total: total))]))
    }

    private static let total: [ReportValue] = [.text("Total"), .integer(1_042)]

    @Test("in text it stands below a line of its own, and columns are wide enough for it")
    func plain() throws {
        #expect(
            try Self.text(.table, total: Self.total) == """
                month    loans       owed
                -------  -----  ---------
                2026-11      9  12.50 EUR
                2026-12   1033\("           ")
                -------  -----  ---------
                Total     1042\("           ")

                """)
        let wide = ReportTable(
            columns: [ReportColumn(name: "n", type: .integer)], rows: [[.integer(1)]], total: [.integer(1_000_000)])
        #expect(ReportFormat.table.render(ReportDocument(blocks: [.table(wide)])).contains("\n      1\n"))
    }

    @Test("programs find it beside the rows in JSON, and CSV has the rows alone")
    func forPrograms() throws {
        let json = try JSONParser.parse(try Self.text(.json, total: Self.total))
        let table = json["tables"]?.arrayValue?.first
        #expect(table?["rows"]?.arrayValue?.count == 2)
        #expect(table?["total"] == ["month": "Total", "loans": 1042, "owed": nil])
        #expect(try JSONParser.parse(try Self.text(.json, total: nil))["tables"]?.arrayValue?.first?["total"] == nil)
        #expect(try Self.text(.csv, total: Self.total) == Self.text(.csv, total: nil))
    }

    @Test("Markdown and pages set it apart, and sorting leaves it where it is")
    func markup() throws {
        #expect(try Self.text(.md, total: Self.total).contains("| **Total** | **1042** |  |"))
        let page = try Self.text(.html, total: Self.total)
        let foot = try #require(page.split(separator: "<tfoot>").last?.split(separator: "</tfoot>").first)
        #expect(page.contains("</tbody><tfoot>") && foot.contains("Total") && foot.contains("1042"), "\(foot)")
        #expect(!(try Self.text(.html, total: nil).contains("<tfoot><tr>")))
    }

    @Test("a terminal that is too narrow shows it as the last record, with what has a value")
    func narrow() throws {
        let columns = (1...12).map { ReportColumn(name: "column number \($0)") }
        let row = (1...12).map { ReportValue.text("value number \($0)") }
        let table = ReportTable(columns: columns, rows: [row, row.reversed()], total: [.text("Total")])
        let text = ReportFormat.table.render(
            ReportDocument(blocks: [.table(table)]), options: RenderOptions(usesColour: false, width: 60))
        let last = try #require(text.split(separator: "-- in all ").last)
        #expect(last.contains("Total") && !last.contains("column number 2"), "\(text)")
    }

    @Test("a column that is the same in all rows but not in the total stays")
    func constant() throws {
        let table = ReportTable(
            columns: (1...4).map {
                ReportColumn(name: "a long name of column \($0)", type: $0 == 2 ? .integer : .text)
            },
            rows: (1...3).map { [.text("row \($0)"), .integer(5), .text("same"), .text("text \($0)")] },
            total: [.text("Total"), .integer(15)])
        let text = ReportFormat.table.render(
            ReportDocument(blocks: [.table(table)]), options: RenderOptions(usesColour: false, width: 80))
        #expect(text.contains("15") && text.contains("a long name of column 2"), "\(text)")
    }
}
