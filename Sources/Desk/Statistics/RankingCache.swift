import Circulation
import Synchronization

/// The rankings of titles that were read last, for a desk that many readers ask: a ranking reads every loan of its days.
///
/// The first to come when one is out of date reads it anew; the others see the former one meanwhile.
final class RankingCache: Sendable {
    /// A title and its loans, the most lent first.
    typealias Ranking = [(title: Int64, loans: Int64)]

    struct Key: Hashable {
        var days: Int64
        var limit: Int64
    }

    private struct Entry {
        var readAt: Instant
        var ranking: Ranking
    }

    /// How many rankings are kept: anyone may ask for any number of days.
    private static let most = 64

    private let secondsKept: Int64
    private let entries = Mutex<[Key: Entry]>([:])

    /// - Parameter secondsKept: how old a ranking may be; 0: each is read when it is asked for.
    init(secondsKept: Int64 = 0) {
        self.secondsKept = secondsKept
    }

    /// The ranking that is kept, or what `read` returns.
    ///
    /// - Parameter isAnew: read it although the one that is kept is not too old.
    func ranking(
        _ key: Key, at now: Instant, isAnew: Bool = false, _ read: () throws -> Ranking
    ) throws -> Ranking {
        guard secondsKept > 0 else { return try read() }
        if !isAnew, let kept = entries.withLock({ $0[key] }), kept.readAt <= now,
            (try? kept.readAt.adding(seconds: secondsKept)).map({ now < $0 }) ?? false
        {
            return kept.ranking
        }
        if !isAnew { entries.withLock { $0[key]?.readAt = now } }
        let entry = Entry(readAt: now, ranking: try read())
        entries.withLock { entries in
            if entries.count >= Self.most, entries[key] == nil,
                let oldest = entries.min(by: { $0.value.readAt < $1.value.readAt })
            {
                entries[oldest.key] = nil
            }
            entries[key] = entry
        }
        return entry.ranking
    }
}
