import Circulation
import Desk
import Foundation
import Interchange
import TestSupport
import Testing
import TextFormats

@Suite("Kinds of files")
struct FileKindTests {
    private static let text = "isbn;title;authors\r\n9780140449136;Die Odyssee – für Ärzte;Homer\r\n"

    private static func utf16(_ text: String, isLittle: Bool) -> [UInt8] {
        text.utf16.flatMap { isLittle ? [UInt8($0 & 0xFF), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }

    static let encoded: [(name: String, bytes: [UInt8], encoding: String, remarks: [String])] = [
        ("UTF-8", Array(text.utf8), "UTF-8", []),
        ("UTF-8 with its mark", [0xEF, 0xBB, 0xBF] + Array(text.utf8), "UTF-8", []),
        ("UTF-16LE with its mark", [0xFF, 0xFE] + utf16(text, isLittle: true), "UTF-16LE", ["encoding"]),
        ("UTF-16LE", utf16(text, isLittle: true), "UTF-16LE", ["encoding"]),
        ("UTF-16BE with its mark", [0xFE, 0xFF] + utf16(text, isLittle: false), "UTF-16BE", ["encoding"]),
        ("UTF-16BE", utf16(text, isLittle: false), "UTF-16BE", ["encoding"]),
        (
            "Windows-1252", text.unicodeScalars.map { $0 == "–" ? 0x96 : UInt8($0.value) }, "Windows-1252", ["encoding"]
        ),
    ]

    @Test("pictures and other binary files are refused as what they are, and a text with an odd character in it is not")
    func binary() throws {
        let bench = try ImportBench()
        for (bytes, words) in [
            ([0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0], "it is a picture"),
            ([0xFF, 0xD8, 0xFF, 0xE0], "it is a picture"),
            ([UInt8](repeating: 0, count: 200), "something binary"),
            ((0..<400).map { UInt8($0 * 7 % 32) }, "something binary"),
        ] as [([UInt8], String)] {
            let path = try bench.file("list.csv", bytes: bytes)
            let problem = #expect(throws: ImportProblem.self) { try bench.importing(path) }
            #expect(problem?.code == "unknown_kind" && problem?.message.contains(words) == true, "\(words)")
        }
        let odd = "title,authors\nA\u{0}tlas\u{1},Doe\n"
        #expect(try bench.importing(bench.file("odd.csv", odd)).read == 1)
    }

    @Test("a table in any encoding is found, said and read", arguments: 0..<encoded.count)
    func encodings(index: Int) throws {
        let given = Self.encoded[index]
        let bench = try ImportBench()
        let report = try bench.importing(bench.file("list.txt", bytes: given.bytes))
        #expect(report.added == 1 && report.problems.map(\.code) == given.remarks, "\(given.name): \(report)")
        #expect(report.files.map(\.encoding) == [given.encoding] && report.files.map(\.separator) == [";"])
        let title = try bench.desk.read { try $0.catalogue.get(.isbn(try ISBN("9780140449136"))) }
        #expect(title?.title == "Die Odyssee – für Ärzte", "\(given.name)")
    }

    @Test("an encoding that is forced is the one that counts")
    func forced() throws {
        let bench = try ImportBench()
        let path = try bench.file("t.csv", bytes: Array("title,authors\nCaf".utf8) + [0xC3, 0xA9] + Array(",A\n".utf8))
        #expect(TextEncoding(name: "latin-1") == .latin1 && TextEncoding(name: "UTF16LE") == .utf16LittleEndian)
        #expect(TextEncoding(name: "cp1252") == .windows1252 && TextEncoding(name: "koi8") == nil)
        let report = try bench.importing(path, options: ImportOptions(encoding: .latin1))
        #expect(report.files.first?.encoding == "ISO-8859-1")
        let titles = try bench.export()
        #expect(titles.contains("CafÃ©"))
    }

    @Test("what a file is shows its content, not its name")
    func names() throws {
        let json = #"[{"title":{"title":"Emma","authors":["Austen"]}}]"#
        let html = """
            <html><head><style>td { color: red }</style></head><body><table border=1>
            <tr><th colspan=3>Class list</th></tr><tr><th>Title<th>Authors<th>ISBN</tr>
            <tr><td>Emma &amp; others<td>Austen<br>J.<td>="9780140449136"</tr></table>
            """
        for (name, text, kind) in [
            ("a.csv", json, "json"), ("a.dat", json, "json"), ("b.xls", html, "html"), ("b.csv", html, "html"),
            ("c.json", "title,authors\nEmma,Austen\n", "csv"), ("c.xls", "title\tauthors\nEmma\tAusten\n", "csv"),
            ("d.csv", "sep=|\ntitle|authors\nEmma|Austen\n", "csv"),
        ] {
            let bench = try ImportBench()
            let report = try bench.importing(bench.file(name, text))
            #expect(report.added == 1 && report.files.map(\.kind) == [kind], "\(name): \(report)")
            #expect(report.problems.filter { $0.code != "header_below" } == [], "\(name)")
        }
        let bench = try ImportBench()
        try bench.importing(bench.file("b.xls", html))
        let title = try bench.desk.read { try $0.catalogue.get(.isbn(try ISBN("9780140449136"))) }
        #expect(title?.title == "Emma & others" && title?.authors == ["Austen J."])
    }

    @Test("a header below other rows is found, also behind another separator than theirs")
    func headings() throws {
        let bench = try ImportBench()
        let text = "Exported by Library, on Monday\n\n;;\nTitle;Authors;ISBN\nEmma;Austen;\n"
        let report = try bench.importing(bench.file("t.csv", text))
        #expect(report.added == 1 && report.problems.map(\.code) == ["header_below"], "\(report)")
        #expect(report.problems.first?.message.contains("line 4; the 2 rows above it") == true)
        #expect(report.files.first?.headerLine == 4 && report.files.first?.separator == ";")
    }

    @Test("a pipe is read to its end, whatever comes through it")
    func pipes() throws {
        let book = WorkbookFile([["title", "authors"], ["Emma", "Austen"]])
        let text =
            [UInt8]("title,authors\n".utf8)
            + (0..<2_000).flatMap { Array("T\($0) \(String(repeating: "x", count: 60)),A\n".utf8) }
        for (bytes, kind, count) in [(book.bytes, "xlsx", 1), (text, "csv", 2_000)] {
            let bench = try ImportBench()
            let path = bench.path("pipe")
            #expect(mkfifo(path, 0o600) == 0)
            let writer = Thread {
                try? FileHandle(forWritingTo: URL(filePath: path)).write(contentsOf: Data(bytes))
            }
            writer.start()
            let report = try bench.importing(path, options: ImportOptions(isDryRun: true))
            #expect(report.read == count && report.files.map(\.kind) == [kind])
        }
    }

    @Test("HTML of any depth and damage is read or refused", arguments: 0..<30)
    func hostileHTML(number: Int) throws {
        let bench = try ImportBench()
        let rows = "<table><tr><td>title<td>authors</tr><tr><td>Emma<td>Austen</tr></table>"
        let deep = number == 0 ? String(repeating: "<b>", count: 50_000) : ""
        var mutator = ByteMutator(seed: UInt64(number))
        let bytes = Array(("<html>" + deep + rows).utf8)
        let path = try bench.file("x.xls", bytes: number == 0 ? bytes : Array(mutator.mutate(bytes)))
        do {
            let report = try bench.importing(path)
            #expect(number != 0 && report.read >= 0)
        } catch let problem as ImportProblem {
            #expect(!problem.message.isEmpty)
        }
    }
}
