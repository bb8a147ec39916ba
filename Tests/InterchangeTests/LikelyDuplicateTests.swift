import Circulation
import Desk
import Interchange
import Storage
import TestSupport
import Testing
import TextFormats

@Suite("Likely duplicates")
struct LikelyDuplicateTests {
    private static func born(
        _ username: String, _ name: String, _ surname: String, _ date: String?, email: String? = nil
    )
        throws -> Patron
    {
        var patron = Patron(
            username: username, name: name, surname: surname, category: "c", homeBranch: "main")
        patron.birthDate = try date.map { try CivilDate(parsing: $0) }
        patron.email = email
        return patron
    }

    @Test(
        "people are alike by name and birth date, nearly so too, and by an address that no other birth date contradicts"
    )
    func people() throws {
        let ada = try Self.born("1", "Ada", "Müller", "2012-03-04", email: "Hall@example.org")
        func why(_ other: Patron) -> LikelyDuplicate? { .of(ada, other) }
        #expect(why(try Self.born("2", "ada", "MUELLER", "2012-03-04")) == .sameNameAndBirthDate)
        #expect(why(try Self.born("2", "Müller", "Ada", "2012-03-04")) == .sameNameAndBirthDate)
        #expect(why(try Self.born("2", "Ada", "Miller", "2012-03-04")) == .nearNameAndBirthDate)
        #expect(why(try Self.born("2", "Ada", "Müller", "2012-03-05")) == nil)
        #expect(why(try Self.born("2", "Ada", "Müller", nil)) == nil)
        #expect(why(try Self.born("2", "Bob", "Moss", nil, email: "hall@EXAMPLE.org")) == .sameEmail)
        #expect(why(try Self.born("2", "Bob", "Moss", "2014-01-01", email: "hall@example.org")) == nil)
        #expect(why(try Self.born("2", "Bob", "Moss", "2012-03-04")) == nil)
    }

    @Test("titles are alike by name and authors where an ISBN is missing, and years do not contradict")
    func titles() throws {
        var momo = Title(title: "Momo", authors: ["Ende, Michael"], year: 1973)
        momo.isbn = try ISBN("9783522202558")
        #expect(LikelyDuplicate.of(momo, Title(title: "MOMO", authors: ["Michael Ende"])) == .sameTitleAndAuthors)
        #expect(LikelyDuplicate.of(momo, Title(title: "Momo", authors: ["Ende, Michael"], year: 2005)) == nil)
        #expect(LikelyDuplicate.of(momo, Title(title: "Momo")) == nil)
        var other = momo
        other.isbn = try ISBN("9780439023481")
        #expect(LikelyDuplicate.of(momo, other) == nil)
    }

    @Test("a patron who is there already is reported with the row or the record of both, and comes in nevertheless")
    func patronsOfFiles() throws {
        let bench = try ImportBench()
        let head = "username,name,surname,birth_date,email\n"
        let first = try bench.file("a.csv", head + "1,Ada,Hall,2012-03-04,ada@example.org\n2,Bob,Moss,,\n")
        #expect(try bench.importing(first).likelyDuplicates == 0)
        let second = try bench.file(
            "b.csv",
            head + "10,Hall,Ada,2012-03-04,\n11,Cleo,Lee,2010-01-01,cleo@example.org\n"
                + "12,Cleo,Leigh,,CLEO@example.org\n13,Bob,Moss,,\n")
        let report = try bench.importing(second)
        #expect(report.added == 4 && report.likelyDuplicates == 2 && report.rejected == 0)
        let problems = report.problems.map { "\($0.line) \($0.code) \($0.severity.rawValue)" }
        #expect(problems == ["2 likely_duplicate warning", "4 likely_duplicate warning"])
        let inLibrary = try #require(report.problems[0].json["other"])
        #expect(
            inLibrary["username"] == "1" && inLibrary["line"] == nil && inLibrary["why"] == "same_name_and_birth_date")
        let inFile = try #require(report.problems[1].json["other"])
        #expect(inFile["username"] == "11" && inFile["line"] == 3 && inFile["file"]?.stringValue == second)
        #expect(report.problems[1].message.contains("b.csv:3"))
        #expect(try bench.importing(second).likelyDuplicates == 0)
        #expect(report.json["likely_duplicates"] == 2)
    }

    @Test("titles without an ISBN are reported beside their like, and one ISBN under two names too")
    func titlesOfFiles() throws {
        let bench = try ImportBench()
        let path = try bench.file(
            "t.csv",
            "title,authors,isbn,year\nMomo,Michael Ende,9783522202558,1973\nMomo,Michael Ende,,\n"
                + "Atlas,Doe,,2001\nAtlas,Doe,,2001\nThe odyssey,Homer,9783522202558,\n")
        let report = try bench.importing(path)
        let said = report.problems.filter { $0.code == "likely_duplicate" }
        #expect(said.map(\.line) == [3, 5, 6], "\(report.problems)")
        #expect(said.allSatisfy { $0.severity == .warning && $0.json["other"]?["line"] != nil })
        #expect(said.last?.json["other"]?["why"] == "same_isbn")
        #expect(said.last?.message.contains("t.csv:2") == true)
    }

    @Test("copies of one title in the rows of a list are no duplicates")
    func copies() throws {
        let bench = try ImportBench()
        let mapping = try RecordMapping(
            Array(
                #"{"version": 2, "records": [{"kind": "titles", "columns": {"title": "T"}}, {"kind": "copies", "columns": {"barcode": "B"}}]}"#
                    .utf8), file: "m.json")
        let translator = try bench.desk.read { try MappingTranslator(mapping, in: $0) }
        bench.translators = [translator]
        let report = try bench.importing(
            bench.file("l.csv", "T,B\nAtlas,1\nAtlas,2\n"), options: ImportOptions(translator: translator.name))
        #expect(report.likelyDuplicates == 0 && report.problems.isEmpty, "\(report.problems)")
    }

    @Test("many of them are counted, and reported up to a bound")
    func many() throws {
        let bench = try ImportBench()
        let rows = (0..<1_200).map { "p\($0),Ada,Hall,2012-03-04" }.joined(separator: "\n")
        let report = try bench.importing(bench.file("m.csv", "username,name,surname,birth_date\n\(rows)\n"))
        #expect(report.added == 1_200 && report.likelyDuplicates == 1_199)
        #expect(report.problems.count == 1_000)
    }

    @Test(
        "ten times as many people take about ten times as long, however alike they are",
        arguments: ["one family", "one birthday", "one address"])
    func linear(kind: String) throws {
        func time(_ count: Int) throws -> Duration {
            let bench = try ImportBench()
            let rows = (0..<count).map { number in
                switch kind {
                case "one family": "p\(number),Ada,Hall,2012-03-04,"
                case "one birthday": "p\(number),Name\(number),Surname\(number * 7),2000-01-01,"
                default: "p\(number),Name\(number),Hall,,office@example.org"
                }
            }
            let path = try bench.file(
                "p.csv", "username,name,surname,birth_date,email\n" + rows.joined(separator: "\n") + "\n")
            var added = 0
            let spent = try ProcessorTime.spent { added = try bench.importing(path).added }
            #expect(added == count)
            return spent
        }
        let (few, many) = (try time(400), try time(4_000))
        // Where each is compared with all before it is a hundred times.
        #expect(many < few * 35 + .milliseconds(500), "\(few), \(many)")
    }

    @Test("a library that comes back whole reports no duplicates, one that joins another does")
    func wholeLibraries() throws {
        let source = try ImportBench()
        let rows = "username,name,surname,birth_date\n1,Ada,Hall,2012-03-04\n2,Ada,Hall,2012-03-04\n"
        #expect(try source.importing(source.file("p.csv", rows)).likelyDuplicates == 1)
        let export = try source.export()
        let empty = try ImportBench()
        #expect(try empty.importing(empty.file("all.jsonl", export)).likelyDuplicates == 0)
        let other = try ImportBench()
        try other.importing(other.file("p.csv", "username,name,surname,birth_date\n9,Hall,Ada,2012-03-04\n"))
        #expect(try other.importing(other.file("all.jsonl", export)).likelyDuplicates == 2)
    }
}
