import Circulation
import TestSupport
import Testing

@testable import Storage

@Suite("Statistics by the clock")
struct StatisticsClockTests {
    @Test(
        "loans made here and their returns count at the hour that the zone's clocks show",
        arguments: TestDriver.allCases,
        ["Europe/Berlin", "Asia/Kathmandu", "America/St_Johns"])
    func hours(driver: TestDriver, zone: String) throws {
        try driver.withFixture { (transaction, _) throws in
            let zone = try Zone(named: zone)
            var random = SplitMix(seed: 5)
            let begin = try Instant(parsing: "2026-03-20T00:00:00Z")
            let (from, to) = (try CivilDate(parsing: "2026-03-22"), try CivilDate(parsing: "2026-04-05"))
            var expected: [Int: HourOfWeek] = [:]
            func count(_ at: Instant, _ path: WritableKeyPath<HourOfWeek, Int64>) {
                let local = zone.local(of: at)
                guard from...to ~= local.date else { return }
                let (weekday, hour) = (local.date.weekday, Int(local.time.secondsSinceMidnight) / 3_600)
                expected[weekday.rawValue * 24 + hour, default: HourOfWeek(weekday: weekday, hour: hour)][
                    keyPath: path] += 1
            }
            for number in 0..<60 {
                let at = try begin.adding(seconds: Int64.random(in: 0..<1_728_000, using: &random))
                let back = try at.adding(seconds: Int64.random(in: 0..<400_000, using: &random))
                let branch = number % 3 == 0 ? "annex" : "main"
                let key = number % 5 == 0 ? "k\(number)" : nil
                try transaction.loans.insert(
                    Loan(branch: branch, lentAt: at, returnedAt: number % 2 == 0 ? back : nil, importKey: key))
                if key != nil || branch == "annex" { continue }
                count(at, \.loans)
                if number % 2 == 0 { count(back, \.returns) }
            }
            let statistics = transaction.statistics
            let found = try statistics.byHour(from: from, to: to, zone: zone, branch: "main")
            #expect(found == expected.sorted { $0.key < $1.key }.map(\.value) && found.count > 10)
            let all = try statistics.byHour(from: nil, to: nil, zone: zone)
            #expect(all.reduce(0) { $0 + $1.loans } == 48)
        }
    }

    @Test("patrons count in the month in which they joined, those who left too", arguments: TestDriver.allCases)
    func patrons(driver: TestDriver) throws {
        try driver.withFixture { (transaction, fixture) throws in
            for (number, event) in [
                ("2026-01-31T22:30:00Z", "patron.added", fixture.patron), ("2026-01-31T23:30:00Z", "patron.added", 98),
                ("2026-02-01T10:00:00Z", "patron.added", 99),
                ("2026-02-01T10:00:00Z", "patron.updated", fixture.patron),
                ("2026-03-01T10:00:00Z", "patron.added", fixture.patron),
            ].enumerated() {
                try transaction.events.insert(
                    EventRecord(
                        at: try Instant(parsing: event.0), actor: "a", kind: event.1, payload: "{}",
                        requestID: "r\(number)", patron: event.2))
            }
            let found = try transaction.statistics.newPatrons(
                from: nil, to: try CivilDate(parsing: "2026-02-28"), zone: try Zone(named: "Europe/Berlin"))
            #expect(
                found == [
                    MonthOfPatrons(month: "2026-01", category: "patron", count: 1),
                    MonthOfPatrons(month: "2026-02", category: nil, count: 2),
                ])
        }
    }
}
