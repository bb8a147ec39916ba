package import Circulation

/// When a job runs.
package enum JobTiming: Hashable, Sendable {
    case cron(CronExpression)
    /// Again and again after so many seconds, counted from 1970 on, so that all machines mean the same moments.
    case every(seconds: Int64)

    /// The first moment after another.
    package func next(after instant: Instant, in zone: Zone) -> Instant? {
        switch self {
        case .cron(let expression): expression.next(after: instant, in: zone)
        case .every(let seconds):
            try? Instant(seconds: (instant.seconds - remainder(instant.seconds, seconds))).adding(seconds: seconds)
        }
    }

    private func remainder(_ value: Int64, _ divisor: Int64) -> Int64 {
        let rest = value % divisor
        return rest < 0 ? rest + divisor : rest
    }

    package var text: String {
        switch self {
        case .cron(let expression): expression.text
        case .every(let seconds): "every \(JobTiming.words(seconds))"
        }
    }

    /// `15 minutes`
    package static func words(_ seconds: Int64) -> String {
        for (unit, size) in [("day", 86_400), ("hour", 3_600), ("minute", 60)] as [(String, Int64)]
        where seconds % size == 0 {
            return "\(seconds / size) \(unit)\(seconds == size ? "" : "s")"
        }
        return "\(seconds) second\(seconds == 1 ? "" : "s")"
    }

    /// `90 seconds`, `15 minutes`, `2 hours`, `1 day`; also `90s`, `15m`, `2h`, `1d`.
    ///
    /// - Returns: nil for what is none of these, and for more than 366 days.
    package static func seconds(_ text: String) -> Int64? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let unit = text[digits.endIndex...].drop { $0 == " " }
        let sizes: [String: Int64] = [
            "s": 1, "second": 1, "seconds": 1, "m": 60, "minute": 60, "minutes": 60, "h": 3_600, "hour": 3_600,
            "hours": 3_600, "d": 86_400, "day": 86_400, "days": 86_400,
        ]
        guard let count = Int64(digits), (1...31_622_400).contains(count), let size = sizes[String(unit)],
            count * size <= 31_622_400
        else { return nil }
        return count * size
    }
}
