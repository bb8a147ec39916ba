import Foundation
import TestSupport
import Testing
import TextFormats

@Suite("Published data of real libraries", .enabled(if: !SharedData.isMissing, "\(SharedData.reason)"))
struct RealDataTests {
    static let reed = SharedData.path("data/circulation/reed-college/reed_checkouts_2018-08_2018-12.csv")

    static func imported(_ folder: borrowing TemporaryFolder, _ paths: String...) throws -> JSON {
        if !FileManager.default.fileExists(atPath: folder.path("moonshelf.db")) {
            #expect(try folder.command.run("init").status == 0)
        }
        let result = try folder.command.run(["import", "--json"] + paths)
        #expect(result.status == 0 || result.status == 65, "\(result.error)")
        let report = try result.json()
        #expect((result.status == 65) == ((report["rejected"]?.integerValue ?? 0) > 0))
        return report
    }

    @Test("ten thousand titles come in, with the ISBNs mended that a spreadsheet damaged")
    func goodbooks() throws {
        let folder = try TemporaryFolder()
        let report = try RealDataTests.imported(folder, SharedData.path("data/catalogue/goodbooks-10k/books.csv"))
        #expect(report["read"] == 10_000)
        #expect(report["rejected"] == 0)
        #expect(try #require(report["repaired"]?.integerValue) > 9_000)
        let added = try #require(report["added"]?.integerValue)
        let found = try folder.command.run("eval", "return catalogue.count()")
        #expect(found.output == "\(added)\n")
        #expect(added > 9_900)
        let known = try folder.command.run("eval", "return catalogue.get('9780439023481').title")
        #expect(known.output.contains("The Hunger Games"))
    }

    /// Loans by month, counted by hand on the file: the month is what stands in the date's column.
    static func loansByMonth() throws -> [String: Int64] {
        var reader = CSVReader(source: try FileByteSource(path: reed))
        let header = CSVHeader(try #require(try reader.next()))
        var months: [String: Int64] = [:]
        while let record = try reader.next() {
            guard let date = header.field("Loaned", of: record), date.count >= 7 else { continue }
            months[String(date.prefix(7)), default: 0] += 1
        }
        return months
    }

    @Test("the loans of a college come in once however often they are imported, and the report counts them by month")
    func reedLoans() throws {
        let folder = try TemporaryFolder()
        let first = try RealDataTests.imported(folder, RealDataTests.reed)
        #expect(
            first["read"] == 26_507 && first["added"] == 26_507 && first["rejected"] == 0, "\(first["rejected"] ?? 0)")
        let second = try RealDataTests.imported(folder, RealDataTests.reed)
        #expect(second["added"] == 0 && second["updated"] == 0 && second["unchanged"] == 26_507)
        let script = BuiltCommand.root.appending(path: "scripts/circulation_by_month.lua").path(percentEncoded: false)
        let result = try folder.command.run("run", "--format", "json", script)
        #expect(result.status == 0, "\(result)")
        let table = try #require(try result.json()["tables"]?.arrayValue?.first)
        var reported: [String: Int64] = [:]
        for row in table["rows"]?.arrayValue ?? [] {
            reported[try #require(row["month"]?.stringValue)] = try #require(row["loans"]?.integerValue)
        }
        #expect(try reported == RealDataTests.loansByMonth())
        #expect(try folder.command.run("doctor").status == 0)
    }

    @Test(
        "other tables of libraries come in without a crash, and a second time nothing is added",
        arguments: ["data/circulation/newcastle/top-5-most-borrowed-items.csv", "data/courses/ucsc_textbooks_2018.csv"])
    func otherTables(name: String) throws {
        let folder = try TemporaryFolder()
        let first = try RealDataTests.imported(folder, SharedData.path(name))
        #expect(try #require(first["added"]?.integerValue) > 0)
        let read = try #require(first["read"]?.integerValue)
        let parts = ["added", "updated", "unchanged", "rejected"].compactMap { first[$0]?.integerValue }
        #expect(parts.reduce(0, +) == read)
        let second = try RealDataTests.imported(folder, SharedData.path(name))
        // Rows that spell one title differently take turns, so that some may be updated each time.
        #expect(second["added"] == 0 && second["rejected"] == first["rejected"], "\(second)")
        #expect(try folder.command.run("doctor").status == 0)
    }

    /// Every file of the malformed sets, and the other sets that are of no kind an import knows.
    static let malformed =
        ["data/malformed/JSONTestSuite/test_parsing", "data/malformed/JSONTestSuite/test_transform"]
        .flatMap { SharedData.paths(in: $0, suffix: ".json") }
        + ["data/malformed/csv-spectrum/csvs", "data/malformed/csv-spectrum", "data/malformed/csv-spectrum/json"]
        .flatMap { SharedData.paths(in: $0, suffix: ".csv") + SharedData.paths(in: $0, suffix: ".json") }
        + SharedData.paths(in: "data/malformed/blns", suffix: ".txt")
        + SharedData.paths(in: "data/marc/pymarc", suffix: ".dat").prefix(3)

    @Test("no malformed file crashes an import: each ends with 0 or 65, and the store is sound")
    func malformedFiles() throws {
        #expect(RealDataTests.malformed.count > 150)
        let library = try SmallLibrary()
        let folder = library.folder.url
        let results = try Parallel.map(RealDataTests.malformed) { path in
            (path, try BuiltCommand(folder: folder).run(["import", "--json", path]))
        }
        for (path, result) in results {
            #expect(result.status == 0 || result.status == 65, "\(path): \(result.error.suffix(500))")
            if result.status == 65 && result.output.isEmpty { #expect(try result.failure()["error"] != nil) }
        }
        #expect(try library.isSound())
    }
}
