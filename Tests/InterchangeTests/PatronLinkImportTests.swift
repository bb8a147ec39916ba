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

    @Test(
        "a column of guardians links to rows before and behind, to the store, and to several; a table gives them back")
    func guardianColumn() throws {
        let bench = try ImportBench()
        try bench.importing(bench.file("first.csv", "username,name\nold,Old\n"))
        let rows = "c1,Cleo,p2\nc2,Bob,p1;p2\np1,Ada,\np2,Eve,\nc3,Dee,p1\nc4,Fay,old\n"
        let report = try bench.importing(bench.file("p.csv", "username,name,guardians\n\(rows)"))
        #expect(report.added == 6 && report.problems.isEmpty && report.unchanged == 0, "\(report)")
        #expect(try Self.links("c1", bench) == ["guardian p2"])
        #expect(try Self.links("c2", bench) == ["guardian p1", "guardian p2"])
        #expect(try Set(Self.links("p1", bench)) == ["dependent c2", "dependent c3"])
        #expect(try Self.links("c4", bench) == ["guardian old"])
        let again = try bench.importing(bench.file("again.csv", "username,name,guardians\n\(rows)"))
        #expect(again.unchanged == 6 && again.added == 0, "\(again)")
        let more = try bench.importing(bench.file("more.csv", "username,guardians,name\nc4,p1,Fay\nc1,,Cleo\n"))
        #expect(more.updated == 1 && more.unchanged == 1, "\(more)")
        #expect(try Self.links("c1", bench) == ["guardian p2"])
        let text = try bench.exported(.patrons)
        let other = try ImportBench()
        try other.importing(other.file("all.csv", text))
        for name in ["c1", "c2", "c3", "c4"] { #expect(try Self.links(name, other) == Self.links(name, bench)) }
        #expect(try other.exported(.patrons) == text)
    }

    @Test(
        "who is no one, oneself or the other's dependent is left out with a warning, and the patron comes nevertheless")
    func wrongGuardians() throws {
        let bench = try ImportBench()
        let report = try bench.importing(
            bench.file("p.csv", "username,name,guardians\na,Ada,nobody\nb,Bob,b\nc,Cyd,a\na,Ada,c\n"))
        #expect(report.rejected == 0 && report.added == 3, "\(report)")
        #expect(report.problems.map(\.code) == ["same_patron", "not_guardian", "unknown_patron"])
        #expect(report.problems.map(\.line) == [3, 5, 2] && report.problems.allSatisfy { $0.severity == .warning })
        #expect(try Self.links("c", bench) == ["guardian a"] && Self.links("b", bench).isEmpty)
    }

    @Test("a member of a patron in JSON links too, also to who comes later")
    func guardianMember() throws {
        let bench = try ImportBench()
        let lines = #"{"patron":{"username":"c","guardians":["a"]}}"# + "\n" + #"{"patron":{"username":"a"}}"# + "\n"
        let report = try bench.importing(bench.file("p.jsonl", lines))
        #expect(report.added == 2 && report.problems.isEmpty, "\(report)")
        #expect(try Self.links("c", bench) == ["guardian a"])
    }
}
