import Circulation
import TextFormats

/// How a value of another system is read: general readers of periods, dates, amounts and weekdays, and words by table.
indirect enum TranslationReading: Sendable {
    /// As it is written.
    case same
    /// A number of days, hours and so on.
    case units(String)
    /// A period in words: `3 weeks`, `one day`.
    case period
    case money
    /// A date or an instant, with or without a weekday in brackets.
    case moment
    /// Its day alone.
    case date
    /// Dates of closed days.
    case closed
    /// Weekdays that are closed.
    case weekdays
    /// Hours by weekdays.
    case week
    /// Days with their hours.
    case openings
    /// Days that are open in spite of all.
    case opened
    /// Closures and openings, once or repeated.
    case exceptions
    /// Words for words.
    case words([String: JSON])
    /// A calendar: in words, by days with their hours, or with fields that have entries of their own.
    case calendar([TranslationTable.Entry])
    /// The same hours on each day.
    case daily
    case zone
    /// `Mon`, `Monday`.
    case weekday
    /// So many days ago, or from now on.
    case ago, ahead
    /// A limit on loans of a kind.
    case limit(JSONObject)
    /// So many loans, or holds, of the reader.
    case loans(JSONObject)
    case holds
    /// From when on something is refused, and whether that is reached or exceeded.
    case standing(JSONObject, String)
    /// Several values for a word.
    case settings([String: [(path: String, value: JSON)]])
    /// Other patrons who wait for the title.
    case waiters
    /// Other patrons who wait for the copy alone.
    case waitersForCopy
    /// Copies of the title that others have, beside the loan that is asked about.
    case others
    /// A stage of notices: `{timing, by, repeat_every}`, or so many days before the due time.
    case notice
    /// Loans that are due in so many days, counted on or back.
    case dues(Int64)
    /// A block with its last day.
    case restriction
    /// Allowed, or not, or with a confirmation.
    case allowed
    case list(TranslationReading)
    /// Nothing is made of it.
    case nothing
    /// Yes for no.
    case opposite

    /// nil: not one of those that it knows.
    func value(_ value: JSON) throws -> JSON? {
        switch self {
        case .same: return value
        case .units(let unit): return value.integerValue.map { .string("\($0) \(unit)") }
        case .period: return value.stringValue.flatMap(PeriodWords.period).map { .string(Self.text($0)) }
        case .money: return Self.amount(value).map { .string($0.amountText) }
        case .moment: return value.stringValue.flatMap(Self.moment)
        case .date: return value.stringValue.flatMap(Self.moment)?.stringValue.map { .string(String($0.prefix(10))) }
        case .words(let words): return value.stringValue.flatMap { words[$0] } ?? words[value.text()]
        case .calendar, .nothing, .settings: return .null
        case .list(let each):
            let list = try (value.arrayValue ?? []).map { try each.value($0) }
            return list.contains { $0 == nil } ? nil : .array(list.compactMap { $0 })
        case .opposite: return value.boolValue.map { .bool(!$0) }
        case .zone, .ago, .ahead, .allowed, .weekday: return word(value)
        case .limit, .loans, .holds, .standing, .restriction, .waiters, .waitersForCopy, .others: return counted(value)
        case .notice: return Self.notice(value)
        case .dues(let sign):
            let days = (value.arrayValue ?? []).compactMap(\.integerValue)
            return .array(
                days.map { day in
                    let away = day * sign
                    return .object(["due": .string("today \(away < 0 ? "-" : "+") \(abs(away)) days")])
                })
        default: return try calendar(value)
        }
    }

    private func word(_ value: JSON) -> JSON? {
        switch self {
        case .zone:
            // What has no zone, or says so, is reckoned in UTC.
            guard let name = value.stringValue?.split(separator: " ").first else { return nil }
            return Zone(identifier: String(name)) == nil ? "UTC" : .string(String(name))
        case .weekday:
            return value.stringValue.flatMap { Weekday(name: String($0.prefix(3))) }
                .map { .string($0.abbreviation.lowercased()) }
        case .ago: return value.integerValue.map { .string("now - \($0) days") }
        case .ahead: return value.integerValue.map { .string("now + \($0) days") }
        default: return value == "with confirmation" ? "asks" : value.boolValue.map { .bool($0) }
        }
    }

    private func counted(_ value: JSON) -> JSON? {
        if case .restriction = self {
            guard let day = value.stringValue else { return nil }
            // The last day of all stands for none.
            let block: JSONObject = day == "9999-12-31" ? [:] : ["until": .string(day)]
            return .array([.object(["blocks": .array([.object(block)])])])
        }
        if case .standing(let fields, let bound) = self {
            guard
                let most = value.integerValue.map({ JSON.integer($0) })
                    ?? Self.amount(value).map({ .string($0.amountText) })
            else { return nil }
            var standing = fields
            standing[bound] = most
            return .array([.object(standing)])
        }
        guard let count = value.integerValue else { return nil }
        switch self {
        case .limit(let fields): return .array([.object(Self.with(fields, "max", .integer(count)))])
        case .waiters: return .array(count == 0 ? [] : [.object(["count": .integer(count)])])
        case .waitersForCopy:
            return .array(count == 0 ? [] : [.object(["copy": "copy", "count": .integer(count)])])
        case .others:
            guard (0...500).contains(count) else { return nil }
            return .array(
                (1..<max(1, count)).map { number in
                    .object(["copy": .string("copy-\(number + 1)"), "patron": .string("borrower-\(number + 1)")])
                })
        case .loans(let fields): return .array(count == 0 ? [] : [.object(Self.with(fields, "count", .integer(count)))])
        default: return .array(count == 0 ? [] : [.object(["patron": "reader", "count": .integer(count)])])
        }
    }

    /// Periods are elapsed time there.
    private static func notice(_ value: JSON) -> JSON? {
        if let days = value.integerValue {
            return .array([.object(["stage": "upcoming", "before": .string("\(days) days")])])
        }
        guard let object = value.objectValue, object.keys.allSatisfy({ ["timing", "by", "repeat_every"].contains($0) })
        else { return nil }
        var notice: JSONObject = ["stage": "notice"]
        for (name, field) in [("by", object["timing"]?.stringValue ?? ""), ("repeat_every", "every")] {
            guard let text = object[name]?.stringValue else { continue }
            guard let minutes = PeriodWords.period(text)?.elapsedMinutes, ["before", "after", "every"].contains(field)
            else {
                return nil
            }
            notice[field] = .string("\(minutes) minutes")
        }
        return .array([.object(notice)])
    }

    private static func with(_ object: JSONObject, _ name: String, _ value: JSON) -> JSONObject {
        var object = object
        object[name] = value
        return object
    }

    static func text(_ period: Period) -> String {
        let unit = period.unit == .openDays ? "open days" : period.unit.rawValue
        return "\(period.count) \(unit)"
    }

    private static func amount(_ value: JSON) -> Money? {
        let text = value.stringValue ?? value.integerValue.map(String.init) ?? value.doubleValue.map { "\($0)" }
        return text.flatMap { try? Money(parsing: $0, currency: .eur) }
    }

    private static func moment(_ text: String) -> JSON? {
        let plain = text.split(separator: "(").first.map { $0.split(separator: " ").joined(separator: " ") } ?? text
        let local = plain.hasSuffix(" local") ? String(plain.dropLast(6)) : plain
        return MomentText(local) == nil ? nil : .string(local)
    }

    // MARK: Calendars

    private func calendar(_ value: JSON) throws -> JSON? {
        guard value.arrayValue != nil || value.objectValue != nil || value.stringValue.map(Self.isHours) == true else {
            return nil
        }
        switch self {
        case .closed:
            return .array((value.arrayValue ?? []).compactMap { $0.stringValue.map { .string(String($0.prefix(10))) } })
        case .weekdays:
            let names = (value.arrayValue ?? []).compactMap(\.stringValue)
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
        case .daily: return value.stringValue.map { .object(Self.object([("mon-sun", $0)])) }
        case .opened:
            let days = (value.arrayValue ?? []).compactMap(\.stringValue)
            return .object(Self.object(days.map { ($0, "all day") }))
        case .exceptions: return try Self.exceptions(value)
        default: return nil
        }
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
}
