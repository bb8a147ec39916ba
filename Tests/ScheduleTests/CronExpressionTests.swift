import Circulation
import Schedule
import Testing

@Suite("Cron expressions")
struct CronExpressionTests {
    private func next(_ text: String, after: String, in zone: Zone = .utc, count: Int = 1) throws -> [String] {
        let expression = try CronExpression(parsing: text)
        var moment = try Instant(parsing: after)
        var found: [String] = []
        while found.count < count, let next = expression.next(after: moment, in: zone) {
            #expect(next > moment)
            found.append(next.description)
            moment = next
        }
        return found
    }

    @Test(
        "days of the month and weekdays",
        arguments: [
            // 2026: February ends on a Saturday, May on a Sunday; 1 August is a Saturday, 1 November a Sunday.
            ("0 9 L * *", "2026-02-01T00:00:00Z", "2026-02-28T09:00:00Z"),
            ("0 9 L-3 * *", "2026-02-01T00:00:00Z", "2026-02-25T09:00:00Z"),
            ("0 9 LW * *", "2026-02-01T00:00:00Z", "2026-02-27T09:00:00Z"),
            ("0 9 LW * *", "2026-05-01T00:00:00Z", "2026-05-29T09:00:00Z"),
            ("0 9 31W 5 *", "2026-01-01T00:00:00Z", "2026-05-29T09:00:00Z"),
            ("0 9 1W 8 *", "2026-01-01T00:00:00Z", "2026-08-03T09:00:00Z"),
            ("0 9 1W 11 *", "2026-01-01T00:00:00Z", "2026-11-02T09:00:00Z"),
            ("0 9 15W 8 *", "2026-01-01T00:00:00Z", "2026-08-14T09:00:00Z"),
            ("0 9 16W 8 *", "2026-01-01T00:00:00Z", "2026-08-17T09:00:00Z"),
            ("0 9 17W 8 *", "2026-01-01T00:00:00Z", "2026-08-17T09:00:00Z"),
            ("0 9 * * friL", "2026-02-01T00:00:00Z", "2026-02-27T09:00:00Z"),
            ("0 9 * * 5l", "2026-02-27T09:00:00Z", "2026-03-27T09:00:00Z"),
            ("0 9 * * fri#2", "2026-02-01T00:00:00Z", "2026-02-13T09:00:00Z"),
            ("0 9 * * 7#5", "2026-02-01T00:00:00Z", "2026-03-29T09:00:00Z"),
            ("0 9 * * sun", "2026-02-03T00:00:00Z", "2026-02-08T09:00:00Z"),
            ("0 9 * * 5-7", "2026-02-07T10:00:00Z", "2026-02-08T09:00:00Z"),
            ("0 9 13 * fri", "2026-02-01T00:00:00Z", "2026-02-06T09:00:00Z"),
            ("0 9 13 * ?", "2026-02-01T00:00:00Z", "2026-02-13T09:00:00Z"),
            // The fifth Friday of a February; and beyond 2100, which is not a leap year, the wait is 40 years.
            ("0 0 * 2 fri#5", "2026-01-01T00:00:00Z", "2036-02-29T00:00:00Z"),
            ("0 0 * 2 sun#5", "2088-03-01T00:00:00Z", "2128-02-29T00:00:00Z"),
            ("@weekly", "2026-02-03T00:00:00Z", "2026-02-08T00:00:00Z"),
            ("30 0 7 * * mon-fri", "2026-02-07T00:00:00Z", "2026-02-09T07:00:30Z"),
            ("TZ=Asia/Tokyo 0 7 * * *", "2026-02-07T00:00:00Z", "2026-02-07T22:00:00Z"),
        ])
    func days(expression: String, after: String, expected: String) throws {
        #expect(try next(expression, after: after) == [expected])
    }

    @Test("a time that the clocks skip does not come; one that they show twice comes twice")
    func clockChanges() throws {
        let berlin = try Zone(named: "Europe/Berlin")
        #expect(
            try next("30 2 * * *", after: "2026-03-28T12:00:00Z", in: berlin, count: 2)
                == ["2026-03-30T00:30:00Z", "2026-03-31T00:30:00Z"])
        #expect(
            try next("30 2 * * *", after: "2026-10-24T12:00:00Z", in: berlin, count: 3)
                == ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-10-26T01:30:00Z"])
        #expect(
            try next("*/30 2 * * *", after: "2026-10-24T12:00:00Z", in: berlin, count: 5)
                == [
                    "2026-10-25T00:00:00Z", "2026-10-25T00:30:00Z", "2026-10-25T01:00:00Z", "2026-10-25T01:30:00Z",
                    "2026-10-26T01:00:00Z",
                ])
    }

    @Test("what is known of a zone's clocks is taken up where it ends, before 1970 and after 2100")
    func farYears() throws {
        let berlin = try Zone(named: "Europe/Berlin")
        for year in [1968, 1969, 1970, 2098, 2099, 2100, 2101] {
            let start = berlin.instant(of: try CivilDate(year: year, month: 1, day: 1), .midnight)
            let expression = try CronExpression(parsing: "0 12 31 12 *")
            let next = try #require(expression.next(after: start, in: berlin))
            let noon = try CivilTime(hour: 12, minute: 0)
            #expect(next == berlin.instant(of: try CivilDate(year: year, month: 12, day: 31), noon))
            let later = try #require(expression.next(after: next, in: berlin))
            #expect(later == berlin.instant(of: try CivilDate(year: year + 1, month: 12, day: 31), noon))
        }
    }

    @Test("what no calendar has never comes", arguments: ["0 0 30 2 *", "0 0 31 4,6,9,11 *", "0 0 31W 2 *"])
    func never(expression: String) throws {
        #expect(try next(expression, after: "2026-01-01T00:00:00Z").isEmpty)
    }

    @Test(
        "what is wrong is named, with what was expected",
        arguments: [
            ("", "has 0 fields; expected five"), ("* * * *", "has 4 fields"), ("* * * * * * *", "has 7 fields"),
            ("60 0 * * *", "'60' is not a valid minute; expected 0 to 59"), ("0 24 * * *", "'24' is not a valid hour"),
            ("0 0 0 * *", "'0' is not a valid day of the month; expected 1 to 31"),
            ("0 0 * 13 *", "'13' is not a valid month; expected 1 to 12, or jan to dec"),
            ("0 0 * * monday", "'monday' is not a valid weekday; expected 0 to 7, or sun to sat"),
            ("*/0 * * * *", "'*/0' has no step"), ("1/2/3 * * * *", "more than one step"),
            ("5-1 * * * *", "goes backwards"), ("1-2-3 * * * *", "not a range"), ("1,,2 * * * *", "an empty entry"),
            ("-1 * * * *", "'' is not a valid minute"), ("+1 * * * *", "'+1' is not a valid minute"),
            ("0 0 * * L", "write friL"), ("0 0 * * fri#6", "from 1 to 5"), ("0 0 L-31 * *", "L-1 to L-30"),
            ("0 0 W * *", "'' is not a valid day of the month"), ("@reboot", "'@reboot' is not a shortcut"),
            ("@daily 5", "stands alone"), ("TZ=Nowhere/Land 0 0 * * *", "'Nowhere/Land' is not a time zone"),
            ("TZ=Etc/UTC", "has 0 fields"), ("0 0 * * m\u{F6}n", "no characters but those of ASCII"),
            ("99999999999999999999 * * * *", "is not a valid minute"),
        ])
    func faults(expression: String, message: String) {
        let error = #expect(throws: CronError.self) { try CronExpression(parsing: expression) }
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test("random bytes are refused in words or are an expression whose times go on", arguments: 1...4)
    func fuzz(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let letters = Array("0123456789*/,-?#LWw@ \tTZ=monfebrijanUTC")
        var accepted = 0
        let start = try Instant(parsing: "2026-02-03T04:05:06Z")
        for _ in 0..<3_000 {
            var text = "* * * * *"
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                let place = text.index(text.startIndex, offsetBy: Int.random(in: 0..<text.count, using: &random))
                let letter = String(letters[Int.random(in: 0..<letters.count, using: &random)])
                if Bool.random(using: &random) { text.remove(at: place) }
                text.insert(contentsOf: letter, at: min(place, text.endIndex))
            }
            guard let expression = try? CronExpression(parsing: text) else { continue }
            accepted += 1
            guard let first = expression.next(after: start, in: .utc) else { continue }
            #expect(first > start)
            #expect(expression.next(after: try first.adding(seconds: -1), in: .utc) == first, "\(text)")
        }
        #expect(accepted > 100)
    }
}
