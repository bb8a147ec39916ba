import Circulation
import Desk
import Interchange
import Testing

@Suite("Holds in files")
struct HoldImportTests {
    private static let library = """
        {"branch":{"code":"north","name":"North"}}
        {"title":{"isbn":"9780140449136","title":"Odyssey","copies":[{"barcode":"c1"},{"barcode":"c2","status":"on_hold_shelf"},{"barcode":"c3"}]}}
        {"title":{"title":"A Manuscript","copies":[{"barcode":"c4"}]}}
        {"patron":{"username":"ada"}}
        {"patron":{"username":"bob"}}
        {"patron":{"username":"cyd"}}
        {"patron":{"username":"dan"}}
        """
    private static let holds = """
        {"hold":{"key":"1","isbn":"9780140449136","username":"ada","held_barcode":"c2","pickup_branch":"main","state":"shelf","placed_at":"2026-09-01T08:00:00Z","shelved_at":"2026-10-06T08:00:00Z","shelf_until":"2026-10-12T21:59:59Z"}}
        {"hold":{"key":"2","isbn":"9780140449136","username":"bob","barcode":"c3","held_barcode":"c3","pickup_branch":"north","state":"transit","placed_at":"2026-09-02T08:00:00Z"}}
        {"hold":{"key":"3","title":"A Manuscript","username":"cyd","pickup_branch":"main","state":"waiting","placed_at":"2026-09-03T08:00:00Z","queued_at":"2026-09-02T08:00:00Z","priority":4,"expires_on":"2027-01-01","suspended_until":"2026-12-01"}}
        {"hold":{"key":"4","isbn":"9780140449136","pickup_branch":"main","state":"expired","placed_at":"2025-09-03T08:00:00Z","closed_at":"2025-12-03T08:00:00Z"}}
        """

    private func bench(_ holds: String) throws -> (ImportBench, ImportReport) {
        let bench = try ImportBench()
        return (bench, try bench.importing(bench.file("library.jsonl", Self.library + "\n" + holds + "\n")))
    }

    @Test("what is exported is imported again as the same holds, and once only")
    func roundTrip() throws {
        let (bench, report) = try bench(Self.holds)
        #expect(report.rejected == 0, "\(report.problems)")
        #expect(try bench.desk.examine().broken == [])
        let text = try bench.export()
        #expect(text.contains(#""state":"shelf""#))
        let other = try ImportBench()
        let again = try other.importing(other.file("export.jsonl", text))
        #expect(again.rejected == 0, "\(again.problems)")
        #expect(try other.export() == text)
        #expect(try other.desk.examine().broken == [])
        #expect(try other.importing(other.path("export.jsonl")).added == 0)
        #expect(try other.export() == text)
    }

    @Test("an imported hold stands in its queue, and its copy is set aside")
    func taken() throws {
        let (bench, _) = try bench(Self.holds)
        try bench.desk.read { session in
            let odyssey = try session.holds.queue(of: .isbn(try ISBN("9780140449136")))
            #expect(odyssey.map(\.hold.state) == [.shelf, .transit])
            #expect(try session.catalogue.copy(barcode: "c2")?.status == .onHoldShelf)
            #expect(try session.catalogue.copy(barcode: "c3")?.status == .inTransit)
            let own = try #require(try session.holds.of(.username("cyd")).first)
            #expect(own.position == 1 && own.hold.priority == 4 && own.hold.queuedAt < own.hold.placedAt)
        }
    }

    @Test(
        "a hold that cannot be kept is reported with its field",
        arguments: [
            (
                #"{"key":"9","isbn":"9780140449136","username":"eve","pickup_branch":"main","placed_at":"2026-09-01T08:00:00Z"}"#,
                "unknown_patron"
            ),
            (
                #"{"key":"9","username":"ada","pickup_branch":"main","placed_at":"2026-09-01T08:00:00Z"}"#,
                "unknown_title"
            ),
            (#"{"key":"9","isbn":"9780140449136","username":"ada","pickup_branch":"main"}"#, "missing"),
            (
                #"{"key":"9","isbn":"9780140449136","username":"ada","pickup_branch":"main","state":"lost","placed_at":"2026-09-01T08:00:00Z"}"#,
                "bad_value"
            ),
            (
                #"{"key":"9","isbn":"9780140449136","username":"ada","held_barcode":"c9","pickup_branch":"main","placed_at":"2026-09-01T08:00:00Z"}"#,
                "unknown_copy"
            ),
        ])
    func rejected(hold: String, code: String) throws {
        let (bench, report) = try bench("{\"hold\":\(hold)}")
        #expect(report.rejected == 1)
        #expect(report.problems.map(\.code) == [code])
        #expect(try bench.desk.examine().broken == [])
    }

    @Test("a hold whose copy is set aside for another waits")
    func alreadySetAside() throws {
        let second =
            #"{"hold":{"key":"5","isbn":"9780140449136","username":"dan","held_barcode":"c2","pickup_branch":"main","state":"shelf","placed_at":"2026-09-05T08:00:00Z"}}"#
        let (bench, report) = try bench(Self.holds + "\n" + second)
        #expect(report.rejected == 0)
        #expect(try bench.desk.read { try $0.holds.of(.username("dan")) }.map(\.hold.state) == [.waiting])
        #expect(try bench.desk.examine().broken == [])
    }
}
