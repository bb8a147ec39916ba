import Circulation
import TestSupport
import Testing

@Suite("Instants")
struct InstantTests {
    @Test(
        "ISO 8601 with an offset reads as the same moment",
        arguments: [
            ("2026-12-24T18:00:00Z", "2026-12-24T18:00:00Z"), ("2026-12-24T19:00:00+01:00", "2026-12-24T18:00:00Z"),
            ("2026-12-24T18:00Z", "2026-12-24T18:00:00Z"), ("2026-12-24 13:00:00-0500", "2026-12-24T18:00:00Z"),
            ("2026-12-24T23:30:00.250+05:30", "2026-12-24T18:00:00.25Z"),
            ("1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999Z"),
            ("2026-12-24T24:00:00Z", "2026-12-25T00:00:00Z"), ("2026-01-01T00:00:00+14", "2025-12-31T10:00:00Z"),
            ("2026-12-24T18:00:00.1234567Z", "2026-12-24T18:00:00.123456Z"),
            ("2026-12-24t18:00:00z", "2026-12-24T18:00:00Z"),
        ])
    func reading(_ text: String, _ expected: String) throws {
        let instant = try Instant(parsing: text)
        #expect(instant.description == expected)
        #expect(try Instant(parsing: expected) == instant)
    }

    @Test(
        "Without an offset a zone says what is meant",
        arguments: [
            ("2026-12-24T18:00", "2026-12-24T17:00:00Z"), ("2026-07-01", "2026-06-30T22:00:00Z"),
            ("2026-07-01T00:00:00.5", "2026-06-30T22:00:00.5Z"),
        ])
    func inZone(_ text: String, _ expected: String) throws {
        let berlin = try Zone(named: "Europe/Berlin")
        #expect(try Instant(parsing: text, in: berlin).description == expected)
        #expect(throws: TimeError.self) { try Instant(parsing: text) }
    }

    @Test(
        "What is no instant is refused",
        arguments: [
            "", "now", "2026-12-24T", "2026-12-24T18", "2026-12-24T18:00:00+25:00", "2026-12-24T18:00:00 Z",
            "2026-12-24T18:00:00.Z",
            "2026-12-24T18:00:00+1", "2026-12-24T18:00:61Z", "2026-02-30T18:00:00Z", "2026-12-24T18:00:00ZZ",
            "1782000000",
            "9999-12-31T23:00:00Z", "0001-01-01T00:00:00Z", "2026-12-24T24:00:00.5Z", "2026-12-24T18:00:00+01:60",
        ])
    func malformed(_ text: String) throws {
        let berlin = try Zone(named: "Europe/Berlin")
        #expect(throws: TimeError.self) { try Instant(parsing: text) }
        #expect(throws: TimeError.self) { try Instant(parsing: text, in: berlin) }
    }

    @Test(
        "Sums that leave the years 1 to 9999 are errors, never traps", arguments: [Int64.max, .min, .max / 2, 1 << 60])
    func overflow(_ step: Int64) throws {
        let instant = try Instant(parsing: "2026-12-24T18:00:00Z")
        #expect(throws: TimeError.self) { try instant.adding(microseconds: step) }
        #expect(throws: TimeError.self) { try instant.adding(seconds: step) }
        #expect(throws: TimeError.self) { try instant.adding(minutes: step) }
        #expect(throws: TimeError.self) { try instant.adding(hours: step) }
    }

    @Test("A number from anywhere becomes a moment within the bounds", arguments: [Int64.min, .max, 0, -1])
    func clamping(_ number: Int64) throws {
        for instant in [Instant(microseconds: number), Instant(seconds: number)] {
            #expect(instant >= .earliest && instant <= .latest)
            #expect(try Instant(parsing: instant.description) == instant)
        }
    }

    @Test("Whole seconds round down before 1970 too")
    func seconds() {
        #expect(Instant(microseconds: -1).seconds == -1)
        #expect(Instant(microseconds: -1_000_000).seconds == -1)
        #expect(Instant(microseconds: 1_999_999).seconds == 1)
    }

    @Test("What prints reads back the same", arguments: 0..<10)
    func roundTrip(_ seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        for _ in 0..<200 {
            let instant = Instant(
                microseconds: Int64.random(
                    in: Instant.earliest.microseconds...Instant.latest.microseconds, using: &random))
            #expect(try Instant(parsing: instant.description) == instant)
        }
    }

    @Test("Text orders as time does")
    func order() throws {
        let texts = ["2026-12-24T18:00:00Z", "2026-12-24T18:00:01Z", "2027-01-01T00:00:00Z"]
        let instants = try texts.map { try Instant(parsing: $0) }
        #expect(instants == instants.shuffled().sorted())
        #expect(instants[1].microseconds(since: instants[0]) == 1_000_000)
    }

    @Test("A fixed clock stands still and a manual one moves by hand")
    func clocks() throws {
        let start = try Instant(parsing: "2026-12-24T18:00:00Z")
        #expect(FixedClock(start).now() == start)
        let clock = ManualClock(start)
        try clock.advance(microseconds: 5_000_000)
        #expect(clock.now().description == "2026-12-24T18:00:05Z")
        #expect(throws: TimeError.self) { try clock.advance(microseconds: .max) }
        #expect(clock.now().description == "2026-12-24T18:00:05Z")
        clock.set(start)
        let anyClock: any Circulation.Clock = clock
        #expect(anyClock.now() == start)
    }
}
