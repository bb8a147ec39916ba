import Circulation
import Desk
import Interchange
import Testing

@Suite("Mapping files")
struct ColumnMappingTests {
    @Test(
        "a fault is told with its line, its member and what was expected",
        arguments: [
            ("", 1, nil, "value"), ("[]", 1, nil, "object"), ("{\n\"kind\": \"titles\"", 2, nil, "expected"),
            ("{\n\"kind\": \"films\"}", 2, "kind", "copies, loans, patrons, titles"), ("{}", 1, "kind", "titles"),
            ("{\"kind\": \"titles\",\n\"colums\": {}}", 2, "colums", "columns"),
            ("{\"kind\": \"titles\"}", 1, "columns", "at least one"),
            ("{\"kind\": \"titles\",\n\n\"columns\": []}", 3, "columns", "object of texts"),
            ("{\"kind\": \"titles\", \"columns\": {\n\"title\": 3}}", 2, "columns.title", "a text"),
            ("{\"kind\": \"titles\", \"columns\": {\n\"titel\": \"T\"}}", 2, "columns.titel", "publisher"),
            ("{\"kind\": \"copies\", \"columns\": {\n\"title\": \"T\"}}", 2, "columns.title", "barcode"),
            (
                "{\"kind\": \"titles\", \"columns\": {\"title\": \"T\"},\n\"constants\": {\"x\": \"y\"}}", 2,
                "constants.x", "isbn"
            ),
            (
                "{\"kind\": \"titles\", \"columns\": {\"title\": \"T\"},\n\"separator\": \";;\"}", 2, "separator",
                "ASCII"
            ),
            ("{\"kind\": \"titles\", \"columns\": {\"title\": \"T\"},\n\"separator\": \"é\"}", 2, "separator", "ASCII"),
            (
                "{\"kind\": \"titles\", \"columns\": {\"title\": \"T\"},\n\"separator\": \"\\n\"}", 2, "separator",
                "line"
            ),
        ])
    func faults(text: String, line: Int, field: String?, expected: String) {
        let problem = #expect(throws: ImportProblem.self) { try ColumnMapping(Array(text.utf8), file: "m.json") }
        #expect(problem?.file == "m.json" && problem?.line == line && problem?.field == field, "\(problem as Any)")
        #expect(problem?.code == "bad_mapping" && problem?.message.contains(expected) == true, "\(problem as Any)")
    }

    static func mapping(_ text: String) throws -> ImportOptions {
        ImportOptions(mapping: try ColumnMapping(Array(text.utf8), file: "m.json"))
    }

    @Test("a column that the file lacks is named, with those it has")
    func missingColumn() throws {
        let bench = try ImportBench()
        let path = try bench.file("t.csv", "Titel,Jahr\nOdyssee,1781\n")
        let options = try ColumnMappingTests.mapping(
            #"{"kind": "titles", "columns": {"title": "Titel", "isbn": "ISBN", "authors": "Verfasser"}}"#)
        let problem = #expect(throws: ImportProblem.self) { try bench.importing(path, options: options) }
        #expect(problem?.code == "missing_columns" && problem?.line == 1 && problem?.file == path)
        #expect(problem?.message.contains("ISBN, Verfasser; it has Titel, Jahr") == true, "\(problem as Any)")
    }

    @Test("a rejected row is reported by its line in the file, and a column wins over a constant")
    func rows() throws {
        let bench = try ImportBench()
        let path = try bench.file("p.csv", "Kennung\tName\tArt\nada\tAda\tpublic\n\tOhne\tpublic\nbo\tBo\t\n")
        let options = try ColumnMappingTests.mapping(
            #"{"kind": "patrons", "columns": {"username": "Kennung", "name": "Name", "category": "Art"}, "#
                + #""constants": {"category": "staff", "home_branch": "main"}, "separator": "\t"}"#)
        let report = try bench.importing(path, options: options)
        #expect(report.added == 2 && report.rejected == 1)
        let problem = try #require(report.problems.first)
        #expect(problem.line == 3 && problem.field == "username" && problem.code == "missing")
        let ada = try bench.desk.read { try $0.patrons.get(.username("ada")) }
        #expect(ada?.category == "public" && ada?.homeBranch == "main")
    }
}
