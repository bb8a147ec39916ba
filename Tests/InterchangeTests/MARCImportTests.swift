import Circulation
import Desk
import Foundation
import Interchange
import TestSupport
import Testing
import TextFormats

@Suite("Importing MARC records", .enabled(if: !SharedData.isMissing, "\(SharedData.reason)"))
struct MARCImportTests {
    private static let settings: JSONObject = ["new_codes": "add"]

    private static func bench() throws -> ImportBench { try ImportBench(shipped: ["marc"], settings: settings) }

    @Test(
        "catalogues of several countries come in, go out to the letter, and come in again without a change",
        arguments: [
            ("evergreen/lul_fre_100.mrc", 100), ("evergreen/hebrew.marc", 20), ("evergreen/nepali.marc", 96),
            ("evergreen/concerto_bibs.xml", 344), ("pymarc/marc.dat", 20), ("ruby-marc/utf8_multirecord.marc", 2),
            ("evergreen/serials_marc21.xml", 7),
        ])
    func countries(name: String, count: Int) throws {
        let bench = try Self.bench()
        let path = SharedData.path("data/marc/\(name)")
        let report = try bench.importing(path)
        #expect(report.read == count && report.rejected == 0, "\(report.problems.filter { $0.severity == .error })")
        let again = try bench.importing(path)
        #expect(again.added == 0 && again.updated == 0 && again.read == count)
        // An export of all has the records too.
        let other = try ImportBench()
        try other.importing(try other.file("all.jsonl", try bench.export()))
        #expect(try other.export() == bench.export())
        #expect(try bench.desk.examine().isSound)
    }

    @Test("a record that takes another one's place with its title says so, and the same one again does not")
    func twoRecords() throws {
        let bench = try ImportBench()
        func title(_ number: String) -> String {
            #"{"title": {"title": "Dune", "isbn": "9780441013593", "marc": {"leader": "x", "fields": [{"001": "\#(number)"}]}}}"#
                + "\n"
        }
        let report = try bench.importing(try bench.file("titles.jsonl", title("a") + title("a") + title("b")))
        #expect(report.problems.map(\.code) == ["other_record"] && report.problems.first?.line == 3)
        #expect(try bench.export().contains(#"{"001":"b"}"#))
    }

    @Test("each damaged record is named, and those around it come in")
    func damaged() throws {
        let bench = try Self.bench()
        let report = try bench.importing(SharedData.path("data/marc/pymarc/bad_records.mrc"))
        #expect(report.rejected > 0 && report.added > 0)
        for problem in report.problems {
            #expect(problem.record?.hasPrefix("record ") == true, "\(problem)")
        }
        let rejected = report.problems.filter { $0.severity == .error }
        #expect(rejected.map { $0.record } == ["record 5", "record 7"], "\(rejected)")
        // Those whose leader names another place of the fields come in.
        let mended = report.problems.filter { $0.code == "bad_base" }.map(\.record)
        #expect(mended == ["record 2", "record 3", "record 6"])
        #expect(report.read == 8 && report.added + report.updated + report.unchanged == 6)
    }

    @Test(
        "files of the test sets of other programs are read or refused, damaged further too, and the store stays sound")
    func sets() throws {
        let bench = try Self.bench()
        for folder in ["evergreen", "pymarc", "ruby-marc"] {
            for path in SharedData.paths(in: "data/marc/\(folder)") where !path.hasSuffix("/RDA") {
                guard case .success(let report) = try ImportFuzzTests.outcome(bench, path) else { continue }
                ImportFuzzTests.check(report, of: path, "\(path)")
                var mutator = ByteMutator(seed: UInt64(path.utf8.count))
                let bytes = try Array(Data(contentsOf: URL(filePath: path)).prefix(30_000))
                let damaged = try bench.file("damaged.mrc", bytes: mutator.mutate(bytes))
                if case .success(let report) = try ImportFuzzTests.outcome(bench, damaged) {
                    ImportFuzzTests.check(report, of: damaged, "\(path)")
                }
            }
        }
        #expect(try bench.desk.examine().isSound)
    }

    @Test("without the plugin a file of records says which one reads it, and XML of others what it is")
    func noPlugin() throws {
        let bench = try ImportBench()
        #expect { try bench.importing(SharedData.path("data/marc/pymarc/marc.dat")) } throws: { error in
            "\(error)".contains("plugin use marc")
        }
        let html = try bench.file("page.xml", "<html><body>no records</body></html>")
        #expect { try bench.importing(html) } throws: { "\($0)".contains("MARCXML") }
    }

    @Test("a record that is no record is refused with its place")
    func native() throws {
        let bench = try ImportBench()
        let path = try bench.file(
            "titles.jsonl", #"{"title": {"title": "Dune", "marc": {"leader": "x", "fields": [{"245": 5}]}}}"# + "\n")
        let report = try bench.importing(path)
        #expect(report.rejected == 1 && report.problems.first?.field == "title.marc.fields[1].245")
    }
}
