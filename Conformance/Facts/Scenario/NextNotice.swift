import Circulation
import Desk

/// When the next notice of a loan is sent.
enum NextNotice {
    /// The first moment at which a sweep would send something: before the due time, or else after it.
    static func next(after start: Instant, _ due: Instant, _ library: FactLibrary) throws -> Instant? {
        let moment = library.now
        defer { library.travel(to: moment) }
        func sends(_ instant: Instant) throws -> Bool {
            library.travel(to: instant)
            return try library.desk.rehearse { try $0.notices.sweep() }.notices > 0
        }
        let spans = [(start, try due.adding(seconds: -1)), (max(start, due), try due.adding(hours: 24 * 400))]
        for (first, last) in spans where first <= last {
            if try sends(first) { return first }
            guard try sends(last) else { continue }
            var (low, high) = (first.seconds, last.seconds)
            while high - low > 1 {
                let middle = low + (high - low) / 2
                if try sends(Instant(seconds: middle)) { high = middle } else { low = middle }
            }
            return Instant(seconds: high)
        }
        return nil
    }
}
