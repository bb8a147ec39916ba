extension Instant {
    /// Reads ISO 8601: `2026-12-24T18:00:00Z`, `2026-12-24T19:00+01:00`, with a fraction of up to six digits that
    /// count; in `zone` also `2026-12-24T18:00` and `2026-12-24`, which is the first moment of that day.
    ///
    /// - Parameter zone: where a text without an offset is meant; nil refuses such a text.
    /// - Throws: ``TimeError``.
    package init(parsing text: String, in zone: Zone? = nil) throws(TimeError) {
        func malformed() -> TimeError {
            let expected = zone == nil ? "such as 2026-12-24T18:00:00Z" : "such as 2026-12-24 or 2026-12-24T18:00"
            return .malformed("instant", text, expected: expected)
        }
        var scanner = DigitScanner(text)
        let (year, month, day) = scanner.civilDate()
        if scanner.hasFailed { throw malformed() }
        let date = try CivilDate(year: year, month: month, day: day)
        if scanner.isAtEnd {
            guard let zone else { throw malformed() }
            self = zone.startOfDay(date)
            return
        }
        guard scanner.take("T") || scanner.take("t") || scanner.take(" ") else { throw malformed() }
        let (hour, minute, second) = scanner.civilTime()
        let fraction = scanner.take(".") ? scanner.millionths() : 0
        if scanner.hasFailed { throw malformed() }
        let time = try CivilTime(hour: hour, minute: minute, second: second)
        if time == .endOfDay && fraction > 0 { throw malformed() }
        if scanner.isAtEnd {
            guard let zone else { throw malformed() }
            self = try zone.instant(of: date, time).adding(microseconds: fraction)
            return
        }
        guard let offset = scanner.utcOffset(), scanner.isAtEnd else { throw malformed() }
        let local = Int64(date.dayNumber) * 86_400 + Int64(time.secondsSinceMidnight)
        self = try Instant(seconds: 0).adding(
            microseconds: (local - Int64(offset)) * Instant.microsecondsPerSecond + fraction)
    }

    /// Reads a part of a longer text as an instant.
    package init(parsing text: Substring, in zone: Zone? = nil) throws(TimeError) {
        try self.init(parsing: String(text), in: zone)
    }

    /// Appends `2026-12-24T18:00:00Z` as ASCII bytes, with a fraction only if it is not zero.
    package func append(to bytes: inout [UInt8]) {
        let seconds = Int(self.seconds)
        let day = CivilDate.floorDivision(seconds, by: 86_400)
        let time = seconds - day * 86_400
        CivilDate(uncheckedDayNumber: Int32(day)).append(to: &bytes)
        bytes.append(0x54)
        bytes.appendDigits(time / 3600, count: 2)
        bytes.append(0x3A)
        bytes.appendDigits(time / 60 % 60, count: 2)
        bytes.append(0x3A)
        bytes.appendDigits(time % 60, count: 2)
        let fraction = Int(microseconds - self.seconds * Instant.microsecondsPerSecond)
        if fraction != 0 {
            bytes.append(0x2E)
            bytes.appendDigits(fraction / 1000, count: 3)
            bytes.appendDigits(fraction % 1000, count: 3)
            while bytes.last == 0x30 { bytes.removeLast() }
        }
        bytes.append(0x5A)
    }
}

extension Instant: CustomStringConvertible {
    /// `2026-12-24T18:00:00Z`
    package var description: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(28)
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension DigitScanner {
    /// `Z`, `+01:00`, `+0100` or `+01`, as seconds; nil for anything else and for offsets of 24 hours or more.
    mutating func utcOffset() -> Int? {
        if take("Z") || take("z") { return 0 }
        let isWest = take("-")
        if !isWest && !take("+") { return nil }
        let hours = number(2)
        let minutes = isAtEnd ? 0 : (take(":") ? number(2) : number(2))
        guard !hasFailed, hours < 24, minutes < 60 else { return nil }
        let seconds = hours * 3600 + minutes * 60
        return isWest ? -seconds : seconds
    }
}
