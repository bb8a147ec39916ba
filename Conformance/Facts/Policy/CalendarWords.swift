import Circulation
import TextFormats

/// Opening days and hours in the words of facts.
enum CalendarWords {
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

    static func yearlyClosure(_ text: String) throws -> OpeningCalendar.YearlyClosure {
        let ends = text.replacing("..", with: "/").split(separator: "/")
        guard let first = ends.first, ends.count <= 2 else { throw NotExpressed("\"\(text)\" is no day of the year") }
        return OpeningCalendar.YearlyClosure(
            try MonthDay(parsing: first), through: try ends.count > 1 ? MonthDay(parsing: ends[1]) : nil)
    }

    static func weekdays(_ text: String) throws -> [Int] {
        try text.split(separator: ",").flatMap { part -> [Int] in
            let ends = try part.split(separator: "-").map { try weekday($0.split(separator: " ").joined()) }
            guard let first = ends.first, let last = ends.last, ends.count <= 2 else {
                throw NotExpressed("the weekdays \"\(text)\" are not known")
            }
            return first <= last ? Array(first...last) : Array(first...7) + Array(1...last)
        }
    }
}
