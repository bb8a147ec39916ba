import Circulation
import TextFormats

// Opening days, and moments.
extension TranslationReading {

    func calendar(_ value: JSON) throws -> JSON? {
        guard value.arrayValue != nil || value.objectValue != nil || value.stringValue != nil else {
            return nil
        }
        switch self {
        case .closed:
            let dates = (value.arrayValue ?? [value]).compactMap(\.stringValue)
            guard dates.allSatisfy({ (try? CivilDate(parsing: String($0.prefix(10)))) != nil }) else { return nil }
            return .array(
                (value.arrayValue ?? [value]).compactMap(\.stringValue).map { day in
                    let ends = day.replacing("..", with: "/").replacing(" to ", with: "/").split(separator: "/")
                    return .string(ends.map { String($0.prefix(10)) }.joined(separator: "/"))
                })
        case .weekdays:
            if let words = value.stringValue { return Self.week("\(words) closed").map { .object($0) } }
            let names = (value.arrayValue ?? []).compactMap(\.stringValue)
            guard names.allSatisfy({ (try? CalendarWords.weekdays($0)) != nil }) else { return nil }
            return .object(Self.object(names.map { ($0.lowercased(), "closed") }))
        case .week:
            // What is not named of the week is closed.
            let named = (value.objectValue?.entries ?? []).map {
                ($0.key.lowercased(), $0.value.stringValue ?? "closed")
            }
            return .object(Self.object([("mon-sun", "closed")] + named))
        case .openings:
            return .object(
                Self.object((value.objectValue?.entries ?? []).map { ($0.key, Self.hours($0.value.stringValue ?? "")) })
            )
        case .daily:
            return value.stringValue.flatMap { Self.isHours($0) ? .object(Self.object([("mon-sun", $0)])) : nil }
        case .opened:
            let days = (value.arrayValue ?? []).compactMap(\.stringValue)
            return .object(Self.object(days.map { ($0, "all day") }))
        case .exceptions: return try Self.exceptions(value)
        default: return nil
        }
    }

    /// The week of words such as `Sat/Sun closed`, `closed on Sundays` or `open every day`; nil: not known.
    static func week(_ words: String) -> JSONObject? {
        var text = words.lowercased()
        if text.hasPrefix("open ") || text.hasPrefix("always open") || text == "open" { return [:] }
        for word in ["closed", "every", "each", " on "] { text = text.replacing(word, with: " ") }
        if text.split(separator: " ").joined(separator: " ") == "one weekday" { text = "thu" }
        let names = text.replacing(" and ", with: "/").split { "/, &".contains($0) }
            .map { name in name.split(separator: "-").map { $0.prefix(3) }.joined(separator: "-") }
        guard !names.isEmpty, names.allSatisfy({ (try? CalendarWords.weekdays($0)) != nil }) else { return nil }
        return object(names.map { ($0, "closed") })
    }

    /// Weekdays one by one: `{day, is_open, times: [{start_time, end_time}]}`.
    static func listed(_ days: [JSON]) -> JSONObject? {
        var week: JSONObject = ["mon-sun": "closed"]
        for day in days {
            guard let name = (day["day"] ?? day["weekday"])?.stringValue?.lowercased() else { return nil }
            let times = (day["times"] ?? day["hours"])?.arrayValue ?? []
            let hours = times.compactMap { time -> String? in
                guard let start = (time["start_time"] ?? time["from"] ?? time["start"])?.stringValue,
                    let end = (time["end_time"] ?? time["to"] ?? time["end"])?.stringValue
                else { return nil }
                return "\(start)-\(end)"
            }
            guard hours.count == times.count else { return nil }
            let isOpen = (day["is_open"] ?? day["open"])?.boolValue ?? !hours.isEmpty
            week[name] = .string(isOpen ? hours.isEmpty ? "all day" : hours.joined(separator: ",") : "closed")
        }
        return week
    }

    private static func isHours(_ text: String) -> Bool { (try? CalendarWords.hours(text)) != nil }

    private static func hours(_ text: String) -> String { text.lowercased() == "open" ? "all day" : text.lowercased() }

    private static func object(_ entries: [(String, String)]) -> JSONObject {
        entries.reduce(into: [:]) { $0[$1.0] = .string($1.1) }
    }

    /// What is closed, what is open, and what comes again, as one calendar.
    private static func exceptions(_ value: JSON) throws -> JSON? {
        var calendar: (closed: [JSON], open: JSONObject, yearly: [JSON], repeated: [JSON]) = ([], [:], [], [])
        for exception in (value.arrayValue ?? []).compactMap(\.objectValue) {
            let known = ["open", "from", "to", "date", "hours", "repeat"]
            if let other = exception.keys.first(where: { !known.contains($0) }) {
                throw NotExpressed("\(other) of an exception is not in the table")
            }
            guard let first = exception["from"]?.stringValue ?? exception["date"]?.stringValue,
                let isOpen = exception["open"]?.boolValue
            else { return nil }
            let last = exception["to"]?.stringValue ?? first
            let days = first == last ? first : "\(first)/\(last)"
            if isOpen {
                calendar.open[days] = .string(exception["hours"]?.stringValue ?? "all day")
            } else if let again = exception["repeat"]?.stringValue, again != "never" {
                guard let every = step(again) else { return nil }
                calendar.repeated.append(
                    .object(["first": .string(first), "last": .string(last), "every": .string(every)]))
            } else {
                calendar.closed.append(.string(days))
            }
        }
        var object: JSONObject = [:]
        if !calendar.closed.isEmpty { object["closed"] = .array(calendar.closed) }
        if !calendar.open.isEmpty { object["open"] = .object(calendar.open) }
        if !calendar.repeated.isEmpty { object["repeated"] = .array(calendar.repeated) }
        return .object(object)
    }

    /// `yearly`, `every 2 months`.
    private static func step(_ words: String) -> String? {
        let plain = ["yearly": "1 year", "monthly": "1 month", "weekly": "1 week", "daily": "1 day"][words]
        let counted = plain ?? (words.hasPrefix("every ") ? String(words.dropFirst(6)) : words)
        return (PeriodWords.period(counted) ?? PeriodWords.period("1 \(counted)")).map(text)
    }

    // MARK: Moments

    /// A moment in the words of facts, as the schema writes it: `3 days ago`, `tomorrow`, `5 days after the due date`; a
    /// weekday in brackets must be the right one.
    static func moment(_ text: String) -> JSON? {
        let parts = text.split(separator: "(", maxSplits: 1)
        var plain = (parts.first ?? "").split(separator: " ").joined(separator: " ")
        if parts.count == 2, let named = Weekday(name: String(parts[1].prefix { $0.isLetter })),
            let date = try? CivilDate(parsing: String(plain.prefix(10))), date.weekday != named
        {
            return nil
        }
        if plain.hasSuffix(" local") { plain = String(plain.dropLast(6)) }
        if plain.count > 11, plain.dropFirst(10).first == " ", plain.prefix(4).allSatisfy(\.isNumber) {
            plain = plain.prefix(10) + "T" + plain.dropFirst(11)
        }
        if MomentText(plain) != nil { return .string(plain) }
        let words = plain.lowercased().replacing("date ", with: "").replacing("the ", with: "")
        if MomentText(words) != nil { return .string(words) }
        return relative(words).flatMap { MomentText($0) == nil ? nil : .string($0) }
    }

    private static func relative(_ words: String) -> String? {
        switch words {
        case "yesterday": return "today - 1 days"
        case "tomorrow": return "today + 1 days"
        case "due date", "due time", "on due date", "at due time": return "due"
        default: break
        }
        let counted = words.hasPrefix("in ") ? String(words.dropFirst(3)) + " ahead" : words
        guard let (period, tail) = PeriodWords.leading(counted.split(separator: ",").first.map(String.init) ?? counted)
        else { return nil }
        let base = period.isElapsed ? "now" : "today"
        let rest = tail.hasSuffix(" date") ? String(tail.dropLast(5)) : tail
        let found: [String: String] = [
            "ago": "\(base) -", "earlier": "\(base) -", "before now": "\(base) -", "before today": "\(base) -",
            "ahead": "\(base) +", "from now": "\(base) +", "later": "\(base) +", "from today": "\(base) +",
            "after loan": "loan +", "after checkout": "loan +", "after lending": "loan +", "after issue": "loan +",
            "after due": "due +", "late": "due +", "overdue": "due +", "past due": "due +", "before due": "due -",
        ]
        return found[rest].map { "\($0) \(text(period))" }
    }
}
