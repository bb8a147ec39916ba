package import Circulation
import TextFormats

/// A span of dates as a report's argument names it, both ends included.
///
/// Written as `today yesterday this_week last_week this_month last_month last_12_months this_year last_year`, a year
/// `2026`, a month `2026-12`, a day, or `FROM..TO` where either end may be missing. Weeks begin on Monday (ISO 8601);
/// the last twelve months are whole ones, the last of them the one before this.
package struct DateSpan: Hashable, Sendable {
    /// The first day; nil: since ever.
    package let from: CivilDate?
    /// The last day; nil: without end.
    package let to: CivilDate?
    /// As it was written.
    package let text: String

    /// The words that depend on the day it is.
    package static let words = [
        "today", "yesterday", "this_week", "last_week", "this_month", "last_month", "last_12_months", "this_year",
        "last_year",
    ]

    /// - Parameter today: the day it is, at the branch.
    /// - Throws: ``DateSpanError`` if the text is not a span, or its end lies before its beginning.
    package init(parsing text: String, today: CivilDate) throws(DateSpanError) {
        do {
            (from, to) = try DateSpan.ends(of: text, today: today)
        } catch let error as DateSpanError {
            throw error
        } catch {
            throw DateSpanError(message: String(describing: error))
        }
        self.text = text
    }

    private static func ends(of text: String, today: CivilDate) throws -> (CivilDate?, CivilDate?) {
        if let span = try span(of: text, today: today) { return span }
        guard let dots = text.firstRange(of: "..") else {
            if text.utf8.count == 4 || text.utf8.count == 7 { return try yearOrMonth(text) }
            let day = try CivilDate(parsing: text)
            return (day, day)
        }
        let (start, end) = (text[..<dots.lowerBound], text[dots.upperBound...])
        let from = start.isEmpty ? nil : try CivilDate(parsing: start)
        let to = end.isEmpty ? nil : try CivilDate(parsing: end)
        if let from, let to, to < from {
            throw DateSpanError(message: "the span \(from)..\(to) ends before it begins")
        }
        return (from, to)
    }

    private static func span(of word: String, today: CivilDate) throws -> (CivilDate, CivilDate)? {
        switch word {
        case "today": return (today, today)
        case "yesterday":
            let day = try today.adding(days: -1)
            return (day, day)
        case "this_week": return try week(of: today)
        case "last_week": return try week(of: today.adding(days: -7))
        case "this_month": return try month(today.year, today.month)
        case "last_month":
            let day = try today.adding(months: -1)
            return try month(day.year, day.month)
        case "last_12_months":
            let end = try CivilDate(year: today.year, month: today.month, day: 1)
            return (try end.adding(months: -12), try end.adding(days: -1))
        case "this_year": return try year(today.year)
        case "last_year": return try year(today.year - 1)
        default: return nil
        }
    }

    private static func week(of day: CivilDate) throws -> (CivilDate, CivilDate) {
        let monday = try day.adding(days: 1 - Int64(day.weekday.rawValue))
        return (monday, try monday.adding(days: 6))
    }

    private static func month(_ year: Int, _ month: Int) throws -> (CivilDate, CivilDate) {
        let first = try CivilDate(year: year, month: month, day: 1)
        return (first, try CivilDate(year: year, month: month, day: CivilDate.daysInMonth(month, year: year)))
    }

    private static func year(_ year: Int) throws -> (CivilDate, CivilDate) {
        (try CivilDate(year: year, month: 1, day: 1), try CivilDate(year: year, month: 12, day: 31))
    }

    /// `2026` or `2026-12`.
    private static func yearOrMonth(_ text: String) throws -> (CivilDate, CivilDate) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { $0.utf8.allSatisfy { $0 &- 0x30 < 10 } ? Int($0) : nil }
        guard numbers.count == parts.count, parts[0].utf8.count == 4 else {
            throw DateSpanError(
                message: "\"\(SafeText.line(text))\" is not a span of dates "
                    + "(such as last_month, 2026, 2026-12 or 2026-01-01..2026-06-30)")
        }
        guard numbers.count == 2 else { return try year(numbers[0]) }
        guard (1...12).contains(numbers[1]) else {
            throw DateSpanError(message: "there is no month \(numbers[1])")
        }
        return try month(numbers[0], numbers[1])
    }
}

/// Why a text is not a span of dates.
package struct DateSpanError: Error, Hashable, Sendable, CustomStringConvertible {
    package let message: String
    package var description: String { message }
}
