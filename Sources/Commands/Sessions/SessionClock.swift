import Circulation
import Synchronization

/// The clock of an interactive session: it follows its source until a session stops it at another moment.
final class SessionClock: Clock {
    private let source: any Clock
    private let travelled = Mutex<Instant?>(nil)

    init(_ source: any Clock) { self.source = source }

    func now() -> Instant { travelled.withLock { $0 } ?? source.now() }

    /// Where it stands; nil if it goes.
    var standing: Instant? { travelled.withLock { $0 } }

    /// Lets it stand at a moment; nil: lets it go again.
    func stand(at instant: Instant?) { travelled.withLock { $0 = instant } }

    /// The moment that a text means: an instant, a date at this time of the day, or so many days from now on (`+14`).
    ///
    /// - Throws: `TimeError`.
    func moment(_ text: String, in zone: Zone) throws(TimeError) -> Instant {
        let local = zone.local(of: now())
        if let sign = text.first, sign == "+" || sign == "-", let days = Int64(text.dropFirst()) {
            return zone.instant(of: try local.date.adding(days: sign == "-" ? -days : days), local.time)
        }
        if text.utf8.count <= 10 { return zone.instant(of: try CivilDate(parsing: text), local.time) }
        return try Instant(parsing: text, in: zone)
    }
}
