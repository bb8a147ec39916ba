import Foundation
import Sheets
import TestSupport
import Testing
import TextFormats

/// A file that is gone with this.
struct GivenBytes {
    private let file: UnnamedFile
    let size: Int

    var path: String { file.path }

    init(_ bytes: [UInt8]) throws {
        file = try UnnamedFile()
        try file.append(bytes)
        size = bytes.count
    }

    func workbook() throws -> Workbook { try Workbook(path: path, size: size) }
}

/// All rows of a sheet as texts, each with its number.
func rows(_ bytes: [UInt8], sheet: Int = 0) throws -> [String] {
    let given = try GivenBytes(bytes)
    let book = try given.workbook()
    var source = try book.rows(of: book.sheets[sheet])
    var rows: [String] = []
    while let row = try source.next() {
        let cells = row.cells.map { "\(WorkbookFile.name($0.column))=\($0.text)\($0.isError ? "!" : "")" }
        rows.append("\(row.number): \(cells.joined(separator: " | "))")
    }
    return rows
}

@Suite("Spreadsheets")
struct WorkbookTests {
    @Test("texts, numbers, truths, formulas and errors are read as they are shown, empty cells and rows are not there")
    func cells() throws {
        let book = WorkbookFile([
            ["Title", .inline("Ann & Bob"), "", .number("12")], [],
            [
                .boolean(true), .boolean(false), .formula("A1&\"x\"", value: "Emma"), .error("#REF!"),
                .text("a\rb _x_ _x0012_"),
            ],
        ])
        #expect(
            try rows(book.bytes) == [
                "1: A=Title | B=Ann & Bob | D=12",
                "3: A=true | B=false | C=Emma | D=#REF!! | E=a\rb _x_ _x0012_",
            ])
    }

    @Test(
        "a number is read as its format shows it: digits of an ISBN whole, with the zeros of a postal code, a date as a date",
        arguments: [
            ("9.7801404491360001E+12", nil, "9780140449136"), ("9780140449136", "0", "9780140449136"),
            ("1234", "00000", "01234"), ("1234567", "00000\\-000", "01234-567"), ("4.4999999999999996", nil, "4.5"),
            ("1234567890123456789", nil, "1234567890123456789"), ("-3", nil, "-3"), ("0.1", "0.00", "0.1"),
            ("43397", "yyyy\\-mm\\-dd", "2018-10-24"), ("43397", "[$-409]d\\-mmm\\-yy;@", "2018-10-24"),
            ("43397.75", "dd/mm/yyyy hh:mm", "2018-10-24 18:00:00"), ("0.75", "h:mm AM/PM", "18:00:00"),
            ("1", "d.m.yy", "1900-01-01"), ("59", "d.m.yy", "1900-02-28"), ("60", "d.m.yy", "1900-02-29"),
            ("61", "d.m.yy", "1900-03-01"), ("43397", "yyyy", "2018"), ("12.5", "#,##0.00\\ \"Stk d\"", "12.5"),
            ("1.5", "[h]:mm", "1.5"), ("43397", "General", "43397"), ("1e300", "yyyy-mm-dd", "1e+300"),
        ] as [(String, String?, String)])
    func numbers(written: String, format: String?, shown: String) throws {
        #expect(try rows(WorkbookFile([[.number(written, format: format)]]).bytes) == ["1: A=\(shown)"])
    }

    @Test("days are counted from 1904 where the workbook says so")
    func otherSystem() throws {
        var book = WorkbookFile([[.number("41935", format: "d/m/yyyy"), .number("0", format: "d/m/yyyy")]])
        book.is1904 = true
        #expect(try rows(book.bytes) == ["1: A=2018-10-24 | B=1904-01-01"])
    }
}

@Suite("Spreadsheets that are none")
struct HostileWorkbookTests {
    private func fault(_ bytes: [UInt8]) -> SheetFault? {
        #expect(throws: SheetFault.self) { try rows(bytes) }
    }

    @Test("an archive that unfolds to far more than its size is read no further")
    func bomb() throws {
        let script = """
            import sys, zipfile
            book = zipfile.ZipFile(sys.argv[1])
            out = zipfile.ZipFile(sys.stdout.buffer, "w", zipfile.ZIP_DEFLATED)
            for name in book.namelist():
                text = book.read(name)
                if name.endswith("sheet1.xml"):
                    text = text.replace(b"<sheetData>", b"<sheetData>" + (b"<!--" + b" " * 1000000 + b"-->") * 70)
                out.writestr(name, text)
            out.close()
            """
        let file = FileManager.default.temporaryDirectory.appending(path: "bomb-\(UUID().uuidString).xlsx")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(WorkbookFile([["title"]]).bytes).write(to: file)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = ["-c", script, file.path(percentEncoded: false)]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = Array(try output.fileHandleForReading.readToEnd() ?? Data())
        process.waitUntilExit()
        #expect(bytes.count > 10_000 && bytes.count < 1 << 20)
        #expect(fault(bytes)?.code == .tooLarge)
    }

    @Test("cells at impossible places, texts that are not there and parts that are missing are damage")
    func places() throws {
        func book(_ sheet: String) -> [UInt8] {
            var archive = ZIPArchive()
            archive.add("[Content_Types].xml", "<Types/>")
            archive.add(
                "_rels/.rels",
                #"<Relationships><Relationship Id="a" Type="x/officeDocument" Target="/xl/w.xml"/></Relationships>"#)
            archive.add("xl/w.xml", #"<workbook><sheets><sheet name="S" id="b"/></sheets></workbook>"#)
            archive.add(
                "xl/_rels/w.xml.rels",
                #"<Relationships><Relationship Id="b" Type="x/worksheet" Target="../xl/s.xml"/></Relationships>"#)
            archive.add("xl/s.xml", "<worksheet><sheetData>\(sheet)</sheetData></worksheet>")
            return archive.bytes
        }
        #expect(try rows(book(#"<row><c t="str"><v>a</v></c><c><v>2</v></c></row>"#)) == ["1: A=a | B=2"])
        #expect(try rows(book(#"<row r="7"><c r="C7"><v>1</v></c><c r="A7"><v>2</v></c></row>"#)) == ["7: A=2 | C=1"])
        #expect(fault(book(#"<row><c r="7"><v>1</v></c></row>"#))?.code == .damaged)
        #expect(fault(book(#"<row><c t="s"><v>0</v></c></row>"#))?.code == .damaged)
        #expect(fault(book(#"<row><c r="XFE1"><v>1</v></c></row>"#))?.code == .tooLarge)
        #expect(fault(book(#"<row r="1048577"><c><v>1</v></c></row>"#))?.code == .tooLarge)
        #expect(fault(book("<row><c><v>1</v></row>"))?.code == .damaged)
        #expect(
            fault(book("<row>" + String(repeating: #"<c r="A1"><v>1</v></c>"#, count: 16_385) + "</row>"))?.code
                == .tooLarge)
    }

    @Test("an OpenDocument spreadsheet is read with its repeated cells and rows, a letter is refused")
    func openDocument() throws {
        func document(_ body: String, manifest: String = "") -> [UInt8] {
            var archive = ZIPArchive()
            archive.add(
                "META-INF/manifest.xml", "<manifest:manifest xmlns:manifest='m'>\(manifest)</manifest:manifest>")
            archive.add(
                "content.xml",
                "<o:document-content xmlns:o='o' xmlns:t='t' xmlns:x='x'><o:body>\(body)</o:body></o:document-content>")
            return archive.bytes
        }
        let table = """
            <o:spreadsheet><t:table t:name='Notes'/><t:table t:name='Books'>
            <t:table-row t:number-rows-repeated='3'><t:table-cell t:number-columns-repeated='16384'/></t:table-row>
            <t:table-row><t:table-cell o:value-type='string'><x:p>Title</x:p><o:annotation><x:p>no</x:p></o:annotation>
            </t:table-cell><t:table-cell/><t:table-cell o:value-type='float' o:value='1234'><x:p>01234</x:p></t:table-cell>
            </t:table-row><t:table-row t:number-rows-repeated='2'>
            <t:table-cell o:value-type='date' o:date-value='2018-10-24'><x:p>24.10.18</x:p></t:table-cell>
            <t:table-cell o:value-type='float' o:value='9780140449136' t:number-columns-repeated='2'><x:p>9,78E+12</x:p>
            </t:table-cell></t:table-row></t:table></o:spreadsheet>
            """
        #expect(
            try rows(document(table), sheet: 1) == [
                "4: A=Title | C=01234", "5: A=2018-10-24 | B=9780140449136 | C=9780140449136",
                "6: A=2018-10-24 | B=9780140449136 | C=9780140449136",
            ])
        #expect(try rows(document(table)) == [])
        #expect(fault(document("<o:text/>"))?.code == .unknown)
        #expect(fault(document(table, manifest: "<encryption-data/>"))?.code == .unsupported)
    }
}
