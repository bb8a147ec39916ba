import Circulation
import Desk
import Interchange
import TestSupport
import Testing
import TextFormats

@Suite("Where copies stand, in files")
struct CopyLocationTests {
    private static func copy(_ barcode: String, _ bench: ImportBench) throws -> Copy {
        try #require(try bench.desk.read { try $0.catalogue.copy(barcode: barcode) })
    }

    private static func bench() throws -> ImportBench {
        let bench = try ImportBench()
        try bench.importing(bench.file("t.csv", "isbn,title\n9780140449136,Odyssey\n"))
        return bench
    }

    @Test("a table and a line of JSON say it, and what says nothing of it takes nothing away")
    func imports() throws {
        let bench = try Self.bench()
        let rows = "b1,9780140449136, new books ,03/24/2026\nb2,9780140449136,,\n"
        let report = try bench.importing(bench.file("c.csv", "barcode,isbn,location,acquired_on\n" + rows))
        #expect(report.added == 2, "\(report)")
        let day = try CivilDate(parsing: "2026-03-24")
        #expect(try Self.copy("b1", bench).location == "new books" && Self.copy("b1", bench).acquiredOn == day)
        #expect(try Self.copy("b2", bench).location == nil && Self.copy("b2", bench).acquiredOn == nil)
        try bench.importing(bench.file("d.csv", "barcode,isbn,branch\nb1,9780140449136,main\n"))
        #expect(try Self.copy("b1", bench).location == "new books" && Self.copy("b1", bench).acquiredOn == day)
        let line = #"{"copy":{"barcode":"b2","isbn":"9780140449136","location":"rare","acquired_on":"2020-02-29"}}"#
        #expect(try bench.importing(bench.file("c.jsonl", line + "\n")).updated == 1)
        #expect(try Self.copy("b2", bench).location == "rare")
        #expect(try Self.copy("b2", bench).acquiredOn == CivilDate(parsing: "2020-02-29"))
    }

    @Test("what is no date or no location is refused and named")
    func malformed() throws {
        let bench = try Self.bench()
        let long = String(repeating: "x", count: 101)
        let lines = [
            #"{"copy":{"barcode":"b1","isbn":"9780140449136","acquired_on":"soon"}}"#,
            #"{"copy":{"barcode":"b2","isbn":"9780140449136","location":["new"]}}"#,
            #"{"copy":{"barcode":"b3","isbn":"9780140449136","location":"\#(long)"}}"#,
            #"{"copy":{"barcode":"b4","isbn":"9780140449136","location":"a\u0007b"}}"#,
            #"{"copy":{"barcode":"b5","isbn":"9780140449136","location":"   "}}"#,
        ]
        let report = try bench.importing(bench.file("c.jsonl", lines.joined(separator: "\n") + "\n"))
        #expect(report.rejected == 4 && report.added == 1, "\(report)")
        #expect(report.problems.map(\.field) == ["copy.acquired_on", "copy.location", "location", "location"])
        #expect(try Self.copy("b5", bench).location == nil)
    }
}
