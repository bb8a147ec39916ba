import Circulation
import Desk
import Foundation
import Storage
import TestSupport
import Testing
import TextFormats

@testable import Interchange

@Suite("Columns chosen one by one")
struct MappingDraftTests {
    private let bench: ImportBench

    init() throws { bench = try ImportBench() }

    private func explainer(_ options: ImportOptions = ImportOptions()) throws -> FileExplainer {
        let tally = try RowCounter()
        return try bench.desk.read { try FileExplainer(options, translators: [], tally: tally, in: $0) }
    }

    private func explain(_ text: String) throws -> FileExplanation {
        try explainer().explain(bench.file("list.csv", text))
    }

    private func importing(_ draft: MappingDraft) throws -> ImportReport {
        let mapping = try RecordMapping(Array(draft.json.text().utf8), file: "chosen")
        bench.translators = [try bench.desk.read { try MappingTranslator(mapping, in: $0) }]
        return try bench.importing(bench.path("list.csv"), options: ImportOptions(translator: "chosen"))
    }

    private static let pupils =
        "Ausweis;Name;Geb.-Datum;Gruppe;Klasse;Foto\n1001;Hall, Ada;24.03.2014;SuS;5a;a.jpg\nL7;Lee, Cleo;;Lehrkraft;;\n"

    @Test("a proposal is taken over as it stands, and says what each column is taken for")
    func proposed() throws {
        let explanation = try explain(Self.pupils)
        let draft = MappingDraft(explanation.mapping)
        #expect(draft.target(of: "Ausweis") == .field(kind: "patron", name: "username"))
        #expect(draft.target(of: " name ") == .wholeName(isSurnameFirst: true))
        #expect(draft.target(of: "Klasse") == .field(kind: "patron", name: "extra.class"))
        #expect(draft.target(of: "Foto") == .leftOut && draft.kinds == ["patron"] && draft.missing.isEmpty)
        #expect(draft.json["records"] == explanation.mapping?["records"])
        #expect(draft.json["undecided"] == ["Foto"])
    }

    @Test("a column that is taken for something else leaves its field, and what is left out is so knowingly")
    func changed() throws {
        let explanation = try explain(Self.pupils)
        var draft = MappingDraft(explanation.mapping)
        draft.set("Ausweis", to: .leftOut, in: explanation)
        #expect(draft.missing.map(\.fields) == [["username"]])
        draft.set("Klasse", to: .field(kind: "patron", name: "username"), in: explanation)
        draft.set("Name", to: .wholeName(isSurnameFirst: false), in: explanation)
        draft.settle(explanation.columns.map(\.name))
        #expect(draft.json["ignore"] == ["Ausweis", "Foto"] && draft.json["undecided"] == nil)
        let columns = draft.json["records"]?.arrayValue?.first?["columns"]
        #expect(columns?["username"] == "Klasse" && columns?["extra.class"] == nil)
        #expect(columns?["surname"] == ["column": "Name", "split": " ", "part": "last"])
        #expect(draft.missing.isEmpty)
    }

    @Test("two columns for one field are taken one for the other, and one of them alone again")
    func joined() throws {
        let explanation = try explain("Card number,Mail,Second\n1,,b@example.org\n2,a@example.org,\n")
        var draft = MappingDraft(explanation.mapping)
        draft.set("Second", to: .field(kind: "patron", name: "email"), in: explanation)
        #expect(draft.columns(of: "email", in: "patron") == ["Mail", "Second"])
        #expect(try importing(draft).added == 2)
        #expect(try bench.desk.read { try $0.patrons.get(.username("1")) }?.email == "b@example.org")
        draft.set("Mail", to: .leftOut, in: explanation)
        #expect(draft.json["records"]?.arrayValue?.first?["columns"]?["email"] == "Second")
    }

    @Test("what a mapping file says beyond single columns stays as it is")
    func kept() throws {
        let json = try JSONParser.parse(
            #"""
            { "version": 2, "note": "ours", "separator": ";", "dates": "dmy",
              "records": [
                { "kind": "titles", "columns": { "title": { "join": ["Titel", "Untertitel"], "with": ": " } } },
                { "kind": "copies", "when": { "Status": ["da"] }, "constants": { "branch": "main" },
                  "columns": { "barcode": "Nr", "location": { "column": "Regal", "values": { "A": "a" }, "others": "keep" } } },
                { "kind": "loans", "when": "Wer",
                  "columns": { "username": "Wer", "barcode": "Nr", "lent_on": "Seit" } } ] }
            """#)
        var draft = MappingDraft(json)
        #expect(draft.json == json)
        #expect(draft.target(of: "Untertitel") == .field(kind: "title", name: "title"))
        #expect(draft.target(of: "Nr") == .several(["copies.barcode", "loans.barcode"]))
        #expect(draft.target(of: "Status") == .leftOut && draft.constant("branch", of: "copy") == "main")
        draft.set("Untertitel", to: .leftOut, in: nil)
        draft.set(constant: nil, "branch", of: "copy")
        let records = try #require(draft.json["records"]?.arrayValue)
        #expect(records[0]["columns"]?["title"] == "Titel" && records[1]["constants"] == nil)
        #expect(records[1]["when"] == ["Status": ["da"]] && records[2] == json["records"]?.arrayValue?[2])
        draft.settle(["Titel", "Nr", "Regal", "Wer", "Seit", "Status", "Neu"])
        #expect(draft.json["ignore"] == ["Neu"])
    }

    @Test("a further kind of record stands in the rows alone that have what it is known by")
    func severalKinds() throws {
        let explanation = try explain(
            "Titel;Autor;Nr;Wer;Seit;Bis\nMomo;Ende, Michael;B1;1001;05.12.2026;30.12.2026\nMomo;Ende, Michael;B2;;;\nAtlas;Doe;;;;\n"
        )
        var draft = MappingDraft(explanation.mapping)
        draft.set("Nr", to: .field(kind: "copy", name: "barcode"), in: explanation)
        draft.set("Wer", to: .field(kind: "patron", name: "username"), in: explanation)
        draft.settle(explanation.columns.map(\.name))
        let records = try #require(draft.json["records"]?.arrayValue)
        #expect(records.map { $0["kind"] } == ["titles", "copies", "patrons"])
        #expect(records[0]["when"] == nil && records[1]["when"] == "Nr" && records[2]["when"] == "Wer")
        #expect(try importing(draft).rejected == 0)
        #expect(try bench.desk.read { try $0.catalogue.copy(barcode: "B2") } != nil)
        #expect(try bench.desk.read { try $0.patrons.get(.username("1001")) } != nil)
    }

    @Test("values are translated, left out or kept, and rows without one get a constant")
    func values() throws {
        let explanation = try explain(Self.pupils)
        let path = bench.path("list.csv")
        let found = try explainer().values(of: ["Gruppe"], in: path, most: 1)
        #expect(found["Gruppe"]?.values.map(\.text) == ["SuS"] && found["Gruppe"]?.more == 1)
        var draft = MappingDraft(explanation.mapping)
        draft.translate("category", in: "patron", [("SuS", "pupil"), ("Lehrkraft", nil)], keepsOthers: true)
        draft.set(constant: "north", "home_branch", of: "patron")
        #expect(draft.translation(of: "sus", as: "category", in: "patron") == "pupil")
        #expect(try importing(draft).added == 2)
        let (ada, cleo) = try bench.desk.read {
            (try $0.patrons.get(.username("1001")), try $0.patrons.get(.username("L7")))
        }
        #expect(ada?.category == "pupil" && cleo?.category == "Lehrkraft" && cleo?.homeBranch == "north")
        draft.translate("category", in: "patron", [("SuS", nil)], keepsOthers: true)
        #expect(draft.json["records"]?.arrayValue?.first?["columns"]?["category"] == "Gruppe")
    }

    @Test("a date and an amount that can be read in two ways are shown with both readings, and others are not")
    func openReadings() throws {
        let explanation = try explain("Barcode,Title,Acquired,Other,Price\nB1,Momo,04/03/2014,24/03/2014,1.234\n")
        let date = try #require(explanation.openDate(in: "Acquired"))
        #expect(date.text == "04/03/2014" && date.readings.map(\.date.description) == ["2014-03-04", "2014-04-03"])
        #expect(explanation.openDate(in: "Other") == nil && explanation.openDate(in: "Title") == nil)
        let euro = try Currency(named: "EUR")
        let amount = try #require(explanation.openAmount(in: "Price", euro))
        #expect(amount.readings.map(\.mark) == [.point, .comma] && amount.readings.map(\.amount) == ["1.234", "1234"])
        #expect(try explain("Price\n1.234\n2,50\n").openAmount(in: "Price", euro) == nil)
    }
}

@Suite("Rows that were refused")
struct RefusedRowsTests {
    private let bench: ImportBench

    init() throws { bench = try ImportBench() }

    private func refused(_ path: String, _ options: ImportOptions = ImportOptions()) throws -> String? {
        var refused = RefusedRows()
        let importer = Importer(
            desk: bench.desk, options: options, tally: try RowCounter(), translators: bench.translators,
            noting: { refused.note($0) })
        _ = try importer.run(paths: [path])
        let (translators, tally) = (bench.translators, try RowCounter())
        let explainer = try bench.desk.read {
            try FileExplainer(options, translators: translators, tally: tally, in: $0)
        }
        return try explainer.csv(of: refused, in: path).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("they stand as they are in the file behind what is wrong, and import once they are mended")
    func mended() throws {
        let text =
            "username;name;surname;birth_date\nann;Ann;\"Hall; Ada\";2012-01-01\nbob;Bob;Moss;2012-13-01\n;Cleo;Lee;\n"
        let rows = try #require(try refused(bench.file("p.csv", text)))
        let lines = rows.split(separator: "\r\n").map(String.init)
        #expect(lines.count == 3 && lines[0] == "\u{FEFF}problem;username;name;surname;birth_date")
        #expect(lines[1].contains("birth_date: ") && lines[1].hasSuffix(";bob;Bob;Moss;2012-13-01"), "\(lines)")
        #expect(lines[2].hasSuffix(";;Cleo;Lee;"))
        let mended = rows.replacing("2012-13-01", with: "2012-12-01").replacing(";;Cleo", with: ";cleo;Cleo")
        let report = try bench.importing(bench.file("mended.csv", mended))
        #expect(report.added == 2 && report.rejected == 0, "\(report.problems)")
        #expect(try refused(bench.file("good.csv", "username;name\ndan;Dan\n")) == nil)
    }

    @Test("below a header of two rows they have such a header, and the same mapping reads them")
    func twoRows() throws {
        let text = "Person,,Dates,\nCard,Name,Born,Until\n1,Hall,2012-01-01,2030-01-01\n2,Moss,2012-13-01,2030-01-01\n"
        let mapping = try RecordMapping(
            Array(
                #"""
                {"version": 2, "header_rows": 2, "ignore": ["Dates Until"], "records": [{"kind": "patrons", "columns":
                 {"username": "Person Card", "surname": "Person Name", "birth_date": "Dates Born"}}]}
                """#.utf8), file: "m.json")
        bench.translators = [try bench.desk.read { try MappingTranslator(mapping, in: $0) }]
        let options = ImportOptions(translator: "m.json")
        let rows = try #require(try refused(bench.file("p.csv", text), options))
        let report = try bench.importing(
            bench.file("mended.csv", rows.replacing("2012-13-01", with: "2012-12-01")), options: options)
        #expect(report.added == 1 && report.rejected == 0, "\(rows) \(report.problems)")
    }

    @Test("of a file of bad rows so many are kept as are bounded, and that is said")
    func bounded() throws {
        var refused = RefusedRows()
        for line in 1...(RefusedRows.most + 5) {
            refused.note(
                ImportProblem(file: "f", line: line, code: "x", severity: .error, message: "wrong"))
        }
        refused.note(ImportProblem(file: "f", line: 0, code: "x", severity: .error, message: "all of it"))
        #expect(refused.count == RefusedRows.most && refused.isCut)
        var warned = RefusedRows()
        warned.note(ImportProblem(file: "f", line: 1, code: "x", severity: .warning, message: "odd"))
        #expect(warned.isEmpty)
    }
}
