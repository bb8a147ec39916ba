import Circulation
import Desk
import Interchange
import Scripting
import Testing
import TextFormats

@Suite("Fields of the library's own in files")
struct OwnFieldTests {
    /// A library that declares fields.
    private func bench() throws -> ImportBench {
        let bench = try ImportBench()
        var points = CustomField(.patron, "points", .integer)
        (points.least, points.most) = (0, 99)
        let fields = [
            points, CustomField(.patron, "guardian", .patron), CustomField(.patron, "joined", .date),
            CustomField(.title, "weight", .number), CustomField(.title, "sequel", .title),
            CustomField(.copy, "shelf", .text), CustomField(.copy, "donor", .patron),
            CustomField(.copy, "deposit", .money),
        ]
        let files = [PolicyBundle.File(name: "plugin.lua", source: "")]
        let candidate = PluginCandidate(
            bundle: PolicyBundle(sha256: PolicyBundle.digest(of: files), files: files), name: "library",
            version: "1", needs: [], settings: [:], fields: fields)
        #expect(try bench.desk.write { try $0.plugins.use(candidate, allowing: []).value } != nil)
        return bench
    }

    private static let lines = """
        {"title": {"id": 7, "isbn": "9780441013593", "title": "Dune", "weight": 1.5, "copies": [{"barcode": "d1", "shelf": "A 7", "donor": "eve", "deposit": "5"}]}}
        {"title": {"title": "Dune Messiah", "sequel": 7, "extra": {"other": [1]}}}
        {"patron": {"username": "tim", "guardian": "eve", "points": 3, "extra": {"joined": "2026-02-03"}}}
        {"patron": {"username": "eve"}}
        """

    private func csv(_ bench: ImportBench, _ kind: Exporter.Kind) throws -> String {
        try bench.desk.read { session in
            var text: [UInt8] = []
            try Exporter(session: session) { text += $0 }.csv(kind)
            return String(decoding: text, as: UTF8.self)
        }
    }

    @Test("what JSON says of declared fields is taken in, references to what comes later too, and exports name keys")
    func json() throws {
        let bench = try bench()
        let report = try bench.importing(bench.file("library.jsonl", Self.lines))
        #expect(report.problems == [] && report.rejected == 0)
        let text = try bench.export()
        #expect(text.contains(#""extra":{"joined":"2026-02-03","points":3,"guardian":"eve"}"#), "\(text)")
        #expect(text.contains(#""extra":{"deposit":"5.00 EUR","shelf":"A 7","donor":"eve"}"#), "\(text)")
        #expect(text.contains(#""sequel":"9780441013593""#))
        let other = try self.bench()
        #expect(try other.importing(other.file("library.jsonl", text)).problems == [])
        #expect(try other.export() == text)
        let again = try other.importing(other.file("library.jsonl", text))
        #expect(again.added == 0 && again.updated == 0 && again.problems == [])
        // A library that declares nothing keeps what it says, and a plugin there brings it into form.
        let plain = try ImportBench()
        #expect(try plain.importing(plain.file("library.jsonl", text)).problems == [])
        #expect(try plain.export().contains(#""guardian":"eve""#))
    }

    @Test("tables have columns for declared fields, both ways")
    func tables() throws {
        let bench = try bench()
        try bench.importing(bench.file("library.jsonl", Self.lines))
        let patrons = try csv(bench, .patrons)
        #expect(
            patrons.contains("expires_on,role,display_name,guardians,guardian,joined,points")
                && patrons.contains(",patron,,,eve,2026-02-03,3"))
        let other = try self.bench()
        for kind in [Exporter.Kind.titles, .patrons, .copies] {
            let report = try other.importing(other.file("\(kind.rawValue).csv", csv(bench, kind)))
            #expect(report.problems == [] && report.rejected == 0, "\(kind)")
        }
        for kind in [Exporter.Kind.titles, .patrons, .copies] { #expect(try csv(other, kind) == csv(bench, kind)) }
        // A table without the columns takes nothing away.
        let report = try other.importing(other.file("few.csv", "username,name,points\ntim,Tim,4\n"))
        #expect(report.updated == 1)
        let tim = try other.desk.read { try $0.patrons.get(.username("tim")) }
        #expect(tim?.extra["points"] == 4 && tim?.extra["joined"] == "2026-02-03" && tim?.extra["guardian"] != nil)
    }

    @Test("a value of another type is rejected with file, line and field")
    func rejected() throws {
        let bench = try bench()
        let path = try bench.file(
            "odd.csv", "username,name,points,joined\nada,Ada,many,\nbob,Bob,100,\ntim,Tim,3,soon\neve,Eve,3,\n")
        let report = try bench.importing(path)
        #expect(report.rejected == 3 && report.added == 1)
        #expect(
            report.problems.map(\.line) == [2, 3, 4] && report.problems.map(\.field) == ["points", "points", "joined"])
        #expect(report.problems.first?.message == "'points' is a whole number from 0 to 99, not \"many\".")
        let lines = """
            {"patron": {"username": "zoe", "guardian": "nobody"}}
            {"title": {"title": "Emma", "weight": "heavy"}}
            {"copy": {"barcode": "x1", "isbn": "9780441013593", "deposit": "much"}}
            {"title": {"isbn": "9780441013593", "title": "Dune"}}
            {"copy": {"barcode": "x1", "isbn": "9780441013593", "deposit": "much"}}
            """
        let other = try bench.importing(bench.file("odd.jsonl", lines))
        #expect(other.problems.map(\.line) == [2, 3, 5, 1])
        #expect(other.problems.map(\.field) == ["weight", "isbn", "deposit", "guardian"])
        #expect(other.problems.last?.code == "unknown_patron" && other.problems.last?.severity == .warning)
        #expect(try bench.desk.read { try $0.patrons.get(.username("zoe")) }?.extra == [:])
    }
}
