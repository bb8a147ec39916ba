import Circulation
import Reports
import Testing
import TextFormats

@Suite("Tables wider than their terminal")
struct WideTableTests {
    private static func render(_ table: ReportTable, width: Int?) -> [String] {
        let options = RenderOptions(width: width)
        return ReportFormat.table.render(ReportDocument(blocks: [.table(table)]), options: options)
            .split(separator: "\n").map(String.init)
    }

    private static func table(columns: Int, empty: Set<Int> = [], value: String = "a value") -> ReportTable {
        let names = (1...columns).map { ReportColumn(name: "column \($0)") }
        let row: [ReportValue] = (1...columns).map { empty.contains($0) ? .none : .text(value) }
        return ReportTable(columns: names, rows: [row, row])
    }

    @Test("columns that are empty in all rows are left out where the rest then fits, and are named")
    func empty() {
        let lines = WideTableTests.render(WideTableTests.table(columns: 15, empty: Set(5...15)), width: 80)
        #expect(lines[0].hasPrefix("column 1  column 2"))
        #expect(lines.count == 6 && lines[4].hasPrefix("(empty: column 5, column 6"))
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= 80 })
    }

    @Test("a table that fits keeps its empty columns")
    func fits() {
        let lines = WideTableTests.render(WideTableTests.table(columns: 4, empty: [3]), width: 80)
        #expect(lines[0] == "column 1  column 2  column 3  column 4")
        #expect(lines.count == 4)
    }

    @Test(
        "records too wide stand one below the other, and no line is wider than the terminal", arguments: [20, 40, 80])
    func sideways(width: Int) {
        let long = "図書館で借りた本 and a long text that goes on behind it"
        let lines = WideTableTests.render(WideTableTests.table(columns: 15, value: long), width: width)
        #expect(lines[0].hasPrefix("-- 1 of 2 ---"))
        #expect(lines.contains { $0.hasPrefix("-- 2 of 2 ---") })
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= width }, "\(lines)")
        #expect(lines[1].hasPrefix("column 1   図書"))
    }

    @Test("what all rows say alike is left out where the rest then fits, and is said below")
    func constant() {
        let columns = ["isbn", "title", "language", "branch", "genres"].map { ReportColumn(name: $0) }
        let rows: [[ReportValue]] = (0...3).map { number in
            [
                .text("978014044913\(number)"), .text("A title number \(number) of some length"), .text("en"),
                .text("main library"), .text("history"),
            ]
        }
        let lines = WideTableTests.render(ReportTable(columns: columns, rows: rows), width: 40)
        #expect(lines[2].hasPrefix("9780140449130  A title number 0"))
        #expect(lines.suffix(2).joined(separator: " ") == "(in all: language en, branch main library, genres history)")
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= 40 })
    }

    @Test("numbers of books and names of accounts are never cut")
    func words() {
        let columns = ["isbn", "title", "username"].map { ReportColumn(name: $0) }
        let row: [ReportValue] = [
            .text("9780140449136"), .text("The Odyssey, done into English prose"), .text("ada.eastlake"),
        ]
        let lines = WideTableTests.render(ReportTable(columns: columns, rows: [row]), width: 48)
        #expect(lines[2].hasPrefix("9780140449136  The Odyssey") && lines[2].hasSuffix("…  ada.eastlake"))
    }

    @Test("dates are never cut")
    func dates() throws {
        let date = try CivilDate(parsing: "2026-10-07")
        let columns = [ReportColumn(name: "title"), ReportColumn(name: "due", type: .date)]
        let table = ReportTable(columns: columns, rows: [[.text(String(repeating: "x", count: 90)), .date(date)]])
        let lines = WideTableTests.render(table, width: 30)
        #expect(lines[2].hasSuffix("…  2026-10-07"))
    }

    @Test(
        "a text is broken at its blanks, and within a word that is longer than a line",
        arguments: [
            ("one two three", 8, ["one two", "three"]), ("one two", 7, ["one two"]), ("", 5, []),
            ("abcdefghij", 4, ["abcd", "efgh", "ij"]), ("図書館の本", 5, ["図書", "館の", "本"]), ("図", 1, ["図"]),
            ("a bcdefgh", 4, ["a", "bcde", "fgh"]),
        ])
    func wrapped(text: String, columns: Int, lines: [String]) {
        #expect(DisplayWidth.wrapped(text, to: columns) == lines)
    }

    @Test("lines that are carried over stand further in")
    func reflowed() {
        let text = DisplayWidth.reflowed("  one two three four\nfive", to: 15)
        #expect(text == "  one two\n      three\n      four\nfive")
    }
}
