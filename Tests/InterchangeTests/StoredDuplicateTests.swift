import Circulation
import Desk
import Interchange
import Storage
import TestSupport
import Testing

@Suite("Likely duplicates among patrons of the store")
struct StoredDuplicateTests {
    /// As many people as told, with what some have in common by chance.
    private static func rows(_ count: Int, seed: UInt64) -> String {
        var random = SplitMix(seed: seed)
        let names = ["Ada", "Adah", "Bob", "Cleo", "Müller", "Mueller", "Christopher", "Christofer"]
        func pick<Value>(_ values: [Value]) -> Value { values[Int(random.next() % UInt64(values.count))] }
        return (0..<count).map { number in
            let born = pick(["2012-03-04", "2012-03-05", "1900-01-01", ""])
            let email = pick(["", "", "", "a@example.org", "A@example.org", "b\(number)@example.org"])
            return "p\(number),\(pick(names)),\(pick(names)) \(pick(names)),\(born),\(email)"
        }.joined(separator: "\n")
    }

    private static func bench(_ rows: String) throws -> (ImportBench, ImportReport) {
        let bench = try ImportBench()
        let report = try bench.importing(bench.file("p.csv", "username,name,surname,birth_date,email\n\(rows)\n"))
        return (bench, report)
    }

    private static func pairs(_ bench: ImportBench, limit: Int = 1_000) throws -> [DuplicatePatrons] {
        var place: DuplicatePlace?
        var found: [DuplicatePatrons] = []
        repeat {
            let part = try bench.desk.read { try $0.patrons.duplicates(after: place, limit: limit) }
            #expect(part.found.count <= limit && part.lookedAt <= 5_000)
            found += part.found
            place = part.next
            // What it says of the place is enough to go on.
            #expect(place == place.flatMap { DuplicatePlace("\($0)") })
        } while place != nil
        return found
    }

    @Test(
        "who is reported at an import is found again in the store, for the same reasons, and no one else",
        arguments: 0..<5)
    func asImports(seed: Int) throws {
        let (bench, report) = try Self.bench(Self.rows(40, seed: UInt64(seed)))
        let pairs = try Self.pairs(bench)
        let reported = Set(report.problems.filter { $0.code == "likely_duplicate" }.map { $0.line })
        let lines = Set(pairs.map { Int($0.patron.username.dropFirst()).map { $0 + 2 } ?? 0 })
        #expect(lines == reported && report.likelyDuplicates == reported.count, "\(pairs.map(\.patron.username))")
        #expect(pairs.allSatisfy { LikelyDuplicate.of($0.patron, $0.other) == $0.why && $0.other.id < $0.patron.id })
        #expect(Set(pairs.map { [$0.patron.id, $0.other.id] }).count == pairs.count)
    }

    @Test("parts of one, of seven and of all give the same pairs in the same order")
    func parts() throws {
        let (bench, _) = try Self.bench(Self.rows(120, seed: 7))
        let all = try Self.pairs(bench)
        #expect(all.count > 30 && Set(all.map(\.why)).count == 3)
        #expect(try Self.pairs(bench, limit: 1) == all)
        #expect(try Self.pairs(bench, limit: 7) == all)
    }

    @Test("merging each pair, from the one into the other, leaves none, also while parts are read")
    func merging() throws {
        let (bench, _) = try Self.bench(Self.rows(60, seed: 3))
        var place: DuplicatePlace?
        var merged = 0
        for _ in 0..<10 where try !Self.pairs(bench).isEmpty {
            repeat {
                let part = try bench.desk.read { try $0.patrons.duplicates(after: place, limit: 2) }
                for pair in part.found {
                    try bench.desk.write { session in
                        let outcome = try session.patrons.merge(.id(pair.patron.id), into: .id(pair.other.id))
                        merged += outcome.value == nil ? 0 : 1
                    }
                }
                place = part.next
            } while place != nil
        }
        #expect(try Self.pairs(bench).isEmpty && merged > 10)
        #expect(try bench.desk.examine().isSound)
    }

    @Test("equal names of one birthday are one pair however many are between them, in whatever order their words stand")
    func farApart() throws {
        let bench = try ImportBench()
        func name(_ number: Int) -> String {
            switch number {
            case 3: "Ada,Müller"
            case 900: "Mueller,Ada"
            case 1_500: "ADA,Muller"
            default: "Name\(number)x\(number * 7919),Someone"
            }
        }
        let rows = (0..<1_600).map { "p\($0),\(name($0)),1900-01-01" }
        try bench.importing(bench.file("p.csv", "username,name,surname,birth_date\n\(rows.joined(separator: "\n"))\n"))
        for limit in [1, 1_000] {
            let pairs = try Self.pairs(bench, limit: limit).filter { $0.why == .sameNameAndBirthDate }
            #expect(pairs.map(\.patron.username) == ["p900", "p1500"])
            #expect(pairs.map(\.other.username) == ["p3", "p3"])
        }
        #expect(try bench.desk.examine().isSound)
    }

    @Test("addresses that differ by large letters beyond ASCII are walked through to the end, each once")
    func foldedAddresses() throws {
        let (bench, _) = try Self.bench(
            (0..<40).map { "p\($0),N\($0),S,,\($0 % 2 == 0 ? "Ä" : "ä")\($0 / 20)@example.org" }.joined(separator: "\n")
        )
        let all = try Self.pairs(bench)
        #expect(Set(all.map(\.patron.id)).count == all.count)
        for limit in [1, 3] { #expect(try Self.pairs(bench, limit: limit) == all) }
    }

    @Test("a part looks at 5,000 patrons at most, and goes on within a birthday that all share")
    func bounds() throws {
        let bench = try ImportBench()
        let rows = (0..<5_200).map { "p\($0),\($0 == 5_150 ? "Name5149" : "Name\($0)"),S\($0 % 7)x,1900-01-01" }
        try bench.importing(bench.file("p.csv", "username,name,surname,birth_date\n\(rows.joined(separator: "\n"))\n"))
        let first = try bench.desk.read { try $0.patrons.duplicates(limit: 1_000) }
        #expect(first.lookedAt == 5_000 || first.found.count == 1_000)
        #expect(first.next != nil)
        #expect(try Self.pairs(bench).contains { $0.patron.username == "p5150" })
    }

    @Test(
        "ten times as many people take about ten times as long, however alike they are",
        arguments: ["one family", "one birthday", "one address", "no one"])
    func linear(kind: String) throws {
        func time(_ count: Int) throws -> Duration {
            let rows = (0..<count).map { number in
                switch kind {
                case "one family": "p\(number),Ada,Hall,2012-03-04,"
                case "one birthday": "p\(number),Name\(number),Surname\(number * 7),2000-01-01,"
                case "one address": "p\(number),Name\(number),Hall,,office@example.org"
                default:
                    "p\(number),Name\(number),Hall,19\(10 + number % 90)-0\(1 + number % 9)-01,p\(number)@example.org"
                }
            }
            let (bench, _) = try Self.bench(rows.joined(separator: "\n"))
            return try ProcessorTime.spent { _ = try Self.pairs(bench) }
        }
        let (few, many) = (try time(400), try time(4_000))
        // Where each is compared with all before it is a hundred times.
        #expect(many < few * 35 + .milliseconds(500), "\(few), \(many)")
    }

    @Test(
        "a place that no part said is none",
        arguments: [
            "", "born", "born:1", "born:x:1", "born:-1:1", "born:1:x", "born:1:99999999999", "email:1", "name:1:a",
            "9223372036854775808", "born:9223372036854775808:1", "\u{0}",
        ])
    func places(text: String) throws {
        #expect(DuplicatePlace(text) == nil)
    }
}
