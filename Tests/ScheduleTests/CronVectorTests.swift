import Circulation
import Foundation
import Schedule
import TestSupport
import Testing

/// Held against the tests of another cron (see `data/SOURCES.md` of the shared data): 5 and 6 fields, zones, clock changes.
@Suite("Cron as others have it")
struct CronVectorTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        var kind: String
        var from: String
        var expression: String
        var expected: String
        var testDescription: String { "\(kind) \(from) \(expression)" }
    }

    static let vectors: [Vector] = {
        guard let bytes = try? SharedData.bytes("data/malformed/cron/robfig_cron_vectors.tsv") else { return [] }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.split(separator: "\n").dropFirst().map { line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            return Vector(
                kind: columns[0], from: columns[1], expression: columns[2],
                expected: columns.count > 3 ? columns[3] : "")
        }
    }()

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// `Mon Jul 9 23:35:51 2012`, `2012-03-11T00:00:00-0500`, `TZ=America/New_York 2012-...`.
    ///
    /// The word for the weekday is not looked at: in a few vectors it is wrong ("Thu Jul 11 2012" was a Wednesday), and
    /// the program that they come from does not read it either.
    private static func moment(_ text: String) throws -> (instant: Instant, zone: Zone) {
        var words = text.split(separator: " ")
        var zone = Zone.utc
        if let first = words.first, first.hasPrefix("TZ=") {
            zone = try Zone(named: String(first.dropFirst(3)))
            words.removeFirst()
        }
        if words.count == 1 {
            let word = words[0]
            // +0530 is India's the whole year.
            if word.hasSuffix("+0530") { zone = try Zone(named: "Asia/Kolkata") }
            return (try Instant(parsing: word.dropLast(2) + ":" + word.suffix(2)), zone)
        }
        let month = try #require(months.firstIndex { $0 == words[1] }) + 1
        let clock = words[3].split(separator: ":").compactMap { Int($0) }
        let date = try CivilDate(year: #require(Int(words[4])), month: month, day: #require(Int(words[2])))
        return (
            zone.instant(
                of: date, try CivilTime(hour: clock[0], minute: clock[1], second: clock.count > 2 ? clock[2] : 0)),
            zone
        )
    }

    @Test(
        "each vector holds", .enabled(if: !vectors.isEmpty, "\(SharedData.reason)"),
        arguments: vectors.isEmpty ? [Vector(kind: "-", from: "", expression: "", expected: "")] : vectors)
    func holds(vector: Vector) throws {
        guard vector.kind != "parse-error" else {
            #expect(throws: CronError.self) { try CronExpression(parsing: vector.expression) }
            return
        }
        let expression = try CronExpression(parsing: vector.expression)
        let (from, zone) = try Self.moment(vector.from)
        if vector.kind == "activation" {
            let next = expression.next(after: try from.adding(seconds: -1), in: zone)
            #expect((next == from) == (vector.expected == "true"))
        } else if vector.expected.isEmpty {
            #expect(expression.next(after: from, in: zone) == nil)
        } else {
            #expect(try expression.next(after: from, in: zone) == Self.moment(vector.expected).instant)
        }
    }

    @Test("all vectors were read", .enabled(if: !vectors.isEmpty, "\(SharedData.reason)"))
    func complete() {
        #expect(Self.vectors.count == 95)
    }
}
