import Circulation
import Desk
import Interchange
import Testing

@Suite("Parents in files")
struct HierarchyImportTests {
    private static let settings = """
        {"branch":{"code":"main","name":"Main","parent":"campus"}}
        {"branch":{"code":"campus","name":"Campus","parent":"institution"}}
        {"branch":{"code":"institution","name":"Institution"}}
        {"category":{"code":"fresher","name":"Freshers","parent":"student"}}
        {"category":{"code":"student","name":"Students"}}
        {"item_type":{"code":"atlas","name":"Atlas","parent":"book"}}
        """

    @Test("a file may name a parent before it is described, and the first branch stays the first")
    func laterParents() throws {
        let bench = try ImportBench()
        let report = try bench.importing(bench.file("settings.jsonl", Self.settings + "\n"))
        #expect(report.rejected == 0, "\(report.problems)")
        try bench.desk.read { (session) throws in
            #expect(try session.settings.branches().first?.code == "main")
            #expect(try session.settings.branch("main")?.parent == "campus")
            #expect(try session.settings.branch("campus")?.parent == "institution")
            #expect(try session.settings.category("fresher")?.parent == "student")
            #expect(try session.settings.category("student")?.name == "Students")
        }
        #expect(try bench.desk.examine().broken == [])
    }

    @Test("what is exported is imported again as the same, in the same order, and once only")
    func roundTrip() throws {
        let bench = try ImportBench()
        try bench.importing(bench.file("settings.jsonl", Self.settings + "\n"))
        let text = try bench.export()
        let other = try ImportBench()
        let report = try other.importing(other.file("export.jsonl", text))
        #expect(report.rejected == 0, "\(report.problems)")
        #expect(try other.export() == text)
        let again = try other.importing(other.path("export.jsonl"))
        #expect(again.added == 0 && again.updated == 0)
        #expect(try other.export() == text)
        #expect(try other.desk.examine().broken == [])
    }

    @Test("a ring of parents is refused with its record, and the rest is taken in")
    func ring() throws {
        let bench = try ImportBench()
        let report = try bench.importing(
            bench.file(
                "ring.jsonl",
                """
                {"category":{"code":"a","name":"A","parent":"b"}}
                {"category":{"code":"b","name":"B","parent":"a"}}
                {"category":{"code":"c","name":"C","parent":"c"}}
                {"category":{"code":"d","name":"D","parent":"a"}}

                """))
        #expect(report.rejected == 2)
        #expect(report.problems.map(\.line) == [2, 3])
        #expect(try bench.desk.read { try $0.settings.category("d") }?.parent == "a")
        #expect(try bench.desk.examine().broken == [])
    }
}
