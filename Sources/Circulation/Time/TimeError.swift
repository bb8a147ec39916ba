import TextFormats

/// Why a date, a time or a period could not be made or computed.
package struct TimeError: Error, Hashable, Sendable {
    /// The kinds of fault, for programs; people read ``message``.
    package enum Code: String, Hashable, Sendable {
        /// A text that is not a date, time, instant or period.
        case malformed
        /// A day such as 30 February, or an hour such as 25:00.
        case noSuchDay, noSuchTime
        /// Beyond the years 1 to 9999.
        case outOfRange
        /// No time zone of that name.
        case unknownZone
        /// A calendar that contradicts itself or has the wrong shape.
        case badCalendar
        /// No open day within ten years.
        case noOpenDay
    }

    package let code: Code
    package let message: String

    static func malformed(_ kind: String, _ text: String, expected: String) -> TimeError {
        TimeError(
            code: .malformed, message: "\"\(SafeText.line(text))\" is not a valid \(kind) (\(expected))")
    }

    static func noSuchDay(year: Int, month: Int, day: Int) -> TimeError {
        TimeError(code: .noSuchDay, message: "there is no day \(day) in month \(month) of the year \(year)")
    }

    static func noSuchTime(_ text: String) -> TimeError {
        TimeError(code: .noSuchTime, message: "there is no time \(text)")
    }

    static let outOfRange = TimeError(code: .outOfRange, message: "the date is beyond the years 1 to 9999")

    static func unknownZone(_ identifier: String) -> TimeError {
        TimeError(code: .unknownZone, message: "there is no time zone \"\(SafeText.line(identifier))\"")
    }

    static func badCalendar(_ message: String) -> TimeError {
        TimeError(code: .badCalendar, message: message)
    }

    static func noOpenDay(after date: CivilDate) -> TimeError {
        TimeError(code: .noOpenDay, message: "the calendar has no open day in the ten years from \(date) on")
    }

    static func noOpenDay(before date: CivilDate) -> TimeError {
        TimeError(code: .noOpenDay, message: "the calendar has no open day in the ten years up to \(date)")
    }
}

extension TimeError: CustomStringConvertible {
    package var description: String { message }
}
