extension CivilDate {
    /// Reads `2026-12-24`, and nothing else.
    ///
    /// - Throws: ``TimeError``: malformed, or no such day.
    package init(parsing text: String) throws(TimeError) {
        var scanner = DigitScanner(text)
        let (year, month, day) = scanner.civilDate()
        guard !scanner.hasFailed, scanner.isAtEnd else {
            throw TimeError.malformed("date", text, expected: "YYYY-MM-DD")
        }
        try self.init(year: year, month: month, day: day)
    }

    /// Reads a part of a longer text as a date.
    package init(parsing text: Substring) throws(TimeError) {
        try self.init(parsing: String(text))
    }

    /// Appends `2026-12-24` as ASCII bytes.
    package func append(to bytes: inout [UInt8]) {
        let (year, month, day) = parts
        bytes.appendDigits(year, count: 4)
        bytes.append(0x2D)
        bytes.appendDigits(month, count: 2)
        bytes.append(0x2D)
        bytes.appendDigits(day, count: 2)
    }
}

extension CivilDate: CustomStringConvertible {
    /// `2026-12-24`
    package var description: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(10)
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension DigitScanner {
    mutating func civilDate() -> (year: Int, month: Int, day: Int) {
        let year = number(4)
        expect("-")
        let month = number(2)
        expect("-")
        return (year, month, number(2))
    }
}

extension [UInt8] {
    /// Appends `value`, 0 to 9999, with leading zeros.
    mutating func appendDigits(_ value: Int, count: Int) {
        if count >= 4 { append(0x30 + UInt8(truncatingIfNeeded: value / 1000 % 10)) }
        if count >= 3 { append(0x30 + UInt8(truncatingIfNeeded: value / 100 % 10)) }
        append(0x30 + UInt8(truncatingIfNeeded: value / 10 % 10))
        append(0x30 + UInt8(truncatingIfNeeded: value % 10))
    }
}
