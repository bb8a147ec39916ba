import Circulation
import Foundation
import Schedule
import Testing

/// A second opinion: Python's croniter (Debian: python3-croniter) on random expressions and moments.
@Suite("Cron as croniter has it")
struct CroniterTests {
    private static let python = "/usr/bin/python3"

    private static let script = """
        import sys
        from datetime import datetime, timezone
        from croniter import croniter, CroniterBadDateError
        for line in sys.stdin:
            expression, start = line.rstrip("\\n").split("\\t")
            moment = datetime.fromtimestamp(int(start), timezone.utc)
            try:
                print(int(croniter(expression, moment, max_years_between_matches=120).get_next(float)))
            except CroniterBadDateError:
                print("never")
        """

    private static func answers(_ input: String, _ script: String) throws -> (status: Int32, lines: [Substring]) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "croniter-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let questions = folder.appending(path: "questions")
        try input.write(to: questions, atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(filePath: python)
        process.arguments = ["-c", script]
        process.standardInput = try FileHandle(forReadingFrom: questions)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self).split(separator: "\n"))
    }

    static let isMissing: Bool = {
        guard FileManager.default.isExecutableFile(atPath: python) else { return true }
        return (try? answers("", "import croniter").status) != 0
    }()

    /// Of what both know: croniter writes the last Friday as `L5`, knows no `W`, and takes a list of all days for `*`.
    private struct Maker {
        var random: SeededGenerator

        mutating func chance(_ share: Int) -> Bool { Int.random(in: 0..<100, using: &random) < share }
        mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }

        mutating func entry(_ range: ClosedRange<Int>, _ names: [String] = []) -> String {
            let first = number(range)
            switch number(0...9) {
            case 0...4: return names.isEmpty || chance(50) ? "\(first)" : names[first - range.lowerBound]
            case 5...6 where first < range.upperBound - 1 && first > range.lowerBound:
                return "\(first)-\(number(first + 1...range.upperBound))"
            case 7 where first < range.upperBound - 1 && first > range.lowerBound:
                return "\(first)-\(number(first + 1...range.upperBound))/\(number(2...5))"
            case 8:
                let step = number(2...max(2, range.upperBound / 2))
                return range.upperBound == 28 ? "1-28/\(step)" : "*/\(step)"
            default: return "\(first)"
            }
        }

        mutating func field(_ range: ClosedRange<Int>, _ names: [String] = [], star: Int) -> String {
            if chance(star) { return "*" }
            return (0..<(chance(25) ? 2 : 1)).map { _ in entry(range, names) }.joined(separator: ",")
        }

        /// The same expression as we write it and as croniter does.
        mutating func expression() -> (ours: String, theirs: String) {
            let start = [field(0...59, star: 20), field(0...23, star: 30)]
            let hasWeekdays = chance(40)
            // Days that not every month has it takes for days of those that have none, unless they stand alone.
            let days =
                chance(10) ? "l" : chance(10) && !hasWeekdays ? "\(number(29...31))" : field(1...28, star: 60)
            let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
            let month = field(1...12, months, star: 70)
            let names = ["sun", "mon", "tue", "wed", "thu", "fri"]
            var weekdays = hasWeekdays ? (field(0...5, names, star: 0), "") : ("*", "")
            weekdays.1 = weekdays.0
            // Beside a day of the month croniter reckons these otherwise than crontab(5) does: both have to fit.
            if days == "*" && chance(30) {
                let day = number(0...6)
                if chance(50) {
                    weekdays = ("\(day)L", "L\(day)")
                } else {
                    weekdays.0 = "\(day)#\(number(1...5))"
                    weekdays.1 = weekdays.0
                }
            }
            let rest = [days, month]
            return (
                (start + rest + [weekdays.0]).joined(separator: " "),
                (start + rest + [weekdays.1]).joined(separator: " ")
            )
        }
    }

    @Test(
        "10,000 random expressions and moments", .enabled(if: !isMissing, "python3-croniter is not installed"),
        arguments: [UInt64(1), 2])
    func agrees(seed: UInt64) throws {
        var maker = Maker(random: SeededGenerator(seed: seed))
        var questions: [(ours: String, theirs: String, start: Int64)] = []
        for _ in 0..<5_000 {
            let expression = maker.expression()
            // 2000 to 2090
            questions.append((expression.ours, expression.theirs, Int64(maker.number(946_684_800...3_786_912_000))))
        }
        let input = questions.map { "\($0.theirs)\t\($0.start)\n" }.joined()
        let (status, lines) = try Self.answers(input, Self.script)
        #expect(status == 0)
        try #require(lines.count == questions.count)
        var differences: [String] = []
        for (question, line) in zip(questions, lines) {
            let next = try CronExpression(parsing: question.ours).next(
                after: Instant(seconds: question.start), in: .utc)
            let ours = next.map { "\($0.seconds)" } ?? "never"
            if ours != line { differences.append("\(question.ours) after \(question.start): \(ours), not \(line)") }
        }
        #expect(differences.isEmpty, "\(differences.count): \(differences.prefix(10).joined(separator: "\n"))")
    }
}
