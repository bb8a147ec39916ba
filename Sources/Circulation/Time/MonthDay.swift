/// A day that comes every year, `12-25`; 29 February comes in leap years only.
package struct MonthDay: Hashable, Sendable {
    package let month: Int
    package let day: Int

    /// - Throws: ``TimeError/Code/noSuchDay`` if no year has such a day.
    package init(month: Int, day: Int) throws(TimeError) {
        // 2000 was a leap year.
        guard (1...12).contains(month), day >= 1, day <= CivilDate.daysInMonth(month, year: 2000) else {
            throw TimeError(code: .noSuchDay, message: "no year has a day \(day) in month \(month)")
        }
        self.month = month
        self.day = day
    }

    /// Reads `12-25`, also as ISO 8601 once wrote it, `--12-25`.
    ///
    /// - Throws: ``TimeError``.
    package init(parsing text: String) throws(TimeError) {
        var scanner = DigitScanner(text.hasPrefix("--") ? String(text.dropFirst(2)) : text)
        let month = scanner.number(2)
        scanner.expect("-")
        let day = scanner.number(2)
        guard !scanner.hasFailed, scanner.isAtEnd else {
            throw TimeError.malformed("day of the year", text, expected: "MM-DD")
        }
        try self.init(month: month, day: day)
    }

    /// Reads a part of a longer text as a day of the year.
    package init(parsing text: Substring) throws(TimeError) {
        try self.init(parsing: String(text))
    }
}

extension MonthDay: Comparable {
    package static func < (left: MonthDay, right: MonthDay) -> Bool {
        (left.month, left.day) < (right.month, right.day)
    }
}

extension MonthDay: CustomStringConvertible {
    package var description: String {
        var bytes: [UInt8] = []
        bytes.appendDigits(month, count: 2)
        bytes.append(0x2D)
        bytes.appendDigits(day, count: 2)
        return String(decoding: bytes, as: UTF8.self)
    }
}
