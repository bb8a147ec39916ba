import Sheets
import TestSupport
import Testing

@Suite("Spreadsheets as XML of Excel 2003")
struct SpreadsheetMLTests {
    static let head = """
        <?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>
        <Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:x="urn:schemas-microsoft-com:office:excel"
         xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">
        """
    static let styles = """
        <Styles><Style ss:ID="Default"/><Style ss:ID="zip"><NumberFormat ss:Format="00000"/></Style>
        <Style ss:ID="day"><NumberFormat ss:Format="Short Date"/></Style><Style ss:ID="below" ss:Parent="zip"/>
        <Style ss:ID="fixed"><NumberFormat ss:Format="Fixed"/></Style>
        <Style ss:ID="year"><NumberFormat ss:Format="yyyy"/></Style></Styles>
        """

    static func book(_ table: String, options: String = "") -> [UInt8] {
        Array(
            "\(head)\(styles)<Worksheet ss:Name=\"List\"><Table>\(table)</Table>\(options)</Worksheet></Workbook>".utf8)
    }

    static func cell(_ type: String, _ text: String, _ attributes: String = "") -> String {
        "<Cell \(attributes)><Data ss:Type=\"\(type)\">\(text)</Data></Cell>"
    }

    private func open(_ bytes: [UInt8]) throws -> (GivenBytes, Workbook) {
        let given = try GivenBytes(bytes)
        return (given, try Workbook(path: given.path, size: given.size, isXML: true))
    }

    private func shown(_ bytes: [UInt8], sheet: Int = 0) throws -> [String] {
        let (given, book) = try open(bytes)
        defer { withExtendedLifetime(given) {} }
        var source = try book.rows(of: book.sheets[sheet])
        var shown: [String] = []
        while let row = try source.next() {
            let cells = row.cells.map {
                "\(WorkbookFile.name($0.column))=\($0.text)\($0.isError ? "!" : "")\($0.span > 1 ? "*\($0.span)" : "")"
            }
            shown.append("\(row.number): \(cells.joined(separator: " | "))")
        }
        return shown
    }

    private func fault(_ bytes: [UInt8]) -> SheetFault? { #expect(throws: SheetFault.self) { try shown(bytes) } }

    @Test("cells stand where their indices say, behind merged ones and rows that are left out; notes are no data")
    func places() throws {
        let note = "<Comment ss:Author=\"x\"><ss:Data><B>no</B></ss:Data></Comment>"
        let table =
            "<Column ss:Width=\"9\"/><Row>\(Self.cell("String", "Borrower", "ss:MergeAcross=\"1\""))\(Self.cell("String", "Due"))</Row>"
            + "<Row ss:Index=\"4\" ss:Span=\"2\"><Cell ss:Index=\"3\"><Data ss:Type=\"String\">a &amp;<B> b</B></Data>\(note)</Cell>"
            + "<Cell/>\(Self.cell("Error", "#REF!"))</Row><Row ss:Height=\"9\">\(Self.cell("String", "x"))</Row>"
        #expect(try shown(Self.book(table)) == ["1: A=Borrower*2 | C=Due", "4: C=a & b | E=#REF!!", "7: A=x"])
    }

    @Test(
        "each type is read as it is shown",
        arguments: [
            ("Number", "9.780140449136E12", "", "9780140449136"), ("Number", "1234", "ss:StyleID=\"zip\"", "01234"),
            ("Number", "1234", "ss:StyleID=\"below\"", "01234"), ("Number", "4.5", "ss:StyleID=\"fixed\"", "4.5"),
            ("Number", "43397", "ss:StyleID=\"day\"", "2018-10-24"), ("Boolean", "1", "", "true"),
            ("Boolean", "0", "", "false"), ("DateTime", "2018-10-24T00:00:00.000", "", "2018-10-24"),
            ("DateTime", "2018-10-24T18:05:00.000", "", "2018-10-24 18:05:00"),
            ("DateTime", "1899-12-31T18:05:00.000", "", "18:05:00"),
            ("DateTime", "2018-10-24T00:00:00.000", "ss:StyleID=\"year\"", "2018"), ("String", "007", "", "007"),
            ("Nothing", "7&#10;8", "", "7\n8"),
        ])
    func types(type: String, written: String, attributes: String, text: String) throws {
        #expect(try shown(Self.book("<Row>\(Self.cell(type, written, attributes))</Row>")) == ["1: A=\(text)"])
    }

    @Test("a style of a row, and of its column, holds for cells without one")
    func styles() throws {
        let table =
            "<Column/><Column ss:StyleID=\"zip\" ss:Span=\"1\"/><Row>\(Self.cell("Number", "1"))\(Self.cell("Number", "2"))"
            + "\(Self.cell("Number", "3"))</Row><Row ss:StyleID=\"day\">\(Self.cell("Number", "43397"))</Row>"
        #expect(try shown(Self.book(table)) == ["1: A=1 | B=00002 | C=00003", "2: A=2018-10-24"])
    }

    @Test("sheets are found with what is hidden")
    func sheets() throws {
        let hidden =
            "<WorksheetOptions xmlns=\"urn:schemas-microsoft-com:office:excel\"><Visible>SheetHidden</Visible></WorksheetOptions>"
        let text = String(decoding: Self.book("<Row>\(Self.cell("String", "a"))</Row>", options: hidden), as: UTF8.self)
        let two = text.replacing(
            "</Workbook>",
            with:
                "<Worksheet ss:Name=\"B\"><Table><Row>\(Self.cell("String", "b"))</Row></Table></Worksheet></Workbook>")
        let (given, book) = try open(Array(two.utf8))
        defer { withExtendedLifetime(given) {} }
        #expect(book.kind == .spreadsheetML && book.sheets.map(\.name) == ["List", "B"])
        #expect(book.sheets.map(\.isHidden) == [true, false])
        #expect(try shown(Array(two.utf8)) == ["1: A=a"])
        #expect(try shown(Array(two.utf8), sheet: 1) == ["1: A=b"])
    }

    @Test("what is too large, too deep, damaged or declares entities is refused")
    func refused() throws {
        #expect(fault(Self.book("<Row ss:Index=\"1048577\">\(Self.cell("String", "x"))</Row>"))?.code == .tooLarge)
        #expect(fault(Self.book("<Row>\(Self.cell("String", "x", "ss:Index=\"16385\""))</Row>"))?.code == .tooLarge)
        #expect(fault(Self.book("<Row>\(Self.cell("String", "x", "ss:Index=\"0\""))</Row>"))?.code == .damaged)
        let wide = Self.cell("String", "x", "ss:MergeAcross=\"16384\"") + Self.cell("String", "y")
        #expect(fault(Self.book("<Row>\(wide)</Row>"))?.code == .tooLarge)
        let long = String(repeating: "x", count: 1 << 20)
        #expect(fault(Self.book("<Row>\(Self.cell("String", "y\(long)"))</Row>"))?.code == .tooLarge)
        #expect(fault(Self.book("<Row>\(String(repeating: "<B>", count: 300))"))?.code == .damaged)
        #expect(fault(Self.book("<Row>\(Self.cell("String", "x"))"))?.code == .damaged)
        #expect(fault(Self.book("<Row>\(Self.cell("String", "&nbsp;"))</Row>"))?.code == .damaged)
        let entities =
            "<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY b \"bbbb\"><!ENTITY c \"&b;&b;&b;\">]><Workbook>&c;</Workbook>"
        #expect(fault(Array(entities.utf8))?.description.contains("entities") == true)
        #expect(
            fault(Array("<Workbook xmlns=\"urn:schemas-microsoft-com:office:spreadsheet\"/>".utf8))?.code == .unknown)
        #expect(fault(Array("<a/>".utf8))?.code == .unknown)
    }

    @Test("damaged files are read or refused, never more", arguments: 0..<200)
    func damaged(number: Int) throws {
        var mutator = ByteMutator(seed: UInt64(number))
        let table =
            "<Column ss:StyleID=\"zip\" ss:Index=\"2\"/><Row ss:Index=\"2\">\(Self.cell("Number", "43397", "ss:StyleID=\"day\""))"
            + "\(Self.cell("DateTime", "2018-10-24T00:00:00.000", "ss:Index=\"4\" ss:MergeAcross=\"2\""))</Row>"
        do {
            let rows = try shown(Array(mutator.mutate(Self.book(table))))
            #expect(rows.count <= 1_000)
        } catch let fault as SheetFault {
            #expect(!fault.description.isEmpty)
        }
    }
}
