import Circulation
import TextFormats

/// Opening days of a neutral fact.
enum ScenarioCalendar {
    static func calendar(_ values: SchemaValues?) throws -> OpeningCalendar {
        guard let values else { return .alwaysOpen }
        var weekly = [[OpeningHours]](repeating: [.wholeDay], count: 7)
        for (days, hours) in values.map("weekly") {
            for day in try CalendarWords.weekdays(days) { weekly[day - 1] = try self.hours(hours.stringValue) }
        }
        var closed = try values.texts("closed").map { text in
            let ends = try dates(text)
            return try OpeningCalendar.Closure(ends.first, through: ends.last)
        }
        for closure in values.records("repeated") { closed += try occurrences(closure) }
        let yearly = try values.texts("yearly").map { try CalendarWords.yearlyClosure($0) }
        var opened: [OpeningCalendar.Opening] = []
        for (days, hours) in values.map("open") {
            let (first, last) = try dates(days)
            for day in 0...last.days(since: first) {
                opened.append(
                    OpeningCalendar.Opening(
                        try first.adding(days: Int64(day)), hours: try self.hours(hours.stringValue)))
            }
        }
        let only = try values.map("only").map { (date: try date($0.name), hours: try hours($0.value.stringValue)) }
        if let first = only.map(\.date).min(), let last = only.map(\.date).max() {
            closed.append(try OpeningCalendar.Closure(first, through: last))
            opened += only.filter { !$0.hours.isEmpty }.map { OpeningCalendar.Opening($0.date, hours: $0.hours) }
        }
        return try OpeningCalendar(weekly: weekly, closed: closed, yearly: yearly, opened: opened)
    }

    private static func hours(_ text: String?) throws -> [OpeningHours] { try CalendarWords.hours(text ?? "closed") }

    private static func date(_ text: some StringProtocol) throws -> CivilDate {
        guard let date = try? CivilDate(parsing: String(text)) else { throw NotExpressed("\"\(text)\" is no date") }
        return date
    }

    private static func dates(_ text: String) throws -> (first: CivilDate, last: CivilDate) {
        let ends = try text.split(separator: "/").map { try date($0) }
        guard let first = ends.first, let last = ends.last, ends.count <= 2,
            (0..<4_000).contains(last.days(since: first))
        else { throw NotExpressed("\"\(text)\" is no day, and no two days") }
        return (first, last)
    }

    /// What comes again, written out for twenty years.
    private static func occurrences(_ values: SchemaValues) throws -> [OpeningCalendar.Closure] {
        guard let first = values.date("first"), let step = values.period("every"), step.count > 0, !step.isElapsed
        else {
            throw NotExpressed("a closure that comes again needs its first day, and after how many days it comes again")
        }
        let length = Int64((values.date("last") ?? first).days(since: first))
        let end = try first.adding(months: 240)
        var found: [OpeningCalendar.Closure] = []
        for count in 0..<Int64(7_400) {
            let start = try Period(step.count * count, step.unit).added(to: first, calendar: .alwaysOpen)
            if start > end { break }
            found.append(try OpeningCalendar.Closure(start, through: start.adding(days: length)))
        }
        return found
    }
}
