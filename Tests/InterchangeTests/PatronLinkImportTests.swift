import Circulation
import Desk
import Interchange
import TestSupport
import Testing

@Suite("Links between patrons, in files")
struct PatronLinkImportTests {
    private static let people = ["ada", "bob", "cyd", "dee"].map { name in
        #"{"patron":{"username":"\#(name)"}}"# + "\n"
    }.joined()

    private static func link(_ patron: String, _ other: String, _ kind: String, _ rest: String = "") -> String {
        #"{"patron_link":{"username":"\#(patron)","other":"\#(other)","kind":"\#(kind)"\#(rest)}}"# + "\n"
    }

    private static func links(_ patron: String, _ bench: ImportBench) throws -> [String] {
        try bench.desk.read { session in
            try session.patrons.links(of: .username(patron)).map { "\($0.relation) \($0.patron.username)" }
        }
    }

    @Test("links are taken in once, and an export gives them back")
    func roundTrip() throws {
        let bench = try ImportBench()
        let at = #","added_at":"2026-01-02T08:00:00Z""#
        let lines =
            Self.people + Self.link("ada", "bob", "guardian", at) + Self.link("cyd", "dee", "household", at)
            + Self.link("bob", "cyd", "household")
        let report = try bench.importing(bench.file("links.jsonl", lines))
        #expect(report.added == 7 && report.rejected == 0, "\(report)")
        #expect(try Self.links("ada", bench) == ["guardian bob"])
        #expect(try Self.links("bob", bench) == ["dependent ada", "household dee", "household cyd"])
        let since = try bench.desk.read { try $0.patrons.links(of: .username("ada")).first?.since }
        #expect(try since == Instant(parsing: "2026-01-02T08:00:00Z"))
        #expect(try bench.importing(bench.file("again.jsonl", lines)).unchanged == 7)

        let exported = try bench.export()
        let other = try ImportBench()
        try other.importing(other.file("all.jsonl", exported))
        #expect(try other.export() == exported)
        #expect(try Self.links("bob", other) == ["dependent ada", "household dee", "household cyd"])
    }

    @Test("what links nobody, oneself or two households is refused and named")
    func malformed() throws {
        let bench = try ImportBench()
        let lines = [
            Self.link("ada", "zoe", "guardian"), Self.link("zoe", "ada", "guardian"),
            Self.link("ada", "ada", "guardian"), Self.link("ada", "bob", "cousin"),
            #"{"patron_link":{"username":"ada","kind":"guardian"}}"# + "\n",
            Self.link("ada", "bob", "household"), Self.link("cyd", "dee", "household"),
            Self.link("bob", "cyd", "household"), Self.link("ada", "cyd", "guardian"),
            Self.link("cyd", "ada", "guardian"),
        ]
        let report = try bench.importing(bench.file("links.jsonl", Self.people + lines.joined()))
        #expect(report.rejected == 7 && report.added == 7, "\(report)")
        #expect(
            report.problems.map(\.code) == [
                "unknown_patron", "unknown_patron", "same_patron", "bad_value", "missing", "other_household",
                "not_guardian",
            ], "\(report.problems)")
        #expect(report.problems.prefix(2).map(\.field) == ["other", "username"])
    }
}
