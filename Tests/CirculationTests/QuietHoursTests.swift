import Circulation
import Testing

@Suite("Quiet hours")
struct QuietHoursTests {
    @Test(
        "they hold from the first moment to the last, over midnight too",
        arguments: [
            ("21:00-08:00", "2026-01-10T20:59:59Z", nil),
            ("21:00-08:00", "2026-01-10T21:00:00Z", "2026-01-11T08:00:00Z"),
            ("21:00-08:00", "2026-01-11T07:59:59Z", "2026-01-11T08:00:00Z"),
            ("21:00-08:00", "2026-01-11T08:00:00Z", nil),
            ("12:00-14:30", "2026-01-11T13:00:00Z", "2026-01-11T14:30:00Z"),
            ("12:00-14:30", "2026-01-11T14:30:00Z", nil),
            ("00:00-06:00", "2026-01-11T00:00:00Z", "2026-01-11T06:00:00Z"),
            ("22:00-24:00", "2026-01-11T23:59:59Z", "2026-01-12T00:00:00Z"),
            ("22:00-24:00", "2026-01-12T00:00:00Z", nil),
        ] as [(String, String, String?)])
    func bounds(hours: String, moment: String, end: String?) throws {
        let quiet = try #require(QuietHours(parsing: hours))
        #expect(quiet.end(at: try Instant(parsing: moment), in: .utc)?.description == end)
    }

    @Test("they go by the zone's clocks, on days when those change too")
    func zones() throws {
        let berlin = try Zone(named: "Europe/Berlin")
        let quiet = try #require(QuietHours(parsing: "22:00-07:00"))
        // On 2026-03-29 clocks go from two to three: that night is an hour shorter.
        #expect(
            quiet.end(at: try Instant(parsing: "2026-03-28T21:00:00Z"), in: berlin)?.description
                == "2026-03-29T05:00:00Z")
        #expect(quiet.end(at: try Instant(parsing: "2026-03-28T20:59:59Z"), in: berlin) == nil)
        #expect(quiet.end(at: try Instant(parsing: "2026-03-29T05:00:00Z"), in: berlin) == nil)
    }

    @Test(
        "what is no two times of day is refused",
        arguments: ["", "21:00", "21:00-", "21-8", "21:00-21:00", "00:00-24:00", "25:00-08:00", "21:00-08:00-09:00"])
    func refused(text: String) {
        #expect(QuietHours(parsing: text) == nil)
    }
}
