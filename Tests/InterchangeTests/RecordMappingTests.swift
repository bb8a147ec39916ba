import Circulation
import Desk
import Interchange
import Testing
import TextFormats

@Suite("Mapping files of records")
struct RecordMappingTests {
    private static let people = #"{"version": 2, "records": [{"kind": "patrons", "columns": {"username": "Nr"#

    @Test(
        "a fault is told with its line, its member and what was expected",
        arguments: [
            ("{\"version\": 3,\n\"records\": []}", 1, "version", "expected 2"),
            ("{\"version\": 2,\n\"records\": []}", 2, "records", "at least one"),
            ("{\"version\": 2,\n\"record\": []}", 2, "record", "did you mean 'records'?"),
            (
                "{\"version\": 2, \"records\": [\n{\"kind\": \"patron s\"}]}", 2, "records[1].kind",
                "did you mean patrons?"
            ),
            (
                "{\"version\": 2, \"records\": [{\"kind\": \"titles\", \"columns\": {\"title\": \"T\"}},\n"
                    + "{\"kind\": \"patrons\", \"columns\": {\n\"usernam\": \"N\"}}]}",
                3, "records[2].columns.usernam", "did you mean 'username'?"
            ),
            (people + "\"\n}, \"constants\": {\n\"branch\": \"x\"}}]}", 3, "records[1].constants.branch", "extra.NAME"),
            (people + "\", \n\"name\": 3}}]}", 2, "records[1].columns.name", "name of a column"),
            (people + "\", \n\"name\": {}}}]}", 2, "records[1].columns.name", "'first_of' and 'join'"),
            (
                people + "\", \"name\": {\n\"column\": \"N\", \"split\": \",\",\n\"part\": 0}}}]}", 3,
                "records[1].columns.name.part", "all_but_first"
            ),
            (
                people + "\", \"name\": {\"column\": \"N\",\n\"part\": 1}}}]}", 2, "records[1].columns.name.part",
                "goes with 'split'"
            ),
            (
                people + "\", \"category\": {\"column\": \"N\",\n\"default\": \"x\"}}}]}", 2,
                "records[1].columns.category.default", "goes with 'values'"
            ),
            (
                people + "\", \"category\": {\"column\": \"N\", \"values\": {\"a\": \"b\",\n\"A \": \"c\"}}}}]}", 2,
                "records[1].columns.category.values.A ", "twice"
            ),
            (
                people + "\", \"birth_date\": {\"column\": \"N\",\n\"dates\": \"ymmd\"}}}]}", 2,
                "records[1].columns.birth_date.dates", "dmy, mdy, ymd"
            ),
            (
                "{\"version\": 2, \"records\": [{\"kind\": \"copies\",\n\"columns\": {\"barcode\": \"B\"}}]}", 1,
                "records[1]", "beside them"
            ),
            (
                "{\"version\": 2, \"records\": [{\"kind\": \"loans\",\n\"columns\": {\"barcode\": \"B\"}}]}", 2,
                "records[1].columns", "'lent_on' or 'lent_at'"
            ),
            (
                "{\"version\": 2, \"records\": [{\"kind\": \"holds\",\n\"columns\": {\"barcode\": \"B\"}}]}", 2,
                "records[1].columns", "holds need 'pickup_branch'"
            ),
            (people + "\"}}],\n\"ignore\": [\"nr\"]}", 2, "ignore", "used by a record"),
            (people + "\"}, \n\"when\": {\"A\": []}}]}", 2, "records[1].when", "one column"),
        ])
    func faults(text: String, line: Int, field: String?, expected: String) {
        let problem = #expect(throws: ImportProblem.self) { try RecordMapping(Array(text.utf8), file: "m.json") }
        #expect(problem?.line == line && problem?.field == field, "\(problem as Any)")
        #expect(problem?.code == "bad_mapping" && problem?.message.contains(expected) == true, "\(problem as Any)")
    }

    private func importing(
        _ mapping: String, _ table: String, _ bench: ImportBench, _ conventions: Conventions = Conventions()
    ) throws -> ImportReport {
        let mapping = try RecordMapping(Array(mapping.utf8), file: "m.json")
        let translator = try bench.desk.read { try MappingTranslator(mapping, in: $0, conventions: conventions) }
        bench.translators = [translator]
        return try bench.importing(
            bench.file("list.csv", table), options: ImportOptions(translator: translator.name))
    }

    @Test("names in one column, translated values, constants, own fields and dates with an order become patrons")
    func patrons() throws {
        let bench = try ImportBench()
        let mapping = """
            {"version": 2, "records": [{"kind": "patrons", "columns": {
              "username": "Ausweis", "surname": {"column": "Name", "split": ",", "part": "first"},
              "name": {"column": "Name", "split": ",", "part": "all_but_first"},
              "phone": {"first_of": ["Mobil", "Telefon"]}, "birth_date": {"column": "Geb", "dates": "mdy"},
              "category": {"column": "Art", "values": {"SuS": "pupil", "": "guest"}},
              "extra.class": {"join": ["Stufe", "Zug"], "with": ""}},
              "constants": {"home_branch": "main", "language": "de"}}], "ignore": ["Foto"]}
            """
        let table = """
            Ausweis;Name;Mobil;Telefon;Geb;Art;Stufe;Zug;Foto;Notiz
            1;Hall, Ada;;030;04/03/2012;sus ;5;a;x;n
            2;Moss;0151;030;;;5;;;
            3;Lee, Bo;;;;Lehrer;;;;

            """
        let report = try importing(mapping, table, bench)
        #expect(report.added == 2 && report.rejected == 1)
        let ada = try bench.desk.read { try #require(try $0.patrons.get(.username("1"))) }
        #expect(ada.name == "Ada" && ada.surname == "Hall" && ada.phone == "030" && ada.category == "pupil")
        #expect(ada.birthDate?.description == "2012-04-03" && ada.language == "de" && ada.homeBranch == "main")
        #expect(ada.extra["class"] == .string("5a"))
        let moss = try bench.desk.read { try #require(try $0.patrons.get(.username("2"))) }
        #expect(moss.surname == "Moss" && moss.name.isEmpty && moss.phone == "0151" && moss.category == "guest")
        let codes = report.problems.map { "\($0.line) \($0.code) \($0.field ?? "-")" }
        #expect(codes == ["1 unmapped_columns -", "3 not_split Name", "3 not_split Name", "4 unknown_value Art"])
        #expect(report.problems[0].message.contains("'Notiz'") && !report.problems[0].message.contains("Foto"))
        #expect(report.problems.last?.message.contains("'sus'") == true)
        #expect(try importing(mapping, table, bench).unchanged == 2)
    }

    @Test("an amount and a date of two readings end the import, and the import's own options pick one of each")
    func conventions() throws {
        let mapping = """
            {"version": 2, "records": [{"kind": "copies", "columns": {
              "isbn": "ISBN", "barcode": "Barcode", "replacement_price": "Preis"}}]}
            """
        func price(_ text: String, _ conventions: Conventions) throws -> Money? {
            let bench = try ImportBench()
            try bench.importing(bench.file("t.csv", "title,isbn\nMomo,9783522202558\n"))
            let report = try importing(
                mapping, "ISBN;Barcode;Preis\n9783522202558;B1;\(text)\n", bench, conventions)
            #expect(report.added == 1, "\(report)")
            return try bench.desk.read { try $0.catalogue.copy(barcode: "B1")?.replacementPrice }
        }
        #expect(try price("1.234", Conventions(decimals: .comma))?.minorUnits == 123_400)
        #expect(try price("1.234,50", Conventions())?.minorUnits == 123_450)
        let open = #expect(throws: ImportProblem.self) { try price("1.234", Conventions()) }
        #expect(open?.code == "ambiguous_amount" && open?.field == "Preis" && open?.line == 2, "\(open as Any)")
        #expect(open?.message.contains("--decimals") == true)

        let people = """
            {"version": 2, "records": [{"kind": "patrons", "columns": {"username": "A", "birth_date": "B"}}]}
            """
        let bench = try ImportBench()
        let twofold = #expect(throws: ImportProblem.self) { try importing(people, "A;B\n1;04/03/1980\n", bench) }
        #expect(twofold?.code == "ambiguous_date" && twofold?.field == "B")
        _ = try importing(people, "A;B\n1;04/03/1980\n", bench, Conventions(dates: .dmy))
        #expect(try bench.desk.read { try $0.patrons.get(.username("1"))?.birthDate }?.description == "1980-03-04")
    }

    @Test("a row is a title and its copy where it has a barcode, and a loan where it is lent")
    func severalRecords() throws {
        let bench = try ImportBench()
        let mapping = """
            {"version": 2, "dates": "dmy", "records": [
              {"kind": "titles", "columns": {"title": "Title", "isbn": "ISBN", "year": "Year",
                "authors": {"column": "Author", "separators": ";", "turn_names": true}}},
              {"kind": "copies", "when": "Barcode", "columns": {"barcode": "Barcode", "replacement_price": "Price"}},
              {"kind": "patrons", "when": {"Status": "lent"}, "columns": {"username": "By"}},
              {"kind": "loans", "when": {"Status": ["lent"]},
                "columns": {"barcode": "Barcode", "username": "By", "lent_at": "Out", "due_on": "Due"}}]}
            """
        let table = """
            Title,ISBN,Author,Year,Barcode,Price,Status,By,Out,Due
            Momo,9783522202558,"Ende, Michael; Doe, J.",c1973,B1,"12,50",LENT,ada,03.02.2026 14:30,10.02.2026
            Momo,9783522202558,"Ende, Michael; Doe, J.",c1973,B2,,in,,,
            Atlas,,,,,,in,,,

            """
        let report = try importing(mapping, table, bench)
        #expect(report.rejected == 0 && report.problems.isEmpty, "\(report.problems)")
        try bench.desk.read { session in
            let momo = try #require(try session.catalogue.get(.isbn(ISBN("9783522202558"))))
            #expect(momo.authors == ["Michael Ende", "J. Doe"] && momo.year == 1973)
            #expect(try session.catalogue.copies(of: .id(momo.id)).map(\.barcode).sorted() == ["B1", "B2"])
            let loan = try #require(try session.loans.get(.barcode("B1")))
            #expect(loan.lentAt.description == "2026-02-03T14:30:00Z" && loan.due?.date.description == "2026-02-10")
        }
        #expect(try importing(mapping, table, bench).unchanged == 3)
    }

    @Test("a copy finds its title by words where neither has an ISBN")
    func copiesByTitle() throws {
        let bench = try ImportBench()
        let mapping = """
            {"version": 2, "records": [{"kind": "copies", "columns": {"barcode": "No", "title": "Name", "authors": "By"}}]}
            """
        #expect(try importing(mapping, "No,Name,By\n1,Atlas,Doe\n2,Atlas,Doe\n", bench).added == 2)
        let titles = try bench.desk.read { try $0.catalogue.search(CatalogueQuery()) }
        #expect(titles.count == 1 && titles.first?.authors == ["Doe"])
    }

    @Test("a date that can be read in two ways ends the import with both readings and its column")
    func ambiguousDate() throws {
        let bench = try ImportBench()
        let mapping =
            #"{"version": 2, "records": [{"kind": "patrons", "columns": {"username": "N", "birth_date": "B"}}]}"#
        let problem = #expect(throws: ImportProblem.self) {
            try importing(mapping, "N,B\n1,24/03/2012\n2,04/03/2012\n", bench)
        }
        #expect(problem?.code == "ambiguous_date" && problem?.line == 3 && problem?.field == "B")
        #expect(problem?.message.contains("2012-03-04") == true && problem?.message.contains("2012-04-03") == true)
    }

    @Test("a column that the file lacks is named, with the near one that it has")
    func missingColumn() throws {
        let mapping = #"{"version": 2, "records": [{"kind": "patrons", "columns": {"username": "Ausweiss"}}]}"#
        let bench = try ImportBench()
        let problem = #expect(throws: ImportProblem.self) { try importing(mapping, "Ausweis,B\n1,2\n", bench) }
        #expect(problem?.code == "missing_columns" && problem?.line == 1)
        #expect(problem?.message.contains("did you mean 'Ausweis'?") == true)
    }

    @Test("what the library refuses and what a field lacks is told by the column of the file")
    func columnsInProblems() throws {
        let bench = try ImportBench()
        let mapping = """
            {"version": 2, "records": [{"kind": "patrons",
              "columns": {"username": "Nr", "role": "Rolle", "email": "Mail"}}]}
            """
        let report = try importing(mapping, "Nr,Rolle,Mail\n,patron,\n2,boss,\n", bench)
        #expect(report.problems.map { "\($0.line) \($0.field ?? "-")" } == ["2 Nr", "3 Rolle"], "\(report.problems)")
    }

    @Test("holds and listings come from tables too, under keys made of their rows")
    func otherKinds() throws {
        let bench = try ImportBench()
        let books = """
            {"version": 2, "records": [{"kind": "titles", "columns": {"title": "T", "isbn": "I"}},
              {"kind": "patrons", "columns": {"username": "P"}}]}
            """
        _ = try importing(books, "T,I,P\nMomo,9783522202558,ada\n", bench)
        let holds = """
            {"version": 2, "dates": "dmy", "records": [{"kind": "holds",
              "columns": {"isbn": "I", "username": "P", "placed_at": "Since"},
              "constants": {"pickup_branch": "main", "state": "waiting"}}]}
            """
        let table = "I,P,Since\n9783522202558,ada,05.01.2026\n"
        #expect(try importing(holds, table, bench).added == 1)
        #expect(try importing(holds, table, bench).unchanged == 1)
        let listings = """
            {"version": 2, "records": [{"kind": "listings",
              "columns": {"isbn": "I", "seller": "P", "price": "Preis", "created_at": "Since"},
              "constants": {"kind": "sell", "state": "active", "quantity": 1}}]}
            """
        let report = try importing(listings, "I,P,Preis,Since\n9783522202558,ada,\"4,50\",2026-01-05\n", bench)
        #expect(report.added == 1, "\(report.problems)")
    }
}
