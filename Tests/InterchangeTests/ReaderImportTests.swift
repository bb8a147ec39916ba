import Circulation
import Desk
import Interchange
import TestSupport
import Testing

@Suite("Ratings and lists in files")
struct ReaderImportTests {
    private static let base = """
        {"title":{"id":5,"title":"Twin","authors":[]}}
        {"title":{"id":6,"isbn":"9780441013593","title":"Dune","authors":["Frank Herbert"]}}
        {"patron":{"username":"ada"}}
        {"patron":{"username":"bob"}}

        """

    private static let readers = """
        {"rating":{"title_id":5,"title":"Twin","username":"ada","stars":4,"review":"Good.","state":"kept","rated_at":"2026-01-02T08:00:00Z"}}
        {"rating":{"isbn":"9780441013593","username":"bob","stars":2,"rated_at":"2026-01-03T08:00:00Z","changed_at":"2026-01-04T08:00:00Z"}}
        {"title_list":{"username":"ada","name":"To read","is_public":true,"created_at":"2026-01-02T08:00:00Z"}}
        {"listed_title":{"username":"ada","list":"To read","isbn":"9780441013593","added_at":"2026-01-02T08:00:00Z"}}
        {"listed_title":{"username":"ada","list":"to read","title_id":5,"title":"Twin","added_at":"2026-01-02T08:00:01Z"}}

        """

    @Test("ratings and lists are taken in once, and an export gives them back")
    func roundTrip() throws {
        let bench = try ImportBench()
        let report = try bench.importing(bench.file("readers.jsonl", Self.base + Self.readers))
        #expect(report.added == 9 && report.rejected == 0, "\(report)")
        #expect(try bench.importing(bench.file("again.jsonl", Self.readers)).unchanged == 5)
        try bench.desk.read { session in
            let ada = try #require(try session.patrons.get(.username("ada")))
            let list = try #require(try session.lists.list(of: .id(ada.id)).first)
            let titles = try session.lists.titles(of: list.id).map { try session.catalogue.get(.id($0.title))?.title }
            #expect(list.isPublic && titles == ["Dune", "Twin"])
            #expect(try session.ratings.list(of: .id(ada.id)).first?.state == .kept)
        }
        let exported = try bench.export()
        let other = try ImportBench()
        try other.importing(other.file("all.jsonl", exported))
        #expect(try other.export() == exported)
    }

    @Test("what rates nothing, too much, or for nobody is refused and named")
    func malformed() throws {
        let bench = try ImportBench()
        let at = #""rated_at":"2026-01-02T08:00:00Z""#
        let why = String(repeating: "x", count: 501)
        let lines = [
            #"{"rating":{"isbn":"9780441013593","username":"zoe","stars":4,\#(at)}}"#,
            #"{"rating":{"isbn":"9780441013593","username":"ada","stars":6,\#(at)}}"#,
            #"{"rating":{"isbn":"9780441013593","username":"ada",\#(at)}}"#,
            #"{"rating":{"isbn":"9780441013593","username":"ada","stars":4,"state":"gone",\#(at)}}"#,
            #"{"rating":{"isbn":"9780441013593","username":"ada","stars":4,"decision":"\#(why)",\#(at)}}"#,
            #"{"rating":{"username":"ada","stars":4,\#(at)}}"#,
            #"{"title_list":{"username":"ada","name":" ","created_at":"2026-01-02T08:00:00Z"}}"#,
            #"{"listed_title":{"username":"ada","list":"none","isbn":"9780441013593","added_at":"2026-01-02T08:00:00Z"}}"#,
            #"{"listed_title":{"username":"ada","isbn":"9780441013593","added_at":"2026-01-02T08:00:00Z"}}"#,
        ]
        let report = try bench.importing(bench.file("bad.jsonl", Self.base + lines.joined(separator: "\n") + "\n"))
        #expect(report.rejected == lines.count && report.added == 4, "\(report.problems)")
    }
}
