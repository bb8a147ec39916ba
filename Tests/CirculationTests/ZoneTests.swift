import Circulation
import Foundation
import TestSupport
import Testing
import TextFormats

@Suite("Time zones")
struct ZoneTests {
    static let several = [
        "Etc/UTC", "Europe/Berlin", "Europe/London", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe",
        "Asia/Kathmandu",
        "America/Sao_Paulo", "Pacific/Apia", "Africa/Casablanca", "America/St_Johns", "Asia/Tehran", "Pacific/Chatham",
        "Africa/Cairo",
    ]

    @Test("Offsets agree with Foundation's at every quarter hour of a change and in between", arguments: several)
    func offsets(_ name: String) throws {
        let zone = try Zone(named: name)
        let reference = try #require(TimeZone(identifier: name))
        func agrees(_ seconds: Int) -> Bool {
            zone.offset(at: Instant(seconds: Int64(seconds)))
                == reference.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
        }
        var wrong: [Int] = []
        // From 1940 to 2110, so that both ends of the table are crossed.
        for seconds in stride(from: -946_771_200, to: 4_417_977_600, by: 86_400 * 5 + 3600) where !agrees(seconds) {
            wrong.append(seconds)
        }
        var date = Date(timeIntervalSince1970: 1_262_304_000)
        while let change = reference.nextDaylightSavingTimeTransition(after: date),
            change.timeIntervalSince1970 < 2_000_000_000
        {
            let moment = Int(change.timeIntervalSince1970)
            for step in -8...8 where !agrees(moment + step * 900 - 1) || !agrees(moment + step * 900) {
                wrong.append(moment + step * 900)
            }
            date = change
        }
        #expect(wrong.isEmpty)
    }

    @Test("A local time and back is the same moment, except the second pass of a repeated hour", arguments: several)
    func roundTrip(_ name: String) throws {
        let zone = try Zone(named: name)
        let start = try Instant(parsing: "2023-01-01T00:00:00Z").seconds
        var wrong: [Int64] = []
        for seconds in stride(from: start, to: start + 3 * 366 * 86_400, by: 1800) {
            let instant = Instant(seconds: seconds)
            let local = zone.local(of: instant)
            let back = zone.instant(of: local.date, local.time)
            // A repeated time comes back as its first pass, which shows the same on the clock.
            let isSame = back == instant
            let isFirstPass = back < instant && zone.local(of: back) == local
            if !isSame && !isFirstPass { wrong.append(seconds) }
        }
        #expect(wrong.isEmpty)
    }

    @Test(
        "Every local time of three years maps to a moment, in order, and skipped ones move forward", arguments: several)
    func localTimes(_ name: String) throws {
        let zone = try Zone(named: name)
        var date = try CivilDate(parsing: "2023-01-01")
        var wrong: [String] = []
        for _ in 0..<(3 * 365) {
            for minutes in stride(from: 0, to: 1440, by: 15) {
                let time = try CivilTime(secondsSinceMidnight: minutes * 60)
                let instant = zone.instant(of: date, time)
                let shown = zone.local(of: instant)
                if shown == (date, time) { continue }
                let isLater = (shown.date, shown.time) > (date, time)
                let gap =
                    (shown.date.days(since: date) * 86_400)
                    + Int(shown.time.secondsSinceMidnight - time.secondsSinceMidnight)
                // The clock jumped by exactly that much within the last day.
                let before = zone.offset(at: try instant.adding(seconds: -86_400))
                if !isLater || zone.offset(at: instant) - before != gap { wrong.append("\(date) \(time)") }
            }
            date = try date.adding(days: 1)
        }
        #expect(wrong.isEmpty)
    }

    @Test(
        "A skipped time moves forward by the gap, of a repeated one the first is meant",
        arguments: [
            ("Europe/Berlin", "2026-03-29", "02:30", "2026-03-29T01:30:00Z"),
            ("Europe/Berlin", "2026-03-29", "02:00", "2026-03-29T01:00:00Z"),
            ("Europe/Berlin", "2026-03-29", "01:59:59", "2026-03-29T00:59:59Z"),
            ("Europe/Berlin", "2026-03-29", "03:00", "2026-03-29T01:00:00Z"),
            ("Europe/Berlin", "2026-10-25", "02:30", "2026-10-25T00:30:00Z"),
            ("Europe/Berlin", "2026-10-25", "03:00", "2026-10-25T02:00:00Z"),
            ("Europe/Berlin", "2026-10-25", "01:59:59", "2026-10-24T23:59:59Z"),
            ("Australia/Lord_Howe", "2026-10-04", "02:15", "2026-10-03T15:45:00Z"),
            ("America/New_York", "2026-03-08", "02:30", "2026-03-08T07:30:00Z"),
            ("America/New_York", "2026-11-01", "01:30", "2026-11-01T05:30:00Z"),
            // São Paulo went forward at midnight: the day began at one o'clock.
            ("America/Sao_Paulo", "2018-11-04", "00:00", "2018-11-04T03:00:00Z"),
            ("America/Sao_Paulo", "2018-11-03", "24:00", "2018-11-04T03:00:00Z"),
            ("America/Sao_Paulo", "2018-02-17", "23:30", "2018-02-18T01:30:00Z"),
            // Samoa left out a whole day when it crossed the date line.
            ("Pacific/Apia", "2011-12-30", "12:00", "2011-12-30T22:00:00Z"),
            ("Pacific/Apia", "2011-12-31", "12:00", "2011-12-30T22:00:00Z"),
            ("Africa/Cairo", "2026-04-24", "00:30", "2026-04-23T22:30:00Z"),
            ("Etc/UTC", "2026-02-28", "24:00", "2026-03-01T00:00:00Z"),
        ])
    func changes(_ zone: String, _ date: String, _ time: String, _ expected: String) throws {
        let instant = try Zone(named: zone).instant(of: CivilDate(parsing: date), CivilTime(parsing: time))
        #expect(instant.description == expected)
    }

    @Test(
        "The clocks of London change when the government says",
        .enabled(if: !SharedData.isMissing, "the shared test data is not there"))
    func clockChanges() throws {
        let json = try JSONParser.parse(SharedData.bytes("data/calendars/holidays/uk-clock-changes.json"))
        let years = try #require(json["divisions"]?["united-kingdom"]?.objectValue)
        let london = try Zone(named: "Europe/London")
        var changes = 0
        for change in years.flatMap({ $0.value.arrayValue ?? [] }) {
            let parts = try #require(change["date"]?.stringValue).split(separator: "/")
            let date = try CivilDate(parsing: "\(parts[2])-\(parts[1])-\(parts[0])")
            let isForward = try #require(change["notes"]?.stringValue).contains("forward")
            let offsets = [date, try date.adding(days: 1)].map { london.offset(at: london.startOfDay($0)) }
            #expect(offsets == (isForward ? [0, 3600] : [3600, 0]), "\(date)")
            #expect(date.weekday == .sunday)
            changes += 1
        }
        #expect(changes == 10)
    }

    @Test("Far past and far future have a time too", arguments: several)
    func farAway(_ name: String) throws {
        let zone = try Zone(named: name)
        for instant in [Instant.earliest, .latest, Instant(seconds: -10_000_000_000), Instant(seconds: 20_000_000_000)]
        {
            let local = zone.local(of: instant)
            let fraction = instant.microseconds(since: Instant(seconds: instant.seconds))
            #expect(try zone.instant(of: local.date, local.time).adding(microseconds: fraction) == instant)
        }
        _ = zone.instant(of: .earliest, .midnight)
        _ = zone.instant(of: .latest, .endOfDay)
    }

    @Test(
        "What the database does not know is no zone",
        arguments: [
            "", "Mars/Olympus", "europe/berlin", "GMT+3", "+01:00", "../etc/passwd", "/etc/localtime", "CEST",
            "Europe/Berlin ", "Europe/Ber\0lin",
        ])
    func unknown(_ name: String) {
        #expect(Zone(identifier: name) == nil)
        #expect(throws: TimeError.self) { try Zone(named: name) }
    }

    @Test(
        "Old names of the database still are zones",
        arguments: [
            ("Japan", 9), ("EST", -5), ("CET", 1), ("US/Eastern", -5), ("GB", 0), ("Etc/GMT+3", -3), ("Zulu", 0),
            ("UTC", 0), ("Asia/Calcutta", 5),
        ])
    func aliases(_ name: String, _ hours: Int) throws {
        let zone = try Zone(named: name)
        #expect(zone.identifier == name)
        #expect(zone.offset(at: try Instant(parsing: "2026-01-15T12:00:00Z")) / 3600 == hours)
    }

    @Test("Every zone that Foundation knows is one", arguments: TimeZone.knownTimeZoneIdentifiers)
    func known(_ name: String) throws {
        let zone = try Zone(named: name)
        let reference = try #require(TimeZone(identifier: name))
        for seconds in stride(from: 0, to: 4_000_000_000, by: 40_000_003) {
            let expected = reference.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
            #expect(zone.offset(at: Instant(seconds: Int64(seconds))) == expected)
        }
    }

    @Test("Zones are equal by name and keep it")
    func identity() throws {
        let berlin = try Zone(named: "Europe/Berlin")
        #expect(try berlin == Zone(named: "Europe/Berlin"))
        #expect(try berlin != Zone(named: "Europe/Paris"))
        #expect(berlin.description == "Europe/Berlin")
        #expect(Zone.utc == Zone(identifier: "Etc/UTC"))
        #expect(Set([Zone.utc, berlin, berlin]).count == 2)
    }

    @Test("Many threads may ask for zones and far years at once")
    func threads() async throws {
        let offsets = await withTaskGroup(of: Int.self) { group in
            for task in 0..<50 {
                group.addTask {
                    let zone = Zone(identifier: "Europe/Madrid")
                    return zone?.offset(at: Instant(seconds: 5_000_000_000 + Int64(task % 2))) ?? -1
                }
            }
            return await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(offsets.count == 1)
    }
}
