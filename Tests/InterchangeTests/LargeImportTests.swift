import Circulation
import Desk
import Interchange
import Storage
import Synchronization
import TestSupport
import Testing

@Suite("Imports of many records that are alike")
struct LargeImportTests {
    /// Seconds of the processor that the import of so many titles takes, and what the store held afterwards.
    private func seconds(_ count: Int, _ row: (Int) -> String) throws -> (Double, Int64) {
        let bench = try ImportBench()
        let rows = (1...count).map(row).joined(separator: "\n")
        let path = try bench.file("titles.csv", "title,authors,year\n\(rows)\n")
        var rejected: Int64 = -1
        let taken = try ProcessorTime.spent { rejected = Int64(try bench.importing(path).rejected) }
        #expect(rejected == 0)
        let stored = try bench.desk.read { try $0.catalogue.count(CatalogueQuery()) }
        return (Double(taken.components.seconds) + Double(taken.components.attoseconds) / 1e18, Int64(stored))
    }

    @Test(
        "ten times as many titles without an ISBN take about ten times as long",
        arguments: ["of different names", "of one name", "of one author"])
    func linear(kind: String) throws {
        func row(_ number: Int) -> String {
            switch kind {
            case "of one name": "Annual report,Author \(number % 7),\(number)"
            case "of one author": "Title \(number),Anon,1900"
            default: "Title \(number),Author \(number),\(1900 + number % 100)"
            }
        }
        let (few, storedFew) = try seconds(600, row)
        let (many, storedMany) = try seconds(6_000, row)
        #expect((storedFew, storedMany) == (600, 6_000))
        // Where each is looked for among all others it is a hundred times.
        #expect(many < few * 35 + 0.5, "\(few) s, \(many) s")
    }

    @Test("a whole library of titles that say the same keeps each of them, and is there once when it comes again")
    func identical() throws {
        let bench = try ImportBench()
        let lines = (1...300).map { #"{"title":{"id":\#($0),"title":"Untitled","authors":["Anon"]}}"# }
        let path = try bench.file("library.jsonl", lines.joined(separator: "\n") + "\n")
        #expect(try bench.importing(path).added == 300)
        let again = try bench.importing(path)
        #expect(again.added == 0 && again.rejected == 0)
    }

    /// Counts how often it is looked at, which is once a transaction.
    private final class CountingClock: Clock {
        let looks = Atomic(0)

        func now() -> Instant {
            looks.add(1, ordering: .relaxed)
            return ImportBench.now
        }
    }

    @Test("a batch that takes long is kept in several transactions, between which others have their turn")
    func turns() throws {
        let clock = CountingClock()
        let bench = try ImportBench(clock: clock)
        let rows = (1...1_000).map { "Title \($0),Author \($0)" }.joined(separator: "\n")
        let path = try bench.file("titles.csv", "title,authors\n\(rows)\n")
        let before = clock.looks.load(ordering: .relaxed)
        #expect(try bench.importing(path, options: ImportOptions(batch: 1_000)).added == 1_000)
        // Twice the store is only looked at.
        #expect(clock.looks.load(ordering: .relaxed) - before > 4)
        #expect(try bench.importing(path, options: ImportOptions(batch: 1_000)).added == 0)
    }
}
