extension CivilTime {
    /// Reads `18:00`, `18:00:30` or `24:00`.
    ///
    /// - Throws: ``TimeError``: malformed, or no such time.
    package init(parsing text: String) throws(TimeError) {
        var scanner = DigitScanner(text)
        let (hour, minute, second) = scanner.civilTime()
        guard !scanner.hasFailed, scanner.isAtEnd else {
            throw TimeError.malformed("time of day", text, expected: "HH:MM")
        }
        try self.init(hour: hour, minute: minute, second: second)
    }

    /// Reads a part of a longer text as a time.
    package init(parsing text: Substring) throws(TimeError) {
        try self.init(parsing: String(text))
    }
}

extension CivilTime: CustomStringConvertible {
    /// `18:00`, or `18:00:30` if the seconds are not zero.
    package var description: String {
        var bytes: [UInt8] = []
        bytes.appendDigits(hour, count: 2)
        bytes.append(0x3A)
        bytes.appendDigits(minute, count: 2)
        if second != 0 {
            bytes.append(0x3A)
            bytes.appendDigits(second, count: 2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension DigitScanner {
    mutating func civilTime() -> (hour: Int, minute: Int, second: Int) {
        let hour = number(2)
        expect(":")
        let minute = number(2)
        return (hour, minute, take(":") ? number(2) : 0)
    }
}
