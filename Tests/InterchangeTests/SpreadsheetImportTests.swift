import Circulation
import Desk
import Foundation
import Interchange
import Plugins
import TestSupport
import Testing
import TextFormats

@Suite("Importing spreadsheets")
struct SpreadsheetImportTests {
    private static let titles: [[WorkbookFile.Cell]] = [
        ["Our library, autumn"], [],
        ["ISBN", "Title", "Authors", "Year", "Copies"],
        [.number("9.78014044913600E+12"), "The Odyssey", "Homer|Fagles", 1996, 2],
        [.number("140449132", format: "0"), .inline("The Odyssey again"), "Homer", .number("2003"), ""],
    ]

    private static func title(_ isbn: String, _ bench: ImportBench) throws -> Title? {
        try bench.desk.read { try $0.catalogue.get(.isbn(try ISBN(isbn))) }
    }

    @Test("a workbook is read below its heading whatever it is called, and the report says what it is")
    func ownTable() throws {
        let bench = try ImportBench()
        var book = WorkbookFile([["Notes"], ["none"]], named: "About")
        book.sheets.append(("Books", Self.titles))
        book.sheets.append(("Old", [["x"]]))
        let path = try bench.file("books.csv", bytes: book.bytes)
        let report = try bench.importing(path)
        #expect(report.added == 1 && report.updated == 1 && report.rejected == 0, "\(report)")
        let file = try #require(report.files.first)
        #expect(file.description == "\(path): xlsx, sheet \"Books\", table of titles")
        #expect(file.headerLine == 3 && file.sheet == "Books" && file.table == "titles")
        #expect(report.problems.map(\.code) == ["header_below", "other_sheets", "repaired_isbn", "repeated"])
        #expect(report.problems[1].message.contains("not \"About\" and \"Old\""))
        let title = try #require(try Self.title("9780140449136", bench))
        #expect(title.authors == ["Homer"] && title.year == 2003)
        let again = try bench.importing(path, options: ImportOptions(sheet: "books"))
        #expect(
            again.files.first?.sheet == "Books"
                && again.problems.map(\.code) == ["header_below", "repaired_isbn", "repeated"])
        let none = #expect(throws: ImportProblem.self) {
            try bench.importing(path, options: ImportOptions(sheet: "Titles"))
        }
        #expect(none?.code == "no_sheet" && none?.message.contains("\"About\", \"Books\" and \"Old\"") == true)
    }

    @Test("patrons keep dates of cells, postal zeros and barcodes; a mapping and a plugin read a workbook alike")
    func everyWay() throws {
        let patrons: [[WorkbookFile.Cell]] = [
            ["Username", "Name", "Category", "Birth_date"],
            [.number("1234", format: "000000"), "Ada", "student", .number("42097", format: "dd/mm/yyyy")],
        ]
        let bench = try ImportBench()
        try bench.importing(bench.file("p.xlsx", bytes: WorkbookFile(patrons).bytes))
        let ada = try bench.desk.read { try $0.patrons.get(.username("001234")) }
        #expect(ada?.birthDate?.description == "2015-04-03")

        let mapping = try ColumnMapping(
            Array(#"{"kind":"patrons","columns":{"username":"Kennung","birth_date":"Geboren"}}"#.utf8), file: "m")
        let foreign: [[WorkbookFile.Cell]] = [
            ["Liste 5a"], ["Kennung", "Geboren"], ["s7", .number("42097.5", format: "d.m.yy h:mm")],
        ]
        try bench.importing(
            bench.file("l.xlsx", bytes: WorkbookFile(foreign).bytes), options: ImportOptions(mapping: mapping))
        let second = try bench.desk.read { try $0.patrons.get(.username("s7")) }
        #expect(second?.birthDate?.description == "2015-04-03")

        let koha = try ImportBench(shipped: ["koha-csv"])
        let items: [[WorkbookFile.Cell]] = [
            ["barcode", "isbn", "title", "itype", "homebranch", "replacementprice"],
            [.number("39999000001310"), .number("9780140449136"), "The odyssey", "BK", "CPL", 12.5],
        ]
        let report = try koha.importing(koha.file("items.xlsx", bytes: WorkbookFile(items).bytes))
        #expect(report.added == 1 && report.files.first?.table == "koha-items", "\(report)")
        let copy = try koha.desk.read { try $0.catalogue.copy(barcode: "39999000001310") }
        #expect(copy?.replacementPrice?.amountText == "12.50")
    }

    @Test("errors of formulas and cells that the header does not name are left out, which is said")
    func cells() throws {
        let bench = try ImportBench()
        let rows: [[WorkbookFile.Cell]] = [
            ["title", "authors"], [.formula("A1", value: "Emma"), .error("#REF!"), "stray"],
            ["Persuasion", "", "more"],
        ]
        let report = try bench.importing(bench.file("t.xlsx", bytes: WorkbookFile(rows).bytes))
        #expect(report.added == 2 && report.problems.map(\.code) == ["cell_error", "unnamed_column"], "\(report)")
        #expect(report.problems.map(\.line) == [2, 2])
    }

    @Test("rows of 16,384 columns and thousands of rows are read in bounded memory, and one column more is refused")
    func large() throws {
        let bench = try ImportBench()
        var wide = Array(repeating: WorkbookFile.Cell.inline("x"), count: 16_384)
        wide[0] = "title"
        wide[1] = "authors"
        let report = try bench.importing(bench.file("w.xlsx", bytes: WorkbookFile([wide, ["Emma", "Austen"]]).bytes))
        #expect(report.added == 1 && report.rejected == 0)
        let tooWide = WorkbookFile([wide + ["more"], ["Emma"]])
        let refused = #expect(throws: ImportProblem.self) {
            try bench.importing(bench.file("v.xlsx", bytes: tooWide.bytes))
        }
        #expect(refused?.code == "unreadable" || refused?.code == "too_large", "\(String(describing: refused))")
        var many: [[WorkbookFile.Cell]] = [["title", "authors"]]
        for number in 0..<3_000 { many.append([.inline("T\(number % 50)"), .inline("A")]) }
        let long = try bench.importing(
            bench.file("m.xlsx", bytes: WorkbookFile(many).bytes), options: ImportOptions(isDryRun: true))
        #expect(long.read == 3_000 && long.rejected == 0)
    }

    @Test(
        "what is no spreadsheet that is read is refused with what to do",
        arguments: [
            (
                [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1] + [UInt8](repeating: 0, count: 600),
                "old Excel workbook"
            ),
            (
                [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1] + [UInt8](repeating: 0, count: 70_001)
                    + "EncryptedPackage".utf16.flatMap { [UInt8($0), 0] }, "behind a password"
            ),
            ([0x1F, 0x8B, 8, 0], "gzip"), (Array("%PDF-1.7\n".utf8), "PDF"),
            (Array("PK\u{3}\u{4}rest".utf8), "archive of the spreadsheet cannot be read"),
            (
                [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1] + [UInt8](repeating: 0, count: 600)
                    + "Workbook".utf16.flatMap { [UInt8($0), 0] }, "save it as .xlsx, .ods or CSV"
            ),
            ([9, 8, 16, 0, 0, 6, 5, 0, 1, 2, 3, 4], "old Excel workbook"),
            ([9, 0, 4, 0, 2, 0, 0x10, 0], "old Excel workbook"),
            (
                Array("<?xml version=\"1.0\"?><Workbook xmlns=\"urn:schemas-microsoft-com:office:spreadsheet\"/>".utf8),
                "without a sheet"
            ),
        ] as [([UInt8], String)])
    func refused(bytes: [UInt8], words: String) throws {
        let bench = try ImportBench()
        for name in ["list.xls", "list.xlsx", "list.dat"] {
            let problem = #expect(throws: ImportProblem.self) { try bench.importing(bench.file(name, bytes: bytes)) }
            #expect(problem?.message.contains(words) == true, "\(String(describing: problem))")
        }
    }

    @Test("archives without a workbook, XML with entities and archives that unfold without end are refused")
    func hostile() throws {
        let bench = try ImportBench()
        func refusal(_ bytes: [UInt8]) throws -> ImportProblem? {
            #expect(throws: ImportProblem.self) { try bench.importing(bench.file("x.xlsx", bytes: bytes)) }
        }
        var plain = ZIPArchive()
        plain.add("books.csv", "title,isbn\n")
        #expect(try refusal(plain.bytes)?.message.contains("ZIP archive without a spreadsheet") == true)
        var entities = WorkbookFile(Self.titles)
        entities.prologue = #"<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>"#
        #expect(try refusal(entities.bytes)?.message.contains("entities") == true)
    }

    @Test("damaged workbooks are read or refused, never more", arguments: 0..<60)
    func damaged(number: Int) throws {
        let bench = try ImportBench()
        var book = WorkbookFile(Self.titles)
        book.sheets.append(("More", [["title", "isbn"], [.number("43397", format: "d/m/yyyy"), .boolean(true)]]))
        var mutator = ByteMutator(seed: UInt64(number))
        let path = try bench.file("x.xlsx", bytes: Array(mutator.mutate(book.bytes)))
        do {
            let report = try bench.importing(path)
            #expect(report.problems.allSatisfy { $0.line > 0 && !$0.message.isEmpty })
        } catch let problem as ImportProblem {
            #expect(!problem.message.isEmpty && problem.file == path)
        }
        #expect(try bench.desk.examine().isSound)
    }
}
