import Circulation
import Reports
import Testing
import TextFormats

@Suite("Tables for a terminal")
struct TextTableTests {
    @Test(
        "a character takes the columns that a terminal gives it",
        arguments: [
            ("a", 1), ("", 0), ("é", 1), ("e\u{301}", 1), ("図書館", 6), ("한글", 4), ("ｱ", 1), ("Ａ", 2), ("👍", 2), ("👩‍👩‍👧", 2),
            ("🇩🇪", 2), ("❤️", 2), ("ا", 1), ("\u{200B}", 0), ("—", 1), ("…", 1),
        ])
    func width(text: String, columns: Int) {
        #expect(DisplayWidth.of(text) == columns)
    }

    @Test("what is clipped fits, and ends in an ellipsis", arguments: 0...12)
    func clipped(columns: Int) {
        let clipped = DisplayWidth.clipped("図書館 library", to: columns)
        #expect(DisplayWidth.of(clipped) <= columns)
        #expect(columns == 0 || clipped.hasSuffix("…"))
    }

    @Test("columns stay aligned behind wide characters")
    func aligned() {
        let table = ReportTable(
            columns: [ReportColumn(name: "title"), ReportColumn(name: "n", type: .integer)],
            rows: [[.text("図書館"), .integer(1)], [.text("Dune"), .integer(22)]])
        let lines = ReportFormat.table.render(ReportDocument(blocks: [.table(table)])).split(separator: "\n")
        #expect(lines.map { DisplayWidth.of(String($0)) } == [10, 10, 10, 10])
    }

    @Test("a table is narrowed to the terminal by its texts, never by its figures", arguments: [30, 40, 60])
    func fitted(width: Int) {
        let table = ReportTable(
            columns: [
                ReportColumn(name: "title"), ReportColumn(name: "authors"), ReportColumn(name: "n", type: .integer),
            ],
            rows: [
                [
                    .text(String(repeating: "x", count: 80)), .text(String(repeating: "y", count: 50)),
                    .integer(1_234_567),
                ]
            ])
        let options = RenderOptions(width: width)
        let text = ReportFormat.table.render(ReportDocument(blocks: [.table(table)]), options: options)
        for line in text.split(separator: "\n") { #expect(DisplayWidth.of(String(line)) <= width) }
        #expect(text.contains("1234567"))
    }

    @Test("in a pipe nothing is cut and nothing is coloured")
    func pipe() {
        let long = String(repeating: "x", count: 300)
        let text = ReportFormat.table.render(ReportSample.table([long]))
        #expect(text.contains(long))
        #expect(!text.contains("\u{1B}"))
    }

    @Test("colour is bold and dim, only when asked for")
    func colour() throws {
        let text = ReportFormat.table.render(
            try ReportSample.document(), options: RenderOptions(usesColour: true))
        #expect(text.contains("\u{1B}[1mLoans by month\u{1B}[0m"))
    }

    @Test("a table without rows says so")
    func noRows() {
        #expect(ReportFormat.table.render(ReportSample.table([])).contains("(no rows)"))
    }

    @Test(
        "the type of a column follows from its values",
        arguments: [
            ([.integer(1), .none, .integer(2)], .integer), ([.integer(1), .number(0.5)], .number), ([], .text),
            ([.integer(1), .text("x")], .text), ([.boolean(true)], .boolean), ([.none], .text),
        ] as [([ReportValue], ReportColumnType)])
    func fitting(values: [ReportValue], type: ReportColumnType) {
        #expect(ReportColumnType.fitting(values) == type)
    }

    @Test("charts cope with values that are not figures")
    func charts() {
        let chart = ReportChart(
            kind: .line, labels: ["a", "b", "c", "d"],
            series: [
                ReportChart.Series(name: "x", values: [.nan, .infinity, nil, -2]),
                ReportChart.Series(name: "short", values: [1e308]),
            ])
        let document = ReportDocument(blocks: [.chart(chart)])
        for format in ReportFormat.allCases where format != .csv { #expect(!format.render(document).isEmpty) }
    }
}
