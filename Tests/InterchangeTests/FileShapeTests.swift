import Circulation
import Desk
import Interchange
import Testing
import TextFormats

@Suite("Shapes of files")
struct FileShapeTests {
    static let rows = ["isbn,title,authors", "9780140449136,Odyssey,Homer", "9780131103627,\"C, twice\",K|R"]

    static let plain = rows.joined(separator: "\n")

    /// The same table, in the shapes that programs of the world write.
    static let shapes: [String] = [
        plain,
        rows.joined(separator: "\r\n") + "\r\n",
        rows.joined(separator: "\r"),
        "\u{FEFF}" + plain,
        "\n\n" + rows.joined(separator: "\n\n") + "\n\n\n",
        plain.replacing(",", with: ";").replacing("C;", with: "C,"),
        plain.replacing(",", with: "\t").replacing("C\t", with: "C,"),
        plain.replacing("isbn,title,authors", with: "ISBN , Title,AUTHORS"),
    ]

    @Test("line ends, a byte order mark and separators are as programs of the world write them", arguments: shapes)
    func tables(text: String) throws {
        let bench = try ImportBench()
        let report = try bench.importing(bench.file("t.csv", text))
        #expect(report.added == 2 && report.problems.isEmpty, "\(report)")
        let title = try bench.desk.read { try $0.catalogue.get(.isbn(try ISBN("9780131103627"))) }
        #expect(title?.title == "C, twice" && title?.authors == ["K", "R"])
    }

    @Test("a quoted field keeps its line ends, and the lines after it are counted from where they stand")
    func quotedLines() throws {
        let bench = try ImportBench()
        let text = "title,authors,description\n\"A\",B,\"one\n\"\"two\"\"\r\nthree\"\n,nobody,\n"
        let report = try bench.importing(bench.file("t.csv", text))
        #expect(report.added == 1 && report.rejected == 1 && report.problems.first?.line == 5, "\(report)")
        let title = try bench.desk.read { try $0.catalogue.get(.id(1)) }
        #expect(title?.description == "one\n\"two\"\r\nthree")
    }

    @Test(
        "bytes that are no UTF-8, where that is what the file is said to be, are refused with the line they stand on, and the other rows are kept",
        arguments: [[0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xE2, 0x82], [0x80]])
    func encoding(fault: [UInt8]) throws {
        let bench = try ImportBench()
        let bytes = Array("title,authors\nA,B\nC".utf8) + fault + Array(",D\nE,F\n".utf8)
        let path = try bench.file("t.csv", bytes: bytes)
        let report = try bench.importing(path, options: ImportOptions(encoding: .utf8))
        #expect(report.added == 2 && report.rejected == 1, "\(report)")
        let problem = try #require(report.problems.first)
        #expect(problem.file == path && problem.line == 3 && problem.code == "encoding")
    }

    @Test(
        "a file without a readable header is refused as a whole, with a line",
        arguments: [
            ("", "empty"), ("\n\n", "empty"), ("\u{FEFF}", "empty"), ("\"title,authors\nA,B\n", "syntax"),
            ("alpha,beta\n1,2\n", "unknown_table"), ("9780140449136,Odyssey,Homer\n", "unknown_table"),
        ])
    func headers(text: String, code: String) throws {
        let bench = try ImportBench()
        let path = try bench.file("t.csv", text)
        let problem = #expect(throws: ImportProblem.self) { try bench.importing(path) }
        #expect(problem?.file == path && problem?.code == code, "\(problem as Any)")
        #expect((problem?.line == 0) == (code == "empty"), "\(problem as Any)")
    }

    @Test("two columns of one name are reported once, and the first is read")
    func repeatedColumns() throws {
        let bench = try ImportBench()
        let report = try bench.importing(
            bench.file("t.csv", "title,Title ,authors,,\nFirst,Second,A,,\nThird,Fourth,A,,\n"))
        #expect(report.added == 2 && report.rejected == 0)
        #expect(report.problems.map(\.code) == ["repeated_column"])
        #expect(report.problems.first?.line == 1 && report.problems.first?.severity == .warning)
        #expect(try bench.desk.read { try $0.catalogue.get(.id(1))?.title } == "First")
    }

    @Test("a row with two faults is one rejected record with two problems")
    func twoFaults() throws {
        let bench = try ImportBench()
        let report = try bench.importing(
            bench.file("c.csv", "barcode,isbn,status\nA1,9780140449137,eaten\n"))
        #expect(report.read == 1 && report.rejected == 1)
        #expect(report.problems.map(\.field) == ["isbn", "status"])
    }

    @Test("nothing stays of a record that is refused after its first write")
    func wholeRecords() throws {
        let bench = try ImportBench()
        let before = try bench.export()
        let report = try bench.importing(
            bench.file("p.csv", "username,name,category,home_branch\nx,X,new kind!,main\n"),
            bench.file(
                "t.jsonl",
                #"{"title":{"title":"T","copies":[{"barcode":"1","branch":"west"},{"barcode":"1","branch":"no code!"}]}}"#
            ))
        #expect(report.rejected == 2, "\(report)")
        #expect(try bench.export() == before)
    }

    @Test(
        "JSON is read with a byte order mark, as an array, as lines and as one document",
        arguments: [
            #"[{"title":"A"},{"title":"B"}]"#, "{\"title\":\"A\"}\r\n{\"title\":\"B\"}\r\n",
            "\u{FEFF}[{\"title\":\"A\"}\n,{\"title\":\"B\"}]", "\u{FEFF}{\"title\":\"A\"}\n{\"title\":\"B\"}",
        ])
    func documents(text: String) throws {
        let bench = try ImportBench()
        let report = try bench.importing(bench.file("t.json", text))
        #expect(report.added == 2 && report.rejected == 0, "\(report)")
    }

    @Test("a settings document may begin with a byte order mark")
    func markedDocument() throws {
        let bench = try ImportBench()
        let report = try bench.importing(
            bench.file("s.json", "\u{FEFF}{\n\"categories\": [\n{\"code\": \"child\"}]\n}"))
        #expect(report.rejected == 0 && report.updated + report.added == 1, "\(report)")
        #expect(try bench.desk.read { try $0.settings.category("child") } != nil)
    }
}
