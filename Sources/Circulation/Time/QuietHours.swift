/// Hours without messages: from one time of day to another, over midnight where the second is the earlier.
package struct QuietHours: Hashable, Sendable, CustomStringConvertible {
    package let start: CivilTime
    package let end: CivilTime

    /// - Returns: nil where both are the same time, which would be always or never.
    package init?(from start: CivilTime, to end: CivilTime) {
        // 24:00 is where the day after begins.
        let (first, last) = (start.secondsSinceMidnight % 86_400, end.secondsSinceMidnight % 86_400)
        guard first != last else { return nil }
        self.start = CivilTime(uncheckedSeconds: first)
        self.end = CivilTime(uncheckedSeconds: last)
    }

    /// Reads `21:00-08:00`.
    package init?(parsing text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let start = try? CivilTime(parsing: parts[0]),
            let end = try? CivilTime(parsing: parts[1])
        else { return nil }
        self.init(from: start, to: end)
    }

    /// When the quiet that holds at an instant is over, by the clocks of a zone; nil: it is not quiet.
    package func end(at instant: Instant, in zone: Zone) -> Instant? {
        let (today, _) = zone.local(of: instant)
        // What began yesterday may go on; where clocks change, the moments themselves are compared.
        for days: Int64 in [-1, 0] {
            guard let day = try? today.adding(days: days),
                let last = start.secondsSinceMidnight < end.secondsSinceMidnight ? day : try? day.adding(days: 1)
            else { continue }
            let (begun, over) = (zone.instant(of: day, start), zone.instant(of: last, end))
            if begun <= instant, instant < over { return over }
        }
        return nil
    }

    package var description: String { "\(start)-\(end)" }
}
