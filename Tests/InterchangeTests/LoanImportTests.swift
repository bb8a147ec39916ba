import Circulation
import Desk
import Interchange
import Testing

@Suite("Lost and claimed loans in files")
struct LoanImportTests {
    private static let text = """
        {"title":{"isbn":"9780140449136","title":"Odyssey","copies":[{"barcode":"c1","status":"lost"},{"barcode":"c2"},{"barcode":"c3","status":"lost"}]}}
        {"patron":{"username":"ada"}}
        {"loan":{"key":"1","isbn":"9780140449136","barcode":"c1","username":"ada","lent_at":"2026-06-01T08:00:00Z","due_on":"2026-06-15","lost_at":"2026-08-01T08:00:00Z"}}
        {"loan":{"key":"2","isbn":"9780140449136","barcode":"c2","username":"ada","lent_at":"2026-06-01T08:00:00Z","due_on":"2026-06-15","claimed_at":"2026-06-14T08:00:00Z"}}

        """

    @Test("what is exported is imported again as the same loans, and once only")
    func roundTrip() throws {
        let bench = try ImportBench()
        let report = try bench.importing(bench.file("library.jsonl", Self.text))
        #expect(report.rejected == 0, "\(report.problems)")
        #expect(try bench.desk.examine().broken == [])
        let loans = try bench.desk.read { try $0.loans.active(of: .username("ada")) }
        #expect(loans.map { $0.lostAt != nil } == [true, false] && loans.map { $0.claimedAt != nil } == [false, true])
        let statuses = try bench.desk.read { session in
            try ["c1", "c2", "c3"].map { try session.catalogue.copy(barcode: $0)?.status }
        }
        #expect(statuses == [.lost, .onLoan, .lost])
        let text = try bench.export()
        let other = try ImportBench()
        let again = try other.importing(other.file("export.jsonl", text))
        #expect(again.rejected == 0, "\(again.problems)")
        #expect(try other.export() == text)
        #expect(try other.desk.examine().broken == [])
        #expect(try other.importing(other.path("export.jsonl")).added == 0)
        #expect(try other.export() == text)
    }

    @Test("a file that has the lost copy as available does not take it from its loan")
    func keepsStatus() throws {
        let bench = try ImportBench()
        try bench.importing(bench.file("library.jsonl", Self.text))
        let copy = #"{"copy":{"barcode":"c1","isbn":"9780140449136","status":"available","item_type":"book"}}"#
        try bench.importing(bench.file("copy.jsonl", copy + "\n"))
        #expect(try bench.desk.read { try $0.catalogue.copy(barcode: "c1")?.status } == .lost)
        #expect(try bench.desk.examine().broken == [])
    }
}
