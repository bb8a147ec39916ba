import Circulation
import Desk
import Interchange
import Storage
import Testing
import TextFormats

/// Lists as systems and people write them, of which each part that may be misread is read right or said.
@Suite("Lists of the world")
struct WorldListTests {
    private func explain(_ name: String, _ text: String, _ bench: ImportBench) throws -> FileExplanation {
        let path = try bench.file(name, text)
        let tally = try RowCounter()
        let explainer = try bench.desk.read {
            try FileExplainer(ImportOptions(), translators: bench.translators, tally: tally, in: $0)
        }
        return try explainer.explain(path)
    }

    private func fields(_ explanation: FileExplanation) -> [String] {
        explanation.columns.map { $0.fields.joined(separator: "+") }
    }

    // MARK: - Who reads a file

    @Test("of plugins that know a file the one reads it that reads most of its columns, whatever they are called")
    func mostColumns() throws {
        let bench = try ImportBench(shipped: ["excel-list", "koha-csv", "school-lists"])
        let patrons =
            "cardnumber;surname;firstname;categorycode;branchcode;dateofbirth\n007;Okri;Ben;PT;CPL;1959-03-15\n"
        #expect(try explain("borrowers.csv", patrons, bench).name == "koha-patrons")
        let pupils = "Student ID,Last Name,First Name,Grade,Homeroom,DOB\n71,Okri,Ben,7,7-1,2013-03-15\n"
        #expect(try explain("pupils.csv", pupils, bench).name == "school-students")
        #expect(try bench.importing(bench.path("pupils.csv")).added == 1)
        #expect(try bench.desk.read { try $0.patrons.get(.username("71")) }?.extra["grade"] == "7")
    }

    @Test("a plugin does not read a file that lacks a column without which it has no record")
    func requiredColumns() throws {
        let bench = try ImportBench(shipped: ["excel-list"])
        let explanation = try explain(
            "members.csv", "Member code,Surname,First name\nM-1,Okri,Ben\nM-2,Achebe,Ada\n", bench)
        #expect(explanation.recogniser == .none)
        #expect(fields(explanation).contains("patrons.surname"))
    }

    @Test(
        "a table whose column would be left behind with the copies, the loans or the names in it is proposed, not taken",
        arguments: [
            ("title,authors,Item barcode\nMomo,Ende,B1\nKrabat,Preussler,B2\n", "copies.barcode"),
            ("title,authors,ISBN/UID\nMomo,Ende,9783522202558\n", "titles.isbn"),
            ("title,author,Due date,Checked out,Barcode\nMomo,Ende,2026-12-24,2026-12-01,B1\n", "loans.due_on"),
            ("username,surname,First name\nada,Hall,Ada\n", "patrons.name"),
            ("username,surname,name,Date of birth\nada,Hall,Ada,2014-03-24\n", "patrons.birth_date"),
        ])
    func nothingVitalLeftBehind(text: String, field: String) throws {
        let bench = try ImportBench()
        let explanation = try explain("list.csv", text, bench)
        #expect(explanation.recogniser == .none)
        #expect(fields(explanation).contains(field), "\(explanation.columns)")
        let problem = try #require(throws: ImportProblem.self) { try bench.importing(bench.path("list.csv")) }
        #expect(problem.code == "unknown_table")
        #expect(problem.message.contains("--explain"))
    }

    @Test("a table of copies makes the titles that it tells enough of")
    func copiesWithTitles() throws {
        let bench = try ImportBench()
        let path = try bench.file(
            "alma.csv",
            "Barcode,ISBN,Title,Author,Publisher,Year\n320,9780140449136,Emma,\"Austen, Jane\",Knopf,1987.\n")
        #expect(try bench.importing(path).added == 1)
        let title = try bench.desk.read { try $0.catalogue.get(.isbn(try ISBN("9780140449136"))) }
        #expect(title?.title == "Emma" && title?.year == 1987 && title?.publisher == "Knopf")
    }

    // MARK: - Numbers

    @Test(
        "a number that a spreadsheet has rounded names no person and no copy",
        arguments: [
            ("username,name,surname\n3.12E+13,Ada,Hall\n", "username"), ("barcode,isbn,title\n3,1E+13,x,y\n", nil),
            ("barcode,isbn,title\n3.1E+13,9780140449136,Emma\n", "barcode"),
            ("barcode,isbn,title\n\"3,1e+13\",9780140449136,Emma\n", "barcode"),
            ("isbn,title,username,barcode,lent_on\n9780140449136,Emma,2E+10,B1,2026-01-01\n", "username"),
        ])
    func roundedNumbers(text: String, field: String?) throws {
        let bench = try ImportBench()
        let report = try bench.importing(bench.file("list.csv", text))
        #expect(report.added == 0 && report.rejected == 1)
        guard let field else { return }
        let problem = try #require(report.problems.first)
        #expect(problem.code == "rounded_number" && problem.field == field && problem.line == 2)
        #expect(problem.message.contains("export it again"))
    }

    @Test("a rounded telephone number is left out, and the person is kept; a title that looks like one stays")
    func roundedTelephone() throws {
        let bench = try ImportBench()
        let report = try bench.importing(bench.file("p.csv", "username,name,surname,phone\nada,Ada,Hall,7.95551E+08\n"))
        #expect(report.added == 1 && report.problems.map(\.code) == ["rounded_number"])
        #expect(try bench.desk.read { try $0.patrons.get(.username("ada")) }?.phone == nil)
        for title in ["1E", "E+13", "3.E+13", "1.5E-10", "Route 1E+"] {
            #expect(try bench.importing(bench.file("t.csv", "title,authors\n\(title),A\n")).added == 1, "\(title)")
        }
    }

    @Test("under a mapping as well")
    func roundedUnderMapping() throws {
        let bench = try ImportBench()
        let text = #"{"version": 2, "records": [{"kind": "patrons", "columns": {"username": "Card", "surname": "N"}}]}"#
        let translator = try bench.desk.read {
            try MappingTranslator(RecordMapping(Array(text.utf8), file: "m.json"), in: $0)
        }
        bench.translators = [translator]
        let report = try bench.importing(
            bench.file("c.csv", "Card,N\n2.1E+11,Hall\n17,Moss\n"), options: ImportOptions(translator: translator.name))
        #expect(report.added == 1 && report.rejected == 1 && report.problems.first?.code == "rounded_number")
    }

    @Test("a date that is a spreadsheet's number is refused with the day that it may be")
    func serialDates() throws {
        let bench = try ImportBench(shipped: ["school-lists"])
        for text in ["username,name,birth_date\nada,Ada,41541\n", "Student ID,Last Name,DOB\n17,Hall,41541.0\n"] {
            let report = try bench.importing(bench.file("list.csv", text))
            #expect(report.rejected == 1 && report.problems.first?.code == "bad_date")
            #expect(report.problems.first?.message.contains("keep 2013-09-24") == true)
        }
        let report = try bench.importing(bench.file("b.csv", "username,name,birth_date\nada,Ada,4154\n"))
        #expect(report.problems.first?.message.contains("YYYY-MM-DD") == true)
    }

    @Test("an amount in another currency is named with the library's")
    func otherCurrency() throws {
        let bench = try ImportBench(shipped: ["excel-list"])
        let report = try bench.importing(bench.file("b.csv", "Barcode,Title,Price\nB1,Emma,$25.00\n"))
        #expect(report.problems.first?.message.hasPrefix("'$25.00' is none; expected an amount of ") == true)
    }

    @Test("the year of a whole date is read, and the path of a file is no address of a cover")
    func wholeDates() throws {
        let bench = try ImportBench()
        let report = try bench.importing(
            bench.file("c.csv", "title,authors,pubdate,cover\nDune,Herbert,2005-08-02T00:00:00+02:00,/c/d.jpg\n"))
        #expect(report.problems.map(\.code) == ["no_address"])
        let title = try bench.desk.read { try $0.catalogue.get(.id(1)) }
        #expect(title?.year == 2005 && title?.coverURL == nil)
    }

    // MARK: - Rows

    @Test(
        "blank rows are nothing, and the sums below a list no record",
        arguments: [
            "Total,,14.98", "Grand Total;2;14,98", "Summe:;;14,98", "Gesamt,2,", "Total général;;14,98 €", "Totale,2,9",
        ])
    func sums(row: String) throws {
        let bench = try ImportBench()
        let separator = row.contains(";") ? ";" : ","
        func line(_ cells: String...) -> String { cells.joined(separator: separator) + "\n" }
        let text =
            line("title", "authors", "price") + line("", "", "") + line("Holes", "Sachar", "7")
            + line("Total", "Ann Total", "")
            + line(" ", "", "") + row + "\n" + line("", "", "")
        let report = try bench.importing(bench.file("list.csv", text))
        #expect(report.read == 3 && report.added == 2 && report.rejected == 1, "\(report.problems)")
        let problem = try #require(report.problems.first { $0.severity == .error })
        #expect(problem.code == "total" && problem.line == 6)
    }

    @Test("a title called Total is none of the sums, before others and in what an export wrote")
    func titlesCalledTotal() throws {
        let bench = try ImportBench()
        #expect(try bench.importing(bench.file("a.csv", "title,year,authors\nTotal,1999,\nOther,2001,B\n")).added == 2)
        let other = try ImportBench()
        let exported = try bench.exported(.titles)
        #expect(try other.importing(other.file("titles.csv", exported)).rejected == 0)
        #expect(try other.exported(.titles) == exported)
    }

    @Test("columns may have ~ or ^ between them, with commas in the texts", arguments: ["~", "^"])
    func rareSeparators(separator: String) throws {
        let rows = [
            ["\"RECORD #(PATRON)\"", "\"PATRN NAME\"", "\"P BARCODE\"", "\"EXP DATE\""],
            ["p1", "\"WOOLF, VIRGINIA\"", "21", "2026-12-31"],
        ]
        let text = rows.map { $0.joined(separator: separator) }.joined(separator: "\n") + "\n"
        let explanation = try explain("sierra.txt", text, ImportBench())
        #expect(explanation.columns.map(\.name) == ["RECORD #(PATRON)", "PATRN NAME", "P BARCODE", "EXP DATE"])
        #expect(fields(explanation).last == "patrons.expires_on")
    }

    // MARK: - Proposals

    @Test("a name beside first names is the surname, whole")
    func surnames() throws {
        let explanation = try explain(
            "leser.csv", "LeserNr;Name;Vorname;Gültig bis\n1;von der Au;Eva;31.12.2027\n2;Groß;Otto;31.12.2027\n",
            ImportBench())
        #expect(fields(explanation) == ["patrons.username", "patrons.surname", "patrons.name", "patrons.expires_on"])
        #expect(explanation.mapping?["records"]?.arrayValue?.first?["columns"]?["surname"] == "Name")
    }

    @Test("the words of a status are translated in a proposal; where one is unknown the column is left open")
    func statuses() throws {
        let head = "Inventario;Titolo;Stato\n"
        let known = try explain(
            "a.csv", head + "C1;Cuore;Disponibile\nC2;Lessico;In prestito\nC3;Gog;Smarrito\n", ImportBench())
        #expect(fields(known) == ["copies.barcode", "titles.title", "copies.status"])
        let source = known.mapping?["records"]?.arrayValue?.last?["columns"]?["status"]
        #expect(source?["values"] == ["Disponibile": "available", "In prestito": "", "Smarrito": "lost"])
        let mapping = try RecordMapping(Array(try #require(known.mapping).text().utf8), file: "m.json")
        let bench = try ImportBench()
        bench.translators = [try bench.desk.read { try MappingTranslator(mapping, in: $0) }]
        let path = try bench.file("a.csv", head + "C1;Cuore;Disponibile\nC2;Lessico;In prestito\nC3;Gog;Smarrito\n")
        let report = try bench.importing(path, options: ImportOptions(translator: bench.translators[0].name))
        #expect(report.rejected == 0, "\(report.problems)")
        let unknown = try explain("b.csv", head + "C1;Cuore;Disponibile\nC2;Lessico;Esposto\n", ImportBench())
        #expect(fields(unknown).last == "")
        #expect(unknown.columns.last?.why.contains("'Esposto'") == true)
    }

    @Test("a name is near to another by a slip of the pen, and not by its length")
    func nearNames() throws {
        let explanation = try explain(
            "shelf.csv", "Titlo,Verfaser,review_name,inventaire_id\nMomo,Ende,Nice,\nKrabat,Preussler,Dark,\n",
            ImportBench())
        #expect(fields(explanation) == ["titles.title", "titles.authors", "", ""])
    }
}
