import Circulation
import Desk
import Foundation
import Interchange
import Languages
import Storage
import TestSupport
import Testing
import TextFormats

@Suite("Headings that are known")
struct KnownHeadingTests {
    private func fields(_ headings: [String], _ row: [String], _ bench: ImportBench) throws -> [String] {
        var writer = CSVWriter()
        writer.record(headings)
        writer.record(row)
        let path = try bench.file("list.csv", bytes: writer.bytes)
        let tally = try RowCounter()
        let explainer = try bench.desk.read {
            try FileExplainer(ImportOptions(), translators: [], tally: tally, in: $0)
        }
        return try explainer.explain(path).columns.map { $0.fields.joined(separator: "+") }
    }

    @Test(
        "the labels of the forms are known in every language that comes with the program",
        arguments: ["en", "de", "it", "ar"])
    func labels(code: String) throws {
        let bench = try ImportBench()
        let language = try #require(Languages.shipped.language(code))
        for (kind, known) in [
            (
                "patron",
                [
                    "username", "name", "surname", "category", "home_branch", "email", "phone", "birth_date",
                    "expires_on",
                ]
            ),
            ("copy", ["barcode", "branch", "item_type", "replacement_price", "location", "acquired_on", "isbn"]),
            ("title", ["title", "authors", "publisher", "year", "edition", "series", "series_number", "subjects"]),
        ] {
            let values = [
                "isbn": "9783522202558", "birth_date": "2014-03-24", "expires_on": "2030-01-01", "year": "1973",
                "replacement_price": "12.50", "acquired_on": "2026-01-15",
            ]
            let headings = try known.map { language.text(of: try #require(FieldLabels.label(of: $0, in: kind))) }
            let plural = try #require(KnownHeadings.plural(kind))
            // Call numbers, which Italian calls as it does locations, have a column of their own.
            let found = try fields(headings + ["Segnatura"], known.map { values[$0] ?? "x\($0)" } + ["Abc 1"], bench)
                .prefix(known.count)
            #expect(Array(found) == known.map { "\(plural).\($0)" }, "\(headings)")
        }
    }

    @Test("a heading of two meanings takes the one that no other column has")
    func alternatives() throws {
        let bench = try ImportBench()
        let row = ["B1", "9783522202558", "x", "y"]
        #expect(
            try fields(["Barcode No", "ISBN-Nr.", "Location", "Shelving location"], row, bench).suffix(2)
                == ["copies.branch", "copies.location"])
        #expect(
            try fields(["Barcode No", "ISBN-Nr.", "Zweigstelle", "Standort"], row, bench).suffix(2)
                == ["copies.branch", "copies.location"])
        #expect(
            try fields(["Inventarnummer", "ISBN-Nr.", "Location", "Note"], row, bench).suffix(2)
                == ["copies.location", ""])
    }

    @Test("a column that is called by its kind and its field is one of any kind")
    func called() throws {
        let bench = try ImportBench()
        #expect(
            try fields(["locations.code", "Locations.Name", "other"], ["ref", "Reference", "x"], bench)
                == ["locations.code", "locations.name", ""])
    }

    @Test("every field that pages offer is one of its kind, and each heading in the list is known for it")
    func listed() throws {
        for (kind, _) in FieldLabels.kinds {
            let fields = KnownHeadings.fields(of: kind)
            #expect(!fields.isEmpty && fields.map(\.name) == FieldLabels.fields(of: kind).map(\.name), "\(kind)")
            #expect(fields.allSatisfy { !$0.headings.isEmpty && !$0.holds.isEmpty })
        }
        let category = KnownHeadings.fields(of: "patron").first { $0.name == "category" }
        #expect(
            category?.headings.contains("category") == true && category?.headings.contains("Benutzergruppe") == true)
        #expect(category?.headings.contains("patrons.category") == true)
    }

    @Test("the example of each kind imports, those about patrons and copies after these")
    func examples() throws {
        let bench = try ImportBench()
        for (kind, _) in FieldLabels.kinds {
            let bytes = try #require(KnownHeadings.example(of: kind) { _ in nil })
            let path = try bench.file("\(kind).csv", bytes: bytes)
            let tally = try RowCounter()
            let explainer = try bench.desk.read {
                try FileExplainer(ImportOptions(), translators: [], tally: tally, in: $0)
            }
            let explanation = try explainer.explain(path)
            var options = ImportOptions()
            bench.translators = []
            if explanation.recogniser == .none {
                let mapping = try RecordMapping(Array(try #require(explanation.mapping).text().utf8), file: "m")
                bench.translators = [try bench.desk.read { try MappingTranslator(mapping, in: $0) }]
                options.translator = "m"
            }
            #expect(explanation.columns.allSatisfy { !$0.fields.isEmpty || explanation.recogniser != .none }, "\(kind)")
            let report = try bench.importing(path, options: options)
            #expect(report.added + report.updated == 1 && report.rejected == 0, "\(kind): \(report.problems)")
            #expect(try bench.importing(path, options: options).unchanged == 1, "\(kind)")
        }
        #expect(KnownHeadings.example(of: "notice") { _ in nil } == nil)
    }
}
