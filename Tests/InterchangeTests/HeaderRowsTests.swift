import Circulation
import Desk
import Interchange
import Storage
import TestSupport
import Testing
import TextFormats

@Suite("Headers of two rows")
struct HeaderRowsTests {
    private static let mapping = """
        {"version": 2, "dates": "dmy", "records": [
          {"kind": "patrons", "columns": {"username": "Borrower Card", "surname": "Borrower Name"}},
          {"kind": "titles", "columns": {"title": "Book Name"}},
          {"kind": "copies", "columns": {"barcode": "Book Barcode"}},
          {"kind": "loans", "columns": {"username": "Borrower Card", "barcode": "Book Barcode",
                                        "lent_on": "Loan Out", "due_on": "Loan Due"}}], "ignore": ["Remark"]}
        """
    private static let rows = "1001,Hall,Momo,B1,05.12.2026,30.12.2026,\n1002,Moss,Emma,B2,06.12.2026,31.12.2026,late\n"
    private static let names = "Card,Name,Name,Barcode,Out,Due,Remark\n"

    private static func imported(_ name: String, _ bytes: [UInt8], mapping: String = mapping) throws -> ImportReport {
        let bench = try ImportBench()
        let read = try RecordMapping(Array(mapping.utf8), file: "m.json")
        let translator = try bench.desk.read { try MappingTranslator(read, in: $0) }
        bench.translators = [translator]
        let report = try bench.importing(
            bench.file(name, bytes: bytes), options: ImportOptions(translator: translator.name))
        let loans = try bench.export().split(separator: "\n").count { $0.hasPrefix("{\"loan\":") }
        #expect(loans == 2, "\(report)")
        return report
    }

    /// With cells that are merged.
    private static func workbook(_ rows: [[String]], _ merged: [String]) -> [UInt8] {
        var archive = ZIPArchive()
        archive.add("[Content_Types].xml", "<Types/>")
        archive.add(
            "_rels/.rels",
            #"<Relationships><Relationship Id="a" Type="x/officeDocument" Target="/xl/w.xml"/></Relationships>"#)
        archive.add("xl/w.xml", #"<workbook><sheets><sheet name="S" id="b"/></sheets></workbook>"#)
        archive.add(
            "xl/_rels/w.xml.rels",
            #"<Relationships><Relationship Id="b" Type="x/worksheet" Target="../xl/s.xml"/></Relationships>"#)
        let body = rows.map { row in
            "<row>\(row.map { $0.isEmpty ? "<c/>" : "<c t=\"str\"><v>\($0)</v></c>" }.joined())</row>"
        }
        let areas = merged.map { "<mergeCell ref=\"\($0)\"/>" }
        archive.add(
            "xl/s.xml",
            "<worksheet><sheetData>\(body.joined())</sheetData><mergeCells>\(areas.joined())</mergeCells></worksheet>")
        return archive.bytes
    }

    private func explain(_ text: String, _ options: ImportOptions = ImportOptions()) throws -> FileExplanation {
        let bench = try ImportBench()
        let path = try bench.file("l.csv", text)
        return try bench.desk.read {
            try FileExplainer(options, translators: [], tally: try RowCounter(), in: $0).explain(path)
        }
    }

    @Test(
        "names of groups above names of columns make names, whether they are repeated or merged",
        arguments: [
            "Borrower,Borrower,Book,Book,Loan,Loan,", "Borrower,,Book,,Loan,Loan,", "Borrower,,book,Book,Loan,,",
        ])
    func text(groups: String) throws {
        // A text does not say where a group ends: the last column belongs to the last group.
        let mapping = Self.mapping.replacing("\"Remark\"", with: "\"Loan Remark\"")
        let report = try Self.imported(
            "l.csv", Array("Lent books\n\n\(groups)\n\(Self.names)\(Self.rows)".utf8), mapping: mapping)
        #expect(report.rejected == 0 && report.problems.map(\.code) == ["header_below", "two_row_header"], "\(report)")
        #expect(report.problems.last?.message.contains("'Borrower Card', 'Borrower Name', ") == true)
        #expect(report.problems.last?.message.contains("--header-rows 1") == true)
        #expect(report.files.first?.headerRows == 2 && report.files.first?.headerLine == 3)
        #expect(report.files.first?.description.contains("header of two rows") == true)
    }

    @Test("a workbook, a page and XML say which columns a group spans")
    func sheets() throws {
        func cells(_ text: String) -> [String] {
            text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let lines = Self.rows.split(separator: "\n").map { cells(String($0)) }
        let names = cells(Self.names.replacing("\n", with: ""))
        let book = Self.workbook(
            [["Borrower", "", "Book", "", "Loan", "", ""], names] + lines, ["A1:B1", "C1:D1", "E1:F1"])
        var html = "<table><tr><th colspan=2>Borrower<th colspan=2>Book<th colspan=2>Loan<th></tr>"
        for line in [names] + lines { html += "<tr>\(line.map { "<td>\($0)" }.joined())</tr>" }
        func xml(_ cells: [String]) -> String {
            "<Row>\(cells.enumerated().map { $1.isEmpty ? "" : "<Cell ss:Index=\"\($0 + 1)\"><Data ss:Type=\"String\">\($1)</Data></Cell>" }.joined())</Row>"
        }
        let merged = ["Borrower", "Book", "Loan"].map {
            "<Cell ss:MergeAcross=\"1\"><Data ss:Type=\"String\">\($0)</Data></Cell>"
        }
        let document =
            "<?xml version=\"1.0\"?><?mso-application progid=\"Excel.Sheet\"?><Workbook xmlns:ss=\"s\"><Worksheet ss:Name=\"L\"><Table>"
            + "<Row>\(merged.joined())</Row>\(([names] + lines).map(xml).joined())</Table></Worksheet></Workbook>"
        for (name, bytes, kind) in [
            ("l.xlsx", book, "xlsx"), ("l.xls", Array(html.utf8), "html"),
            ("l.xml", Array(document.utf8), "spreadsheetml"), ("l.csv", Array(document.utf8), "spreadsheetml"),
        ] {
            let report = try Self.imported(name, bytes)
            #expect(report.files.map(\.kind) == [kind] && report.files.first?.headerRows == 2, "\(name): \(report)")
            #expect(report.problems.map(\.code) == ["two_row_header"], "\(name): \(report)")
        }
    }

    @Test("what explains a file finds both rows, says so, and writes them into the mapping that it proposes")
    func explained() throws {
        let groups = "Borrower,Borrower,Book,Book,Loan,Loan,\n"
        let found = try explain(groups + Self.names.replacing("Name,Name", with: "Name,Title") + Self.rows)
        #expect(found.problems.map(\.code) == ["two_row_header"], "\(found.problems)")
        #expect(found.columns.map(\.name).prefix(3) == ["Borrower Card", "Borrower Name", "Book Title"])
        #expect(found.mapping?["header_rows"] == 2)
        let fields = found.columns.map(\.fields)
        #expect(fields[0] == ["loans.username"] && fields[3] == ["loans.barcode"] && fields[5] == ["loans.due_on"])
        #expect(found.columns[4].why == "by its name, 'Out' below 'Loan'" && fields[4] == ["loans.lent_at"])
        let mapping = try RecordMapping(Array((found.mapping ?? .null).text().utf8), file: "m.json")
        #expect(mapping.headerRows == 2)
    }

    @Test("a second row that may be data is read as data, which is said with the option that decides")
    func unclear() throws {
        let words = "Person,,Place,\nFirst,Last,Town,Land\nAda,Hall,Leeds,UK\n"
        let open = try explain(words)
        #expect(open.columns.map(\.name) == ["Person", "", "Place", ""])
        let remark = try #require(open.problems.first { $0.code == "header_rows" })
        #expect(remark.message.contains("read as data") && remark.message.contains("--header-rows 2"))
        #expect(remark.message.contains("'Person First'"))
        let two = try explain(words, ImportOptions(headerRows: 2))
        #expect(two.columns.map(\.name) == ["Person First", "Person Last", "Place Town", "Place Land"])
        #expect(!two.problems.contains { $0.code == "header_rows" || $0.code == "two_row_header" })
        let one = try explain(words, ImportOptions(headerRows: 1))
        #expect(one.columns.count == 4 && !one.problems.contains { $0.code == "header_rows" })
        let bench = try ImportBench()
        let refused = #expect(throws: ImportProblem.self) { try bench.importing(bench.file("w.csv", words)) }
        #expect(refused?.code == "unknown_table" && refused?.message.contains("--header-rows 2") == true)
    }

    @Test(
        "rows of data below a single header are never joined with it",
        arguments: [
            "Author,Author,Name\nEnde,Doe,Momo\n", "Surname,,Born\nHall,Ada,2012-03-04\nMoss,Bob,2013-01-01\n",
            "Code,Code,Year\nx,y,unknown\nz,w,1999\nq,v,2001\n", "A,A\n1,2\n", "A,B,C\nx,y,z\n1,2,3\n",
        ])
    func single(text: String) throws {
        let found = try explain(text)
        #expect(
            found.columns.map(\.name)
                == text.split(separator: "\n")[0].split(separator: ",", omittingEmptySubsequences: false).map(
                    String.init))
        #expect(!found.problems.contains { $0.code == "two_row_header" })
    }

    @Test("below names of groups a header that is known counts alone, which is said; the option joins them")
    func known() throws {
        let bench = try ImportBench()
        let path = try bench.file("t.csv", "Work,Work,Number\ntitle,authors,isbn\nEmma,Austen,\n")
        let report = try bench.importing(path)
        #expect(report.added == 1 && report.problems.map(\.code) == ["header_below", "group_row"], "\(report)")
        #expect(report.problems.last?.message.contains("'Work title'") == true && report.files.first?.headerRows == 1)
        #expect(
            try bench.importing(path, options: ImportOptions(headerRows: 1)).problems.map(\.code) == ["header_below"])
        let joined = #expect(throws: ImportProblem.self) {
            try bench.importing(path, options: ImportOptions(headerRows: 2))
        }
        #expect(joined?.message.contains("Work title, Work authors, Number isbn") == true)
        let single = try ImportBench()
        let heading = try single.importing(single.file("t.csv", "Our books,,\ntitle,authors,isbn\nEmma,Austen,\n"))
        #expect(heading.problems.map(\.code) == ["header_below"])
    }

    @Test("a mapping file says how many rows the header has, and anything but 1 or 2 is a fault of it")
    func mappings() throws {
        let two = Self.mapping.replacing("\"dates\"", with: "\"header_rows\": 2, \"dates\"").replacing(
            "\"Remark\"", with: "\"Loan Remark\"")
        let report = try Self.imported(
            "l.csv", Array("Borrower,,Book,,Loan,,\n\(Self.names)\(Self.rows)".utf8), mapping: two)
        #expect(report.problems == [], "\(report)")
        for wrong in ["3", "\"2\"", "true", "null"] {
            let problem = #expect(throws: ImportProblem.self) {
                try RecordMapping(Array(two.replacing("_rows\": 2", with: "_rows\": \(wrong)").utf8), file: "m.json")
            }
            #expect(problem?.field == "header_rows", "\(wrong): \(String(describing: problem))")
        }
    }

    @Test("headers of random rows are read or refused alike twice, never more", arguments: 0..<60)
    func damaged(number: Int) throws {
        var mutator = ByteMutator(seed: UInt64(number))
        let text = "Borrower,,Book,,Loan,,\n\(Self.names)\(Self.rows)"
        let bytes = Array(mutator.mutate(Array(text.utf8)))
        let bench = try ImportBench()
        let path = try bench.file("l.csv", bytes: bytes)
        for rows in [nil, 1, 2] {
            let options = ImportOptions(headerRows: rows)
            do {
                let found = try bench.desk.read {
                    try FileExplainer(options, translators: [], tally: try RowCounter(), in: $0).explain(path)
                }
                #expect(found.problems.allSatisfy { !$0.message.isEmpty })
            } catch let problem as ImportProblem {
                #expect(!problem.message.isEmpty)
            }
        }
    }
}
