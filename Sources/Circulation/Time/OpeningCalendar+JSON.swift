package import TextFormats

extension OpeningCalendar {
    /// Reads the shape that cases and settings use:
    ///
    /// ```json
    /// {"weekly": {"mon": [["09:00", "12:30"], ["13:30", "18:00"]]},
    ///  "closed": ["2026-12-24", ["2026-12-27", "2027-01-02"],
    ///             {"from": "2027-08-01", "to": "2027-08-14", "reason": "Move"}],
    ///  "yearly": ["12-25", ["12-31", "01-01"], {"from": "05-01", "reason": "Labour Day"}],
    ///  "open": ["2026-12-20", {"date": "2026-12-13", "hours": [["10:00", "16:00"]]}]}
    /// ```
    /// A weekday that is left out is closed; without `weekly` the branch is open at all times that nothing else closes.
    ///
    /// - Throws: ``TimeError`` that names the member at fault.
    package init(json: JSON) throws(TimeError) {
        guard case .object(let object) = json else {
            throw TimeError.badCalendar("a calendar is an object with weekly, closed, yearly and open")
        }
        let known: Set = ["weekly", "closed", "yearly", "open"]
        if let stray = object.keys.first(where: { !known.contains($0) }) {
            throw TimeError.badCalendar(
                "\"\(SafeText.line(stray))\" is not a member of a calendar: weekly, closed, yearly, open"
            )
        }
        try self.init(
            weekly: CalendarReader.weekly(object["weekly"]),
            closed: CalendarReader.list(object["closed"], "closed", CalendarReader.closure),
            yearly: CalendarReader.list(object["yearly"], "yearly", CalendarReader.yearlyClosure),
            opened: CalendarReader.list(object["open"], "open", CalendarReader.openings).flatMap { $0 })
    }

    /// The calendar in the shape that ``init(json:)`` reads.
    package var json: JSON {
        var week = JSONObject()
        for (weekday, hours) in zip(Weekday.allCases, weekly) where !hours.isEmpty {
            week[weekday.abbreviation] = OpeningCalendar.json(hours)
        }
        return [
            "weekly": .object(week),
            "closed": .array(closed.map(\.json)),
            "yearly": .array(yearly.map(\.json)),
            "open": .array(opened.map(\.json)),
        ]
    }

    fileprivate static func json(_ hours: [OpeningHours]) -> JSON {
        .array(hours.map { [.string($0.opens.description), .string($0.closes.description)] })
    }

    fileprivate static func json(_ first: String, _ last: String, reason: String) -> JSON {
        if !reason.isEmpty { return ["from": .string(first), "to": .string(last), "reason": .string(reason)] }
        return first == last ? .string(first) : [.string(first), .string(last)]
    }
}

extension OpeningCalendar.Closure {
    var json: JSON { OpeningCalendar.json(first.description, last.description, reason: reason) }
}

extension OpeningCalendar.YearlyClosure {
    var json: JSON { OpeningCalendar.json(first.description, last.description, reason: reason) }
}

extension OpeningCalendar.Opening {
    var json: JSON {
        if hours.isEmpty { return .string(date.description) }
        return ["date": .string(date.description), "hours": OpeningCalendar.json(hours)]
    }
}

/// Reads the members of a calendar in JSON.
private enum CalendarReader {
    /// How many days one entry of `open` may cover.
    static let longestOpening = 3_660

    static func weekly(_ json: JSON?) throws(TimeError) -> [[OpeningHours]] {
        guard let json else { return Array(repeating: [.wholeDay], count: 7) }
        guard case .object(let object) = json else {
            throw TimeError.badCalendar("weekly is an object with the members mon to sun")
        }
        var week = [[OpeningHours]](repeating: [], count: 7)
        for entry in object {
            guard let weekday = Weekday(name: entry.key) else {
                throw TimeError.badCalendar("\"\(SafeText.line(entry.key))\" is not a weekday (mon to sun)")
            }
            week[weekday.daysAfterMonday] += try hours(entry.value, "weekly.\(weekday.abbreviation)")
        }
        return week
    }

    static func hours(_ json: JSON, _ place: String) throws(TimeError) -> [OpeningHours] {
        guard case .array(let entries) = json else {
            throw TimeError.badCalendar("\(place) is a list of pairs such as [\"09:00\", \"17:00\"]")
        }
        var hours: [OpeningHours] = []
        for entry in entries {
            guard case .array(let pair) = entry, pair.count == 2, case .string(let opens) = pair[0],
                case .string(let closes) = pair[1]
            else { throw TimeError.badCalendar("\(place) is a list of pairs such as [\"09:00\", \"17:00\"]") }
            hours.append(try OpeningHours(CivilTime(parsing: opens), to: CivilTime(parsing: closes)))
        }
        return hours
    }

    static func list<Element>(
        _ json: JSON?, _ name: String, _ read: (JSON) throws(TimeError) -> Element
    ) throws(TimeError) -> [Element] {
        guard let json else { return [] }
        guard case .array(let entries) = json else { throw TimeError.badCalendar("\(name) is a list") }
        var elements: [Element] = []
        for entry in entries { elements.append(try read(entry)) }
        return elements
    }

    static func closure(_ json: JSON) throws(TimeError) -> OpeningCalendar.Closure {
        let span = try span(json, "closed")
        return try OpeningCalendar.Closure(
            CivilDate(parsing: span.first), through: CivilDate(parsing: span.last), reason: span.reason)
    }

    static func yearlyClosure(_ json: JSON) throws(TimeError) -> OpeningCalendar.YearlyClosure {
        let span = try span(json, "yearly")
        return try OpeningCalendar.YearlyClosure(
            MonthDay(parsing: span.first), through: MonthDay(parsing: span.last), reason: span.reason)
    }

    static func openings(_ json: JSON) throws(TimeError) -> [OpeningCalendar.Opening] {
        let span = try span(json, "open")
        let hours = try json["hours"].map { (hours) throws(TimeError) in try self.hours(hours, "open.hours") } ?? []
        let first = try CivilDate(parsing: span.first)
        let count = try CivilDate(parsing: span.last).days(since: first)
        guard (0..<longestOpening).contains(count) else {
            throw TimeError.badCalendar("an entry of open covers at least one day and at most ten years")
        }
        var openings: [OpeningCalendar.Opening] = []
        for day in 0...count {
            openings.append(OpeningCalendar.Opening(try first.adding(days: Int64(day)), hours: hours))
        }
        return openings
    }

    /// A day or a range in any of the ways in which it may be written.
    private static func span(_ json: JSON, _ place: String) throws(TimeError) -> (
        first: String, last: String, reason: String
    ) {
        switch json {
        case .string(let day): return (day, day, "")
        case .array(let pair) where pair.count == 2:
            if case .string(let first) = pair[0], case .string(let last) = pair[1] { return (first, last, "") }
        case .object(let object):
            guard let first = (object["from"] ?? object["date"])?.stringValue else { break }
            return (first, object["to"]?.stringValue ?? first, object["reason"]?.stringValue ?? "")
        default: break
        }
        throw TimeError.badCalendar(
            "an entry of \(place) is a day, a pair of days, or an object with from, to and reason")
    }
}
