package import Circulation

/// When something happens again and again, as crontab(5) says it.
///
/// ```swift
/// let monday = try CronExpression(parsing: "0 7 * * mon")
/// monday.next(after: now, in: zone)
/// ```
/// Five fields, minute to weekday, or six with the second before them; names, ranges, steps and lists; in the day of the
/// month `L`, `L-3`, `15W` and `LW`, in the weekday `friL` and `fri#2`; `@yearly`, `@monthly`, `@weekly`, `@daily`,
/// `@hourly`; `TZ=Europe/Berlin` before it all. 0 and 7 are Sunday.
///
/// Times are those that the clocks show: one that is skipped when they go forward does not come that day, one that they
/// show twice comes twice. So it is in cron of Go's (github.com/robfig/cron), whose tests this was held against.
package struct CronExpression: Hashable, Sendable {
    package let text: String
    /// The zone that the expression itself names.
    package let zone: Zone?
    private let seconds: CronValues
    private let minutes: CronValues
    private let hours: CronValues
    private let days: CronDays
    private let months: CronValues

    private static let shortcuts = [
        "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *", "@weekly": "0 0 * * 0",
        "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@hourly": "0 * * * *",
    ]

    /// - Throws: ``CronError`` with the entry that is wrong and what was expected.
    package init(parsing text: String) throws(CronError) {
        guard text.utf8.count <= 1_000 else { throw CronError("A cron expression of over 1000 bytes") }
        guard text.utf8.allSatisfy({ $0 == 9 || (32...126).contains($0) }) else {
            throw CronError("A cron expression holds no characters but those of ASCII")
        }
        self.text = text
        var fields = text.split { $0 == " " || $0 == "\t" }
        zone = try Self.zone(&fields)
        if let shortcut = fields.first, shortcut.hasPrefix("@") {
            guard fields.count == 1, let meaning = Self.shortcuts[shortcut.lowercased()] else {
                let names = Self.shortcuts.keys.sorted().joined(separator: ", ")
                throw CronError("'\(shortcut)' is not a shortcut that stands alone; there are \(names)")
            }
            fields = meaning.split(separator: " ")
        }
        guard (5...6).contains(fields.count) else {
            throw CronError(
                "'\(text)' has \(fields.count) fields; expected five (minute, hour, day of the month, month, weekday), "
                    + "or six with the second before them")
        }
        seconds = try fields.count == 6 ? CronField.second.parse(fields.removeFirst()) : CronField.second.parse("0")
        minutes = try CronField.minute.parse(fields[0])
        hours = try CronField.hour.parse(fields[1])
        days = try CronDays(days: fields[2], weekdays: fields[4])
        months = try CronField.month.parse(fields[3])
    }

    /// Takes `TZ=Europe/Berlin` off the beginning.
    private static func zone(_ fields: inout [Substring]) throws(CronError) -> Zone? {
        guard let first = fields.first, let name = first.prefixed("TZ=") ?? first.prefixed("CRON_TZ=") else {
            return nil
        }
        guard let zone = Zone(identifier: String(name)) else {
            throw CronError("'\(name)' is not a time zone; expected a name such as Europe/Berlin")
        }
        fields.removeFirst()
        return zone
    }

    /// For how many years a time is looked for: the fifth Friday of a February comes every 28 years, across 2100 after 40.
    private static let years = 100

    /// The first time after `instant`, nil if there is none within a hundred years.
    ///
    /// - Parameter zone: where the expression names none.
    package func next(after instant: Instant, in zone: Zone) -> Instant? {
        let zone = self.zone ?? zone
        guard var moment = try? Instant(seconds: instant.seconds).adding(seconds: 1) else { return nil }
        let end = zone.date(of: moment).year + Self.years
        // Within a span of one offset local time runs like any other; the next span takes it up where its clocks stand.
        while true {
            let (date, time) = zone.local(of: moment)
            guard let found = nextLocal(date, Int(time.secondsSinceMidnight), until: end) else { return nil }
            let (offset, change) = zone.span(at: moment)
            let answer = Instant(
                seconds: Int64(found.date.dayNumber) * 86_400 + Int64(found.second) - Int64(offset))
            guard let change, answer >= change else { return answer }
            moment = change
        }
    }

    /// The first local time from one on.
    private func nextLocal(_ date: CivilDate, _ second: Int, until year: Int) -> (date: CivilDate, second: Int)? {
        var day = date
        var second = second
        while day.year <= year {
            if !months.contains(day.month) {
                guard
                    let next = try? day.adding(
                        days: Int64(CivilDate.daysInMonth(day.month, year: day.year) - day.day + 1))
                else { return nil }
                (day, second) = (next, 0)
                continue
            }
            if days.contains(day), let time = firstTime(atLeast: second) { return (day, time) }
            guard let next = try? day.adding(days: 1) else { return nil }
            (day, second) = (next, 0)
        }
        return nil
    }

    /// The first second of a day from one on.
    private func firstTime(atLeast start: Int) -> Int? {
        var (hour, minute, second) = (start / 3_600, start / 60 % 60, start % 60)
        while let nextHour = hours.first(atLeast: hour), nextHour < 24 {
            if nextHour > hour { (minute, second) = (0, 0) }
            hour = nextHour
            while let nextMinute = minutes.first(atLeast: minute) {
                if nextMinute > minute { second = 0 }
                minute = nextMinute
                if let found = seconds.first(atLeast: second) { return hour * 3_600 + minute * 60 + found }
                (minute, second) = (minute + 1, 0)
            }
            (hour, minute, second) = (hour + 1, 0, 0)
        }
        return nil
    }
}

extension CronExpression: CustomStringConvertible {
    package var description: String { text }
}

extension Substring {
    /// What follows a prefix.
    fileprivate func prefixed(_ prefix: String) -> Substring? {
        hasPrefix(prefix) ? dropFirst(prefix.count) : nil
    }
}
