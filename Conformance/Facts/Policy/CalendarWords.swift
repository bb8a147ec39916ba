import Circulation
import TextFormats

/// Opening days and hours in the words of facts.
enum CalendarWords {
    /// A calendar object: weekly days, closed and opened ones; or days with their hours.
    static func calendar(_ fields: FieldReading, allDay: OpeningHours = .wholeDay) throws -> OpeningCalendar {
        let dated = fields.object.keys.filter { (try? CivilDate(parsing: $0)) != nil }
        if !dated.isEmpty { return try listed(dated, fields, allDay) }
        var weekly = [[OpeningHours]](repeating: [.wholeDay], count: 7)
        try readWeek(fields, &weekly)
        var closed = try (fields.texts("closed_dates") ?? []).map { try OpeningCalendar.Closure(date($0)) }
        var opened = try (fields.texts("open_exceptions") ?? []).map { OpeningCalendar.Opening(try date($0)) }
        for exception in try fields.parts("exceptions") ?? [] { try read(exception, &closed, &opened) }
        for entry in try fields.part("weekdays").map({ ($0, $0.object.entries) })?.1 ?? [] {
            try check(entry.key, is: entry.value)
        }
        try fields.part("weekdays").map { part in part.object.keys.forEach { part.ignore($0) } }
        let yearly = try (fields.texts("yearly_closed") ?? []).map { try yearlyClosure($0) }
        fields.ignore("tz")
        return try OpeningCalendar(weekly: weekly, closed: closed, yearly: yearly, opened: opened)
    }

    /// `Sat/Sun closed`, `open every day`.
    static func calendar(words: String) throws -> OpeningCalendar {
        let text = words.lowercased()
        if text == "open every day" || text == "always open" || text.hasPrefix("open all day") { return .alwaysOpen }
        guard text.hasSuffix(" closed") else { throw NotExpressed("the calendar \"\(words)\" is not known") }
        let names = text.dropLast(7).split { "/, ".contains($0) && true }.filter { $0 != "and" }
        var weekly = [[OpeningHours]](repeating: [.wholeDay], count: 7)
        for name in names { weekly[try weekday(String(name)) - 1] = [] }
        return try OpeningCalendar(weekly: weekly)
    }

    /// `08:00-12:00,14:00-19:00`, `closed`, `open`, `open all day`.
    static func hours(_ text: String, allDay: OpeningHours = .wholeDay) throws -> [OpeningHours] {
        switch text.lowercased() {
        case "closed", "": return []
        case "open", "open all day", "all day": return [allDay]
        default:
            return try text.split(separator: ",").map { part in
                let ends = part.split(separator: "-").map { $0.split(separator: " ").joined() }
                guard ends.count == 2 else { throw NotExpressed("the hours \"\(text)\" are not known") }
                return try OpeningHours(CivilTime(parsing: ends[0]), to: CivilTime(parsing: ends[1]))
            }
        }
    }

    static func weekday(_ name: String) throws -> Int {
        for length in [name.count, 3] {
            if let weekday = Weekday(name: String(name.prefix(length))) { return weekday.rawValue }
        }
        throw NotExpressed("the weekday \"\(name)\" is not known")
    }

    // MARK: Parts

    private static func date(_ text: String) throws -> CivilDate {
        guard let date = try? CivilDate(parsing: text.prefix(10)) else {
            throw NotExpressed("\"\(text)\" is no date")
        }
        return date
    }

    private static func check(_ day: String, is name: JSON) throws {
        guard let named = name.stringValue, try date(day).weekday.rawValue == weekday(named) else {
            throw NotExpressed("\(day) is no \(name.stringValue ?? "such day")")
        }
    }

    static func yearlyClosure(_ text: String) throws -> OpeningCalendar.YearlyClosure {
        let ends = text.replacing("..", with: "/").split(separator: "/")
        guard let first = ends.first, ends.count <= 2 else { throw NotExpressed("\"\(text)\" is no day of the year") }
        return OpeningCalendar.YearlyClosure(
            try MonthDay(parsing: first), through: try ends.count > 1 ? MonthDay(parsing: ends[1]) : nil)
    }

    private static func readWeek(_ fields: FieldReading, _ weekly: inout [[OpeningHours]]) throws {
        if let open = try fields.part("weekly_open") {
            weekly = Array(repeating: [], count: 7)
            for key in open.object.keys {
                let hours = try hours(open.text(key) ?? "closed")
                for day in try weekdays(key) { weekly[day - 1] = hours }
            }
        }
        for name in try fields.texts("weekly_closed") ?? [] { weekly[try weekday(name) - 1] = [] }
    }

    /// `Mon-Fri`, `Sat`, `Mon,Wed`.
    static func weekdays(_ text: String) throws -> [Int] {
        try text.split(separator: ",").flatMap { part -> [Int] in
            let ends = try part.split(separator: "-").map { try weekday($0.split(separator: " ").joined()) }
            guard let first = ends.first, let last = ends.last, ends.count <= 2 else {
                throw NotExpressed("the weekdays \"\(text)\" are not known")
            }
            return first <= last ? Array(first...last) : Array(first...7) + Array(1...last)
        }
    }

    /// Days that are named one by one: what lies between the first and the last and is not named is closed.
    private static func listed(
        _ keys: [String], _ fields: FieldReading, _ allDay: OpeningHours
    ) throws -> OpeningCalendar {
        var opened: [OpeningCalendar.Opening] = []
        var named: [CivilDate: [OpeningHours]] = [:]
        for key in keys { named[try date(key)] = try hours(fields.text(key) ?? "closed", allDay: allDay) }
        guard let first = named.keys.min(), let last = named.keys.max(), last.days(since: first) < 3_000 else {
            throw NotExpressed("the days of the calendar are too far apart")
        }
        for (date, hours) in named where !hours.isEmpty { opened.append(OpeningCalendar.Opening(date, hours: hours)) }
        return try OpeningCalendar(
            weekly: Array(repeating: [allDay], count: 7), closed: [OpeningCalendar.Closure(first, through: last)],
            opened: opened)
    }

    private static func read(
        _ exception: FieldReading, _ closed: inout [OpeningCalendar.Closure], _ opened: inout [OpeningCalendar.Opening]
    ) throws {
        guard let from = try exception.text("from") ?? exception.text("date"), let isOpen = try exception.flag("open")
        else { throw NotExpressed("\(exception.path) needs a day and whether it is open") }
        let first = try date(from)
        let last = try exception.text("to").map(date) ?? first
        guard (0..<3_000).contains(last.days(since: first)) else { throw NotExpressed("\(exception.path) is too long") }
        let repetition = try exception.text("repeat")
        let hours = try exception.text("hours").map { try CalendarWords.hours($0) } ?? []
        for (first, last) in try occurrences(first, last, repetition) {
            guard isOpen else {
                closed.append(try OpeningCalendar.Closure(first, through: last))
                continue
            }
            for day in 0...last.days(since: first) {
                opened.append(OpeningCalendar.Opening(try first.adding(days: Int64(day)), hours: hours))
            }
        }
    }

    /// What comes again, from its first time on, written out for twenty years.
    private static func occurrences(
        _ first: CivilDate, _ last: CivilDate, _ repetition: String?
    ) throws -> [(CivilDate, CivilDate)] {
        guard let repetition, !["never", "once"].contains(repetition) else { return [(first, last)] }
        let words = ["yearly": "1 year", "monthly": "1 month", "weekly": "1 week", "daily": "1 day"]
        let plain = repetition.hasPrefix("every ") ? String(repetition.dropFirst(6)) : repetition
        let counted = NumberWords.number(plain.split(separator: " ").first ?? "") == nil ? "1 \(plain)" : plain
        guard let step = PeriodWords.period(words[repetition] ?? counted), step.count > 0, !step.isElapsed else {
            throw NotExpressed("how something repeats \"\(repetition)\" is not known")
        }
        let end = try first.adding(months: 240)
        var found: [(CivilDate, CivilDate)] = []
        for count in 0..<Int64(7_400) {
            let shift = Period(step.count * count, step.unit)
            let start = try shift.added(to: first, calendar: .alwaysOpen)
            if start > end { break }
            found.append((start, try shift.added(to: last, calendar: .alwaysOpen)))
        }
        return found
    }
}
