import Circulation
import Desk
import Foundation
import Interchange
import Storage
import TestSupport
import Testing
import TextFormats

@Suite("Files explained before they are imported")
struct ExplanationTests {
    private func explain(
        _ name: String, _ text: String, _ bench: ImportBench, _ options: ImportOptions = ImportOptions()
    ) throws -> FileExplanation {
        try explain(at: bench.file(name, text), bench, options)
    }

    private func explain(
        at path: String, _ bench: ImportBench, _ options: ImportOptions = ImportOptions()
    ) throws -> FileExplanation {
        let tally = try RowCounter()
        let explainer = try bench.desk.read {
            try FileExplainer(options, translators: bench.translators, tally: tally, in: $0)
        }
        return try explainer.explain(path)
    }

    private func fields(_ explanation: FileExplanation) -> [String] {
        explanation.columns.map { $0.fields.joined(separator: "+") }
    }

    @Test(
        "columns of no known kind are proposed by their names in several languages, near names and content",
        arguments: [
            (
                "Benutzernummer;Vorname;Nachname;Geb.-Datum;Klasse\n1;Ada;Hall;24.03.2014;5a\n",
                ["patrons.username", "patrons.name", "patrons.surname", "patrons.birth_date", "patrons.extra.class"]
            ),
            (
                "Numéro de carte,Nom,Prénom,Courriel\n1,Hall,Ada,a@example.org\n",
                ["patrons.username", "patrons.surname", "patrons.name", "patrons.email"]
            ),
            (
                "Titre,Auteur,Année,Code-barres,Prix\nMomo,Ende,1973,B1,\"9,50\"\n",
                ["titles.title", "titles.authors", "titles.year", "copies.barcode", "copies.replacement_price"]
            ),
            (
                "Apelidos,Nombre,Número de carné,x\nHall,Ada,17,a@example.org\nMoss,Bob,18,b@example.org\n",
                ["patrons.surname", "patrons.name", "patrons.username", "patrons.email"]
            ),
            (
                "Buchtitel;x;y\nMomo;9783522202558;1973\nDune;9780441013593;1965\n",
                ["titles.title", "titles.isbn", "titles.year"]
            ),
            (
                "Barcode,Borrower number,Date checked out,Date due\nB1,1,2026-01-02,2026-02-02\n",
                ["loans.barcode", "loans.username", "loans.lent_at", "loans.due_on"]
            ),
        ])
    func proposals(text: String, expected: [String]) throws {
        let explanation = try explain("list.csv", text, ImportBench())
        #expect(explanation.recogniser == .none)
        #expect(fields(explanation) == expected, "\(explanation.columns)")
        let mapping = try #require(explanation.mapping)
        #expect(throws: Never.self) { try RecordMapping(Array(mapping.text().utf8), file: "m.json") }
    }

    @Test("a proposal imports nothing, and as a mapping file it does what it shows")
    func confirmed() throws {
        let bench = try ImportBench()
        let text = "Ausweis;Name;Geb.;Passwort;Notiz\n1;Hall, Ada;24.03.2014;x;n\n2;Moss, Bob;04.11.2013;y;\n"
        let explanation = try explain("list.csv", text, bench)
        #expect(explanation.columns.map(\.confidence) == [.likely, .possible, .likely, .none, .none])
        #expect(explanation.columns[3].why.contains("never taken over"))
        let path = bench.path("list.csv")
        #expect(throws: ImportProblem.self) { try bench.importing(path) }
        let json = try #require(explanation.mapping)
        #expect(json["ignore"] == ["Passwort"] && json["undecided"] == ["Notiz"])
        let mapping = try RecordMapping(Array(json.text().utf8), file: "m.json")
        let translator = try bench.desk.read { try MappingTranslator(mapping, in: $0) }
        bench.translators = [translator]
        #expect(try bench.importing(path, options: ImportOptions(translator: translator.name)).added == 2)
        let ada = try bench.desk.read { try $0.patrons.get(.username("1")) }
        #expect(ada?.surname == "Hall" && ada?.name == "Ada" && ada?.birthDate?.description == "2014-03-24")
    }

    @Test("dates decide their order where a row can, and are told with both readings where none can")
    func dates() throws {
        let bench = try ImportBench()
        let head = "Card number,Last name,DOB\n"
        let decided = try explain("a.csv", head + "1,Hall,04/03/2012\n2,Moss,24/03/2012\n", bench)
        #expect(decided.columns[2].problems.isEmpty)
        #expect(decided.mapping?["records"]?.arrayValue?.first?["columns"]?["birth_date"]?["dates"] == "dmy")
        let open = try explain("b.csv", head + "1,Hall,04/03/2012\n2,Moss,05/03/2012\n", bench)
        let said = try #require(open.columns[2].problems.first)
        #expect(said.contains("2012-03-04 if the day comes first") && said.contains("2012-04-03 if the month does"))
        #expect(open.mapping?["records"]?.arrayValue?.first?["columns"]?["birth_date"] == "DOB")
        let both = try explain("c.csv", head + "1,Hall,24/03/2012\n2,Moss,03/24/2012\n3,Lee,x\n", bench)
        #expect(both.columns[2].problems.contains { $0.contains("both orders") })
        #expect(both.columns[2].problems.contains { $0.contains("'x' is not a date") })
    }

    @Test("a table that is known says what reads each column, shows ten rows, and nothing is changed")
    func known() throws {
        let bench = try ImportBench()
        let rows = (1...30).map { "u\($0),Name \($0),Hall,2012-01-\($0 % 28 + 1),\($0)" }.joined(separator: "\n")
        let explanation = try explain(
            "p.csv", "username,name,surname,birth_date,shoe\n\(rows)\nu31,A,B,2012-13-01,\n", bench)
        #expect(explanation.recogniser == .table && explanation.name == "patrons")
        #expect(explanation.rows.count == 10 && explanation.rows[0].line == 2)
        #expect(explanation.rows[0].records.first?["patron"]?["username"] == "u1")
        #expect(
            fields(explanation) == ["patrons.username", "patrons.name", "patrons.surname", "patrons.birth_date", ""])
        #expect(explanation.columns[4].why.contains("nothing reads it"))
        #expect(explanation.columns[3].problems.first?.contains("line 32") == true)
        #expect(explanation.mapping?["undecided"] == ["shoe"])
        #expect(try bench.desk.read { try $0.patrons.search("") }.isEmpty)
    }

    @Test("an ISBN that a spreadsheet was kept from reading as a number, or that has words beside it, is one")
    func wrappedISBNs() throws {
        let rows = "Momo;Ende;=\"9783522202558\"\nKrabat;Preußler;9783522200875 (geb.)\n"
        let explanation = try explain("b.csv", "Titel;Autor;ISBN-Nr.\n\(rows)", ImportBench())
        #expect(fields(explanation) == ["titles.title", "titles.authors", "titles.isbn"])
        #expect(explanation.columns[2].problems.isEmpty, "\(explanation.columns[2].problems)")
    }

    @Test("the sheet of a workbook that an import would read is explained, below its heading")
    func workbook() throws {
        let bench = try ImportBench()
        var book = WorkbookFile([["Notes"], ["none"]], named: "About")
        book.sheets.append(("Books", [["Our library"], [], ["ISBN", "Title"], [.number("9783522202558"), "Momo"]]))
        let path = try bench.file("books.dat", bytes: book.bytes)
        let explanation = try explain(at: path, bench)
        #expect(explanation.kind == "xlsx" && explanation.recogniser == .table && explanation.name == "titles")
        #expect(fields(explanation) == ["titles.isbn", "titles.title"])
        #expect(explanation.rows.map(\.line) == [4] && explanation.problems.contains { $0.code == "header_below" })
        let other = try explain(at: path, bench, ImportOptions(sheet: "About"))
        #expect(other.recogniser == .none && other.columns.map(\.name) == ["Notes"])
    }

    @Test("a plugin's table says which fields its columns become")
    func plugin() throws {
        let bench = try ImportBench(shipped: ["school-lists", "goodreads"])
        let students =
            "Student ID,Last Name,First Name,Grade,Homeroom,DOB\n1,Hall,Ada,7,7-2,09/24/2013\n2,Moss,Bob,8,8-1,\n"
        let explanation = try explain("s.csv", students, bench)
        #expect(explanation.recogniser == .plugin && explanation.name == "school-students")
        #expect(
            fields(explanation) == [
                "patrons.username", "patrons.surname", "patrons.name", "patrons.extra.grade", "patrons.extra.class",
                "patrons.birth_date",
            ], "\(explanation.columns)")
        let twofold = try explain("t.csv", students.replacing("09/24/2013", with: "09/04/2013"), bench)
        #expect(twofold.problems.contains { $0.code == "ambiguous_date" && $0.line == 2 })
    }

    @Test("JSON, MARC and exports say what they are, and a mapping file explains what it does")
    func others() throws {
        let bench = try ImportBench()
        let json = try explain("a.json", "{\"title\": \"Momo\", \"authors\": [\"Ende\"]}\n", bench)
        #expect(json.recogniser == .json && json.mapping == nil)
        #expect(json.rows.first?.records.first?["title"]?["title"] == "Momo")
        let mapping = try RecordMapping(
            Array(
                #"{"version": 2, "records": [{"kind": "patrons", "columns": {"username": "A"}}], "ignore": ["B"]}"#.utf8
            ),
            file: "m.json")
        bench.translators = [try bench.desk.read { try MappingTranslator(mapping, in: $0) }]
        let mapped = try explain("l.csv", "A,B,C\n1,2,3\n", bench, ImportOptions(translator: "m.json"))
        #expect(mapped.recogniser == .mapping && mapped.mapping == nil)
        #expect(fields(mapped) == ["patrons.username", "", ""])
        #expect(mapped.columns[1].why.contains("leaves it out") && mapped.columns[2].why.contains("says nothing of it"))
    }

    @Test("what is no table that can be understood is said to be so, and no mapping is made up")
    func hopeless() throws {
        let bench = try ImportBench()
        let explanation = try explain("x.csv", "a,b\nfoo,bar\n", bench)
        #expect(explanation.recogniser == .none && explanation.mapping == nil)
        #expect(explanation.problems.contains { $0.code == "undecided" })
        #expect(throws: ImportProblem.self) { try explain("e.csv", "", bench) }
        let headless = try explain("h.csv", "1001,Hall,ada@example.org\n1002,Moss,bob@example.org\n", bench)
        #expect(headless.problems.contains { $0.code == "no_header" && $0.message.contains("'1001'") })
    }
}
