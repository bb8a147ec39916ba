import Circulation

/// Lengths of time in words: `3 weeks`, `42 minutes`, `1 month`, `one day`.
enum PeriodWords {
    /// The period that a text begins with, and what follows it.
    static func leading(_ text: String) -> (period: Period, rest: String)? {
        var words = text.split(separator: " ").map(String.init)
        guard words.count >= 2, let count = NumberWords.number(words.removeFirst()) else { return nil }
        var unit = words.removeFirst().lowercased()
        if ["open", "calendar", "working"].contains(unit), !words.isEmpty {
            let kind = unit
            unit = words.removeFirst().lowercased()
            guard unit == "day" || unit == "days" else { return nil }
            if kind != "calendar" { unit = "open_days" }
        }
        guard let period = period(count, unit.trimmingSuffix(while: { !$0.isLetter })) else { return nil }
        return (period, words.joined(separator: " "))
    }

    /// A text that is a period and nothing else, but for what stands in brackets.
    static func period(_ text: String) -> Period? {
        let plain = text.split(separator: "(").first.map(String.init) ?? text
        guard let (period, rest) = leading(plain), rest.isEmpty else { return try? Period(parsing: text) }
        return period
    }

    private static func period(_ count: Int64, _ unit: String) -> Period? {
        guard (-100_000...10_000_000).contains(count) else { return nil }
        switch unit {
        case "minute", "minutes", "min": return .minutes(count)
        case "hour", "hours", "h": return .hours(count)
        case "day", "days", "d": return .days(count)
        case "week", "weeks": return .weeks(count)
        case "month", "months": return .months(count)
        case "year", "years": return .months(12 * count)
        case "open_days": return .openDays(count)
        default: return nil
        }
    }
}

extension String {
    fileprivate func trimmingSuffix(while condition: (Character) -> Bool) -> String {
        var text = self[...]
        while let last = text.last, condition(last), last != "_" { text = text.dropLast() }
        return String(text)
    }
}

extension Period {
    /// The same length as elapsed time, a day being 24 hours and a month 31 days; nil for open days.
    var elapsedMinutes: Int64? {
        switch unit {
        case .minutes: count
        case .hours: 60 * count
        case .days: 1440 * count
        case .weeks: 7 * 1440 * count
        case .months: 31 * 1440 * count
        case .openDays: nil
        }
    }
}
