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
        // So it is where copies are counted, and the title goes with them.
        let rows = "isbn,title,copies,location\n9780141439587,Emma,2,\(long)\n9780131103627,C,1,ref\n"
        let titles = try bench.importing(bench.file("titles.csv", rows))
        #expect(titles.rejected == 1 && titles.added == 1, "\(titles)")
        #expect(titles.problems.map(\.field) == ["location"] && titles.problems[0].line == 2, "\(titles)")
        #expect(try bench.desk.read { try $0.catalogue.get(.isbn(ISBN("9780141439587"))) } == nil)
    }

    private static func names(_ bench: ImportBench) throws -> [String] {
        try bench.desk.read { try $0.settings.locations().map { "\($0.code): \($0.name)" } }
    }

    @Test("a settings document and a line of JSON name locations, and a later file gives another name")
    func named() throws {
        let bench = try Self.bench()
        let document = #"{"locations":[{"code":"ref","name":"Reference"},{"code":"new books"}]}"#
        #expect(try bench.importing(bench.file("s.json", document)).kinds.counts["locations"]?.added == 2)
        #expect(try Self.names(bench) == ["ref: Reference", "new books: new books"])
        let line = #"{"location":{"code":"new books","name":"At the door"}}"# + "\n"
        #expect(try bench.importing(bench.file("l.jsonl", line)).updated == 1)
        #expect(try bench.importing(bench.file("m.jsonl", line)).unchanged == 1)
        #expect(try Self.names(bench) == ["ref: Reference", "new books: At the door"])
        #expect(try bench.export().contains(line))
        let twice = try bench.importing(
            bench.file("n.jsonl", line + #"{"location":{"code":"new books","name":"Else"}}"# + "\n"))
        #expect(twice.rejected == 1 && twice.problems.first?.code == "repeated", "\(twice.problems)")
        let wrong = [
            #"{"location":{"name":"No code"}}"#, #"{"location":{"code":"a\u0007b","name":"x"}}"#,
            #"{"location":{"code":["ref"],"name":"x"}}"#,
        ]
        let report = try bench.importing(bench.file("w.jsonl", wrong.joined(separator: "\n") + "\n"))
        #expect(report.rejected == 3, "\(report.problems)")
        #expect(try Self.names(bench) == ["ref: Reference", "new books: At the door"])
        #expect(try bench.desk.examine().broken == [])
    }

    @Test("locations without a name are told once where the library names its locations, and stay as they are")
    func unnamed() throws {
        let bench = try Self.bench()
        func rows(_ start: Int) -> String {
            let places = ["ref", "kids", "kids", "", "loft"]
            return "barcode,isbn,location\n"
                + places.enumerated().map { "b\(start + $0.offset),9780140449136,\($0.element)\n" }.joined()
        }
        #expect(try bench.importing(bench.file("a.csv", rows(0))).declared == [])
        try bench.importing(bench.file("s.json", #"{"locations":[{"code":"ref","name":"Reference"}]}"#))
        let told = try bench.importing(bench.file("b.csv", rows(10)))
        #expect(told.declared == [UndescribedCode(.location, "kids"), UndescribedCode(.location, "loft")])
        #expect(told.declared.allSatisfy { !$0.isDeclared })
        // A row that is refused says nothing of it, one that follows does.
        let refused =
            "barcode,isbn,location,acquired_on\nc1,9780140449136,attic,never\nb10,,attic,\nc2,9780140449136,attic,\n"
        #expect(
            try bench.importing(bench.file("c.csv", refused)).declared == [UndescribedCode(.location, "attic")])
        #expect(try Self.names(bench) == ["ref: Reference"])
    }

    @Test("copies that a table of titles counts stand where it says")
    func counted() throws {
        let bench = try ImportBench()
        try bench.importing(bench.file("t.csv", "isbn,title,copies,location\n9780140449136,Odyssey,2,stacks\n"))
        let copies = try bench.desk.read { try $0.catalogue.copies(of: .isbn(ISBN("9780140449136"))) }
        #expect(copies.map(\.location) == ["stacks", "stacks"])
    }
}
