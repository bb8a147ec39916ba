/// A moment, in microseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// Moments lie between 0001-01-02 and 9999-12-30 UTC, so that each has a four-digit year in every zone.
package struct Instant: Hashable, Sendable {
    package let microseconds: Int64

    package static let earliest = Instant(unchecked: Int64(CivilDate.earliest.dayNumber + 1) * microsecondsPerDay)
    package static let latest = Instant(unchecked: Int64(CivilDate.latest.dayNumber) * microsecondsPerDay - 1)

    static let microsecondsPerSecond: Int64 = 1_000_000
    static let microsecondsPerDay: Int64 = 86_400_000_000

    private init(unchecked microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// The moment so many microseconds after 1970, or the nearest that there is: ``earliest`` or ``latest``.
    package init(microseconds: Int64) {
        self.microseconds = min(max(microseconds, Instant.earliest.microseconds), Instant.latest.microseconds)
    }

    /// The moment so many seconds after 1970, or the nearest that there is.
    package init(seconds: Int64) {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: Instant.microsecondsPerSecond)
        self.init(microseconds: overflow ? (seconds < 0 ? .min : .max) : product)
    }

    /// Whole seconds since 1970, rounded down.
    package var seconds: Int64 {
        let quotient = microseconds / Instant.microsecondsPerSecond
        return microseconds % Instant.microsecondsPerSecond < 0 ? quotient - 1 : quotient
    }
}

extension Instant: Comparable {
    package static func < (left: Instant, right: Instant) -> Bool { left.microseconds < right.microseconds }
}

extension Instant {
    /// The moment so much later, or earlier if negative.
    ///
    /// - Throws: ``TimeError/Code/outOfRange`` beyond ``earliest`` and ``latest``.
    package func adding(microseconds: Int64) throws(TimeError) -> Instant {
        let (sum, overflow) = self.microseconds.addingReportingOverflow(microseconds)
        guard !overflow, sum >= Instant.earliest.microseconds, sum <= Instant.latest.microseconds else {
            throw TimeError.outOfRange
        }
        return Instant(unchecked: sum)
    }

    /// - Throws: ``TimeError/Code/outOfRange`` beyond ``earliest`` and ``latest``.
    package func adding(seconds: Int64) throws(TimeError) -> Instant {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: Instant.microsecondsPerSecond)
        if overflow { throw TimeError.outOfRange }
        return try adding(microseconds: product)
    }

    /// - Throws: ``TimeError/Code/outOfRange`` beyond ``earliest`` and ``latest``.
    package func adding(minutes: Int64) throws(TimeError) -> Instant {
        let (product, overflow) = minutes.multipliedReportingOverflow(by: 60)
        if overflow { throw TimeError.outOfRange }
        return try adding(seconds: product)
    }

    /// - Throws: ``TimeError/Code/outOfRange`` beyond ``earliest`` and ``latest``.
    package func adding(hours: Int64) throws(TimeError) -> Instant {
        let (product, overflow) = hours.multipliedReportingOverflow(by: 3600)
        if overflow { throw TimeError.outOfRange }
        return try adding(seconds: product)
    }

    /// The microseconds from `other` to this moment; negative if this one is earlier.
    package func microseconds(since other: Instant) -> Int64 {
        // Both lie within 10,000 years, 3.2e17 microseconds: the difference cannot overflow.
        microseconds - other.microseconds
    }
}
